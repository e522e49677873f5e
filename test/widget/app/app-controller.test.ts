// Tests for the application as a whole: closing, clearing, stored drafts, and lazy-loaded chunks.

import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../../shared/api/configuration.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import type { Session } from '../../../shared/api/session.ts';
import type { Result } from '../../../widget/api/funding-api.ts';
import { createDraftStore } from '../../../widget/app/autosave.ts';
import type { AfterChunk, Feature, FeatureEnvironment } from '../../../widget/app/feature.ts';
import { formSteps } from '../../../widget/app/navigation.ts';
import { isRestoredHere } from '../../../widget/form/saved-answers.ts';
import { emptyDocuments, initialState, type QueuedDocument } from '../../../widget/app/store.ts';
import { createAfterChunk } from '../../../widget/chunks/after-submission.ts';
import type { ApplicationStatus } from '../../../shared/api/application-status.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createApp,
  createDelayed,
  createFilledApp,
  createLoadedApp,
  type AppOptions,
  type TestApp,
} from '../../support/create-app.ts';
import { completeDraft } from '../../support/draft.ts';
import { createFakeHistory } from '../../support/fake-history.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  ok,
  receivedStatus,
  rejectedStatus,
  type FakeFundingApi,
} from '../../support/fake-funding-api.ts';
import { createMemoryStorage } from '../../support/memory-storage.ts';

/** Only these members count. */
const unsentFile = {
  id: 1,
  state: 'failed',
  problem: { kind: 'failed', code: 'network', isRetryable: true },
} as QueuedDocument;

function hasApplication(status: ApplicationStatus = acceptedStatus) {
  return (api: FakeFundingApi): void => {
    api.session = ok(createSession({ application: status }));
    api.status = ok(status);
  };
}

/** Types the answers whose paths match. */
function answer({ app }: TestApp, paths: RegExp): void {
  for (const [path, value] of Object.entries(completeDraft)) {
    if (paths.test(path)) app.answer(path, value);
  }
}

/** A tab of the browser: every page in it finds the draft of the page before. */
function openTab() {
  const storage = createMemoryStorage();
  const draftStore = createDraftStore(() => storage, 'form');
  let shown: TestApp | undefined;
  return {
    storage,
    draftStore,
    async load(options: AppOptions = {}): Promise<TestApp> {
      // The browser hides a page before it loads the next one.
      await shown?.timers.setHidden(true);
      shown = await createLoadedApp({ draftStore, ...options });
      return shown;
    },
  };
}

/** A tab whose application was submitted and is not decided. */
async function openSubmittedTab() {
  const tab = openTab();
  const page = await tab.load();
  page.api.application = ok(receivedStatus);
  page.api.status = ok(receivedStatus);
  await page.fillIn();
  await page.submit();
  return { ...tab, page };
}

/** A form that is shown before its session arrives. */
async function createWithLateSession(options: AppOptions = {}) {
  const session = createDelayed<Result<Session>>();
  const created = createApp({
    ...options,
    prepare: (api) => {
      api.openSession = session.request;
    },
  });
  void created.app.load();
  await created.settle();
  await created.polling.tick();
  return Object.assign(created, {
    async respond(response: Result<Session>): Promise<void> {
      session.send(response);
      await created.settle();
    },
  });
}

describe('closing', () => {
  it('needs no chunk after the submission', async () => {
    const world = await createLoadedApp();
    expect(world.app.afterChunk).toBeUndefined();
    expect(await world.app.close()).toBe('closed');
    expect(world.api.sessionsEnded).toBe(1);
    expect(world.form).toBeUndefined();
  });

  it('loads the chunk that renders the last page', async () => {
    const world = await createLoadedApp();
    await world.app.close();
    await world.settle();
    expect(world.state.chunks.after).toBe('loaded');
  });

  it('removes everything about the application', async () => {
    const world = await createLoadedApp({
      prepare: (api) => {
        api.session = ok(
          createSession({
            application: receivedStatus,
            documents: [
              {
                number: 1,
                name: 'a.pdf',
                category: 'other',
                bytes: 1,
                status: 'delivered',
                delayed: false,
              },
            ],
            assetReport: { status: 'delivered', delayed: false },
            contact: { status: 'enabled' },
          }),
        );
        api.status = ok(receivedStatus);
      },
    });
    world.mergeForm({ step: 'offers' });
    await world.settle();
    const { chunks, language } = world.state;
    expect(await world.app.close()).toBe('closed');
    expect(world.api.sessionsEnded).toBe(1);
    expect(world.state).toEqual({
      ...initialState,
      isConnected: true,
      chunks,
      language,
      closing: { ...initialState.closing, closedStep: 'offers' },
    });
  });

  it('ignores a session that arrives afterwards', async () => {
    const world = await createLoadedApp();
    const session = createDelayed<Result<Session>>();
    world.api.getSession = session.request;
    world.advance(6 * 60_000);
    world.app.answer('fundingNeed/amount', '75,000');
    await world.app.close();
    session.send(ok(createSession()));
    await world.settle();
    expect(world.state.session).toEqual(initialState.session);
    expect(world.timers.waiting).toBe(0);
  });

  it('warns again about unsent files on another step', async () => {
    const world = await createFilledApp();
    await world.submit();
    world.store.merge('documents', { queued: [unsentFile] });
    expect(await world.app.close()).toBe('warned');
    world.app.next();
    expect(await world.app.close()).toBe('warned');
    expect(world.api.sessionsEnded).toBe(0);
  });

  it('discards files that are added during the request', async () => {
    const world = await createLoadedApp({ prepare: hasApplication() });
    const ended = createDelayed<Result<undefined>>();
    world.api.endSession = ended.request;
    const closing = world.app.close();
    world.store.merge('documents', { queued: [unsentFile] });
    ended.send(ok(undefined));
    await closing;
    expect(world.state.documents.queued).toEqual([]);
  });

  it('warns once about files that are not sent', async () => {
    const world = await createFilledApp();
    world.store.merge('documents', { queued: [unsentFile] });
    expect(await world.app.close()).toBe('warned');
    expect(world.api.sessionsEnded).toBe(0);
    expect(await world.app.close()).toBe('closed');
    expect(world.state.documents).toEqual(emptyDocuments);
  });

  it('sends one request for two presses', async () => {
    const { api, app } = await createLoadedApp();
    expect(await Promise.all([app.close(), app.close()])).toEqual(['closed', 'closed']);
    expect(api.sessionsEnded).toBe(1);
  });

  it('keeps everything after a failure', async () => {
    const { api, app, store } = await createLoadedApp({ prepare: hasApplication() });
    api.ended = fail('network');
    expect(await app.close()).toBe('failed');
    expect(store.state.closing).toMatchObject({ isClosing: false, problem: 'network' });
    expect(store.state.form?.application).toEqual(acceptedStatus);
  });

  it('succeeds if the session has already ended', async () => {
    const { api, app } = await createLoadedApp();
    api.ended = fail('session-missing');
    expect(await app.close()).toBe('closed');
  });

  it('leaves no timer', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    await world.submit();
    await world.app.close();
    expect(world.polling.waiting).toBe(0);
    expect(world.timers.waiting).toBe(0);
  });

  it('stops the requests for a session that has not arrived', async () => {
    const world = await createLoadedApp({
      prepare: (api) => {
        api.session = fail('network');
      },
    });
    await world.app.close();
    await world.polling.tick();
    expect(world.api.sessionsOpened).toBe(1);
    expect(world.polling.waiting).toBe(0);
  });

  it('erases the stored draft', async () => {
    const { page, storage } = await openSubmittedTab();
    expect(storage.length).toBe(1);
    await page.app.close();
    expect(storage.length).toBe(0);
  });

  it('fails with a problem that the next application does not show', async () => {
    const world = await createFilledApp();
    world.api.ended = fail('network');
    expect(await world.app.close()).toBe('failed');
    expect(world.state.closing.problem).toBe('network');
    await world.submit();
    expect(world.state.closing.problem).toBeUndefined();
  });
});

describe('a form after closing', () => {
  it('is loaded once for two presses', async () => {
    const world = await createLoadedApp();
    await world.app.close();
    const configuration = createDelayed<Result<Configuration>>();
    let requests = 0;
    world.api.getConfiguration = () => {
      requests += 1;
      return configuration.request();
    };
    const loads = [world.app.load(), world.app.load()];
    configuration.send(ok(createConfiguration()));
    await Promise.all(loads);
    expect(requests).toBe(1);
    expect(world.state.closing.closedStep).toBeUndefined();
    world.app.answer('fundingNeed/amount', '5,000');
    expect(world.form?.draft).toEqual({ 'fundingNeed/amount': '5,000' });
  });

  it('does not show the status of the closed application', async () => {
    const world = await createLoadedApp({ prepare: hasApplication(receivedStatus) });
    const status = createDelayed<Result<ApplicationStatus>>();
    world.api.getApplication = status.request;
    await world.polling.tick();
    world.api.session = ok(createSession());
    await world.startAnother();
    status.send(ok(acceptedStatus));
    await world.settle();
    expect(world.form).toMatchObject({ step: 'funding-need', application: undefined });
  });

  it('does not show that the closed session has ended', async () => {
    const world = await createLoadedApp({ prepare: hasApplication() });
    world.app.next();
    const { getSession } = world.api;
    const session = createDelayed<Result<Session>>();
    world.api.getSession = session.request;
    await world.polling.tick();
    world.api.getSession = getSession;
    world.api.session = ok(createSession());
    await world.startAnother();
    session.send(fail('session-missing'));
    await world.settle();
    expect(world.form).toMatchObject({ step: 'funding-need', problem: undefined });
    expect(world.state.session.notice).toBeUndefined();
  });

  it('ignores the response to an earlier submission', async () => {
    const world = await createFilledApp();
    const response = createDelayed<Result<ApplicationStatus>>();
    world.api.submitApplication = response.request;
    await world.submit();
    await world.startAnother();
    response.send(ok(acceptedStatus));
    await world.settle();
    expect(world.form).toMatchObject({ step: 'funding-need', application: undefined });
  });

  it('ignores the response to an earlier submission during its own', async () => {
    const world = await createFilledApp();
    const { submitApplication } = world.api;
    const response = createDelayed<Result<ApplicationStatus>>();
    world.api.submitApplication = response.request;
    await world.submit();
    await world.startAnother();
    await world.fillIn();
    const own = createDelayed<Result<ApplicationStatus>>();
    world.api.submitApplication = own.request;
    await world.submit();
    response.send(ok({ ...acceptedStatus, reference: 'of-the-closed-application' }));
    await world.settle();
    expect(world.form).toMatchObject({ isSubmitting: true, application: undefined });
    world.api.submitApplication = submitApplication;
    own.send(ok(acceptedStatus));
    await world.settle();
    expect(world.form?.application).toEqual(acceptedStatus);
  });

  it('ignores consents that an earlier submission requested', async () => {
    const world = await createFilledApp();
    const { getConfiguration } = world.api;
    const configuration = createDelayed<Result<Configuration>>();
    world.api.application = fail('consent-required');
    world.api.getConfiguration = configuration.request;
    await world.submit();
    world.api.getConfiguration = getConfiguration;
    await world.startAnother();
    configuration.send(ok(createConfiguration()));
    await world.settle();
    expect(world.form).toMatchObject({ step: 'funding-need', problem: undefined });
  });
});

describe('an application that is closed while it loads', () => {
  it('stays closed when the configuration arrives', async () => {
    const world = await createLoadedApp();
    const configuration = createDelayed<Result<Configuration>>();
    world.api.getConfiguration = configuration.request;
    void world.app.load();
    await world.app.close();
    configuration.send(ok(createConfiguration()));
    await world.settle();
    expect(world.form).toBeUndefined();
    expect(world.state.closing.closedStep).toBeDefined();
  });

  it('ignores a session that arrives', async () => {
    const world = await createWithLateSession();
    await world.app.close();
    await world.respond(ok(createSession()));
    expect(world.form).toBeUndefined();
    expect(world.state.session).toMatchObject({ response: undefined, endsAt: undefined });
    expect(world.timers.waiting).toBe(0);
  });

  it('does not give the next form the session that arrives', async () => {
    const world = await createWithLateSession();
    world.api.openSession = async () => ok(createSession());
    await world.startAnother();
    await world.respond(ok(createSession({ application: acceptedStatus })));
    expect(world.form).toMatchObject({ step: 'funding-need', application: undefined });
  });
});

describe('clearing', () => {
  it('erases the answers on the page', async () => {
    const world = await createFilledApp({ hasStartPage: true });
    expect(world.app.clear()).toBe(true);
    expect(world.form).toMatchObject({ step: 'start', draft: {}, restored: undefined });
  });

  it('erases the stored draft', async () => {
    const tab = openTab();
    const page = await tab.load();
    await page.fillIn();
    page.app.clear();
    expect(tab.storage.length).toBe(0);
  });

  it('keeps the prefill of the host page if it asks so', async () => {
    const world = await createLoadedApp({ getPrefill: () => ({ 'business/name': 'Rosa’s' }) });
    world.app.answer('business/name', '');
    world.app.clear(true);
    expect(world.form?.draft).toEqual({ 'business/name': 'Rosa’s' });
  });

  it('removes the prefill of the host page otherwise', async () => {
    const world = await createLoadedApp({ getPrefill: () => ({ 'business/name': 'Rosa’s' }) });
    world.app.clear();
    expect(world.form?.draft).toEqual({});
  });

  it('removes the unsent files of a rejected application', async () => {
    const world = await createFilledApp();
    world.store.update((state) => ({
      ...state,
      documents: { ...state.documents, repeated: ['statement.pdf'] },
    }));
    world.app.clear();
    expect(world.state.documents).toEqual(emptyDocuments);
  });

  it('does nothing after the submission', async () => {
    const world = await createFilledApp();
    await world.submit();
    expect(world.app.clear()).toBe(false);
    expect(world.form?.step).toBe('submitted');
  });

  it('does nothing before the form is loaded', () => {
    expect(createApp().app.clear()).toBe(false);
  });
});

describe('a draft after a reload', () => {
  it('is restored on the first incomplete step without errors', async () => {
    const tab = openTab();
    const page = await tab.load();
    answer(page, /^(fundingNeed|business)/);
    await page.app.continue();
    await page.app.continue();
    page.app.answer('owner/email', 'rosa@');
    const next = await tab.load();
    // The EIN is never stored.
    expect(next.form).toMatchObject({ step: 'business', errors: [], problem: undefined });
  });

  it('contains every answer that may be stored', async () => {
    const tab = openTab();
    const page = await tab.load();
    answer(page, /^(fundingNeed|business)/);
    page.app.answer('owner/email', 'rosa@');
    const next = await tab.load();
    const { 'business/taxId': _taxId, ...stored } = completeDraft;
    const typed = Object.entries(stored).filter(([path]) => /^(fundingNeed|business)/.test(path));
    expect(next.form?.draft).toEqual({ ...Object.fromEntries(typed), 'owner/email': 'rosa@' });
  });

  it('is restored on its step if no earlier one is incomplete', async () => {
    const tab = openTab();
    const page = await tab.load();
    answer(page, /^(fundingNeed|business(?!.taxId))/);
    await page.app.continue();
    await page.app.continue();
    const { form } = await tab.load();
    expect(form?.step).toBe('owner');
    expect(form && isRestoredHere(form)).toBe(true);
  });

  it('names the secret answers that are missing on their step', async () => {
    const tab = openTab();
    const page = await tab.load();
    await page.fillIn();
    const next = await tab.load({
      prepare: (api) => {
        api.configuration = ok(createConfiguration({ requiredFields: ['birthDate'] }));
      },
    });
    await next.app.continue();
    await next.app.continue();
    expect(next.form?.step).toBe('identity');
    expect(next.form && isRestoredHere(next.form)).toBe(true);
  });

  it('does not count as restored if it contains only the prefill', async () => {
    const tab = openTab();
    const getPrefill = () => ({ 'business/name': 'Rosa’s Bakery LLC' });
    await tab.load({ getPrefill });
    const { form } = await tab.load({ getPrefill });
    expect(form?.restored).toBeUndefined();
  });

  it('keeps an answer that the applicant has emptied', async () => {
    const tab = openTab();
    const getPrefill = () => ({ 'business/name': 'Old', 'owner/email': 'a@b.c' });
    const page = await tab.load({ getPrefill });
    page.app.answer('business/name', '');
    const { form } = await tab.load({ getPrefill });
    expect(form?.draft).toEqual({ 'business/name': '', 'owner/email': 'a@b.c' });
  });

  it('leads past the start page', async () => {
    const tab = openTab();
    const page = await tab.load({ hasStartPage: true });
    expect(page.form?.step).toBe('start');
    page.app.next();
    page.app.answer('fundingNeed/amount', '7');
    const { form } = await tab.load({ hasStartPage: true });
    expect(form?.step).toBe('funding-need');
  });

  it('gives way to an application that a late session reports, if it is untouched', async () => {
    const tab = openTab();
    const page = await tab.load();
    page.app.answer('business/name', 'Rosa’s');
    const next = await tab.load({
      prepare: (api) => {
        api.session = fail('network');
      },
    });
    next.api.session = ok(createSession({ application: acceptedStatus }));
    await next.polling.tick();
    expect(next.form?.step).toBe('submitted');
    expect(tab.draftStore.read()).toMatchObject({ answers: {}, isSubmitted: true });
  });
});

describe('an application without a draft store', () => {
  it('says that it stores no draft', async () => {
    const { state } = await createLoadedApp();
    expect(state.savesDraft).toBe(false);
  });
});

describe('the draft of a submitted application', () => {
  it('is stored as submitted', async () => {
    const { draftStore } = await openSubmittedTab();
    expect(draftStore.read()?.isSubmitted).toBe(true);
  });

  it('has no answers when the application is accepted', async () => {
    const { page, draftStore } = await openSubmittedTab();
    page.api.status = ok(acceptedStatus);
    await page.polling.tick();
    expect(draftStore.read()).toMatchObject({ answers: {}, omitted: [], isSubmitted: true });
  });

  it('has no answers when the application is accepted after a reload', async () => {
    const tab = await openSubmittedTab();
    const next = await tab.load({ prepare: hasApplication(receivedStatus) });
    expect(tab.storage.length).toBe(1);
    next.api.status = ok(acceptedStatus);
    await next.polling.tick();
    expect(tab.draftStore.read()).toMatchObject({ answers: {}, omitted: [], isSubmitted: true });
    await next.app.close();
    expect(tab.storage.length).toBe(0);
  });

  it('is restored when the application is rejected after a reload', async () => {
    const tab = await openSubmittedTab();
    const next = await tab.load({ prepare: hasApplication(receivedStatus) });
    expect(next.form?.step).toBe('submitted');
    next.api.status = ok(rejectedStatus);
    await next.polling.tick();
    expect(next.form).toMatchObject({ step: 'business', problem: 'rejected-earlier' });
    expect(next.form?.draft['business/name']).toBe(completeDraft['business/name']);
  });

  it('is not restored after the end of its session, so that nothing is sent twice', async () => {
    const tab = await openSubmittedTab();
    const next = await tab.load();
    expect(next.form).toMatchObject({ step: 'funding-need', draft: {} });
    expect(tab.storage.length).toBe(0);
  });

  it('waits for a late session', async () => {
    const tab = await openSubmittedTab();
    const next = await tab.load({
      prepare: (api) => {
        api.session = fail('network');
      },
    });
    expect(next.form?.draft).toEqual({});
    hasApplication(receivedStatus)(next.api);
    await next.polling.tick();
    expect(next.form?.step).toBe('submitted');
    expect(next.form?.draft['business/name']).toBe(completeDraft['business/name']);
  });
});

describe('a rejection', () => {
  it('shows the first step if no answers were stored', async () => {
    const world = await createLoadedApp({ prepare: hasApplication(receivedStatus) });
    world.api.status = ok(rejectedStatus);
    await world.polling.tick();
    expect(world.form).toMatchObject({ step: 'funding-need', problem: 'rejected-earlier' });
  });

  it('removes the bank report that was sent with the application', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    world.api.status = ok(rejectedStatus);
    world.api.assetReport = ok({ status: 'received', delayed: false });
    await world.submit();
    await world.app.afterChunk?.sendBankReport({ report: {} });
    await world.polling.tick();
    expect(world.form?.problem).toBe('rejected-with-documents');
    expect(world.state.bank.report).toBeUndefined();
  });
});

describe('a message about the submitted application', () => {
  it('stays during status requests if it says that the application was sent', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    world.api.status = ok(receivedStatus);
    await world.submit();
    world.mergeForm({ problem: 'already-sent' });
    await world.polling.tick();
    expect(world.form?.problem).toBe('already-sent');
  });
});

describe('a session that arrives after the form', () => {
  it('starts the status requests of its application', async () => {
    const world = await createWithLateSession();
    await world.respond(ok(createSession({ application: receivedStatus })));
    expect(world.form?.application?.status).toBe('received');
    await world.polling.tick();
    expect(world.form?.application?.status).toBe('accepted');
  });

  it('keeps typed answers, although it reports an application', async () => {
    const world = await createWithLateSession();
    await world.fillIn();
    await world.respond(ok(createSession({ application: acceptedStatus })));
    expect(world.form).toMatchObject({ step: 'review', draft: completeDraft, problem: undefined });
  });

  it('has its application shown when typed answers are submitted', async () => {
    const world = await createWithLateSession();
    await world.fillIn();
    await world.respond(ok(createSession({ application: acceptedStatus })));
    world.api.application = fail('application-exists');
    await world.submit();
    expect(world.form).toMatchObject({ step: 'submitted', problem: 'application-exists' });
  });

  it('does not change the step after the submission', async () => {
    const world = await createWithLateSession();
    await world.fillIn();
    await world.submit();
    world.app.next();
    await world.respond(ok(createSession({ application: acceptedStatus })));
    expect(world.form?.step).toBe('documents');
  });

  it('has its end watched', async () => {
    const world = await createWithLateSession();
    expect(world.state.session.endsAt).toBeUndefined();
    await world.respond(ok(createSession()));
    expect(world.state.session.endsAt).toBe(Date.parse('2026-11-20T16:00:00.000Z'));
  });
});

describe('a session before the chunk of the form is loaded', () => {
  function openChunk() {
    const chunk = createDelayed<void>();
    return { waitForFormChunk: chunk.request, send: () => chunk.send() };
  }

  it('keeps typed answers, although it reports an application', async () => {
    const { send, waitForFormChunk } = openChunk();
    const world = await createWithLateSession({ waitForFormChunk });
    world.app.answer('fundingNeed/amount', '75,000');
    await world.respond(ok(createSession({ application: acceptedStatus })));
    send();
    await world.settle();
    expect(world.form).toMatchObject({
      step: 'funding-need',
      draft: { 'fundingNeed/amount': '75,000' },
      application: undefined,
    });
  });

  it('keeps answers that are typed after it has reported an application', async () => {
    const { send, waitForFormChunk } = openChunk();
    const world = await createWithLateSession({ waitForFormChunk });
    await world.respond(ok(createSession({ application: acceptedStatus })));
    world.app.answer('fundingNeed/amount', '75,000');
    send();
    await world.settle();
    expect(world.form).toMatchObject({
      step: 'funding-need',
      draft: { 'fundingNeed/amount': '75,000' },
      application: undefined,
    });
  });

  it('is watched when the chunk arrives', async () => {
    const { send, waitForFormChunk } = openChunk();
    const world = await createWithLateSession({ waitForFormChunk });
    world.app.answer('fundingNeed/amount', '75,000');
    await world.respond(ok(createSession()));
    send();
    await world.settle();
    expect(world.state.session.endsAt).toBe(Date.parse('2026-11-20T16:00:00.000Z'));
  });

  it('shows that it has ended in the meantime', async () => {
    const { send, waitForFormChunk } = openChunk();
    const world = await createWithLateSession({ waitForFormChunk });
    world.app.answer('fundingNeed/amount', '75,000');
    await world.respond(ok(createSession()));
    world.advance(2 * 60 * 60_000);
    send();
    await world.settle();
    expect(world.state.session.notice).toBe('ended');
    expect(world.form?.draft).toEqual({ 'fundingNeed/amount': '75,000' });
  });
});

describe('the end of the session', () => {
  it('is requested again after the submission', async () => {
    const world = await createFilledApp({
      prepare: (api) => {
        api.session = fail('network');
      },
    });
    const endMs = Date.parse('2026-11-20T15:00:00.000Z') + sessionLifetime.maxSeconds * 1000;
    world.api.session = ok(createSession({ expiresAt: new Date(endMs).toISOString() }));
    await world.submit();
    expect(world.state.session.endsAt).toBe(endMs);
  });

  it('is shown until the next step after it was caused by typing', async () => {
    const world = await createLoadedApp();
    world.advance(55 * 60_000);
    await world.timers.tick();
    expect(world.state.session.notice).toBe('ends');
    world.api.session = fail('session-missing');
    world.app.answer('fundingNeed/amount', '75,000');
    await world.settle();
    expect(world.state.session.notice).toBe('ended');
    await world.fillIn();
    expect(world.state.session.notice).toBeUndefined();
  });
});

describe('the connection of the browser', () => {
  it('is read when the element is connected', () => {
    const world = createApp();
    world.setConnected(false);
    world.connection.setOffline(true);
    expect(world.state.isOffline).toBe(false);
    world.setConnected(true);
    expect(world.state.isOffline).toBe(true);
  });

  it('is followed', () => {
    const world = createApp();
    world.connection.setOffline(true);
    expect(world.state.isOffline).toBe(true);
    world.connection.setOffline(false);
    expect(world.state.isOffline).toBe(false);
  });

  it('has one listener', () => {
    const world = createApp();
    // The polling listens too, but only while it runs.
    expect(world.connection.listeners).toBe(1);
  });
});

describe('a return of the connection', () => {
  it('requests the status of the application at once', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    await world.submit();
    world.connection.setOffline(true);
    await world.settle();
    expect(world.form?.application?.status).toBe('received');
    world.connection.setOffline(false);
    await world.settle();
    expect(world.form?.application?.status).toBe('accepted');
  });

  it('loads a form that could not be loaded', async () => {
    const world = createApp({
      prepare: (api) => {
        api.configuration = fail('network');
      },
    });
    world.connection.setOffline(true);
    await world.load();
    expect(world.state.loading.problem).toBe('network');
    world.api.configuration = ok(createConfiguration());
    world.connection.setOffline(false);
    await world.settle();
    expect(world.form?.step).toBe('funding-need');
  });
});

describe('an element that is removed from the document', () => {
  it('leaves no timer and no listener', async () => {
    const history = createFakeHistory();
    const world = await createFilledApp({ history });
    world.api.application = ok(receivedStatus);
    await world.submit();
    world.setConnected(false);
    await world.settle();
    expect(world).toMatchObject({
      polling: { waiting: 0, listeners: 0 },
      timers: { waiting: 0, listeners: 0 },
      connection: { listeners: 0 },
      channels: { size: 0 },
    });
    expect(history.listeners).toBe(0);
  });

  it('continues its status requests when it is back', async () => {
    const world = await createFilledApp();
    world.api.application = ok(receivedStatus);
    await world.submit();
    world.setConnected(false);
    world.setConnected(true);
    await world.polling.tick();
    expect(world.form?.application?.status).toBe('accepted');
  });
});

describe('the chunk after the submission', () => {
  const document = { number: 1, category: 'other', bytes: 1, delayed: false } as const;
  const delivered = { ...document, status: 'delivered' } as const;

  /** Its file arrives when the test calls `send`. */
  function createLate(options: AppOptions = {}) {
    const chunk = createDelayed<(environment: FeatureEnvironment) => AfterChunk>();
    const created = createApp({ ...options, loadAfterChunk: chunk.request });
    return Object.assign(created, {
      async arrive(): Promise<void> {
        chunk.send(createAfterChunk);
        await created.settle();
      },
    });
  }

  it('is not loaded before the review', async () => {
    const world = await createLoadedApp();
    answer(world, /./);
    for (let step = 0; step < 3; step += 1) await world.app.continue();
    await world.settle();
    expect(world.form?.step).toBe('identity');
    expect(world.state.chunks.after).toBe('waiting');
  });

  it('is loaded on the review', async () => {
    const { state } = await createFilledApp();
    expect(state.chunks.after).toBe('loaded');
  });

  it('starts with what an earlier page has sent', async () => {
    const world = createLate({
      prepare: (api) => {
        api.session = ok(
          createSession({
            application: acceptedStatus,
            documents: [delivered],
            assetReport: { status: 'delivered', delayed: false },
            contact: { status: 'enabled' },
          }),
        );
      },
    });
    await world.load();
    await world.arrive();
    expect(world.state).toMatchObject({
      documents: { uploaded: [{ status: delivered }] },
      bank: { report: { status: 'delivered' } },
      contact: { status: 'enabled' },
    });
  });

  it('requests the offers once when it arrives on their step', async () => {
    const world = createLate({ prepare: hasApplication() });
    await world.load();
    world.mergeForm({ step: 'offers' });
    await world.settle();
    expect(world.api.offersRequests).toBe(0);
    await world.arrive();
    expect(world.api.offersRequests).toBe(1);
  });

  it('requests the status of an application once when it arrives', async () => {
    const world = createLate({ prepare: hasApplication(receivedStatus) });
    await world.load();
    expect(world.polling.waiting).toBe(0);
    await world.arrive();
    expect(world.polling.waiting).toBe(1);
  });

  it('requests nothing while the element is not in the document', async () => {
    const world = createLate({ prepare: hasApplication() });
    await world.load();
    world.mergeForm({ step: 'offers' });
    world.setConnected(false);
    await world.arrive();
    expect(world.api.offersRequests).toBe(0);
    world.setConnected(true);
    await world.settle();
    expect(world.api.offersRequests).toBe(1);
  });

  it('starts with nothing of a closed application', async () => {
    const world = createLate({
      prepare: (api) => {
        api.session = ok(createSession({ application: acceptedStatus, documents: [delivered] }));
      },
    });
    await world.load();
    await world.app.close();
    await world.arrive();
    world.api.session = ok(createSession());
    await world.load();
    expect(world.state.documents.uploaded).toEqual([]);
  });
});

describe('the chunk of the next steps', () => {
  it('loads after the first frame', async () => {
    const waiting: (() => void)[] = [];
    let requests = 0;
    const world = await createLoadedApp({
      afterFrame: (callback) => waiting.push(callback),
      waitForFormChunk: async () => {
        requests += 1;
      },
    });
    expect(world.form?.step).toBe('funding-need');
    expect(requests).toBe(0);
    for (const callback of waiting) callback();
    expect(requests).toBe(1);
  });

  it('loads at once for an applicant who presses Continue', async () => {
    const world = await createLoadedApp({ afterFrame: () => undefined });
    await world.app.continue();
    expect(world.state.chunks.form).toBe('loaded');
  });
});

describe('a chunk that cannot be loaded', () => {
  it('is reported', async () => {
    const world = await createLoadedApp({ loadAfterChunk: () => Promise.reject(new TypeError()) });
    await world.app.loadAfterChunk();
    expect(world.state.chunks.after).toBe('failed');
  });

  it.each(['loadFormChunk', 'loadAfterChunk'] as const)('is loaded again (%s)', async (name) => {
    let requests = 0;
    const world = createApp({
      [name]: async () => {
        requests += 1;
        throw new TypeError('Failed to fetch');
      },
    });
    await world.app[name]();
    await world.app[name]();
    expect(requests).toBe(2);
  });

  it('is loaded once for two calls', async () => {
    let requests = 0;
    const world = createApp({
      loadAfterChunk: async () => {
        requests += 1;
        return createAfterChunk;
      },
    });
    await Promise.all([world.app.loadAfterChunk(), world.app.loadAfterChunk()]);
    await world.app.loadAfterChunk();
    expect(requests).toBe(1);
  });

  it('is loaded again by Continue', async () => {
    let requests = 0;
    const world = await createLoadedApp({
      loadFormChunk: async () => {
        requests += 1;
        throw new TypeError('Failed to fetch');
      },
    });
    expect(requests).toBe(1);
    await world.app.continue();
    expect(requests).toBeGreaterThan(1);
    expect(world.state.chunks).toMatchObject({ form: 'failed', isAwaited: true });
    await world.app.continue();
    expect(requests).toBeGreaterThan(2);
  });

  it('does not hide an error in its code', async () => {
    const world = createApp({
      loadAfterChunk: async () => () => {
        throw new Error('a programming error');
      },
    });
    await expect(world.app.loadAfterChunk()).rejects.toThrow('a programming error');
    expect(world.state.chunks.after).toBe('failed');
  });

  it('is loaded again by Continue after an error in its code', async () => {
    let requests = 0;
    const world = createApp({
      loadFormChunk: async () => {
        requests += 1;
        return () => {
          throw new Error('a programming error');
        };
      },
    });
    await expect(world.app.continue()).rejects.toThrow('a programming error');
    await expect(world.app.continue()).rejects.toThrow('a programming error');
    expect(requests).toBe(2);
  });
});

describe('an error in a feature', () => {
  it('is reported where it occurs', async () => {
    const broken: Feature = {
      react: () => {
        throw new Error('a programming error');
      },
    };
    const world = createApp({
      loadAfterChunk: async () => (environment) => ({
        ...createAfterChunk(environment),
        features: [broken],
      }),
    });
    await expect(world.app.loadAfterChunk()).rejects.toThrow('a programming error');
  });
});

describe('an application in another language', () => {
  const english = createConfiguration();
  const consents = english.consents.map((consent) => ({ ...consent, label: `${consent.id} (es)` }));
  const spanish = createConfiguration({ locale: 'es', consents });

  /** The BFF and the form have changed to Spanish after the review was reached. */
  const createSpanish = async (configuration: Configuration = spanish) => {
    const created = await createFilledApp();
    created.api.configuration = ok(configuration);
    created.store.merge('language', { locale: 'es' });
    await created.settle();
    return created;
  };

  it('is not sent until changed consents are accepted again', async () => {
    const world = await createSpanish();
    await world.submit();
    expect(world.api.submissions).toEqual([]);
    expect(world.form?.errors).toEqual([{ path: 'consents/terms', code: 'required' }]);
  });

  it('is sent when changed consents are accepted again', async () => {
    const world = await createSpanish();
    world.app.answer('consents/terms', 'yes');
    expect(world.form?.rewordedConsents).toEqual([]);
    await world.submit();
    expect(world.form?.step).toBe('submitted');
  });

  it('sends consents with the language in which they were accepted', async () => {
    const world = await createSpanish();
    world.app.answer('consents/terms', 'yes');
    await world.submit();
    expect(JSON.parse(world.api.submissions[0]?.body ?? '{}')).toMatchObject({
      consents: [{ id: 'terms', locale: 'es' }],
    });
  });

  it('requires the consents of the new configuration', async () => {
    const added = english.consents.map((consent) => ({ ...consent, id: `new-${consent.id}` }));
    const both = [...english.consents, ...added];
    const world = await createSpanish({ ...english, locale: 'es', consents: both });
    await world.submit();
    expect(world.api.submissions).toEqual([]);
    expect(world.form?.errors).toEqual([{ path: 'consents/new-terms', code: 'required' }]);
  });

  it('keeps its texts during a submission', async () => {
    const world = await createFilledApp();
    const response = createDelayed<Result<ApplicationStatus>>();
    world.api.submitApplication = response.request;
    await world.submit();
    world.api.configuration = ok(spanish);
    world.store.merge('language', { locale: 'es' });
    await world.settle();
    expect(world.form?.configuration).toEqual(english);
    response.send(fail('internal'));
    await world.settle();
    expect(world.form).toMatchObject({ problem: 'internal', configuration: { locale: 'es' } });
  });
});

describe('Continue before the next steps are loaded', () => {
  it('stays on the step if they cannot be loaded', async () => {
    const world = createApp({
      loadFormChunk: () => Promise.reject(new TypeError('Failed to fetch')),
    });
    await world.app.load();
    await world.app.continue();
    expect(world.form).toMatchObject({ step: 'funding-need', errors: [] });
  });

  it('goes one step forward for two presses', async () => {
    const chunk = createDelayed<void>();
    const world = createApp({ waitForFormChunk: chunk.request });
    await world.app.load();
    answer(world, /^fundingNeed/);
    const presses = [world.app.continue(), world.app.continue()];
    chunk.send();
    await Promise.all(presses);
    expect(world.form).toMatchObject({ step: 'business', errors: [] });
  });
});

describe('the history of an application', () => {
  /** @param page state of an entry before the element's page. */
  const create = async (page?: unknown) => {
    const history = createFakeHistory(page);
    if (page !== undefined) history.push(null);
    const created = await createFilledApp({ history });
    return Object.assign(created, { history });
  };

  it('leads back with all answers', async () => {
    const world = await create();
    world.history.go(-2);
    expect(world.form).toMatchObject({ step: 'owner', draft: completeDraft });
    world.history.go(-2);
    expect(world.form?.step).toBe('funding-need');
  });

  it('leads forward to the review', async () => {
    const world = await create();
    world.history.go(-4);
    world.history.go(4);
    expect(world.form?.step).toBe('review');
  });

  it('leads to the record after the submission', async () => {
    const world = await create();
    await world.submit();
    world.history.go(-1);
    expect(world.form).toMatchObject({ step: 'submitted', problem: 'already-sent' });
  });

  it('never sends an application twice', async () => {
    const world = await create();
    await world.submit();
    world.history.go(-1);
    await world.app.continue();
    world.history.go(-3);
    await world.app.continue();
    expect(world.api.submissions).toHaveLength(1);
  });

  it('begins again in the first entry after the answers are cleared', async () => {
    const world = await create();
    world.app.clear();
    expect(world.history.current).toMatchObject({
      fundingApplication: { places: { form: { step: 'funding-need' } } },
    });
    await world.fillIn();
    expect(world.history.entries).toHaveLength(5);
  });

  it('leads back from the first step after clearing to the page before', async () => {
    const world = await create('before');
    world.app.clear();
    world.history.go(-1);
    expect(world.history.current).toBe('before');
    expect(world.form?.step).toBe('funding-need');
  });

  it('never leads forward to the steps of cleared answers', async () => {
    const world = await create();
    world.app.clear();
    world.history.go(3);
    expect(world.form).toMatchObject({ step: 'funding-need', errors: [] });
  });

  it('never leads to the steps of a closed application', async () => {
    const world = await create('before');
    await world.submit();
    await world.startAnother();
    world.history.go(4);
    expect(world.form).toMatchObject({ step: 'funding-need', errors: [] });
    world.history.go(-1);
    expect(world.history.current).toBe('before');
  });

  it('leads through the steps of the application after a closed one', async () => {
    const world = await create();
    await world.submit();
    await world.startAnother();
    await world.fillIn();
    expect(world.history.entries).toMatchObject(
      formSteps.map((step) => ({ fundingApplication: { places: { form: { step } } } })),
    );
    world.history.go(-1);
    expect(world.form).toMatchObject({ step: 'identity', draft: completeDraft });
  });

  it('contains no answer', async () => {
    const world = await create();
    await world.submit();
    const entries = JSON.stringify(world.history.entries);
    const answers = Object.values(completeDraft).filter((value) => value.length > 4);
    expect(answers.filter((value) => entries.includes(value))).toEqual([]);
  });

  it('contains no mark in the current entry after closing', async () => {
    const world = await create();
    await world.submit();
    await world.app.close();
    expect(world.history.current).toEqual({ fundingApplication: { places: {} } });
  });
});
