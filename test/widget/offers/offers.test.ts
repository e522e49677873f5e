// Polling for the decision while the offers step shows.

import { beforeEach, describe, expect, it } from 'vitest';
import { withoutAttachments } from '../../../widget/app/attachments.ts';
import { emptyOffers } from '../../../widget/app/store.ts';
import { createOffers } from '../../../widget/offers/offers.ts';
import { createFeature } from '../../support/create-feature.ts';
import { acceptedStatus, fail } from '../../support/fake-funding-api.ts';
import { createOffer, decided } from '../../support/offers.ts';

const minuteMs = 60_000;

type Rig = ReturnType<typeof createFeature<ReturnType<typeof createOffers>>>;

let rig: Rig;

beforeEach(() => {
  rig = createFeature(createOffers);
});

async function showOffers(): Promise<void> {
  rig.showStep('offers');
  await rig.polling.settle();
}

const check = () => rig.feature.check();
const getState = () => rig.store.state.offers;

describe('polling for offers', () => {
  it('repeats while the decision is pending', async () => {
    await showOffers();
    await rig.polling.tick();
    expect(rig.api.offersRequests).toBe(2);
    expect(getState().isPolling).toBe(true);
  });

  const stopped = { isPolling: false, hasTimedOut: false };

  it.each([
    ['stops when the lender makes no offer', decided([]), [], stopped],
    ['repeats once a minute with offers', decided([createOffer()]), [minuteMs], {}],
    [
      'repeats after a failure that can pass',
      fail('service-unavailable'),
      [3_000],
      { isPolling: true, problem: 'service-unavailable' },
    ],
    ['stops after a failure that stays', fail('service-refused'), [], stopped],
  ] as const)('%s', async (_rule, offers, delays, state) => {
    rig.api.offers = offers;
    await showOffers();
    expect(rig.polling.delays).toEqual(delays);
    expect(rig.polling.waiting).toBe(delays.length);
    expect(getState()).toMatchObject(state);
  });

  it('waits as long as the BFF asks for', async () => {
    rig.api.offers = { ...fail('too-many-requests'), retryAfterMs: 40_000 };
    await showOffers();
    await rig.polling.tick();
    expect(rig.polling.delays).toEqual([40_000, 40_000]);
  });

  it('stops when the applicant leaves the step', async () => {
    await showOffers();
    rig.showStep('documents');
    expect(rig.polling).toMatchObject({ waiting: 0, listeners: 0 });
    expect(getState().isPolling).toBe(false);
  });

  it('does not resume when a response arrives after the step was left', async () => {
    rig.showStep('offers');
    rig.showStep('documents');
    await rig.polling.settle();
    expect(rig.polling).toMatchObject({ waiting: 0, listeners: 0 });
    expect(getState()).toMatchObject({ isPolling: false, response: undefined });
  });

  it('shares a request when the applicant returns before its response', async () => {
    rig.showStep('offers');
    rig.showStep('documents');
    await showOffers();
    expect(rig.api.offersRequests).toBe(1);
    expect(getState().response?.decision).toBe('pending');
  });

  it('pauses while the element is not in the document', async () => {
    await showOffers();
    rig.store.update((state) => ({ ...state, isConnected: false }));
    expect(rig.polling.waiting).toBe(0);
    rig.store.update((state) => ({ ...state, isConnected: true }));
    await rig.polling.settle();
    expect(rig.api.offersRequests).toBe(2);
  });

  it('stops when the application is closed', async () => {
    rig.showStep('offers');
    rig.close();
    await rig.polling.settle();
    expect(rig.polling.waiting).toBe(0);
    expect(getState()).toEqual(emptyOffers);
  });

  it('ignores the response to an earlier application', async () => {
    rig.api.offers = decided([createOffer()]);
    rig.showStep('offers');
    rig.store.update(withoutAttachments);
    rig.mergeForm({ application: { ...acceptedStatus, reference: 'second' } });
    await rig.polling.settle();
    expect(getState().response).toBeUndefined();
    await rig.polling.tick();
    expect(getState().response?.decision).toBe('qualified');
  });
});

describe('polling without a decision', () => {
  async function poll(minutes: number): Promise<void> {
    await showOffers();
    for (let minute = 0; minute < minutes; minute += 1) {
      rig.advance(minuteMs);
      await rig.polling.tick();
    }
  }

  it('stops after 30 minutes, and starts again when the applicant checks', async () => {
    await poll(29);
    expect(rig.polling.waiting).toBe(1);
    expect(getState().hasTimedOut).toBe(false);
    rig.advance(minuteMs);
    await rig.polling.tick();
    expect(rig.polling).toMatchObject({ waiting: 0, listeners: 0 });
    expect(getState()).toMatchObject({ isPolling: false, hasTimedOut: true });
    await check();
    expect(rig.polling.waiting).toBe(1);
    expect(getState()).toMatchObject({ isPolling: true, hasTimedOut: false });
    expect(getState().since?.toISOString()).toBe('2026-11-20T15:30:00.000Z');
  });

  it('counts 30 minutes from the return to a hidden page', async () => {
    await poll(20);
    await rig.polling.setHidden(true);
    rig.advance(90 * minuteMs);
    await rig.polling.setHidden(false);
    expect(rig.polling.waiting).toBe(1);
    expect(getState().hasTimedOut).toBe(false);
    expect(getState().since?.toISOString()).toBe('2026-11-20T16:50:00.000Z');
  });
});

describe('"Check now"', () => {
  it('shares a request that is in progress', async () => {
    rig.showStep('offers');
    const checking = check();
    expect(getState().isChecking).toBe(true);
    await checking;
    expect(rig.api.offersRequests).toBe(1);
    expect(getState().isChecking).toBe(false);
  });

  it('restarts the growing delays', async () => {
    await showOffers();
    await rig.polling.tick();
    await check();
    const [first, , restarted] = rig.polling.delays;
    expect(restarted).toBe(first);
  });

  it('keeps a decision when its request fails', async () => {
    rig.api.offers = decided([]);
    await showOffers();
    rig.api.offers = fail('network');
    await check();
    expect(getState().response?.decision).toBe('not-qualified');
    expect(getState().problem).toBe('network');
  });

  it('has its result announced, and no later automatic one', async () => {
    await showOffers();
    expect(getState().isRequested).toBe(false);
    await check();
    expect(getState().isRequested).toBe(true);
    rig.api.hold('getOffers');
    await rig.polling.tick();
    expect(getState().isRequested).toBe(false);
  });
});

describe('the order of the response', () => {
  it('keeps the places of known offers', async () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => createOffer({ id }));
    rig.api.offers = decided([b!, a!]);
    await showOffers();
    rig.api.offers = decided([d!, a!, c!, b!]);
    await check();
    expect(getState().response?.offers.map(({ id }) => id)).toEqual(['b', 'a', 'd', 'c']);
  });
});
