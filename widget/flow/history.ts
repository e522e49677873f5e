// Browser history, where the host page wishes it: each step is an entry, and Back and Forward lead from one to the other.

import { withStep, type FlowState } from './state.ts';
import { formSteps, isFormStep, stepIds, type StepId } from '../app/steps.ts';
import type { ValidateStep } from './validation.ts';

/** What is needed of the browser's `history`; the address is never touched. */
export interface HistoryEnvironment {
  readonly read: () => unknown;
  readonly push: (state: unknown) => void;
  readonly replace: (state: unknown) => void;
  readonly back: () => void;
  /** Calls back when Back should be done, whatever has become of it. */
  readonly wait: (callback: () => void) => void;
  /** Ends with what it returns. */
  readonly onTraverse: (callback: () => void) => () => void;
}

/** Where one form stood when the entry was current; nothing else of a form is ever in an entry. */
export interface Place {
  readonly step: StepId;
  readonly returnsToReview: boolean;
}

interface Mark extends Place {
  /** Grows by one with each entry of this form. */
  readonly depth: number;
  /** What the entry below shows. */
  readonly from?: StepId | undefined;
}

/** Under one key of the page's own state: a mark for each form on the page, and whose entry it is. */
interface Marks {
  readonly owner: unknown;
  readonly places: Readonly<Record<string, Mark>>;
}

const stateKey = 'fundingApplication';
/** Within a page it takes some milliseconds. */
const longestBackMs = 1_000;

export interface StepHistoryOptions {
  readonly environment: HistoryEnvironment;
  /** Names this form among those of the page; the same after a reload. */
  readonly key: string;
  readonly readPlace: () => Place | undefined;
  /** Shows this step, or another one where this one may not be shown. */
  readonly onTraverse: (place: Place, isForward: boolean) => void;
}

/**
 * Every entry bears the marks of all forms on the page, so that each form hears of its own moves only, and everything the
 * page itself keeps there. Entries of the page that bear no mark change nothing.
 */
export class StepHistory {
  readonly #options: StepHistoryOptions;
  #stopListening: (() => void) | undefined;
  #depth = 0;
  /** One for each Back on the page that the browser has not followed yet. */
  #following: object | undefined;
  /** The entry is there already, and its step is about to be shown. */
  #isTraversing = false;

  constructor(options: StepHistoryOptions) {
    this.#options = options;
  }

  connect(): void {
    this.disconnect();
    this.#stopListening = this.#options.environment.onTraverse(() => this.#handleTraverse());
  }

  disconnect(): void {
    this.#following = undefined;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** The form is shown for the first time, or anew: the entry that is current is its own from now on. */
  begin(): void {
    this.#depth = this.#readMark()?.depth ?? this.#depth;
    this.#mark(this.#readMark()?.from);
  }

  /** What was given is gone: the entry that is current leads to where the form stands now, if it still does. */
  clear(): void {
    if (!this.#following) this.#mark(undefined);
  }

  /** The form has moved to another step by itself. */
  follow(before: Pick<Place, 'step'>): void {
    const place = this.#options.readPlace();
    // Where Back is under way, what is shown is met when it has arrived: an entry pushed meanwhile would lead nowhere.
    if (!place || this.#isTraversing || this.#following) return;
    const { environment, key } = this.#options;
    const marks = toMarks(environment.read());
    // Back on the page leads where Back of the browser would, so that both count as one.
    if (marks?.owner === key && marks.places[key]?.from === place.step) {
      this.#goBack();
      return;
    }
    this.#depth += 1;
    this.#write(environment.push, { ...place, depth: this.#depth, from: before.step });
  }

  #goBack(): void {
    const { environment } = this.#options;
    const following = {};
    this.#following = following;
    environment.back();
    // A browser may drop it without a word: then the entry that is still current is the one of what is shown.
    environment.wait(() => {
      if (this.#following !== following) return;
      this.#following = undefined;
      this.#mark(this.#readMark()?.from);
    });
  }

  #handleTraverse(): void {
    const isFollowing = this.#following !== undefined;
    this.#following = undefined;
    const mark = this.#readMark();
    if (!mark) return;
    const isForward = mark.depth > this.#depth;
    const isElsewhere = mark.depth !== this.#depth;
    this.#depth = mark.depth;
    const place = this.#options.readPlace();
    if (!place) return;
    if (isFollowing) {
      if (place.step !== mark.step) this.follow(mark);
      return;
    }
    this.#isTraversing = true;
    if (isElsewhere) this.#options.onTraverse(mark, isForward);
    this.#isTraversing = false;
    if (this.#options.readPlace()?.step !== mark.step) this.#mark(mark.from);
  }

  #readMark(): Mark | undefined {
    return toMarks(this.#options.environment.read())?.places[this.#options.key];
  }

  /** What the current entry shows. */
  #mark(from: StepId | undefined): void {
    const { environment, readPlace } = this.#options;
    const place = readPlace();
    this.#write(environment.replace, place && { ...place, depth: this.#depth, from });
  }

  /** @param mark undefined leaves none of this form. */
  #write(write: (state: unknown) => void, mark: Mark | undefined): void {
    const { environment, key } = this.#options;
    const state = environment.read() ?? {};
    // What is no plain object is the page's own, and cannot take ours in.
    if (!isPlainObject(state)) return;
    const known = toMarks(state);
    const owner = write === environment.push ? key : known?.owner;
    const { [key]: _own, ...others } = known?.places ?? {};
    const places = mark ? { ...others, [key]: toMark(mark) } : others;
    write({ ...state, [stateKey]: { owner, places } });
  }
}

/** What a form lets its history see and do. */
export interface HistoryAccess {
  readonly readState: () => FlowState | undefined;
  readonly validate: ValidateStep;
  readonly show: (state: FlowState) => void;
}

/** @param key of this form, see `StepHistoryOptions`. */
export function createFormHistory(
  { readState, validate, show }: HistoryAccess,
  key: string,
  environment: HistoryEnvironment = createBrowserHistory(),
): StepHistory {
  return new StepHistory({
    environment,
    key,
    readPlace: readState,
    onTraverse: (place, isForward) => {
      const state = readState();
      if (state) show(withPlace(state, place, isForward, validate));
    },
  });
}

/**
 * Leads to where the browser has gone, as far as the application allows it: forward past nothing that lacks something, and never
 * back into what was sent.
 */
export function withPlace(
  state: FlowState,
  { step, returnsToReview }: Place,
  isForward: boolean,
  validate: ValidateStep,
): FlowState {
  if (state.isSubmitting) return state;
  const isForm = isFormStep(step);
  const isBefore = isForm || step === 'start';
  if (state.application) {
    return isBefore
      ? { ...withStep(state, 'submitted'), problem: 'already-sent' }
      : withStep(state, step);
  }
  // The record of what the service has refused since.
  if (!isBefore) return withStep(state, 'review');
  if (!isForm) return withStep(state, state.hasStartPage ? step : 'funding-need');
  for (const earlier of isForward ? formSteps.slice(0, formSteps.indexOf(step)) : []) {
    const errors = validate(earlier, state.draft);
    if (errors.length > 0) return { ...withStep(state, earlier), errors };
  }
  return { ...withStep(state, step), returnsToReview };
}

/** What stands there may come from an earlier version, or from anything else on the page. */
function toMarks(state: unknown): Marks | undefined {
  const marks = isPlainObject(state) ? state[stateKey] : undefined;
  if (!isPlainObject(marks) || !isPlainObject(marks['places'])) return undefined;
  const places = Object.entries(marks['places']).flatMap(([key, mark]) =>
    isMark(mark) ? [[key, toMark(mark)]] : [],
  );
  return { owner: marks['owner'], places: Object.fromEntries(places) };
}

/** By name: whatever else a form knows is nothing for an entry, which outlives the page and is open to any script. */
function toMark({ step, returnsToReview, depth, from }: Mark): Mark {
  return { step, returnsToReview, depth, from };
}

function isMark(value: unknown): value is Mark {
  return (
    isPlainObject(value) &&
    stepIds.some((step) => step === value['step']) &&
    Number.isInteger(value['depth']) &&
    typeof value['returnsToReview'] === 'boolean'
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** The browser's own history. */
function createBrowserHistory(): HistoryEnvironment {
  return {
    read: () => history.state,
    push: (state) => tolerate(() => history.pushState(state, '')),
    replace: (state) => tolerate(() => history.replaceState(state, '')),
    back: () => history.back(),
    wait: (callback) => void setTimeout(callback, longestBackMs),
    onTraverse: (callback) => {
      addEventListener('popstate', callback);
      return () => removeEventListener('popstate', callback);
    },
  };
}

/** A browser may refuse an entry, for example of a page that has made very many: the form goes on without it. */
function tolerate(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
