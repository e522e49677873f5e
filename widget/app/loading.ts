// Loads what a form needs: the configuration, without which there is no form, and the session, which only the submission needs.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { FundingApi, Result } from '../api/funding-api.ts';
import type { Draft } from './draft.ts';
import type { FormChunk } from './feature.ts';
import { createForm, type StoredDraft, withStep } from './navigation.ts';
import {
  createPoller,
  toPollResult,
  type Poller,
  type PollingEnvironment,
  type PollResult,
} from './polling.ts';
import { type AppState, type FormState, initialState, type Store } from './store.ts';

/** In a tab with a submitted application, the form waits this long for its session, so that the applicant sees no other step first. */
const maxSessionWaitMs = 1_500;
const maxSessionAttempts = 5;

export interface LoadingEnvironment {
  readonly store: Store;
  readonly api: Pick<FundingApi, 'getConfiguration' | 'openSession'>;
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  /** The language to request. Undefined: the BFF's default. */
  readonly getLocale: () => string | undefined;
  readonly hasStartPage: boolean;
  /** A phone in a handoff has a session of its own, which its claim starts. */
  readonly isPhone: boolean;
  readonly getPrefill: () => Draft;
  readonly readStoredDraft: () => StoredDraft | undefined;
  /** Returns true if an earlier page has kept answers on this device. The chunk decrypts them. */
  readonly hasDeviceDraft: () => boolean;
  /** Needed to restore a draft or an application. Undefined: it can't be loaded. */
  readonly loadFormChunk: (
    isSubmitted: boolean,
  ) => Promise<Pick<FormChunk, 'withStoredDraft' | 'withSession' | 'restoreDevice'> | undefined>;
}

/** A session that does not arrive is requested a few times. After that, the submission requests it. */
export class Loader {
  readonly #environment: LoadingEnvironment;
  readonly #poller: Poller;
  #sessionAttempts = 0;
  /** Delay before the next request. Undefined: nothing is missing, or the applicant must try again. */
  #retryDelayMs: number | undefined;
  #running: Promise<void> | undefined;
  /** Changes when the form is loaded again, or the application is closed: responses to earlier requests are ignored. */
  #generation = 0;

  constructor(environment: LoadingEnvironment) {
    this.#environment = environment;
    this.#poller = createPoller(environment.polling, () =>
      environment.store.state.form ? this.#requestSession() : this.#requestForm(),
    );
  }

  /** The element left the document. */
  pause(): void {
    this.#poller.stop();
  }

  resume(): void {
    if (this.#retryDelayMs !== undefined) this.#poller.start(this.#retryDelayMs);
  }

  /** The browser is online again. */
  retry(): void {
    const { problem, isRetrying } = this.#environment.store.state.loading;
    if (problem === 'network' && !isRetrying) void this.load();
  }

  /** The application was closed. A response to an earlier request is ignored. */
  cancel(): void {
    this.stop();
    this.#generation += 1;
    this.#running = undefined;
  }

  /** Nothing is missing any more. */
  stop(): void {
    this.#poller.stop();
    this.#remember(false);
  }

  /** Resolves with a form or a `loading.problem` in the state. A second call joins the first one. */
  load(): Promise<void> {
    this.#running ??= this.#load();
    return this.#running;
  }

  async #load(): Promise<void> {
    const { store } = this.#environment;
    this.#generation += 1;
    const generation = this.#generation;
    this.stop();
    store.update((state) => ({
      ...state,
      form: undefined,
      loading: {
        ...initialState.loading,
        isRepeated: state.loading.problem !== undefined || state.closing.closedStep !== undefined,
      },
      closing: initialState.closing,
    }));
    try {
      const result = await this.#requestForm();
      if (generation === this.#generation) this.#schedule(result);
    } finally {
      if (generation === this.#generation) this.#running = undefined;
    }
  }

  async #requestForm(): Promise<PollResult> {
    const { api, store, getLocale, isPhone, readStoredDraft } = this.#environment;
    const generation = this.#generation;
    let session: Result<Session> | undefined;
    this.#sessionAttempts = 1;
    const opening = isPhone ? undefined : api.openSession();
    void opening?.then((opened) => (session = opened));
    const configuration = await api.getConfiguration(getLocale());
    if (generation !== this.#generation) return false;
    if (!configuration.ok) {
      const { code, retryAfterMs } = configuration;
      store.merge('loading', { problem: code, isRetrying: retryAfterMs !== undefined });
      return this.#remember(retryAfterMs ?? false);
    }
    if (opening && readStoredDraft()?.isSubmitted) session ??= await this.#waitForSession(opening);
    // The session may arrive while the form begins.
    const known = session;
    await this.#begin(generation, configuration.value, known?.ok ? known.value : undefined);
    if (generation !== this.#generation) return false;
    if (!known)
      void opening?.then((late) => this.#schedule(this.#takeLateSession(generation, late)));
    return this.#remember(known && !known.ok ? toPollResult(known) : false);
  }

  /** Shows the form. Without a session, it may still arrive. */
  async #begin(
    generation: number,
    configuration: Configuration,
    session: Session | undefined,
  ): Promise<void> {
    const { store, hasStartPage, isPhone, getPrefill } = this.#environment;
    const { readStoredDraft, hasDeviceDraft, loadFormChunk } = this.#environment;
    const isSubmitted = Boolean(session?.application);
    const draft = readStoredDraft();
    // A submitted application whose session is gone must not be submitted again.
    const inTab = draft?.isSubmitted && !isSubmitted ? undefined : draft;
    const isOnDevice = hasDeviceDraft();
    const needsChunk = isSubmitted || inTab !== undefined || isOnDevice;
    const chunk = needsChunk ? await loadFormChunk(isSubmitted) : undefined;
    const onDevice = isOnDevice && !isSubmitted ? await chunk?.restoreDevice() : undefined;
    if (generation !== this.#generation) return;
    const current = store.state.form;
    // A session that arrives late does not replace typed answers.
    if (current && !isUntouched(current)) return;
    if (needsChunk && !chunk) {
      if (!current) store.merge('loading', { problem: 'network' });
      return;
    }
    if (onDevice?.ok === false) {
      // Without the key, the form would be empty, and the answers would seem lost.
      if (!current) store.merge('loading', { problem: onDevice.code });
      return;
    }
    // The draft of the tab contains more answers.
    const stored = inTab ?? onDevice?.value;
    if (session) this.#takeSession(session);
    store.update((state) => {
      const created = createForm(configuration, { hasStartPage, draft: getPrefill() });
      const empty = isPhone ? withStep(created, 'documents') : created;
      const form = stored && chunk ? chunk.withStoredDraft(empty, stored) : empty;
      const begun = { ...state, form, loading: { ...state.loading, problem: undefined } };
      return session && chunk ? chunk.withSession(begun, session) : begun;
    });
  }

  async #requestSession(): Promise<PollResult> {
    const generation = this.#generation;
    this.#sessionAttempts += 1;
    return this.#takeLateSession(generation, await this.#environment.api.openSession());
  }

  /** Typed answers stay on the screen. Their submission then reports that the session already has an application. */
  #takeLateSession(generation: number, session: Result<Session>): PollResult {
    if (generation !== this.#generation) return false;
    const { form } = this.#environment.store.state;
    if (session.ok && form) {
      this.#takeSession(session.value);
      if (session.value.application && isUntouched(form))
        void this.#begin(generation, form.configuration, session.value);
    }
    const isOver = session.ok || this.#sessionAttempts >= maxSessionAttempts;
    return this.#remember(isOver ? false : toPollResult(session));
  }

  #takeSession(session: Session): void {
    const { store, now } = this.#environment;
    store.update((state) => withSessionResponse(state, session, now()));
  }

  #remember(result: PollResult): PollResult {
    this.#retryDelayMs = result === false ? undefined : result === true ? 0 : result;
    return result;
  }

  #schedule(result: PollResult): void {
    if (result !== false && this.#environment.store.state.isConnected)
      this.#poller.start(this.#retryDelayMs);
  }

  /** Resolves with undefined if the session takes longer. */
  #waitForSession(opening: Promise<Result<Session>>): Promise<Result<Session> | undefined> {
    const { setTimeout, clearTimeout } = this.#environment.polling;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), maxSessionWaitMs);
      void opening.then((session) => {
        clearTimeout(timer);
        resolve(session);
      });
    });
  }
}

/** The applicant has neither typed nor submitted anything. */
function isUntouched({ draft, initialDraft, application }: FormState): boolean {
  return draft === initialDraft && !application;
}

/** Applies the end of the session from a response of the BFF. */
export function withSessionResponse(
  state: AppState,
  { expiresAt }: Pick<Session, 'expiresAt'>,
  now: Date,
): AppState {
  const response = { endsAt: Date.parse(expiresAt), receivedAt: now.getTime() };
  return { ...state, session: { ...state.session, response } };
}
