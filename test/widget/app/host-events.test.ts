// Tests for the events that the host page receives.

import { describe, expect, it } from 'vitest';
import { toShortReference } from '../../../shared/api/short-reference.ts';
import { createFilledApp, createLoadedApp, type TestApp } from '../../support/create-app.ts';
import {
  acceptedStatus,
  deliveredDocument,
  fail,
  ok,
  receivedStatus,
  rejectedStatus,
  withApplication,
} from '../../support/fake-funding-api.ts';
import { createOffer } from '../../support/offers.ts';

const { reference } = acceptedStatus;
const shortReference = toShortReference(reference);
const received = { application: ok(receivedStatus), status: ok(receivedStatus) };

async function createSubmittedApp(bff: object = {}): Promise<TestApp> {
  const created = await createFilledApp({ bff });
  await created.submit();
  return created;
}

const toSubmitted = (status: string) => ({
  type: 'funding-submitted',
  reference,
  shortReference,
  status,
});

const toError = (code: string, isRetryable: boolean) => ({
  type: 'funding-error',
  code,
  isRetryable,
});

describe('funding-submitted', () => {
  it('reports each status of an application once', async () => {
    const world = await createSubmittedApp(received);
    await world.polling.tick();
    world.api.status = ok(acceptedStatus);
    await world.polling.tick();
    expect(world.events).toEqual([toSubmitted('received'), toSubmitted('accepted')]);
  });

  it('reports a rejection', async () => {
    const world = await createSubmittedApp({ ...received, status: ok(rejectedStatus) });
    await world.polling.tick();
    expect(world.events).toEqual([
      toSubmitted('received'),
      toSubmitted('rejected'),
      toError('application-rejected', false),
    ]);
  });

  it.each([acceptedStatus, rejectedStatus])(
    'reports only the next status of the application of an earlier page: $status',
    async (status) => {
      const world = await createLoadedApp({ bff: withApplication(receivedStatus) });
      expect(world.events).toEqual([]);
      world.api.status = ok(status);
      await world.polling.tick();
      expect(world.events[0]).toEqual(toSubmitted(status.status));
    },
  );
});

describe('funding-error', () => {
  it.each([
    ['storage-unavailable', true],
    ['origin-refused', false],
  ] as const)('reports at each attempt %s, isRetryable: %s', async (code, isRetryable) => {
    const world = await createSubmittedApp({ application: fail(code) });
    await world.submit();
    expect(world.events).toEqual([toError(code, isRetryable), toError(code, isRetryable)]);
  });

  it('reports a form that cannot be loaded', async () => {
    const { events } = await createLoadedApp({ bff: { configuration: fail('network') } });
    expect(events).toEqual([toError('network', true)]);
  });

  it('reports a failed bank report', async () => {
    const world = await createSubmittedApp({ assetReport: fail('asset-report-invalid') });
    await world.app.afterChunk?.sendBankReport({});
    expect(world.events.at(-1)).toEqual(toError('asset-report-invalid', false));
  });

  it('reports a session that cannot be ended', async () => {
    const world = await createSubmittedApp({ ended: fail('network') });
    await world.app.close();
    expect(world.events.at(-1)).toEqual(toError('network', true));
  });
});

describe('funding-document', () => {
  it('reports a document without its name, and each other category once', async () => {
    const world = await createSubmittedApp();
    const changed = { ...deliveredDocument, category: 'ein-letter' };
    for (const status of [deliveredDocument, changed, { ...changed }])
      world.store.merge('documents', { uploaded: [{ id: 1, status }] });
    const { number, category, status } = deliveredDocument;
    const event = { type: 'funding-document', number, category, status };
    expect(world.events.slice(1)).toEqual([event, { ...event, category: 'ein-letter' }]);
  });

  it('does not report the documents of an earlier page', async () => {
    const bff = withApplication(acceptedStatus, { documents: [deliveredDocument] });
    expect((await createLoadedApp({ bff })).events).toEqual([]);
  });
});

it('funding-offers reports the number of offers, once for the same answer', async () => {
  const offers = { offers: [createOffer()], checkedAt: '2026-11-20T15:01:00.000Z' };
  const bff = { offers: ok({ decision: 'pending', ...offers, offers: [] }) };
  const world = await createSubmittedApp(bff);
  world.mergeForm({ step: 'offers' });
  await world.settle();
  await world.polling.tick();
  world.api.offers = ok({ decision: 'qualified', ...offers });
  await world.polling.tick();
  expect(world.api.offersRequests).toBe(3);
  expect(world.events.slice(1)).toEqual([
    { type: 'funding-offers', decision: 'pending', count: 0 },
    { type: 'funding-offers', decision: 'qualified', count: 1 },
  ]);
});

describe('funding-exit', () => {
  it('reports cleared answers', async () => {
    const world = await createFilledApp();
    world.app.clear();
    expect(world.events).toEqual([{ type: 'funding-exit', reason: 'cleared', step: 'review' }]);
  });
});
