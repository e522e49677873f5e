// Tests for the application as a whole: closing, clearing, stored drafts, and lazy-loaded chunks.

import { describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../shared/api/session.ts';
import { createDraftStore } from '../../../widget/app/autosave.ts';
import { formSteps } from '../../../widget/app/navigation.ts';
import { isRestoredHere } from '../../../widget/form/saved-answers.ts';
import { emptyDocuments, initialState, type QueuedDocument } from '../../../widget/app/store.ts';
import { createAfterChunk } from '../../../widget/chunks/after-submission.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createApp,
  createDelayed,
  createFilledApp,
  createLoadedApp,
  createSlowApp,
  type AppOptions,
  type TestApp,
} from '../../support/create-app.ts';
import { completeDraft } from '../../support/draft.ts';
import { createFakeHistory } from '../../support/fake-history.ts';
import {
  acceptedStatus,
  createSession,
  deliveredDocument,
  fail,
  ok,
  receivedStatus,
  rejectedStatus,
  withApplication,
} from '../../support/fake-funding-api.ts';
import { createMemoryStorage } from '../../support/memory-storage.ts';

/** Only these members count. */
const unsentFile = {
  id: 1,
  state: 'failed',
  problem: { kind: 'failed', code: 'network', isRetryable: true },
} as QueuedDocument;

const attachments: Partial<Session> = {
  documents: [deliveredDocument],
  assetReport: { status: 'delivered', delayed: false },
  contact: { status: 'enabled' },
};

const isReceived = { application: ok(receivedStatus), status: ok(receivedStatus) };
const hasNoSession = { session: fail('network') };
const emptyForm = { step: 'funding-need', draft: {}, errors: [], application: undefined };

const rejectLoading = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));

/** Types the answers whose paths match. */
function answer({ app }: TestApp, paths: RegExp): void {
  for (const [path, value] of Object.entries(completeDraft)) {
    if (paths.test(path)) app.answer(path, value);
  }
}

async function createSubmittedApp(options: AppOptions = {}): Promise<TestApp> {
  const created = await createFilledApp(options);
  await created.submit();
  return created;
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
  const page = await tab.load({ bff: isReceived });
  await page.fillIn();
  await page.submit();
  return { ...tab, page };
}

/** A form that is shown before its session arrives. */
async function createWithLateSession(options: AppOptions = {}) {
  const created = await createSlowApp(options);
  await created.polling.tick();
  return created;
}

describe('closing', () => {
  it('needs no chunk after the submission, which renders the last page', async () => {
    const world = await createLoadedApp();
    expect(world.state.chunks.after).toBe('waiting');
    expect(await world.app.close()).toBe('closed');
    await world.settle();
    expect(world.api.sessionsEnded).toBe(1);
    expect(world.state).toMatchObject({ form: undefined, chunks: { after: 'loaded' } });
  });

  it('removes everything about the application', async () => {
    const { page: world, storage } = await openSubmittedTab();
    world.store.update((state) => ({
      ...state,
      documents: { ...state.documents, uploaded: [{ id: 1, status: deliveredDocument }] },
      bank: { ...state.bank, report: { status: 'delivered', delayed: false } },
      contact: { ...state.contact, status: 'enabled' },
    }));
    world.mergeForm({ step: 'offers' });
    await world.settle();
    const { chunks, language, savesDraft } = world.state;
    expect(storage.length).toBe(1);
    expect(await world.app.close()).toBe('closed');
    expect(world.state).toEqual({
      ...initialState,
      isConnected: true,
      chunks,
      language,
      savesDraft,
      closing: { ...initialState.closing, closedStep: 'offers' },
    });
    expect(storage.length).toBe(0);
    expect(world).toMatchObject({ polling: { waiting: 0 }, timers: { waiting: 0 } });
  });

  it('warns about unsent files once on each step', async () => {
    const world = await createSubmittedApp();
    world.store.merge('documents', { queued: [unsentFile] });
    expect(await world.app.close()).toBe('warned');
    world.app.next();
    expect(await world.app.close()).toBe('warned');
    expect(world.api.sessionsEnded).toBe(0);
    expect(await world.app.close()).toBe('closed');
    expect(world.state.documents).toEqual(emptyDocuments);
  });

  it('discards files that are added during the request', async () => {
    const world = await createLoadedApp({ bff: withApplication() });
    const send = world.api.hold('endSession');
    const closing = world.app.close();
    world.store.merge('documents', { queued: [unsentFile] });
    send(ok(undefined));
    await closing;
    expect(world.state.documents.queued).toEqual([]);
  });

  it('sends one request for two presses', async () => {
    const { api, app } = await createLoadedApp();
    expect(await Promise.all([app.close(), app.close()])).toEqual(['closed', 'closed']);
    expect(api.sessionsEnded).toBe(1);
  });

  it('keeps everything after a failure, until the next request', async () => {
    const world = await createFilledApp();
    world.api.ended = fail('network');
    expect(await world.app.close()).toBe('failed');
    expect(world.state.closing).toMatchObject({ isClosing: false, problem: 'network' });
    expect(world.form?.draft).toEqual(completeDraft);
    await world.submit();
    expect(world.state.closing.problem).toBeUndefined();
  });

  it('succeeds if the session has already ended', async () => {
    const { app } = await createLoadedApp({ bff: { ended: fail('session-missing') } });
    expect(await app.close()).toBe('closed');
  });

  it('stops the requests for a session that has not arrived', async () => {
    const world = await createLoadedApp({ bff: hasNoSession });
    await world.app.close();
    await world.polling.tick();
    expect(world.api.sessionsOpened).toBe(1);
    expect(world.polling.waiting).toBe(0);
  });

  it('ignores a session that arrives afterwards', async () => {
    const world = await createLoadedApp();
    const send = world.api.hold('getSession');
    world.advance(6 * 60_000);
    world.app.answer('fundingNeed/amount', '75,000');
    await world.app.close();
    send(ok(createSession()));
    await world.settle();
    expect(world.state.session).toEqual(initialState.session);
    expect(world.timers.waiting).toBe(0);
  });
});

describe('a form after closing', () => {
  /** Each row starts a request, and returns the function that sends its response. */
  it.each<[string, (world: TestApp) => Promise<() => void>]>([
    [
      'its submission',
      async ({ api, submit }) => {
        const send = api.hold('submitApplication');
        await submit();
        return () => send(ok(acceptedStatus));
      },
    ],
    [
      'its consents',
      async ({ api, submit }) => {
        api.application = fail('consent-required');
        const send = api.hold('getConfiguration');
        await submit();
        return () => send(ok(createConfiguration()));
      },
    ],
  ])('ignores a response about the closed application: %s', async (_what, start) => {
    const world = await createFilledApp();
    const respond = await start(world);
    await world.startAnother();
    respond();
    await world.settle();
    expect(world.form).toMatchObject({ ...emptyForm, problem: undefined });
    expect(world.state.session.notice).toBeUndefined();
  });

  it('ignores the response to an earlier submission during its own', async () => {
    const world = await createFilledApp();
    const sendEarlier = world.api.hold('submitApplication');
    await world.submit();
    await world.startAnother();
    await world.fillIn();
    const send = world.api.hold('submitApplication');
    await world.submit();
    sendEarlier(ok({ ...acceptedStatus, reference: 'of-the-closed-application' }));
    await world.settle();
    expect(world.form).toMatchObject({ isSubmitting: true, application: undefined });
    send(ok(acceptedStatus));
    await world.settle();
    expect(world.form?.application).toEqual(acceptedStatus);
  });
});

describe('an application that is closed while it loads', () => {
  it('stays closed when the configuration arrives', async () => {
    const world = await createLoadedApp();
    const send = world.api.hold('getConfiguration');
    void world.app.load();
    await world.app.close();
    send(ok(createConfiguration()));
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
    await world.startAnother();
    await world.respond(ok(createSession({ application: acceptedStatus })));
    expect(world.form).toMatchObject(emptyForm);
  });
});

describe('clearing', () => {
  it('erases the answers on the page and in the storage', async () => {
    const tab = openTab();
    const page = await tab.load({ hasStartPage: true });
    await page.fillIn();
    expect(page.app.clear()).toBe(true);
    expect(page.form).toMatchObject({ step: 'start', draft: {}, restored: undefined });
    expect(tab.storage.length).toBe(0);
  });

  it.each([
    ['keeps', true, { 'business/name': 'Rosa’s' }],
    ['removes', false, {}],
  ])('%s the prefill if the host page asks so: %s', async (_does, keepsPrefill, draft) => {
    const world = await createLoadedApp({ getPrefill: () => ({ 'business/name': 'Rosa’s' }) });
    world.app.answer('business/name', '');
    world.app.clear(keepsPrefill);
    expect(world.form?.draft).toEqual(draft);
  });

  it('removes the unsent files of a rejected application', async () => {
    const world = await createFilledApp();
    world.store.merge('documents', { repeated: ['statement.pdf'] });
    world.app.clear();
    expect(world.state.documents).toEqual(emptyDocuments);
  });

  it('does nothing after the submission', async () => {
    const world = await createSubmittedApp();
    expect(world.app.clear()).toBe(false);
    expect(world.form?.step).toBe('submitted');
  });

  it('does nothing before the form is loaded', () => {
    expect(createApp().app.clear()).toBe(false);
  });
});

describe('a draft after a reload', () => {
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
    const configuration = ok(createConfiguration({ requiredFields: ['birthDate'] }));
    const next = await tab.load({ bff: { configuration } });
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
    const next = await tab.load({ bff: hasNoSession });
    Object.assign(next.api, withApplication());
    await next.polling.tick();
    expect(next.form?.step).toBe('submitted');
    expect(tab.draftStore.read()).toMatchObject({ answers: {}, isSubmitted: true });
  });
});

describe('the draft of a submitted application', () => {
  it('has no answers when the application is accepted after a reload', async () => {
    const tab = await openSubmittedTab();
    const next = await tab.load({ bff: withApplication(receivedStatus) });
    next.api.status = ok(acceptedStatus);
    await next.polling.tick();
    expect(tab.draftStore.read()).toMatchObject({ answers: {}, omitted: [], isSubmitted: true });
    await next.app.close();
    expect(tab.storage.length).toBe(0);
  });

  it('is not restored after the end of its session, so that nothing is sent twice', async () => {
    const tab = await openSubmittedTab();
    const next = await tab.load();
    expect(next.form).toMatchObject(emptyForm);
    expect(tab.storage.length).toBe(0);
  });

  it('waits for a late session', async () => {
    const tab = await openSubmittedTab();
    const next = await tab.load({ bff: hasNoSession });
    expect(next.form?.draft).toEqual({});
    Object.assign(next.api, withApplication(receivedStatus));
    await next.polling.tick();
    expect(next.form?.step).toBe('submitted');
    expect(next.form?.draft['business/name']).toBe(completeDraft['business/name']);
  });
});

it('a rejection removes the bank report that was sent with the application', async () => {
  const assetReport = ok({ status: 'received', delayed: false } as const);
  const bff = { ...isReceived, status: ok(rejectedStatus), assetReport };
  const world = await createSubmittedApp({ bff });
  await world.app.afterChunk?.sendBankReport({ report: {} });
  await world.polling.tick();
  expect(world.form?.problem).toBe('rejected-with-documents');
  expect(world.state.bank.report).toBeUndefined();
});

describe('a session that arrives after the form', () => {
  const reported = ok(createSession({ application: acceptedStatus }));
  const typed = { 'fundingNeed/amount': '75,000' };

  it('starts the status requests of its application', async () => {
    const world = await createWithLateSession();
    await world.respond(ok(createSession({ application: receivedStatus })));
    expect(world.form?.application?.status).toBe('received');
    await world.polling.tick();
    expect(world.form?.application?.status).toBe('accepted');
  });

  it('keeps typed answers, and shows its application when they are submitted', async () => {
    const world = await createWithLateSession();
    await world.fillIn();
    await world.respond(reported);
    expect(world.form).toMatchObject({ step: 'review', draft: completeDraft, problem: undefined });
    world.api.application = fail('application-exists');
    await world.submit();
    expect(world.form).toMatchObject({ step: 'submitted', problem: 'application-exists' });
  });

  it('does not change the step after the submission', async () => {
    const world = await createWithLateSession();
    await world.fillIn();
    await world.submit();
    world.app.next();
    await world.respond(reported);
    expect(world.form?.step).toBe('documents');
  });

  /** The chunk of the form arrives when the test calls `arrive`. */
  async function createWithLateChunk() {
    const chunk = createDelayed<void>();
    const created = await createWithLateSession({ waitForFormChunk: chunk.request });
    return Object.assign(created, {
      type: () => created.app.answer('fundingNeed/amount', '75,000'),
      async arrive(): Promise<void> {
        chunk.send();
        await created.settle();
      },
    });
  }

  it.each(['before', 'after'])(
    'keeps answers that are typed %s its response, before the chunk of the form',
    async (when) => {
      const world = await createWithLateChunk();
      if (when === 'before') world.type();
      await world.respond(reported);
      if (when === 'after') world.type();
      await world.arrive();
      expect(world.form).toMatchObject({ ...emptyForm, draft: typed });
    },
  );

  it('shows that it has ended before the chunk of the form arrives', async () => {
    const world = await createWithLateChunk();
    world.type();
    await world.respond(ok(createSession()));
    world.advance(2 * 60 * 60_000);
    await world.arrive();
    expect(world.state.session.notice).toBe('ended');
    expect(world.form?.draft).toEqual(typed);
  });
});

describe('the end of the session', () => {
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
  it('is followed while the element is in the document', () => {
    const world = createApp();
    // The polling listens too, but only while it runs.
    expect(world.connection.listeners).toBe(1);
    world.setConnected(false);
    world.connection.setOffline(true);
    expect(world.state.isOffline).toBe(false);
    world.setConnected(true);
    expect(world.state.isOffline).toBe(true);
    world.connection.setOffline(false);
    expect(world.state.isOffline).toBe(false);
  });

  it('loads a form that could not be loaded when it returns', async () => {
    const world = createApp({ bff: { configuration: fail('network') } });
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
  it('leaves no timer and no listener, and continues when it is back', async () => {
    const history = createFakeHistory();
    const world = await createSubmittedApp({ history, bff: { application: ok(receivedStatus) } });
    world.setConnected(false);
    await world.settle();
    expect({ ...world, history }).toMatchObject({
      polling: { waiting: 0, listeners: 0 },
      timers: { waiting: 0, listeners: 0 },
      connection: { listeners: 0 },
      channels: { size: 0 },
      history: { listeners: 0 },
    });
    world.setConnected(true);
    await world.polling.tick();
    expect(world.form?.application?.status).toBe('accepted');
  });
});

describe('the chunk after the submission', () => {
  /** A loaded form on `step`. The chunk arrives when the test calls `arrive`. */
  async function createLate(session: Parameters<typeof withApplication>, step?: 'offers') {
    const chunk = createDelayed<typeof createAfterChunk>();
    const bff = withApplication(...session);
    const created = createApp({ bff, loadAfterChunk: chunk.request });
    await created.load();
    if (step) created.mergeForm({ step });
    await created.settle();
    return Object.assign(created, {
      async arrive(): Promise<void> {
        chunk.send(createAfterChunk);
        await created.settle();
      },
    });
  }

  it('is loaded on the review', async () => {
    const world = await createLoadedApp();
    answer(world, /./);
    for (let step = 0; step < 3; step += 1) await world.app.continue();
    await world.settle();
    expect(world.state).toMatchObject({ form: { step: 'identity' }, chunks: { after: 'waiting' } });
    await world.app.continue();
    await world.settle();
    expect(world.state.chunks.after).toBe('loaded');
  });

  it('starts with what an earlier page has sent', async () => {
    const world = await createLate([acceptedStatus, attachments]);
    await world.arrive();
    expect(world.state).toMatchObject({
      documents: { uploaded: [{ status: deliveredDocument }] },
      bank: { report: { status: 'delivered' } },
      contact: { status: 'enabled' },
    });
  });

  it('requests the offers once when it arrives on their step', async () => {
    const world = await createLate([], 'offers');
    expect(world.api.offersRequests).toBe(0);
    await world.arrive();
    expect(world.api.offersRequests).toBe(1);
  });

  it('requests the status of an application once when it arrives', async () => {
    const world = await createLate([receivedStatus]);
    expect(world.polling.waiting).toBe(0);
    await world.arrive();
    expect(world.polling.waiting).toBe(1);
  });

  it('requests nothing while the element is not in the document', async () => {
    const world = await createLate([], 'offers');
    world.setConnected(false);
    await world.arrive();
    expect(world.api.offersRequests).toBe(0);
    world.setConnected(true);
    await world.settle();
    expect(world.api.offersRequests).toBe(1);
  });

  it('starts with nothing of a closed application', async () => {
    const world = await createLate([acceptedStatus, attachments]);
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
    const world = await createLoadedApp({ afterFrame: (callback) => waiting.push(callback) });
    expect(world.state).toMatchObject({
      form: { step: 'funding-need' },
      chunks: { form: 'waiting' },
    });
    for (const callback of waiting) callback();
    await world.settle();
    expect(world.state.chunks.form).toBe('loaded');
  });

  it('loads at once for an applicant who presses Continue', async () => {
    const world = await createLoadedApp({ afterFrame: () => undefined });
    await world.app.continue();
    expect(world.state.chunks.form).toBe('loaded');
  });

  it('leads one step forward for two presses while it loads', async () => {
    const chunk = createDelayed<void>();
    const world = createApp({ waitForFormChunk: chunk.request });
    await world.app.load();
    answer(world, /^fundingNeed/);
    const presses = [world.app.continue(), world.app.continue()];
    chunk.send();
    await Promise.all(presses);
    expect(world.form).toMatchObject({ step: 'business', errors: [] });
  });

  it('is loaded again by Continue, which stays on the step until then', async () => {
    const loadFormChunk = vi.fn<typeof rejectLoading>(rejectLoading);
    const world = await createLoadedApp({ loadFormChunk });
    for (const times of [1, 2, 3]) {
      expect(loadFormChunk).toHaveBeenCalledTimes(times);
      await world.app.continue();
    }
    expect(world.state.chunks).toMatchObject({ form: 'failed', isAwaited: true });
    expect(world.form).toMatchObject({ step: 'funding-need', errors: [] });
  });
});

describe('a chunk', () => {
  it('is loaded again after a failure', async () => {
    const loadAfterChunk = vi.fn<typeof rejectLoading>(rejectLoading);
    const { app, store } = createApp({ loadAfterChunk });
    await app.loadAfterChunk();
    expect(store.state.chunks.after).toBe('failed');
    await app.loadAfterChunk();
    expect(loadAfterChunk).toHaveBeenCalledTimes(2);
  });

  it('is loaded once for two calls', async () => {
    const loadAfterChunk = vi.fn<() => Promise<typeof createAfterChunk>>(
      async () => createAfterChunk,
    );
    const { app } = createApp({ loadAfterChunk });
    await Promise.all([app.loadAfterChunk(), app.loadAfterChunk()]);
    await app.loadAfterChunk();
    expect(loadAfterChunk).toHaveBeenCalledOnce();
  });

  function throwError(): never {
    throw new Error('a programming error');
  }

  it('does not hide an error in its code', async () => {
    const world = createApp({ loadAfterChunk: async () => throwError });
    await expect(world.app.loadAfterChunk()).rejects.toThrow('a programming error');
    expect(world.state.chunks.after).toBe('failed');
  });

  it('does not hide an error in one of its features', async () => {
    const world = createApp({
      loadAfterChunk: async () => (environment) => ({
        ...createAfterChunk(environment),
        features: [{ react: throwError }],
      }),
    });
    await expect(world.app.loadAfterChunk()).rejects.toThrow('a programming error');
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
  const toEntry = (step: string) => ({ fundingApplication: { places: { form: { step } } } });

  it('never sends an application twice', async () => {
    const world = await create();
    await world.submit();
    for (const steps of [-1, -3]) {
      world.history.go(steps);
      expect(world.form).toMatchObject({ step: 'submitted', problem: 'already-sent' });
      await world.app.continue();
    }
    expect(world.api.submissions).toHaveLength(1);
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
    expect(world.history.entries).toMatchObject(formSteps.map(toEntry));
    world.history.go(-1);
    expect(world.form).toMatchObject({ step: 'identity', draft: completeDraft });
  });

  it('contains no answer, and nothing after closing', async () => {
    const world = await create();
    await world.submit();
    const entries = JSON.stringify(world.history.entries);
    const answers = Object.values(completeDraft).filter((value) => value.length > 4);
    expect(answers.filter((value) => entries.includes(value))).toEqual([]);
    await world.app.close();
    expect(world.history.current).toEqual({ fundingApplication: { places: {} } });
  });
});
