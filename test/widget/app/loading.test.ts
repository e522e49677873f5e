// Tests for loading the configuration and the session.

import { describe, expect, it } from 'vitest';
import type { Session } from '../../../shared/api/session.ts';
import type { Failure, FailureCode, Result } from '../../../widget/api/funding-api.ts';
import { withSession } from '../../../widget/app/application-status.ts';
import { Loader, type LoadingEnvironment } from '../../../widget/app/loading.ts';
import type { StoredDraft } from '../../../widget/app/navigation.ts';
import { initialState, Store } from '../../../widget/app/store.ts';
import { withStoredDraft } from '../../../widget/form/validation.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  acceptedStatus,
  createSession,
  fail,
  FakeFundingApi,
  ok,
} from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

const submitted = ok(createSession({ application: acceptedStatus }));
const stored: StoredDraft = {
  step: 'owner',
  returnsToReview: false,
  answers: { 'business/name': 'Rosa’s' },
  omitted: [],
  isSubmitted: false,
};

/** The draft of an application that this tab has submitted, and the funding service has accepted. */
const sent: StoredDraft = { ...stored, step: 'review', answers: {}, isSubmitted: true };

const formChunk: Awaited<ReturnType<LoadingEnvironment['loadFormChunk']>> = {
  restoreDevice: async () => ({ ok: true }),
  withStoredDraft: (form, draft) => withStoredDraft(form, draft, () => []),
  withSession,
};

function busy(code: FailureCode, retryAfterMs: number): Failure {
  return { ...fail(code), retryAfterMs };
}

function create(changes: Partial<LoadingEnvironment> = {}) {
  const api = new FakeFundingApi();
  const polling = createManualPolling();
  const store = new Store([], { ...initialState, isConnected: true });
  const loader = new Loader({
    store,
    api,
    polling: polling.environment,
    now: () => new Date('2026-11-20T15:00:00.000Z'),
    getLocale: () => undefined,
    hasStartPage: false,
    isPhone: false,
    getPrefill: () => ({}),
    readStoredDraft: () => undefined,
    hasDeviceDraft: () => false,
    loadFormChunk: async () => formChunk,
    ...changes,
  });
  return {
    api,
    loader,
    polling,
    store,
    get form() {
      return store.state.form;
    },
    get loading() {
      return store.state.loading;
    },
    setConnected(isConnected: boolean): void {
      store.update((state) => ({ ...state, isConnected }));
      if (isConnected) loader.resume();
      else loader.pause();
    },
    setOffline(isOffline: boolean): void {
      store.update((state) => ({ ...state, isOffline }));
      if (!isOffline) loader.retry();
    },
  };
}

/** A loader whose session arrives when the test calls `respond`. */
async function createSlow(changes: Partial<LoadingEnvironment> = {}) {
  let send: (session: Result<Session>) => void = () => undefined;
  const created = create(changes);
  created.api.openSession = () => new Promise((resolve) => (send = resolve));
  void created.loader.load();
  await created.polling.settle();
  return Object.assign(created, {
    async respond(session: Result<Session>): Promise<void> {
      send(session);
      await created.polling.settle();
    },
  });
}

describe('a form without a session', () => {
  it.each([
    ['of too many requests', busy('too-many-requests', 40_000)],
    ['the server is at capacity', busy('too-busy', 40_000)],
    ['the connection fails', fail('network')],
    ['the storage is unavailable', fail('storage-unavailable')],
  ])('is shown if %s', async (_why, session) => {
    const world = create();
    world.api.session = session;
    await world.loader.load();
    expect(world.form).toMatchObject({ step: 'funding-need', problem: undefined });
    expect(world.loading.problem).toBeUndefined();
  });

  it('requests the session again after the delay of the BFF', async () => {
    const { api, loader, polling } = create();
    api.session = busy('too-many-requests', 40_000);
    await loader.load();
    expect(polling.delays.at(-1)).toBe(40_000);
    api.session = ok(createSession());
    await polling.tick();
    expect(api.sessionsOpened).toBe(2);
    expect(polling.waiting).toBe(0);
  });

  it('requests the session at most five times', async () => {
    const { api, loader, polling } = create();
    api.session = fail('network');
    await loader.load();
    for (let tick = 0; tick < 9; tick += 1) await polling.tick();
    expect(api.sessionsOpened).toBe(5);
    expect(polling.waiting).toBe(0);
  });

  it('pauses while the element is not in the document', async () => {
    const { api, loader, polling, setConnected } = create();
    api.session = fail('network');
    await loader.load();
    setConnected(false);
    expect(polling).toMatchObject({ waiting: 0, listeners: 0 });
    setConnected(true);
    await polling.tick();
    expect(api.sessionsOpened).toBe(2);
  });

  it('starts no timer if the element was removed during the request', async () => {
    const { api, loader, polling, setConnected } = create();
    api.session = fail('network');
    const loading = loader.load();
    setConnected(false);
    await loading;
    expect(polling).toMatchObject({ waiting: 0, listeners: 0 });
  });

  it('requests no session after the submission', async () => {
    const { api, loader, polling } = create();
    api.session = fail('network');
    await loader.load();
    loader.stop();
    expect(polling.waiting).toBe(0);
  });
});

describe('a late session', () => {
  it('delays the form of a submitted application by at most 1.5 seconds', async () => {
    const world = await createSlow({ readStoredDraft: () => sent });
    expect(world.form).toBeUndefined();
    expect(world.polling.delays).toEqual([1_500]);
    await world.polling.tick();
    expect(world.form?.step).toBe('funding-need');
    await world.respond(ok(createSession()));
    expect(world.form?.step).toBe('funding-need');
    expect(world.polling.waiting).toBe(0);
  });

  it('does not delay the form of an applicant who has not applied', async () => {
    const world = await createSlow();
    expect(world.form?.step).toBe('funding-need');
    expect(world.store.state.session.response).toBeUndefined();
    await world.respond(ok(createSession()));
    expect(world.store.state.session.response).toBeDefined();
    expect(world.form?.step).toBe('funding-need');
  });

  it('shows its application with the form', async () => {
    const world = await createSlow({ readStoredDraft: () => sent });
    expect(world.form).toBeUndefined();
    await world.respond(submitted);
    expect(world.form?.step).toBe('submitted');
    expect(world.polling.waiting).toBe(0);
  });

  it('shows its application after the form', async () => {
    const world = await createSlow();
    await world.polling.tick();
    await world.respond(submitted);
    expect(world.form).toMatchObject({ step: 'submitted', application: acceptedStatus });
  });

  it('does not replace typed answers', async () => {
    const world = await createSlow();
    await world.polling.tick();
    const draft = { 'business/name': 'Rosa’s' };
    world.store.update((state) => ({ ...state, form: state.form && { ...state.form, draft } }));
    await world.respond(submitted);
    expect(world.form).toMatchObject({ step: 'funding-need', draft, application: undefined });
  });

  it('does not change the step of a submitted application', async () => {
    const world = await createSlow();
    await world.polling.tick();
    world.store.update((state) => ({
      ...state,
      form: state.form && { ...state.form, step: 'documents', application: acceptedStatus },
    }));
    await world.respond(submitted);
    expect(world.form?.step).toBe('documents');
  });

  it('shows its application if it arrives while the chunk of a stored draft loads', async () => {
    let finish: () => void = () => undefined;
    const world = await createSlow({
      readStoredDraft: () => stored,
      loadFormChunk: () => new Promise((resolve) => (finish = () => resolve(formChunk))),
    });
    await world.respond(submitted);
    expect(world.form).toBeUndefined();
    finish();
    await world.polling.settle();
    // The application is shown with the same chunk.
    finish();
    await world.polling.settle();
    expect(world.form).toMatchObject({ step: 'submitted', application: acceptedStatus });
  });

  it('is requested again after a failure', async () => {
    const world = await createSlow();
    await world.polling.tick();
    await world.respond(busy('too-busy', 10_000));
    expect(world.polling.delays.at(-1)).toBe(10_000);
    expect(world.polling.waiting).toBe(1);
  });
});

describe('a missing configuration', () => {
  const configuration = ok(createConfiguration());

  it('is requested again after the delay of the BFF', async () => {
    const world = create();
    world.api.configuration = busy('too-many-requests', 30_000);
    await world.loader.load();
    expect(world.loading).toMatchObject({ problem: 'too-many-requests', isRetrying: true });
    expect(world.polling.delays).toEqual([30_000]);
    world.api.configuration = configuration;
    await world.polling.tick();
    expect(world.form?.step).toBe('funding-need');
    expect(world.loading.problem).toBeUndefined();
    expect(world.polling.waiting).toBe(0);
  });

  it('is requested again by the applicant', async () => {
    const world = create();
    world.api.configuration = fail('network');
    await world.loader.load();
    expect(world.loading).toMatchObject({ problem: 'network', isRetrying: false });
    expect(world.polling.waiting).toBe(0);
    world.api.configuration = configuration;
    await world.loader.load();
    expect(world.form?.step).toBe('funding-need');
    expect(world.loading.isRepeated).toBe(true);
  });

  it('is requested again when the browser is online', async () => {
    const world = create();
    world.setOffline(true);
    world.api.configuration = fail('network');
    await world.loader.load();
    world.api.configuration = configuration;
    world.setOffline(false);
    await world.polling.settle();
    expect(world.form?.step).toBe('funding-need');
  });

  it('is not requested while the element is not in the document', async () => {
    const { api, loader, polling, setConnected } = create();
    api.configuration = busy('too-busy', 30_000);
    await loader.load();
    setConnected(false);
    expect(polling.waiting).toBe(0);
    setConnected(true);
    expect(polling.waiting).toBe(1);
  });

  it('is requested in the language of the form', async () => {
    const { api, loader } = create({ getLocale: () => 'es' });
    await loader.load();
    expect(api.requestedLocales).toEqual(['es']);
  });

  it('is requested once for two calls', async () => {
    const { api, loader } = create();
    await Promise.all([loader.load(), loader.load()]);
    expect(api.requestedLocales).toHaveLength(1);
  });
});

describe('a stored draft', () => {
  it('is restored', async () => {
    const world = create({ readStoredDraft: () => stored });
    await world.loader.load();
    expect(world.form).toMatchObject({
      step: 'owner',
      draft: stored.answers,
      restored: { step: 'owner', omitted: [] },
    });
  });

  it('replaces the prefill of the host page', async () => {
    const getPrefill = () => ({ 'business/name': 'Ana’s', 'owner/firstName': 'Ana' });
    const world = create({ readStoredDraft: () => stored, getPrefill });
    await world.loader.load();
    expect(world.form?.draft).toEqual({ 'business/name': 'Rosa’s', 'owner/firstName': 'Ana' });
  });

  it('waits for the chunk that restores it', async () => {
    const world = create({ readStoredDraft: () => stored, loadFormChunk: async () => undefined });
    await world.loader.load();
    expect(world.form).toBeUndefined();
    expect(world.loading.problem).toBe('network');
  });

  it('is not restored if its application was submitted in a session that has ended', async () => {
    const world = create({ readStoredDraft: () => ({ ...stored, isSubmitted: true }) });
    await world.loader.load();
    expect(world.form).toMatchObject({ step: 'funding-need', draft: {}, restored: undefined });
  });
});
