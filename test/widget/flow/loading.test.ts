// The form is there as soon as the configuration is; the session follows, and only sending needs it.

import { describe, expect, it } from 'vitest';
import type { Session } from '../../../shared/api/session.ts';
import type { Failure, FailureCode, Result } from '../../../widget/api/funding-api.ts';
import { createFlow, createLoadedFlow, fill } from '../../support/create-flow.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { acceptedStatus, createSession, fail, ok } from '../../support/fake-funding-api.ts';

const filed = ok(createSession({ application: acceptedStatus }));

function busy(code: FailureCode, retryAfterMs: number): Failure {
  return { ...fail(code), retryAfterMs };
}

describe('a form whose session may not begin yet', () => {
  it.each([
    ['too many begin', busy('too-many-requests', 40_000)],
    ['too much is going on', busy('too-busy', 40_000)],
    ['the connection breaks', fail('network')],
    ['nothing can be kept', fail('storage-unavailable')],
  ])('is shown all the same: %s', async (_what, refusal) => {
    const { flow } = await createLoadedFlow((api) => {
      api.session = refusal;
    });
    expect(flow.state).toMatchObject({ step: 'funding-need', problem: undefined });
    expect(flow.loading.problem).toBeUndefined();
  });

  it('asks for it again after the time that the BFF says, and no more once it is there', async () => {
    const { api, polling } = await createLoadedFlow((before) => {
      before.session = busy('too-many-requests', 40_000);
    });
    expect([polling.delays, api.sessionsOpened]).toEqual([[40_000], 1]);
    api.session = ok(createSession());
    await polling.tick();
    expect([api.sessionsOpened, polling.waiting]).toEqual([2, 0]);
  });

  it('asks for it a few times only', async () => {
    const { api, polling } = await createLoadedFlow((before) => {
      before.session = fail('network');
    });
    for (let tick = 0; tick < 9; tick += 1) await polling.tick();
    expect([api.sessionsOpened, polling.waiting]).toEqual([5, 0]);
  });

  it('asks for none while the element is off the page, and goes on when it is back', async () => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.session = fail('network');
    });
    flow.hostDisconnected();
    expect([polling.waiting, polling.listeners]).toEqual([0, 0]);
    flow.hostConnected();
    await polling.tick();
    expect(api.sessionsOpened).toBe(2);
  });

  it('leaves no timer behind when the element goes before the answer comes', async () => {
    const { api, polling, flow } = createFlow();
    api.session = fail('network');
    const loading = flow.load();
    flow.hostDisconnected();
    await loading;
    expect([polling.waiting, polling.listeners]).toEqual([0, 0]);
  });

  it('is sent in a session that begins only then, and asks for no other one', async () => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.session = fail('network');
    });
    fill(flow);
    api.application = fail('session-missing');
    api.openSession = async () => {
      api.application = ok(acceptedStatus);
      return ok(createSession());
    };
    await flow.submit();
    expect(flow.state?.step).toBe('submitted');
    expect(polling.waiting).toBe(0);
  });
});

describe('a session that comes later than the form', () => {
  it('keeps the form waiting for a moment only', async () => {
    const { flow, polling, letIn } = await createSlowFlow();
    expect([flow.state, polling.delays]).toEqual([undefined, [1_500]]);
    await polling.tick();
    expect(flow.state?.step).toBe('funding-need');
    await letIn(ok(createSession()));
    expect([flow.state?.step, polling.waiting]).toEqual(['funding-need', 0]);
  });

  it('is taken as if it had come with the form while that waits', async () => {
    const { flow, polling, letIn } = await createSlowFlow();
    await letIn(filed);
    expect([flow.state?.step, polling.waiting]).toEqual(['submitted', 0]);
  });

  it('shows the application that it tells of, and says of no step that nobody took', async () => {
    const { flow, polling, letIn, steps } = await createSlowFlow();
    await polling.tick();
    await letIn(filed);
    expect(flow.state).toMatchObject({ step: 'submitted', application: acceptedStatus });
    expect(steps).toEqual([]);
  });

  it('follows an application that it tells of', async () => {
    const { flow, polling, letIn } = await createSlowFlow();
    await polling.tick();
    await letIn(ok(createSession({ application: { ...acceptedStatus, status: 'received' } })));
    expect([flow.state?.application?.status, polling.waiting]).toEqual(['received', 1]);
  });

  it('takes away nothing that was typed meanwhile; sending it tells of the other one', async () => {
    const { api, flow, polling, letIn } = await createSlowFlow();
    await polling.tick();
    fill(flow);
    const typed = flow.state?.draft;
    await letIn(filed);
    expect(flow.state).toMatchObject({ step: 'review', draft: typed, problem: undefined });
    api.application = fail('application-exists');
    await flow.submit();
    expect(flow.state).toMatchObject({ step: 'submitted', problem: 'application-exists' });
  });

  it('does not throw back an application that was sent meanwhile', async () => {
    const { flow, polling, letIn } = await createSlowFlow();
    await polling.tick();
    fill(flow);
    await flow.submit();
    flow.next();
    await letIn(filed);
    expect(flow.state?.step).toBe('documents');
  });

  it('is asked for again when it was refused', async () => {
    const { api, polling, letIn } = await createSlowFlow();
    await polling.tick();
    await letIn(busy('too-busy', 10_000));
    expect([polling.delays.at(-1), polling.waiting]).toEqual([10_000, 1]);
    expect(api.sessionsOpened).toBe(0);
  });

  /** Until `letIn` is called the session is on its way. */
  async function createSlowFlow() {
    const steps: string[] = [];
    let answer: (session: Result<Session>) => void = () => undefined;
    const created = createFlow(
      (api) => {
        api.openSession = () => new Promise((resolve) => (answer = resolve));
      },
      { onStep: () => steps.push('step') },
    );
    void created.flow.load();
    await created.polling.settle();
    async function letIn(session: Result<Session>): Promise<void> {
      steps.length = 0;
      answer(session);
      await created.polling.settle();
    }
    return { ...created, steps, letIn };
  }
});

describe('a configuration that may not be had yet', () => {
  const configuration = ok(createConfiguration());

  it('is asked for again by itself when the BFF says', async () => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.configuration = busy('too-many-requests', 30_000);
    });
    expect(flow.loading).toMatchObject({ problem: 'too-many-requests', goesOn: true });
    expect(polling.delays).toEqual([30_000]);
    await polling.tick();
    expect(flow.loading).toMatchObject({ problem: 'too-many-requests', goesOn: true });
    api.configuration = configuration;
    await polling.tick();
    expect(flow.state?.step).toBe('funding-need');
    expect([flow.loading.problem, polling.waiting]).toEqual([undefined, 0]);
  });

  it('is left to the applicant where the BFF says nothing', async () => {
    const { api, polling, flow } = await createLoadedFlow((before) => {
      before.configuration = fail('network');
    });
    expect(flow.loading).toMatchObject({ problem: 'network', goesOn: false });
    expect(polling.waiting).toBe(0);
    api.configuration = configuration;
    await flow.load();
    expect(flow.state?.step).toBe('funding-need');
  });

  it('is not asked for while the element is off the page', async () => {
    const { polling, flow } = await createLoadedFlow((before) => {
      before.configuration = busy('too-busy', 30_000);
    });
    flow.hostDisconnected();
    expect(polling.waiting).toBe(0);
    flow.hostConnected();
    expect(polling.waiting).toBe(1);
  });
});
