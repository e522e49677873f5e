// What the host page hears of an application: each thing once, and nothing that was given.

import { describe, expect, it } from 'vitest';
import type { FlowEvent } from '../../../widget/flow/flow-event.ts';
import { createFlow, fill } from '../../support/create-flow.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  type FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';

const received = ok({ ...acceptedStatus, status: 'received' as const });
const { reference } = acceptedStatus;

async function listenTo(prepare?: (api: FakeFundingApi) => void) {
  const events: FlowEvent[] = [];
  const created = createFlow(prepare, { onEvent: (event) => events.push(event) });
  await created.flow.load();
  return { ...created, events };
}

describe('the host page hears', () => {
  it('of an application when it is filed, and once for each new status', async () => {
    const { api, polling, flow, events } = await listenTo();
    api.application = received;
    api.status = received;
    fill(flow);
    await flow.submit();
    await polling.tick();
    api.status = ok(acceptedStatus);
    await polling.tick();
    expect(events).toEqual([
      { kind: 'submitted', reference, status: 'received' },
      { kind: 'submitted', reference, status: 'accepted' },
    ]);
  });

  it('nothing of an application that an earlier page has filed, until its status changes', async () => {
    const { api, polling, events } = await listenTo((before) => {
      before.session = ok(
        createSession({ application: { ...acceptedStatus, status: 'received' } }),
      );
    });
    expect(events).toEqual([]);
    api.status = ok(acceptedStatus);
    await polling.tick();
    expect(events).toEqual([{ kind: 'submitted', reference, status: 'accepted' }]);
  });

  it('of a refusal, also of what an earlier page has filed', async () => {
    const rejected = ok({ ...acceptedStatus, status: 'rejected' as const, errors: [] });
    const { api, flow, polling, events } = await listenTo();
    api.application = received;
    api.status = rejected;
    fill(flow);
    await flow.submit();
    await polling.tick();
    expect(events).toEqual([
      { kind: 'submitted', reference, status: 'received' },
      { kind: 'submitted', reference, status: 'rejected' },
      { kind: 'problem', code: 'application-rejected', isRetryable: false },
    ]);
    const later = await listenTo((before) => {
      before.session = ok(
        createSession({ application: { ...acceptedStatus, status: 'received' } }),
      );
      before.status = rejected;
    });
    await later.polling.tick();
    expect(later.events[0]).toEqual({ kind: 'submitted', reference, status: 'rejected' });
  });

  it('of a problem each time it is shown, and whether trying again may help', async () => {
    const { api, flow, events } = await listenTo();
    fill(flow);
    api.application = fail('storage-unavailable');
    await flow.submit();
    flow.settle();
    await flow.submit();
    api.application = fail('origin-refused');
    await flow.submit();
    expect(events).toEqual([
      { kind: 'problem', code: 'storage-unavailable', isRetryable: true },
      { kind: 'problem', code: 'storage-unavailable', isRetryable: true },
      { kind: 'problem', code: 'origin-refused', isRetryable: false },
    ]);
  });

  it('of a form that cannot be shown', async () => {
    const { events } = await listenTo((api) => {
      api.configuration = fail('network');
    });
    expect(events).toEqual([{ kind: 'problem', code: 'network', isRetryable: true }]);
  });

  it('of a bank report that did not arrive', async () => {
    const { api, flow, events } = await listenTo();
    fill(flow);
    await flow.submit();
    api.assetReport = fail('asset-report-invalid');
    await flow.submitAssetReport({});
    expect(events.slice(1)).toEqual([
      { kind: 'problem', code: 'asset-report-invalid', isRetryable: false },
    ]);
  });
});
