// What the form knows, and the pure transitions between its states.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import type { FailureCode } from '../api/funding-api.ts';
import type { KeptDraft } from './draft-store.ts';
import { emptyDraft, type Draft } from '../app/draft.ts';
import type { FiledRecord } from './filed-record.ts';
import {
  formSteps,
  isFormStep,
  toFieldPaths,
  toNextStep,
  toPreviousStep,
  toStepOf,
  type FormStepId,
  type LaterStepId,
  type StepId,
} from '../app/steps.ts';
import type { StepError, ValidateStep } from './validation.ts';

/**
 * A `FailureCode`, or a problem that the form itself finds. `rejected-with-documents`: the funding service rejected the application
 * after the applicant added documents or a bank report. `rejected-earlier`: the funding service rejected the application while the
 * page was closed, and the answers are gone. `submit-unanswered`: it is unknown whether the BFF received the application.
 * `challenge-not-offered`: not sent, because the BFF requires a challenge and the property `challenge` is not set.
 * `session-refused`: not sent, because the browser has no session with the BFF. `offline`: not sent, because the browser is offline.
 * `already-sent`: the applicant went back to a form that was already sent.
 */
export type FlowProblem =
  | FailureCode
  | 'rejected-with-documents'
  | 'rejected-earlier'
  | 'submit-unanswered'
  | 'challenge-not-offered'
  | 'session-refused'
  | 'offline'
  | 'already-sent';

export interface SubmissionFailure {
  readonly problem: FlowProblem;
  readonly errors: readonly FieldError[];
  readonly retryAfterMs?: number | undefined;
}

export interface FlowState {
  readonly configuration: Configuration;
  readonly step: StepId;
  /** Whether the form has a page before its first step; a host page may have one of its own. */
  readonly hasStartPage: boolean;
  /** Set by "Change" on the review: Continue then leads straight back to it. */
  readonly returnsToReview: boolean;
  readonly draft: Draft;
  /** What is wrong on the step that is shown. */
  readonly errors: readonly StepError[];
  /** What the service refused, until the step it stands on is left again. */
  readonly rejections: readonly StepError[];
  /** Why the last action of this step failed. */
  readonly problem: FlowProblem | undefined;
  /** When trying again may help, where the BFF said so. */
  readonly retryAfterMs?: number | undefined;
  readonly isSubmitting: boolean;
  readonly application: ApplicationStatus | undefined;
  /** What this page has sent, for the applicant to read and print; without secrets. */
  readonly record: FiledRecord | undefined;
  /** What an earlier page has kept was taken up, until the application is sent. */
  readonly restored: Restored | undefined;
  /** Paths of consents that were given before another language was chosen: their words are other ones now, and they are asked for anew. */
  readonly rewordedConsents: readonly string[];
}

export interface Restored {
  /** The step on which it was taken up. */
  readonly step: FormStepId;
  /** Paths of what was not kept, and has to be given again. */
  readonly omitted: readonly string[];
}

export function createFlowState(
  configuration: Configuration,
  { hasStartPage = false, draft = emptyDraft }: { hasStartPage?: boolean; draft?: Draft } = {},
): FlowState {
  return {
    configuration,
    step: hasStartPage ? 'start' : 'funding-need',
    hasStartPage,
    returnsToReview: false,
    draft,
    errors: [],
    rejections: [],
    problem: undefined,
    isSubmitting: false,
    application: undefined,
    record: undefined,
    restored: undefined,
    rewordedConsents: [],
  };
}

/**
 * Takes up what an earlier page has kept, on the step where the applicant was, or on the first one before it that lacks
 * something. Nothing is said to be wrong: nobody has pressed Continue.
 */
export function withKept(state: FlowState, kept: KeptDraft, validate: ValidateStep): FlowState {
  const draft = { ...state.draft, ...kept.answers };
  const { omitted } = kept;
  const lacks = (step: FormStepId) =>
    omitted.some((path) => toStepOf(path) === step) || validate(step, draft).length > 0;
  const step = formSteps.find((id) => id === kept.step || lacks(id)) ?? kept.step;
  const isNews =
    omitted.length > 0 ||
    Object.entries(kept.answers).some(([path, value]) => value !== (state.draft[path] ?? ''));
  const returnsToReview = kept.returnsToReview && step === kept.step;
  const restored = isNews ? { step, omitted } : undefined;
  return { ...state, step, returnsToReview, draft, restored };
}

/** Whether the step that is shown says what was kept and what was not. */
export function isRestoredHere({ step, restored }: FlowState): boolean {
  return (
    restored !== undefined &&
    (restored.step === step || restored.omitted.some((path) => toStepOf(path) === step))
  );
}

/** An answer that is changed is no longer the one the service refused. */
export function withAnswer(state: FlowState, path: string, value: string): FlowState {
  return {
    ...state,
    draft: { ...state.draft, [path]: value },
    rejections: state.rejections.filter((error) => !isAbout(error, path)),
    rewordedConsents: state.rewordedConsents.filter((reworded) => reworded !== path),
  };
}

/**
 * Removes the errors that this answer has corrected. An error that is still wrong keeps its message, so that messages do not
 * change while somebody types.
 */
export function withCorrectedErrors(
  state: FlowState,
  path: string,
  validate: ValidateStep,
): FlowState {
  const { step } = state;
  if (!isFormStep(step) || state.errors.length === 0) return state;
  const paths = toFieldPaths(step, state.draft);
  const found = validate(step, state.draft);
  const errors = state.errors.filter((error) => {
    const isShown = paths.some((shown) => error.path.startsWith(shown));
    const isStillWrong = found.some((candidate) => candidate.path === error.path);
    return isShown && (isStillWrong || !isAbout(error, path));
  });
  return errors.length === state.errors.length ? state : { ...state, errors };
}

/** Leaves a form step when nothing is wrong on it; otherwise shows what is. */
export function withStepCompleted(state: FlowState, validate: ValidateStep): FlowState {
  const { step } = state;
  if (!isFormStep(step) || step === 'review') return state;
  const errors = validate(step, state.draft);
  if (errors.length > 0) return { ...state, errors };
  const rejections = state.rejections.filter(({ path }) => toStepOf(path) !== step);
  const next = state.returnsToReview ? 'review' : toNextStep(step, state.configuration);
  // What the service refused there as well would else be passed by unseen.
  const refused = rejections.filter(({ path }) => toStepOf(path) === next);
  return { ...withStep({ ...state, rejections }, next), errors: refused };
}

/** Before sending: the first form step with something wrong on it, or the same state when all is well. */
export function withAllChecked(state: FlowState, validate: ValidateStep): FlowState {
  const [rejected] = state.rejections;
  if (rejected) return withRejectedStep(state, toStepOf(rejected.path));
  for (const step of formSteps) {
    const errors = validate(step, state.draft);
    if (errors.length > 0) {
      return { ...withStep(state, step), returnsToReview: step !== 'review', errors };
    }
  }
  return state;
}

export function withChange(state: FlowState, step: FormStepId): FlowState {
  return { ...withStep(state, step), returnsToReview: true };
}

export function withBack(state: FlowState): FlowState {
  const previous = toBackStep(state);
  return previous ? withStep(state, previous) : state;
}

/** Where Back leads from what is shown; nowhere from the first page, nor from the record. */
export function toBackStep(state: FlowState): StepId | undefined {
  if (state.returnsToReview && isFormStep(state.step)) return 'review';
  const previous = toPreviousStep(state.step);
  return previous === 'start' && !state.hasStartPage ? undefined : previous;
}

export function withNext(state: FlowState): FlowState {
  return withStep(state, toNextStep(state.step, state.configuration));
}

/** Straight to what may be given or looked at once the application was sent, or back to its record. */
export function withLater(state: FlowState, step: LaterStepId): FlowState {
  return state.application ? withStep(state, step) : state;
}

/** Shows what was refused on a step, on it. */
export function withRejectedStep(state: FlowState, step: FormStepId): FlowState {
  const errors = state.rejections.filter(({ path }) => toStepOf(path) === step);
  return {
    ...withStep(state, step),
    returnsToReview: step !== 'review',
    errors,
    // On the review itself there is no Continue that could settle them.
    rejections:
      step === 'review'
        ? state.rejections.filter((error) => !errors.includes(error))
        : state.rejections,
    problem: 'application-rejected',
  };
}

/** Another step, with nothing said of it yet. */
export function withStep(state: FlowState, step: StepId): FlowState {
  return { ...state, step, returnsToReview: false, errors: [], problem: undefined };
}

/** An error on `owner/birthDate` is also about `owner/birthDate/year`, and the parts of the founding date are about each other. */
function isAbout(error: StepError, path: string): boolean {
  const founded = 'business/founded';
  return (
    error.path === path ||
    path.startsWith(`${error.path}/`) ||
    (error.path.startsWith(founded) && path.startsWith(founded))
  );
}
