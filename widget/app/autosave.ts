// Stores the draft in the browser, so that a reload loses no answers: shortly after a key, and at once after a step.

import { isObject } from '../api/funding-api.ts';
import { honeypotPath } from './draft.ts';
import { allFields } from './form-fields.ts';
import { formSteps, isCleared, isFormStep, type StoredDraft } from './navigation.ts';
import type { PollingEnvironment } from './polling.ts';
import { isTyping, type AppState, type FormState, type Store } from './store.ts';

/** A tab that crashes or is closed loses at most this much typing. */
const saveDelayMs = 250;
/** Drafts of other versions are ignored. */
const version = 1;

/** Only these answers are ever stored. */
const storedPaths: ReadonlySet<string> = new Set(
  allFields.filter(({ isStored }) => isStored).map(({ path }) => path),
);

/** Stores one draft. It never throws. */
export interface DraftStore {
  read(): StoredDraft | undefined;
  /** Replaces the stored draft. Without answers, nothing is stored before the submission. Returns false if storage is refused. */
  write(draft: StoredDraft): boolean;
  erase(): void;
}

export interface AutosaveEnvironment {
  readonly store: Store;
  /** Undefined: nothing is stored. */
  readonly draftStore: DraftStore | undefined;
  readonly timers: PollingEnvironment;
}

/** Saves once for all keys within a short time. */
export class DelayedSave {
  readonly #timers: PollingEnvironment;
  readonly #save: () => void;
  #timer: number | undefined;

  constructor(timers: PollingEnvironment, save: () => void) {
    this.#timers = timers;
    this.#save = save;
  }

  start(): void {
    this.#timer ??= this.#timers.setTimeout(() => this.flush(), saveDelayMs);
  }

  /** Saves now if a save is due. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.cancel();
    this.#save();
  }

  cancel(): void {
    if (this.#timer !== undefined) this.#timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

export class Autosave {
  readonly #environment: AutosaveEnvironment;
  readonly #delayed: DelayedSave;
  #stopListening: (() => void) | undefined;

  constructor(environment: AutosaveEnvironment) {
    this.#environment = environment;
    this.#delayed = new DelayedSave(environment.timers, () => this.#save());
  }

  react(before: AppState, after: AppState): void {
    const { draftStore, timers } = this.#environment;
    if (!draftStore) return;
    if (!before.isConnected && after.isConnected) {
      // A reload hides the page first.
      this.#stopListening = timers.onVisibilityChange(() => this.#delayed.flush());
    }
    if (before.isConnected && !after.isConnected) {
      this.#delayed.flush();
      this.#stopListening?.();
    }
    if (before.form && (!after.form || isCleared(before.form, after.form))) {
      this.#delayed.cancel();
      draftStore.erase();
    } else if (after.form && before.form !== after.form) {
      // The stored draft of a submitted application waits for its session.
      if (!before.form && !after.session.response) return;
      if (isTyping(before, after)) this.#delayed.start();
      else this.#save();
    }
  }

  #save(): void {
    this.#delayed.cancel();
    const { store, draftStore } = this.#environment;
    const { form, savesDraft } = store.state;
    if (!form || !draftStore) return;
    const isSaved = draftStore.write(toStoredDraft(form));
    if (isSaved !== savesDraft) store.update((state) => ({ ...state, savesDraft: isSaved }));
  }
}

/** @param paths the answers to store. */
export function toStoredDraft(
  form: FormState,
  paths: ReadonlySet<string> = storedPaths,
): StoredDraft {
  const { step, returnsToReview, draft, restored, application } = form;
  const answers: Record<string, string> = {};
  const omitted = new Set(restored?.omitted);
  for (const [path, value] of Object.entries(draft)) {
    if (paths.has(path)) answers[path] = value;
    else if (value !== '' && path !== honeypotPath) omitted.add(path);
  }
  return {
    // After the submission, a rejection leads back to the review.
    step: isFormStep(step) ? step : step === 'start' ? 'funding-need' : 'review',
    returnsToReview,
    answers,
    omitted: [...omitted],
    isSubmitted: application !== undefined,
  };
}

/**
 * @param open returns the storage, and may throw.
 * @param key of this form alone.
 */
export function createDraftStore(open: () => Storage, key: string): DraftStore {
  const { read, write } = createTextStore(open, key);
  return {
    read: () => attempt(() => parseDraft(read())),
    write: (draft) =>
      write(isWorthStoring(draft) ? JSON.stringify({ version, ...draft }) : undefined),
    erase: () => void write(undefined),
  };
}

/** Stores one text. It never throws: a browser may refuse storage in several ways. */
export interface TextStore {
  read(): string | undefined;
  /** Returns false if storage is refused. */
  write(text: string | undefined): boolean;
}

/** Like `createDraftStore`. */
export function createTextStore(open: () => Storage, key: string): TextStore {
  return {
    read: () => attempt(() => open().getItem(key)) ?? undefined,
    write: (text) =>
      attempt(() => {
        if (text === undefined) open().removeItem(key);
        else open().setItem(key, text);
        return true;
      }) ?? false,
  };
}

/** The storage key of an element, which is the same after a reload. */
export function toStorageKey(element: Element, bffOrigin: string): string {
  return `funding-application ${bffOrigin} ${toPosition(element)}`;
}

/** The element's id, or its index among the same elements, with the path of shadow hosts around it. */
function toPosition(element: Element): string {
  const root = element.getRootNode();
  const isInShadow = root instanceof ShadowRoot;
  const scope = isInShadow || root instanceof Document ? root : document;
  const position = element.id || [...scope.querySelectorAll(element.localName)].indexOf(element);
  return isInShadow ? `${root.host.localName} ${toPosition(root.host)} ${position}` : `${position}`;
}

/** The stored text may be of another version, or of another script. */
export function parseDraft(
  text: string | undefined,
  paths: ReadonlySet<string> = storedPaths,
): StoredDraft | undefined {
  const entry: unknown = JSON.parse(text ?? 'null');
  if (!isObject(entry) || entry['version'] !== version) return undefined;
  const step = formSteps.find((id) => id === entry['step']);
  if (!step || !isObject(entry['answers'])) return undefined;
  const answers = Object.entries(entry['answers']).filter(
    (answer): answer is [string, string] => paths.has(answer[0]) && typeof answer[1] === 'string',
  );
  const omitted: unknown = entry['omitted'];
  return {
    step,
    returnsToReview: entry['returnsToReview'] === true,
    answers: Object.fromEntries(answers),
    omitted: Array.isArray(omitted) ? omitted.map(String) : [],
    isSubmitted: entry['isSubmitted'] === true,
  };
}

/** After the submission, a draft without answers tells the next page to wait for the session of the application. */
function isWorthStoring({ answers, omitted, isSubmitted }: StoredDraft): boolean {
  return isSubmitted || omitted.length > 0 || Object.values(answers).some((value) => value !== '');
}

/** Returns undefined if the storage is refused or full, or its text is not JSON. */
function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
