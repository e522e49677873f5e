// Browser history, unless the host page turns it off: each step is an entry, and Back and Forward go from step to step.

import {
  type FormStepId,
  formSteps,
  isCleared,
  isFormStep,
  type StepId,
  stepIds,
  type ValidateStep,
  withStep,
} from './navigation.ts';
import type { AppState, FormState, Store } from './store.ts';

/** The browser's `history`. The URL never changes. */
export interface HistoryEnvironment {
  readonly read: () => unknown;
  readonly push: (state: unknown) => void;
  readonly replace: (state: unknown) => void;
  /** Returns false if Back would leave the page. Then nothing happens. */
  readonly back: () => boolean;
  /** Calls back when a Back must have happened, if it happens at all. */
  readonly wait: (callback: () => void) => void;
  /** Calls back when the browser has moved to another entry of this page. Returns a function that stops listening. */
  readonly onTraverse: (callback: () => void) => () => void;
}

/** The step of a form when the entry was current. An entry contains nothing else of a form. */
export interface Place {
  readonly step: StepId;
  readonly returnsToReview: boolean;
}

interface Mark extends Place {
  /** Grows by one with each entry of this form. */
  readonly depth: number;
  /** Grows by one when the answers are cleared or the application is closed. */
  readonly generation: number;
  /** The step of the entry below. */
  readonly from?: StepId | undefined;
}

/** A mark for each form of the page, and the form that pushed the entry. */
interface Marks {
  readonly owner: unknown;
  readonly places: Readonly<Record<string, Mark>>;
}

const stateKey = 'fundingApplication';
/** Back usually completes within milliseconds. After this time, the browser has ignored it. */
const maxBackMs = 1_000;
/** A busy browser may still complete Back after `maxBackMs`. */
const maxBackOfSlowBrowserMs = 10_000;

export interface StepHistoryOptions {
  readonly store: Store;
  readonly validate: ValidateStep;
  /** Names this form among those of the page. It is the same after a reload. */
  readonly key: string;
  readonly environment?: HistoryEnvironment;
}

/**
 * Every entry contains the marks of all forms of the page and the page's own state, so that each form reacts to its own moves
 * only. Entries of the page without a mark change nothing.
 */
export class StepHistory {
  readonly #store: Store;
  readonly #validate: ValidateStep;
  readonly #key: string;
  readonly #environment: HistoryEnvironment;
  #stopListening: (() => void) | undefined;
  #depth = 0;
  #generation = 0;
  /** The form has called `history.back()`, and the browser has not completed it. Runs when it has. */
  #pendingBack: ((mark: Mark) => void) | undefined;
  /** The browser has moved to another entry, and its step is about to be shown. */
  #isTraversing = false;

  constructor({ store, validate, key, environment = browserHistory }: StepHistoryOptions) {
    this.#store = store;
    this.#validate = validate;
    this.#key = key;
    this.#environment = environment;
    if (store.state.isConnected) this.#connect();
    if (store.state.form) this.#beginLate(store.state.form);
  }

  react(before: AppState, after: AppState): void {
    if (!before.isConnected && after.isConnected) {
      this.#connect();
      if (before.form) this.#catchUp();
    }
    if (before.isConnected && !after.isConnected) this.#disconnect();
    if (!before.form && after.form) this.#begin();
    else if (before.form && (!after.form || isCleared(before.form, after.form))) this.#reset();
    else if (before.form && after.form && before.form.step !== after.form.step)
      this.#follow(before.form.step);
  }

  get #place(): Place | undefined {
    return this.#store.state.form;
  }

  #connect(): void {
    this.#stopListening = this.#environment.onTraverse(() => this.#handleTraverse());
  }

  #disconnect(): void {
    this.#pendingBack = undefined;
    this.#stopListening?.();
  }

  /** The element is back in the document. Meanwhile, the browser may have moved to another entry, or the host page added one. */
  #catchUp(): void {
    if (this.#readMark()) this.#handleTraverse();
    else this.#mark();
  }

  /** The chunk with the history has loaded after the form appeared. The applicant may have left the start page before. */
  #beginLate(form: FormState): void {
    const hasStarted = form.hasStartPage && form.step === 'funding-need' && !this.#readMark();
    if (!hasStarted) return this.#begin();
    this.#write(
      this.#environment.replace,
      this.#toMark({ step: 'start', returnsToReview: false }, undefined),
    );
    this.#follow('start');
  }

  /** The form appears: the current entry belongs to it from now on. */
  #begin(): void {
    if (this.#pendingBack) return;
    const mark = this.#readMark();
    this.#depth = mark?.depth ?? this.#depth;
    this.#generation = mark?.generation ?? this.#generation;
    this.#mark();
  }

  /** The answers were cleared, or the application was closed: the steps of earlier entries have no answers any more. */
  #reset(): void {
    this.#generation += 1;
    if (!this.#pendingBack) this.#leaveOutdated();
  }

  /** Goes back to an entry that the host page or another form has added. */
  #leaveOutdated(): void {
    if (this.#isOwnEntry) this.#goBack();
    else this.#mark();
  }

  /** The form has moved to another step. */
  #follow(from: StepId): void {
    const place = this.#place;
    // While Back is in progress, an entry pushed now would lead nowhere.
    if (!place || this.#isTraversing || this.#pendingBack) return;
    const marks = toMarks(this.#environment.read());
    // The form's Back is the browser's Back, so that both count as one.
    if (marks?.owner === this.#key && marks.places[this.#key]?.from === place.step) {
      this.#goBack();
      return;
    }
    this.#depth += 1;
    this.#write(this.#environment.push, this.#toMark(place, from));
  }

  /** @param then runs at the entry below. Default: the form may have moved on meanwhile, so that entry is followed by its step. */
  #goBack(then = ({ step }: Mark) => this.#followUnless(step)): void {
    this.#pendingBack = then;
    if (!this.#environment.back()) {
      this.#pendingBack = undefined;
      return this.#mark();
    }
    // A browser may ignore the call. Then the current entry is still the one of the previous step.
    this.#environment.wait(() => {
      if (this.#pendingBack !== then) return;
      this.#pendingBack = undefined;
      this.#mark();
    });
  }

  #followUnless(step: StepId): void {
    if (this.#place?.step !== step) this.#follow(step);
  }

  #handleTraverse(): void {
    const pendingBack = this.#pendingBack;
    this.#pendingBack = undefined;
    const mark = this.#readMark();
    if (!mark && !pendingBack) return;
    if (mark?.generation !== this.#generation) return this.#leaveOutdated();
    const earlierDepth = this.#depth;
    this.#depth = mark.depth;
    if (!this.#place) return;
    if (pendingBack) return pendingBack(mark);
    const isForward = mark.depth > earlierDepth;
    this.#isTraversing = true;
    if (mark.depth !== earlierDepth)
      this.#store.update((state) =>
        state.form
          ? { ...state, form: withPlace(state.form, mark, isForward, this.#validate) }
          : state,
      );
    this.#isTraversing = false;
    if (isForward) this.#returnTo(earlierDepth, mark);
    else this.#leaveUnreachable(mark);
  }

  /**
   * Forward has led past an incomplete step, or into a sent application. Goes back to the entry of the step that is shown, or to
   * the entry at `depth` where Forward began: another entry for the same step would cost the applicant one Back more.
   */
  #returnTo(depth: number, mark: Mark): void {
    if (this.#place?.step === mark.step) return;
    if (mark.depth <= depth) this.#follow(mark.step);
    else if (this.#isOwnEntry) this.#goBack((below) => this.#returnTo(depth, below));
    else this.#mark();
  }

  /** Back has led to a step that cannot be shown any more. Goes on to the first entry that can, so that one more Back leaves. */
  #leaveUnreachable(mark: Mark): void {
    const form = this.#store.state.form;
    if (!form || form.step === mark.step) return;
    if (this.#isOwnEntry && !form.isSubmitting)
      this.#goBack((below) => this.#leaveUnreachable(below));
    else this.#mark();
  }

  /** The form has added the current entry. Other entries belong to the host page or to another form. */
  get #isOwnEntry(): boolean {
    return toMarks(this.#environment.read())?.owner === this.#key;
  }

  #readMark(): Mark | undefined {
    return toMarks(this.#environment.read())?.places[this.#key];
  }

  /** Writes the current step into the current entry. */
  #mark(): void {
    const place = this.#place;
    const mark = this.#readMark();
    const from = mark?.generation === this.#generation ? mark.from : undefined;
    this.#write(this.#environment.replace, place && this.#toMark(place, from));
  }

  #toMark(place: Place, from: StepId | undefined): Mark {
    return { ...place, depth: this.#depth, generation: this.#generation, from };
  }

  /** @param mark undefined removes this form's mark. */
  #write(write: (state: unknown) => void, mark: Mark | undefined): void {
    const state = this.#environment.read() ?? {};
    // Other values belong to the host page and have no room for a mark.
    if (!isPlainObject(state)) return;
    const known = toMarks(state);
    const owner = write === this.#environment.push ? this.#key : known?.owner;
    const { [this.#key]: _own, ...others } = known?.places ?? {};
    const places = mark ? { ...others, [this.#key]: toMark(mark) } : others;
    write({ ...state, [stateKey]: { owner, places } });
  }
}

/** Shows the step of a history entry if the applicant can reach it: never past an incomplete step, never in a submitted form. */
export function withPlace(
  form: FormState,
  { step, returnsToReview }: Place,
  isForward: boolean,
  validate: ValidateStep,
): FormState {
  if (form.isSubmitting) return form;
  const isForm = isFormStep(step);
  const isBeforeSubmission = isForm || step === 'start';
  if (form.application) {
    return isBeforeSubmission
      ? { ...withStep(form, 'submitted'), problem: 'already-sent' }
      : withStep(form, step);
  }
  // The entry is of an application that has been rejected since, or whose session and answers are gone.
  if (!isBeforeSubmission) {
    const isIncomplete = (each: FormStepId) => validate(form, each).length > 0;
    return withStep(form, formSteps.find(isIncomplete) ?? 'review');
  }
  if (!isForm) return withStep(form, form.hasStartPage ? step : 'funding-need');
  for (const earlier of isForward ? formSteps.slice(0, formSteps.indexOf(step)) : []) {
    const errors = validate(form, earlier);
    if (errors.length > 0) return { ...withStep(form, earlier), errors };
  }
  return { ...withStep(form, step), returnsToReview };
}

/** The entry may be of an earlier version, or of another script. */
function toMarks(state: unknown): Marks | undefined {
  const marks = isPlainObject(state) ? state[stateKey] : undefined;
  if (!isPlainObject(marks) || !isPlainObject(marks['places'])) return undefined;
  const places = Object.entries(marks['places']).flatMap(([key, mark]) =>
    isMark(mark) ? [[key, toMark(mark)]] : [],
  );
  return { owner: marks['owner'], places: Object.fromEntries(places) };
}

/** Copy only these fields: history entries outlive the page, and any script on it can read them. */
function toMark({ step, returnsToReview, depth, generation, from }: Mark): Mark {
  return { step, returnsToReview, depth, generation, from };
}

function isMark(value: unknown): value is Mark {
  return (
    isPlainObject(value) &&
    stepIds.some((step) => step === value['step']) &&
    Number.isInteger(value['depth']) &&
    Number.isInteger(value['generation']) &&
    typeof value['returnsToReview'] === 'boolean'
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]';
}

const browserHistory: HistoryEnvironment = {
  read: () => history.state,
  push: (state) => tolerate(() => history.pushState(state, '')),
  replace: (state) => tolerate(() => history.replaceState(state, '')),
  back: goBackOnce,
  wait: (callback) => void setTimeout(callback, maxBackMs),
  onTraverse: (callback) => {
    // A page that the browser has kept while another one was shown does not get `popstate`.
    const handlePageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) callback();
    };
    const handlePopState = () => {
      endBack(backInProgress);
      callback();
    };
    addEventListener('popstate', handlePopState);
    addEventListener('pageshow', handlePageShow);
    return () => {
      removeEventListener('popstate', handlePopState);
      removeEventListener('pageshow', handlePageShow);
    };
  },
};

/** The timer of the Back in progress, of any form of the page. */
let backInProgress: ReturnType<typeof setTimeout> | undefined;

/**
 * While a Back is in progress, also of another form or of an element that was removed, there is no second one: two at once could
 * leave the page.
 */
function goBackOnce(): boolean {
  if (backInProgress !== undefined) return true;
  if (!isPageBelow()) return false;
  const timer = setTimeout(() => endBack(timer), maxBackOfSlowBrowserMs);
  backInProgress = timer;
  // An element that was removed does not listen any more.
  addEventListener('popstate', () => endBack(timer), { once: true });
  history.back();
  return true;
}

/**
 * Returns true if Back stays on this page. A browser that has 50 entries in a tab drops old ones, and Chromium first drops those
 * that were added without a click. Browsers without the Navigation API drop the oldest.
 */
function isPageBelow(): boolean {
  const { navigation } = globalThis as { readonly navigation?: Navigation };
  const index = navigation?.currentEntry?.index;
  if (navigation === undefined || index === undefined) return true;
  return navigation.entries()[index - 1]?.sameDocument === true;
}

function endBack(timer: typeof backInProgress): void {
  clearTimeout(timer);
  if (backInProgress === timer) backInProgress = undefined;
}

/** A browser may refuse an entry, for example of a page with very many. The form continues without it. */
function tolerate(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
