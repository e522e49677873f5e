// What follows the submission is loaded late: whenever it comes, it begins with what was given until then, and asks for nothing twice.

import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import { FlowParts } from '../../../widget/flow/flow-parts.ts';
import { giveReport } from '../../../widget/flow/host-wishes.ts';
import { createEarlyFlow, fill } from '../../support/create-flow.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  ok,
  type FakeFundingApi,
} from '../../support/fake-funding-api.ts';

const document = {
  number: 1,
  category: 'other',
  bytes: 1,
  delayed: false,
  status: 'delivered',
} as const;
const given = {
  assetReport: { status: 'delivered', delayed: false },
  contact: { status: 'enabled' },
} as const;

/** A BFF that has an application, and a document, a report and a wish that were given to it. */
function withGiven(application: Partial<ApplicationStatus>) {
  return (api: FakeFundingApi) => {
    const filed = { ...acceptedStatus, ...application };
    api.session = ok(createSession({ ...given, application: filed, documents: [document] }));
  };
}

async function load(...options: Parameters<typeof createEarlyFlow>) {
  const created = createEarlyFlow(...options);
  await created.flow.load();
  return created;
}

describe('parts that come late', () => {
  it('begin with what an earlier page has given', async () => {
    const { flow } = await load(withGiven({}));
    expect([flow.state?.step, flow.parts]).toEqual(['submitted', undefined]);
    flow.equip(FlowParts);
    expect(flow.parts).toMatchObject({
      documents: { sent: [document] },
      bank: { status: given.assetReport },
      contact: { state: 'enabled' },
    });
  });

  it('begin with nothing of what was refused before the page was there', async () => {
    const { flow } = await load(withGiven({ status: 'rejected', errors: [] }));
    flow.equip(FlowParts);
    expect(flow.parts).toMatchObject({ documents: { sent: [] }, bank: { status: undefined } });
  });

  it('begin with nothing of what is refused while they are on their way', async () => {
    const { flow, polling } = await load((api) => {
      withGiven({ status: 'received' })(api);
      api.status = ok({ ...acceptedStatus, status: 'rejected', errors: [] });
    });
    await polling.tick();
    expect(flow.state?.problem).toBe('rejected-earlier');
    flow.equip(FlowParts);
    expect(flow.parts).toMatchObject({ documents: { sent: [] }, bank: { status: undefined } });
  });

  it('begin with what a session brings that comes after the form', async () => {
    const { flow, polling } = await load((before) => {
      const session = createSession({ application: acceptedStatus, documents: [document] });
      let opened = 0;
      before.openSession = async () => {
        opened += 1;
        return opened === 1 ? fail('network') : ok(session);
      };
    });
    await polling.tick();
    flow.equip(FlowParts);
    expect([flow.state?.step, flow.parts?.documents.sent]).toEqual(['submitted', [document]]);
  });

  it('are those of the next applicant once the session was ended', async () => {
    const { api, flow } = await load(withGiven({}));
    await flow.end.end(flow.parts?.documents);
    flow.equip(FlowParts);
    expect([api.sessionsEnded, flow.isFinished, flow.parts]).toEqual([1, true, undefined]);
    api.session = ok(createSession());
    await flow.load();
    expect(flow.parts?.documents.sent).toEqual([]);
  });

  it('ask for the offers once they are there, and not before', async () => {
    const { api, flow, polling } = await load();
    fill(flow);
    await flow.submit();
    flow.showLater('offers');
    await polling.settle();
    expect([api.offersRequests, polling.waiting]).toEqual([0, 0]);
    flow.equip(FlowParts);
    await polling.settle();
    expect([api.offersRequests, polling.waiting]).toEqual([1, 1]);
  });

  it('ask what became of documents once they are there, and not before', async () => {
    const { api, flow, polling } = await load();
    fill(flow);
    await flow.submit();
    flow.next();
    expect([flow.state?.step, polling.waiting]).toEqual(['documents', 0]);
    flow.equip(FlowParts);
    expect(polling.waiting).toBe(1);
    withGiven({})(api);
    await polling.tick();
    expect([flow.parts?.documents.sent, polling.waiting]).toEqual([[document], 0]);
  });

  it('ask nothing while the form is off the page', async () => {
    const { api, flow, polling } = await load();
    fill(flow);
    await flow.submit();
    flow.showLater('offers');
    flow.hostDisconnected();
    flow.equip(FlowParts);
    await polling.settle();
    expect([api.offersRequests, polling.waiting]).toEqual([0, 0]);
    flow.hostConnected();
    await polling.settle();
    expect(api.offersRequests).toBe(1);
  });
});

describe('without its parts', () => {
  it('a form is filled in, checked in place and sent', async () => {
    const { flow } = await load();
    flow.continue();
    expect(flow.state?.errors).toHaveLength(2);
    fill(flow);
    await flow.submit();
    expect(flow.state?.step).toBe('submitted');
  });

  it('a report cannot be sent, which is not taken for a missing application', async () => {
    const { api, flow } = createEarlyFlow();
    expect(await flow.submitAssetReport({})).toMatchObject({ code: 'application-missing' });
    await flow.load();
    expect(await flow.submitAssetReport({})).toMatchObject({ code: 'network' });
    flow.equip(FlowParts);
    expect(await flow.submitAssetReport({})).toMatchObject({ ok: true });
    expect(api.reports).toHaveLength(1);
  });

  it('a report that waits for them goes to nobody else', async () => {
    const { api, flow } = await load();
    fill(flow);
    await flow.submit();
    const answer = await giveReport(flow, {}, async () => {
      flow.equip(FlowParts);
      await flow.end.end(flow.parts?.documents);
      await flow.load();
    });
    expect(answer).toMatchObject({ code: 'application-missing' });
    expect(api.reports).toHaveLength(0);
  });
});
