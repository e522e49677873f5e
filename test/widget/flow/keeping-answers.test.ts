// Nothing given is lost: a form whose answers stay in the browser, through reloads, until the service has them.

import { describe, expect, it } from 'vitest';
import { createDraftStore } from '../../../widget/flow/draft-store.ts';
import type { FlowEvent } from '../../../widget/flow/flow-event.ts';
import type { FlowOptions } from '../../../widget/flow/flow-options.ts';
import { isRestoredHere } from '../../../widget/flow/state.ts';
import { createFlow, fill } from '../../support/create-flow.ts';
import { completeDraft } from '../../support/draft.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  type FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createMemoryStorage } from '../../support/memory-storage.ts';

type Prepare = (api: FakeFundingApi) => void;

const received = { ...acceptedStatus, status: 'received' } as const;
const hasReceived: Prepare = (api) => {
  api.session = ok(createSession({ application: received }));
  api.status = ok(received);
};

/** A tab: what its pages keep, each page makes a flow of its own from. */
function openTab() {
  const storage = createMemoryStorage();
  const draftStore = createDraftStore(() => storage, 'a form');
  let shown: ReturnType<typeof createFlow> | undefined;
  return {
    storage,
    draftStore,
    async load(prepare?: Prepare, options: Partial<FlowOptions> = {}) {
      // Whatever leads to another page hides the one before.
      await shown?.page.timers.setHidden(true);
      shown = createFlow(prepare, { draftStore, ...options });
      await shown.flow.load();
      return shown;
    },
  };
}

function type(
  flow: Awaited<ReturnType<ReturnType<typeof openTab>['load']>>['flow'],
  paths: RegExp,
) {
  for (const [path, value] of Object.entries(completeDraft)) {
    if (paths.test(path)) flow.answer(path, value);
  }
}

describe('answers', () => {
  it('are kept while they are typed, and are there after a reload, on the step that was shown', async () => {
    const tab = openTab();
    const { flow } = await tab.load();
    type(flow, /^(fundingNeed|business)/);
    flow.continue();
    flow.continue();
    flow.answer('owner/email', 'rosa@');
    const { flow: next } = await tab.load();
    expect(next.state).toMatchObject({ step: 'business', errors: [], problem: undefined });
    expect(next.state?.draft).toEqual({
      ...Object.fromEntries(
        Object.entries(completeDraft).filter(([path]) => /^(fundingNeed|business)/.test(path)),
      ),
      'owner/email': 'rosa@',
      'business/taxId': undefined,
    });
  });

  it('bring the applicant back to where they were when nothing before it lacks anything', async () => {
    const tab = openTab();
    const { flow } = await tab.load();
    type(flow, /^(fundingNeed|business(?!.taxId))/);
    flow.continue();
    flow.continue();
    const { flow: next } = await tab.load();
    expect(next.state?.step).toBe('owner');
    expect(isRestoredHere(next.state!)).toBe(true);
  });

  it('that are still missing bring them to the first step that lacks something, and accuse nobody', async () => {
    const tab = openTab();
    const { flow } = await tab.load();
    fill(flow);
    const { flow: next } = await tab.load((api) => {
      api.configuration = ok(createConfiguration({ requiredFields: ['birthDate'] }));
    });
    expect([next.state?.step, next.state?.errors]).toEqual(['business', []]);
    next.continue();
    next.continue();
    expect(next.state?.step).toBe('identity');
    expect(isRestoredHere(next.state!)).toBe(true);
  });

  it('say nothing of being restored where none were typed', async () => {
    const tab = openTab();
    const prefill = { readPrefill: () => ({ 'business/name': 'Rosa’s Bakery LLC' }) };
    await tab.load(undefined, prefill);
    const { flow } = await tab.load(undefined, prefill);
    expect(flow.state?.restored).toBeUndefined();
  });

  it('that were typed go before what the host page knows', async () => {
    const tab = openTab();
    const prefill = { readPrefill: () => ({ 'business/name': 'Old', 'owner/email': 'a@b.c' }) };
    const { flow } = await tab.load(undefined, prefill);
    flow.answer('business/name', '');
    const { flow: next } = await tab.load(undefined, prefill);
    expect(next.state?.draft).toEqual({ 'business/name': '', 'owner/email': 'a@b.c' });
  });

  it('lead past the page before the form', async () => {
    const tab = openTab();
    const { flow } = await tab.load(undefined, { hasStartPage: true });
    expect(flow.state?.step).toBe('start');
    flow.next();
    flow.answer('fundingNeed/amount', '7');
    const { flow: next } = await tab.load(undefined, { hasStartPage: true });
    expect(next.state?.step).toBe('funding-need');
  });

  it('are kept by nobody without a store, and that can be told', async () => {
    const { flow } = createFlow();
    await flow.load();
    expect(flow.keepsDraft).toBe(false);
  });
});

describe('answers of an application that was sent', () => {
  it('are erased once the service has it', async () => {
    const tab = openTab();
    const { api, polling, flow } = await tab.load(hasReceived);
    api.application = ok(received);
    fill(flow);
    await flow.submit();
    expect(tab.draftStore.read()?.isSent).toBe(true);
    api.status = ok(acceptedStatus);
    await polling.tick();
    expect(tab.storage.length).toBe(0);
  });

  it('leave nothing once it is accepted after a reload', async () => {
    const tab = openTab();
    const { api, flow } = await tab.load();
    api.application = ok(received);
    fill(flow);
    await flow.submit();
    const { polling, api: nextApi } = await tab.load(hasReceived);
    expect(tab.storage.length).toBe(1);
    nextApi.status = ok(acceptedStatus);
    await polling.tick();
    expect(tab.storage.length).toBe(0);
  });

  it('are there again when it is refused after a reload, but for what was not kept', async () => {
    const tab = openTab();
    const { api, flow } = await tab.load();
    api.application = ok(received);
    fill(flow);
    await flow.submit();
    const { flow: next, polling, api: nextApi } = await tab.load(hasReceived);
    expect(next.state?.step).toBe('submitted');
    nextApi.status = ok({ ...acceptedStatus, status: 'rejected', errors: [] });
    await polling.tick();
    expect(next.state).toMatchObject({ step: 'business', problem: 'rejected-earlier' });
    expect(next.state?.draft['business/name']).toBe(completeDraft['business/name']);
  });

  it('are not offered to be sent once more when its session is over', async () => {
    const tab = openTab();
    const { api, flow } = await tab.load();
    api.application = ok(received);
    fill(flow);
    await flow.submit();
    const { flow: next } = await tab.load();
    expect(next.state).toMatchObject({ step: 'funding-need', draft: {} });
    expect(tab.storage.length).toBe(0);
  });

  it('wait for a session that is late', async () => {
    const tab = openTab();
    const { api, flow } = await tab.load();
    api.application = ok(received);
    fill(flow);
    await flow.submit();
    const late = await tab.load((before) => (before.session = fail('network')));
    expect(late.flow.state?.draft).toEqual({});
    hasReceived(late.api);
    await late.polling.tick();
    expect(late.flow.state?.step).toBe('submitted');
    expect(late.flow.state?.draft['business/name']).toBe(completeDraft['business/name']);
  });

  it('that came back untouched give way to an application that a late session tells of', async () => {
    const tab = openTab();
    const { flow } = await tab.load();
    flow.answer('business/name', 'Rosa’s');
    const late = await tab.load((before) => (before.session = fail('network')));
    late.api.session = ok(createSession({ application: acceptedStatus }));
    await late.polling.tick();
    expect(late.flow.state?.step).toBe('submitted');
    expect(tab.storage.length).toBe(0);
  });
});

describe('clearing', () => {
  it('leaves nothing, neither on the page nor in the browser, and is told', async () => {
    const tab = openTab();
    const events: FlowEvent[] = [];
    const { flow } = await tab.load(undefined, {
      hasStartPage: true,
      onEvent: (event) => events.push(event),
    });
    flow.next();
    fill(flow);
    flow.clear();
    expect(flow.state).toMatchObject({ step: 'start', draft: {}, restored: undefined });
    expect(tab.storage.length).toBe(0);
    expect(events).toEqual([{ kind: 'exit', reason: 'cleared', step: 'review' }]);
  });

  it('keeps what the host page knows where that is wished', async () => {
    const { flow } = await openTab().load(undefined, {
      readPrefill: () => ({ 'business/name': 'Rosa’s' }),
    });
    flow.answer('business/name', '');
    flow.clear({ keepsPrefill: true });
    expect(flow.state?.draft).toEqual({ 'business/name': 'Rosa’s' });
    flow.clear();
    expect(flow.state?.draft).toEqual({});
  });

  it('forgets what was sent without an answer: the next application is another one', async () => {
    const { api, flow } = await openTab().load();
    api.application = fail('network');
    fill(flow);
    await flow.submit();
    flow.clear();
    fill(flow);
    await flow.submit();
    expect(api.submissions.map(({ key }) => key)).toEqual(['key-1', 'key-2']);
  });

  it('does nothing to what was sent', async () => {
    const { flow } = await openTab().load();
    fill(flow);
    await flow.submit();
    flow.clear();
    expect(flow.state?.step).toBe('submitted');
  });
});

describe('finishing', () => {
  it('and beginning again with two presses begins one form, and keeps what is typed into it', async () => {
    const { api, flow } = await openTab().load();
    await flow.end.end(flow.parts!.documents);
    const answers: (() => void)[] = [];
    const { configuration } = api;
    api.getConfiguration = () =>
      new Promise((resolve) => void answers.push(() => resolve(configuration)));
    const loads = [flow.load(), flow.load()];
    expect([answers.length, flow.isFinished]).toEqual([1, false]);
    answers[0]?.();
    await Promise.all(loads);
    flow.answer('fundingNeed/amount', '5,000');
    expect(flow.state?.draft).toEqual({ 'fundingNeed/amount': '5,000' });
  });

  it('erases what was kept, and is told with the step that was shown', async () => {
    const tab = openTab();
    const events: FlowEvent[] = [];
    const { api, flow } = await tab.load(undefined, { onEvent: (event) => events.push(event) });
    api.application = ok(received);
    fill(flow);
    await flow.submit();
    expect(tab.storage.length).toBe(1);
    flow.showLater('offers');
    await flow.end.end(flow.parts!.documents);
    expect(tab.storage.length).toBe(0);
    expect(events.at(-1)).toEqual({ kind: 'exit', reason: 'finished', step: 'offers' });
  });
});
