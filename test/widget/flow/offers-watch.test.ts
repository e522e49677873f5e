// Asking for the decision: until there is one, once at a time, and not after the step was left.

import { describe, expect, it } from 'vitest';
import { OffersWatch } from '../../../widget/flow/offers-watch.ts';
import { fail, FakeFundingApi, ok } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

function createWatch() {
  const api = new FakeFundingApi();
  const polling = createManualPolling();
  const watch = new OffersWatch({ api, polling: polling.environment, onChange: () => undefined });
  return { api, polling, watch };
}

describe('the watch for offers', () => {
  it('goes on while there is no decision, and ends with one', async () => {
    const { api, polling, watch } = createWatch();
    watch.start();
    await polling.settle();
    expect([api.offersAsked, polling.waiting]).toEqual([1, 1]);
    api.offers = ok({
      decision: 'not-qualified',
      offers: [],
      checkedAt: '2026-11-20T15:00:00.000Z',
    });
    await polling.tick();
    expect([api.offersAsked, polling.waiting, polling.listeners]).toEqual([2, 0, 0]);
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
  });

  it('does not go on when the step was left before the answer came', async () => {
    const { polling, watch } = createWatch();
    watch.start();
    watch.stop();
    await polling.settle();
    expect([polling.waiting, polling.listeners]).toEqual([0, 0]);
  });

  it('keeps a decision on the screen when a later question fails', async () => {
    const { api, polling, watch } = createWatch();
    api.offers = ok({
      decision: 'not-qualified',
      offers: [],
      checkedAt: '2026-11-20T15:00:00.000Z',
    });
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
    expect([polling.pauses, polling.waiting]).toEqual([[40_000, 40_000], 1]);
  });
});
