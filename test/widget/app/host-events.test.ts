// Tests for the events that the host page receives.

import { describe, expect, it } from 'vitest';
import { toShortReference } from '../../../shared/api/short-reference.ts';
import { createFilledApp, createLoadedApp, type AppOptions } from '../../support/create-app.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  ok,
  receivedStatus,
  rejectedStatus,
  type FakeFundingApi,
} from '../../support/fake-funding-api.ts';
import { createOffer } from '../../support/offers.ts';

const { reference } = acceptedStatus;
const shortReference = toShortReference(reference);

function hasReceived(api: FakeFundingApi): void {
  api.session = ok(createSession({ application: receivedStatus }));
  api.status = ok(receivedStatus);
}

async function createSubmittedApp(options: AppOptions = {}) {
  const created = await createFilledApp(options);
  await created.submit();
  return created;
}

describe('funding-submitted', () => {
  it('reports each status of an application once', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    world.api.status = ok(receivedStatus);
    await world.submit();
    await world.polling.tick();
    world.api.status = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.events).toEqual([
      { type: 'funding-submitted', reference, shortReference, status: 'received' },
      { type: 'funding-submitted', reference, shortReference, status: 'accepted' },
    ]);
  });

  it('does not report the application of an earlier page', async () => {
    const { events } = await createLoadedApp({ prepare: hasReceived });
    expect(events).toEqual([]);
  });

  it('reports the next status of the application of an earlier page', async () => {
    const world = await createLoadedApp({ prepare: hasReceived });
    world.api.status = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.events).toEqual([
      { type: 'funding-submitted', reference, shortReference, status: 'accepted' },
    ]);
  });

  it('reports a rejection', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    world.api.status = ok(rejectedStatus);
    await world.submit();
    await world.polling.tick();
    expect(world.events).toEqual([
      { type: 'funding-submitted', reference, shortReference, status: 'received' },
      { type: 'funding-submitted', reference, shortReference, status: 'rejected' },
      { type: 'funding-error', code: 'application-rejected', isRetryable: false },
    ]);
  });

  it('reports a rejection of the application of an earlier page', async () => {
    const world = await createLoadedApp({ prepare: hasReceived });
    world.api.status = ok(rejectedStatus);
    await world.polling.tick();
    expect(world.events[0]).toEqual({
      type: 'funding-submitted',
      reference,
      shortReference,
      status: 'rejected',
    });
  });
});

describe('funding-error', () => {
  it('reports the same problem at each attempt', async () => {
    const world = await createFilledApp();
    world.api.application = fail('storage-unavailable');
    await world.submit();
    await world.submit();
    const event = { type: 'funding-error', code: 'storage-unavailable', isRetryable: true };
    expect(world.events).toEqual([event, event]);
  });

  it('reports that another attempt does not help', async () => {
    const world = await createFilledApp();
    world.api.application = fail('origin-refused');
    await world.submit();
    expect(world.events).toEqual([
      { type: 'funding-error', code: 'origin-refused', isRetryable: false },
    ]);
  });

  it('reports a form that cannot be loaded', async () => {
    const { events } = await createLoadedApp({
      prepare: (api) => {
        api.configuration = fail('network');
      },
    });
    expect(events).toEqual([{ type: 'funding-error', code: 'network', isRetryable: true }]);
  });

  it('reports a failed bank report', async () => {
    const world = await createSubmittedApp();
    world.api.assetReport = fail('asset-report-invalid');
    await world.app.afterChunk?.sendBankReport({});
    expect(world.events.at(-1)).toEqual({
      type: 'funding-error',
      code: 'asset-report-invalid',
      isRetryable: false,
    });
  });

  it('reports a session that cannot be ended', async () => {
    const world = await createSubmittedApp();
    world.api.ended = fail('network');
    await world.app.close();
    expect(world.events.at(-1)).toMatchObject({ type: 'funding-error', code: 'network' });
  });
});

describe('funding-document', () => {
  const document = { number: 1, name: 'Rosa Nunez.pdf', category: 'other', bytes: 1 } as const;

  it('reports a sent document without its name', async () => {
    const world = await createSubmittedApp();
    const status = { ...document, status: 'delivered', delayed: false } as const;
    world.store.merge('documents', { uploaded: [{ id: 1, status }] });
    expect(world.events.at(-1)).toEqual({
      type: 'funding-document',
      number: 1,
      category: 'other',
      status: 'delivered',
    });
  });

  it('reports another category of the same document', async () => {
    const world = await createSubmittedApp();
    const status = { ...document, status: 'received', delayed: false } as const;
    world.store.merge('documents', { uploaded: [{ id: 1, status }] });
    const changed = { ...status, category: 'ein-letter' };
    world.store.merge('documents', { uploaded: [{ id: 1, status: changed }] });
    world.store.merge('documents', { uploaded: [{ id: 1, status: { ...changed } }] });
    expect(world.events.slice(-2)).toMatchObject([
      { category: 'other', status: 'received' },
      { category: 'ein-letter', status: 'received' },
    ]);
  });

  it('does not report the documents of an earlier page', async () => {
    const documents = [{ ...document, status: 'received', delayed: false } as const];
    const { events } = await createLoadedApp({
      prepare: (api) => {
        api.session = ok(createSession({ application: acceptedStatus, documents }));
      },
    });
    expect(events).toEqual([]);
  });
});

describe('funding-offers', () => {
  it('reports the decision with the number of offers', async () => {
    const world = await createSubmittedApp();
    world.api.offers = ok({
      decision: 'qualified',
      offers: [createOffer()],
      checkedAt: '2026-11-20T15:01:00.000Z',
    });
    world.mergeForm({ step: 'offers' });
    await world.settle();
    expect(world.events.at(-1)).toEqual({
      type: 'funding-offers',
      decision: 'qualified',
      count: 1,
    });
  });

  it('reports the same answer once', async () => {
    const world = await createSubmittedApp();
    world.mergeForm({ step: 'offers' });
    await world.settle();
    await world.polling.tick();
    expect(world.api.offersRequests).toBe(2);
    const types = world.events.map((event) => 'type' in event && event.type);
    expect(types.filter((type) => type === 'funding-offers')).toHaveLength(1);
  });
});

describe('funding-exit', () => {
  it('reports cleared answers', async () => {
    const world = await createFilledApp();
    world.app.clear();
    expect(world.events).toEqual([{ type: 'funding-exit', reason: 'cleared', step: 'review' }]);
  });

  it('reports a closed application with the step that was shown', async () => {
    const world = await createSubmittedApp();
    world.mergeForm({ step: 'bank' });
    await world.app.close();
    expect(world.events.at(-1)).toEqual({
      type: 'funding-exit',
      reason: 'finished',
      step: 'bank',
    });
  });
});
