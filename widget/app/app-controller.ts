// The application without its rendering: the actions of the applicant, the order of the reactions, and the lazy-loaded chunks.

import type { Locale } from '../../shared/application/lists.ts';
import type { FundingApi } from '../api/funding-api.ts';
import { Autosave, type DraftStore } from './autosave.ts';
import type { DeviceStore } from './device-draft.ts';
import { emptyDraft, type Draft } from './draft.ts';
import type { AddPart, AfterChunk, FeatureEnvironment, FormChunk } from './feature.ts';
import { Loader } from './loading.ts';
import {
  createForm,
  type FormStepId,
  isFormStep,
  withAnswer,
  withBack,
  withStepToEdit,
  withNext,
  withToggled,
} from './navigation.ts';
import type { ConnectionEnvironment, PollingEnvironment } from './polling.ts';
import { type AppState, hasUnsentFiles, initialState, type Store } from './store.ts';

export interface AppEnvironment {
  readonly store: Store;
  readonly api: FundingApi;
  /** Timers for requests, which a return to the page or to the network triggers early. */
  readonly polling: PollingEnvironment;
  readonly timers: PollingEnvironment;
  readonly connection: ConnectionEnvironment;
  /** Runs the callback after the browser has painted the next frame. */
  readonly afterFrame: (callback: () => void) => void;
  /** Undefined: no draft is stored. */
  readonly draftStore: DraftStore | undefined;
  /** Undefined: no answers are kept on the device. */
  readonly deviceStore: DeviceStore | undefined;
  readonly now: () => Date;
  readonly addPart: AddPart;
  readonly hasStartPage: boolean;
  /** The page of a phone in a handoff: it shows only the documents step, and has no form. */
  readonly isPhone: boolean;
  readonly getPrefill: () => Draft;
  /** The language to request from the BFF. */
  readonly getLocale: () => Locale | undefined;
  /** These reject if the chunk can't be loaded. */
  readonly loadFormChunk: () => Promise<() => FormChunk>;
  readonly loadAfterChunk: () => Promise<(environment: FeatureEnvironment) => AfterChunk>;
}

/** One for each element. */
export class AppController {
  #formChunk: FormChunk | undefined;
  #afterChunk: AfterChunk | undefined;
  readonly #environment: AppEnvironment;
  readonly #loader: Loader;
  readonly #autosave: Autosave;
  #closing: Promise<'closed' | 'warned' | 'failed'> | undefined;
  readonly #loadings: { form?: Promise<void> | undefined; after?: Promise<void> | undefined } = {};
  #stopListening: (() => void) | undefined;

  constructor(environment: AppEnvironment) {
    const { store, draftStore, deviceStore } = environment;
    this.#environment = environment;
    this.#autosave = new Autosave(environment);
    this.#loader = new Loader({
      ...environment,
      readStoredDraft: () => draftStore?.read(),
      hasDeviceDraft: () => deviceStore?.read() !== undefined,
      loadFormChunk: async (isSubmitted) => {
        if (isSubmitted) void this.loadAfterChunk();
        await this.loadFormChunk();
        return this.formChunk;
      },
    });
    store.update((state) => ({ ...state, savesDraft: draftStore !== undefined }));
  }

  /** Runs after each change of the state. The order of the calls matters. */
  react(before: AppState, after: AppState): void {
    if (before.isConnected !== after.isConnected) this.#followConnection(after.isConnected);
    if (before.isOffline && !after.isOffline) this.#loader.retry();
    const isSubmitted = after.form?.application && !before.form?.application;
    if (isSubmitted) this.#loader.stop();
    if (!before.closing.closedStep && after.closing.closedStep) this.#loader.cancel();
    this.#autosave.react(before, after);
    this.formChunk?.react(before, after);
    for (const feature of this.afterChunk?.features ?? []) feature.react?.(before, after);
    if (before.form?.step === after.form?.step) return;
    // The chunks of the next steps load early, so that a later failure of the connection does not interrupt the applicant.
    this.#loadNext(after);
  }

  /** Undefined until it is loaded. */
  get formChunk(): FormChunk | undefined {
    return this.#formChunk;
  }

  /** Undefined until it is loaded. */
  get afterChunk(): AfterChunk | undefined {
    return this.#afterChunk;
  }

  get #store(): Store {
    return this.#environment.store;
  }

  /** The session ends with this page, because the browser blocks cookies. */
  get endsWithPage(): boolean {
    return this.#environment.api.endsWithPage;
  }

  /** Loads the form. Resolves with a form or a `loading.problem` in the state. */
  load(): Promise<void> {
    if (this.#environment.isPhone) void this.loadAfterChunk();
    return this.#loader.load();
  }

  /** @param isComplete is false while the applicant types. */
  answer(path: string, value: string, isComplete = false): void {
    this.formChunk?.noteActivity();
    const typed = this.#store.state.form?.draft[path] ?? '';
    this.#store.updateForm((form) => {
      // Answers that are being submitted can't change.
      if (form.isSubmitting) return form;
      const answered = withAnswer(form, path, value);
      return this.formChunk?.withCorrectedErrors(answered, path) ?? answered;
    });
    if (isComplete) this.formChunk?.advise(path, typed);
  }

  /** "Continue", or "Submit application" on the review. */
  async continue(): Promise<void> {
    if (!this.formChunk) {
      const { form, isAwaited } = this.#store.state.chunks;
      // A second press would complete the next step too.
      if (isAwaited && form === 'waiting') return;
      this.#store.merge('chunks', { form: 'waiting', isAwaited: true });
      await this.loadFormChunk();
      if (!this.formChunk) return;
    }
    const { formChunk } = this;
    if (this.#store.state.form?.step === 'review') await formChunk.submit();
    else
      this.#store.updateForm((form) =>
        form.isSubmitting || !isFormStep(form.step) ? form : formChunk.withStepCompleted(form),
      );
  }

  next(): void {
    this.#store.updateForm(withNext);
  }

  back(): void {
    this.#store.updateForm((form) => (form.isSubmitting ? form : withBack(form)));
  }

  editStep(step: FormStepId): void {
    this.#store.updateForm((form) => (form.isSubmitting ? form : withStepToEdit(form, step)));
  }

  toggle(id: string): void {
    this.#store.updateForm((form) => withToggled(form, id));
  }

  /**
   * Clears all answers and starts again.
   *
   * @returns false if there is nothing to clear: before the form is loaded, during the submission, and after it.
   */
  clear(keepsPrefill = false): boolean {
    const { form } = this.#store.state;
    if (!form || form.application || form.isSubmitting) return false;
    const draft = keepsPrefill ? this.#environment.getPrefill() : emptyDraft;
    const { configuration, hasStartPage, timesCleared } = form;
    // Files of a rejected application may still be queued.
    const { documents, bank, contact, offers } = initialState;
    this.#store.update((state) => ({
      ...state,
      documents,
      bank,
      contact,
      offers,
      form: {
        ...createForm(configuration, { hasStartPage, draft }),
        timesCleared: timesCleared + 1,
      },
    }));
    return true;
  }

  /**
   * Ends the session. What was sent stays with the BFF and the lender.
   *
   * @returns `warned` if unsent files would be lost. The next call ends the session. Concurrent calls share the result.
   */
  close(): Promise<'closed' | 'warned' | 'failed'> {
    return (this.#closing ??= this.#close().finally(() => (this.#closing = undefined)));
  }

  async #close(): Promise<'closed' | 'warned' | 'failed'> {
    const { closing, documents } = this.#store.state;
    const warnsOfUnsent = hasUnsentFiles(documents) && !closing.warnsOfUnsent;
    this.#store.merge('closing', { warnsOfUnsent, isClosing: !warnsOfUnsent, problem: undefined });
    if (warnsOfUnsent) return 'warned';
    const result = await this.#environment.api.endSession();
    // A session that has already ended counts as success.
    if (!result.ok && result.code !== 'session-missing') {
      this.#store.merge('closing', { isClosing: false, problem: result.code });
      return 'failed';
    }
    this.#store.update(withClosed);
    return 'closed';
  }

  /** Loads the steps after the first one. After a failure, the next call tries again. */
  loadFormChunk(): Promise<void> {
    return (this.#loadings.form ??= this.#loadChunk(
      'form',
      this.#environment.loadFormChunk,
      (create) => (this.#formChunk = create()),
    ));
  }

  /** Like `loadFormChunk`. */
  loadAfterChunk(): Promise<void> {
    return (this.#loadings.after ??= this.#loadChunk(
      'after',
      this.#environment.loadAfterChunk,
      (create) => (this.#afterChunk = create(this.#environment)),
    ));
  }

  /** A chunk that can't be loaded only changes the state. An error in its code is thrown too, so that it is reported. */
  async #loadChunk<Create>(
    name: 'form' | 'after',
    load: () => Promise<Create>,
    use: (create: Create) => void,
  ): Promise<void> {
    let create: Create | undefined;
    try {
      create = await load();
      use(create);
    } catch (error) {
      // A browser may remember a module that failed, so that only a reload of the page helps. The session survives it.
      this.#loadings[name] = undefined;
      this.#store.merge('chunks', { [name]: 'failed' });
      if (create) throw error;
      return;
    }
    this.#store.merge('chunks', { [name]: 'loaded' });
  }

  #loadNext({ form, closing }: AppState): void {
    if (!form && closing.closedStep === undefined) return;
    const step = form?.step;
    // A step shows without the next chunk, whose download and code would delay its first frame.
    this.#environment.afterFrame(() => {
      if (!this.#environment.isPhone) void this.loadFormChunk();
      if (!step || step === 'review' || (step !== 'start' && !isFormStep(step)))
        void this.loadAfterChunk();
    });
  }

  #followConnection(isConnected: boolean): void {
    const { connection } = this.#environment;
    const read = () =>
      this.#store.update((state) =>
        state.isOffline === connection.isOffline()
          ? state
          : { ...state, isOffline: connection.isOffline() },
      );
    this.#stopListening?.();
    this.#stopListening = isConnected ? connection.onChange(read) : undefined;
    if (isConnected) {
      read();
      this.#loader.resume();
    } else this.#loader.pause();
  }
}

/** Forgets everything about the applicant. */
function withClosed(state: AppState): AppState {
  return {
    ...initialState,
    isConnected: state.isConnected,
    isOffline: state.isOffline,
    savesDraft: state.savesDraft,
    device: state.device,
    language: state.language,
    chunks: state.chunks,
    closing: { ...initialState.closing, closedStep: state.form?.step ?? 'submitted' },
  };
}
