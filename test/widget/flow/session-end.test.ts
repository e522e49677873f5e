// Ending the session: what is lost with it is said before, and what kept it from ending is said until the next application.

import { describe, expect, it } from 'vitest';
import type { Result } from '../../../widget/api/funding-api.ts';
import { FlowParts } from '../../../widget/flow/flow-parts.ts';
import { createEarlyFlow, createLoadedFlow, fill } from '../../support/create-flow.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  ok,
  type FakeFundingApi,
} from '../../support/fake-funding-api.ts';

const received = { ...acceptedStatus, status: 'received' } as const;

/** An answer that comes when a test says so. */
function createDelayed<Value>() {
  let give: (answer: Result<Value>) => void = () => undefined;
  const answer = new Promise<Result<Value>>((resolve) => (give = resolve));
  return { give, ask: () => answer };
}

/** Somebody is done on this computer, and the next one begins. */
async function beginAnew({ api, flow }: Awaited<ReturnType<typeof createLoadedFlow>>) {
  await flow.end.end(flow.parts?.documents);
  api.session = ok(createSession());
  await flow.load();
}

describe('the end of a session', () => {
  it('needs none of what follows the submission', async () => {
    const { api, flow } = createEarlyFlow();
    await flow.load();
    expect(await flow.end.end(flow.parts?.documents)).toBe('ended');
    expect([api.sessionsEnded, flow.isFinished, flow.state]).toEqual([1, true, undefined]);
  });

  it('waits for another word where files would be lost', async () => {
    const { flow } = await createLoadedFlow();
    const { documents } = flow.parts!;
    documents.add([new File(['a'], 'a.pdf')]);
    expect(await flow.end.end(documents)).toBe('warned');
    expect(await flow.end.end(documents)).toBe('ended');
    expect(documents.queued).toEqual([]);
  });

  it('asks for that word anew once another step was shown', async () => {
    const { api, flow } = await createLoadedFlow();
    fill(flow);
    await flow.submit();
    const { documents } = flow.parts!;
    documents.add([new File(['a'], 'a.pdf')]);
    expect(await flow.end.end(documents)).toBe('warned');
    flow.showLater('offers');
    expect(await flow.end.end(documents)).toBe('warned');
    expect(api.sessionsEnded).toBe(0);
  });

  it('is asked for once when two presses wish it', async () => {
    const { api, flow } = await createLoadedFlow();
    const outcomes = [flow.end.end(undefined), flow.end.end(undefined)];
    expect(await Promise.all(outcomes)).toEqual(['ended', 'failed']);
    expect(api.sessionsEnded).toBe(1);
  });

  it('that failed is not told of the next application', async () => {
    const { api, flow } = await createLoadedFlow();
    api.ended = fail('network');
    expect(await flow.end.end(flow.parts?.documents)).toBe('failed');
    expect(flow.end.problem).toBe('network');
    api.application = ok(acceptedStatus);
    fill(flow);
    await flow.submit();
    expect(flow.end.problem).toBeUndefined();
  });
});

describe('files that are chosen while the session ends', () => {
  it('are given up with it, also where what holds them came meanwhile', async () => {
    const { api, flow } = createEarlyFlow((before) => {
      before.session = ok(createSession({ application: acceptedStatus }));
    });
    await flow.load();
    const ended = createDelayed<undefined>();
    api.endSession = ended.ask;
    const ending = flow.end.end(flow.parts?.documents);
    flow.equip(FlowParts);
    const { documents } = flow.parts!;
    documents.add([new File(['a'], 'a.pdf')]);
    ended.give(ok(undefined));
    await ending;
    expect(documents.queued).toEqual([]);
  });
});

describe('an answer that comes when the session was ended, and another applicant has begun', () => {
  const hasReceived = (api: FakeFundingApi) => {
    api.session = ok(createSession({ application: received }));
  };

  it('shows nobody the application of the one before', async () => {
    const created = await createLoadedFlow(hasReceived);
    const { api, flow, polling } = created;
    const status = createDelayed<typeof acceptedStatus>();
    api.getApplication = status.ask;
    await polling.tick();
    await beginAnew(created);
    status.give(ok(acceptedStatus));
    await polling.settle();
    expect(flow.state).toMatchObject({ step: 'funding-need', application: undefined });
  });

  it('does not tell the next one that the session has ended', async () => {
    const created = await createLoadedFlow(hasReceived);
    const { api, flow, polling } = created;
    api.status = ok(acceptedStatus);
    await polling.tick();
    flow.next();
    const { getSession } = api;
    const session = createDelayed<ReturnType<typeof createSession>>();
    api.getSession = session.ask;
    await polling.tick();
    api.getSession = getSession;
    await beginAnew(created);
    session.give(ok(createSession({ application: acceptedStatus })));
    await polling.settle();
    expect(flow.state).toMatchObject({ step: 'funding-need', problem: undefined });
  });

  it('does not file what the next one has typed', async () => {
    const created = await createLoadedFlow();
    const { api, flow } = created;
    const filed = createDelayed<typeof acceptedStatus>();
    api.submitApplication = filed.ask;
    fill(flow);
    const sending = flow.submit();
    await beginAnew(created);
    filed.give(ok(acceptedStatus));
    await sending;
    expect(flow.state).toMatchObject({ step: 'funding-need', application: undefined });
  });

  it('does not lead the next one to consents that have changed', async () => {
    const created = await createLoadedFlow();
    const { api, flow, polling } = created;
    const { getConfiguration } = api;
    const configuration = createDelayed<ReturnType<typeof createConfiguration>>();
    api.application = fail('consent-required');
    fill(flow);
    api.getConfiguration = configuration.ask;
    const sending = flow.submit();
    await polling.settle();
    api.getConfiguration = getConfiguration;
    await beginAnew(created);
    configuration.give(ok(createConfiguration()));
    await sending;
    expect(flow.state).toMatchObject({ step: 'funding-need', problem: undefined });
  });
});

describe('a session that was ended in another tab', () => {
  it('does not show the application of the next one beside the answers of the last', async () => {
    const { api, flow, polling } = await createLoadedFlow();
    api.application = ok(received);
    fill(flow);
    await flow.submit();
    api.status = ok({ ...acceptedStatus, reference: 'of-another-application' });
    await polling.tick();
    expect(flow.state).toMatchObject({ application: received, problem: 'session-missing' });
  });
});

describe('a session that had not come when it was ended', () => {
  it('is not asked for any more', async () => {
    let opened = 0;
    const { flow, polling } = await createLoadedFlow((api) => {
      api.openSession = async () => {
        opened += 1;
        return fail('network');
      };
    });
    await flow.end.end(flow.parts?.documents);
    await polling.tick();
    expect([flow.isFinished, opened, polling.waiting]).toEqual([true, 1, 0]);
  });

  it('is not watched over when it comes all the same', async () => {
    const session = createDelayed<ReturnType<typeof createSession>>();
    const { flow, polling } = createEarlyFlow((api) => {
      api.openSession = session.ask;
    });
    const loading = flow.load();
    await polling.settle();
    await polling.tick();
    await loading;
    await flow.end.end(flow.parts?.documents);
    session.give(ok(createSession()));
    await polling.settle();
    expect([flow.isFinished, flow.life.session.endsAt]).toEqual([true, undefined]);
  });
});
