// Asking for the decision: while there may be news, once at a time, not for ever, and not after the step was left.

import { describe, expect, it } from 'vitest';
import type { FlowEvent } from '../../../widget/flow/flow-event.ts';
import { OffersWatch } from '../../../widget/flow/offers-watch.ts';
import { fail, FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';
import { createOffer, decided } from '../../support/offers.ts';

const minuteMs = 60_000;

function createWatch() {
  const api = new FakeFundingApi();
  const polling = createManualPolling();
  const events: FlowEvent[] = [];
  let nowMs = Date.parse('2026-11-20T15:00:00.000Z');
  const watch = new OffersWatch({
    api,
    polling: polling.environment,
    now: () => new Date(nowMs),
    onChange: () => undefined,
    onEvent: (event) => events.push(event),
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { api, polling, watch, events, pass };
}

describe('the watch for offers', () => {
  it('goes on while there is no decision, and ends when there will be no offer', async () => {
    const { api, polling, watch } = createWatch();
    watch.start();
    await polling.settle();
    expect([api.offersRequests, polling.waiting, watch.isLooking]).toEqual([1, 1, true]);
    api.offers = decided([]);
    await polling.tick();
    expect([api.offersRequests, polling.waiting, polling.listeners]).toEqual([2, 0, 0]);
    expect(watch.isLooking).toBe(false);
  });

  it('asks once a minute when there are offers, since another may come', async () => {
    const { api, polling, watch } = createWatch();
    api.offers = decided([createOffer()]);
    watch.start();
    await polling.settle();
    expect(polling.delays).toEqual([minuteMs]);
  });

  it('goes on when the service is away, and not when it refuses', async () => {
    const { api, polling, watch } = createWatch();
    api.offers = fail('service-unavailable');
    watch.start();
    await polling.settle();
    expect(polling.waiting).toBe(1);
    api.offers = fail('service-refused');
    await polling.tick();
    expect([polling.waiting, watch.problem]).toEqual([0, 'service-refused']);
    expect([watch.isLooking, watch.hasTired]).toEqual([false, false]);
  });

  it('does not go on when the step was left before the answer came', async () => {
    const { polling, watch } = createWatch();
    watch.start();
    watch.stop();
    await polling.settle();
    expect([polling.waiting, polling.listeners, watch.isLooking]).toEqual([0, 0, false]);
  });

  it('keeps a decision on the screen when a later question fails', async () => {
    const { api, polling, watch } = createWatch();
    api.offers = decided([]);
    watch.start();
    await polling.settle();
    api.offers = fail('network');
    await watch.check();
    expect(watch.offers?.decision).toBe('not-qualified');
  });

  it('waits as long as the BFF wants when it asked too often, also at the applicant’s wish', async () => {
    const { api, polling, watch } = createWatch();
    api.offers = { ...fail('too-many-requests'), retryAfterMs: 40_000 };
    watch.start();
    await polling.settle();
    await polling.tick();
    expect([polling.delays, polling.waiting]).toEqual([[40_000, 40_000], 1]);
  });

  it('asks once at a time, whoever wants to know', async () => {
    const { api, watch } = createWatch();
    watch.start();
    expect(watch.isChecking).toBe(false);
    const checking = watch.check();
    expect(watch.isChecking).toBe(true);
    await checking;
    expect([api.offersRequests, watch.isChecking]).toEqual([1, false]);
  });
});

describe('looking without a decision', () => {
  async function lookFor(minutes: number) {
    const world = createWatch();
    world.watch.start();
    await world.polling.settle();
    for (let minute = 0; minute < minutes; minute += 1) {
      world.pass(minuteMs);
      await world.polling.tick();
    }
    return world;
  }

  it('ends after half an hour, and says so', async () => {
    const before = await lookFor(29);
    expect([before.polling.waiting, before.watch.hasTired]).toEqual([1, false]);
    const { polling, watch } = await lookFor(30);
    expect([polling.waiting, polling.listeners]).toEqual([0, 0]);
    expect([watch.isLooking, watch.hasTired]).toEqual([false, true]);
  });

  it('begins anew at the applicant’s wish', async () => {
    const { polling, watch } = await lookFor(30);
    const { since } = watch;
    await watch.check();
    expect([polling.waiting, watch.isLooking, watch.hasTired]).toEqual([1, true, false]);
    expect(watch.since.getTime() - since.getTime()).toBe(30 * minuteMs);
  });

  it('begins anew for somebody who comes back to a hidden page', async () => {
    const { polling, watch, pass } = await lookFor(20);
    await polling.setHidden(true);
    pass(90 * minuteMs);
    await polling.setHidden(false);
    expect([polling.waiting, watch.hasTired]).toEqual([1, false]);
    expect(watch.since.toISOString()).toBe('2026-11-20T16:50:00.000Z');
  });
});

describe('the host page', () => {
  it('hears of each decision and of each other number of offers, once', async () => {
    const { api, polling, watch, events } = createWatch();
    watch.start();
    await polling.settle();
    await polling.tick();
    api.offers = decided([createOffer()]);
    await polling.tick();
    api.offers = decided([createOffer(), createOffer({ id: 'offer-2' })]);
    await polling.tick();
    watch.stop();
    watch.start();
    await polling.settle();
    expect(events).toEqual([
      { kind: 'offers', decision: 'pending', count: 0 },
      { kind: 'offers', decision: 'qualified', count: 1 },
      { kind: 'offers', decision: 'qualified', count: 2 },
    ]);
  });

  it('hears nothing of an answer that comes when nobody looks any more', async () => {
    const { polling, watch, events } = createWatch();
    watch.start();
    watch.stop();
    await polling.settle();
    expect(events).toEqual([]);
  });
});

describe('an answer', () => {
  it('is read out when the applicant has pressed, and not when it comes by itself', async () => {
    const { api, polling, watch } = createWatch();
    const heard: boolean[] = [];
    const { getOffers } = api;
    api.getOffers = () => {
      heard.push(watch.answersPress);
      return getOffers();
    };
    watch.start();
    await polling.settle();
    await watch.check();
    expect(watch.answersPress).toBe(true);
    await polling.tick();
    expect(heard).toEqual([false, true, false]);
    expect(watch.answersPress).toBe(false);
  });
});

describe('the order of offers', () => {
  it('stays over looks; new ones stand behind', async () => {
    const { api, watch } = createWatch();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => createOffer({ id }));
    api.offers = decided([b!, a!]);
    await watch.check();
    api.offers = decided([d!, a!, c!, b!]);
    await watch.check();
    expect(watch.offers?.offers.map(({ id }) => id)).toEqual(['b', 'a', 'd', 'c']);
  });
});
