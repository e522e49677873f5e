// What the form knows, and the pure transitions between its states.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import type { FailureCode } from '../api/api.ts';
import { emptyDraft, trapPath, type Draft } from './draft.ts';
import {
  formSteps,
  isFormStep,
  toFieldPaths,
  toNextStep,
  toPreviousStep,
  toStepOf,
  type FormStepId,
  type StepId,
} from './steps.ts';
import type { StepError, ValidateStep } from './validation.ts';

/**
 * `rejected-with-documents`: refused after documents or a report had been given to it. `rejected-earlier`: refused while
 * nobody was on the page, so that the answers are no longer here. `submit-unanswered`: sent, but nobody knows whether it
 * arrived. `challenge-not-offered`: not sent, because the page shows no challenge where one is asked for. `session-refused`: not sent, because no session with this browser came about.
 */
export type FlowProblem =
  | FailureCode
  | 'rejected-with-documents'
  | 'rejected-earlier'
  | 'submit-unanswered'
  | 'challenge-not-offered'
  | 'session-refused';

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
}

export function createFlowState(
  configuration: Configuration,
  application: ApplicationStatus | undefined,
  hasStartPage = false,
): FlowState {
  const state: FlowState = {
    configuration,
    step: hasStartPage ? 'start' : 'funding-need',
    hasStartPage,
    returnsToReview: false,
    draft: emptyDraft,
    errors: [],
    rejections: [],
    problem: undefined,
    isSubmitting: false,
    application: undefined,
  };
  return application ? withApplication(state, application) : state;
}

/** An answer that is changed is no longer the one the service refused. */
export function withAnswer(state: FlowState, path: string, value: string): FlowState {
  return {
    ...state,
    draft: { ...state.draft, [path]: value },
    rejections: state.rejections.filter((error) => !isAbout(error, path)),
  };
}

/**
 * Drops an error as soon as its field is mended. While it is not, the sentence stays as it is: nothing flickers while
 * somebody types, and nothing moves under a finger that is about to press Continue.
 */
export function withMendedErrors(
  state: FlowState,
  path: string,
  validate: ValidateStep,
): FlowState {
  const { step } = state;
  if (!isFormStep(step) || state.errors.length === 0) return state;
  const paths = toFieldPaths(step, state.draft);
  const isOnScreen = (error: StepError) => paths.some((shown) => error.path.startsWith(shown));
  const found = validate(step, state.draft);
  const isStillWrong = (error: StepError) =>
    found.some((candidate) => candidate.path === error.path);
  const errors = state.errors.filter(
    (error) => isOnScreen(error) && (!isAbout(error, path) || isStillWrong(error)),
  );
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
  return withStep({ ...state, rejections }, next);
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
  const previous = toPreviousStep(state.step, state.configuration);
  return previous === 'start' && !state.hasStartPage ? undefined : previous;
}

export function withNext(state: FlowState): FlowState {
  return withStep(state, toNextStep(state.step, state.configuration));
}

/** The partner has changed the consents meanwhile: they are asked for anew, in their new words. */
export function withNewConsents(state: FlowState, configuration: Configuration): FlowState {
  const answers = Object.entries(state.draft).filter(([path]) => !path.startsWith('consents/'));
  return {
    ...withStep(state, 'review'),
    configuration,
    draft: Object.fromEntries(answers),
    isSubmitting: false,
    problem: 'consent-required',
  };
}

/** Straight to the outcome, for somebody who has been here before. */
export function withOffers(state: FlowState): FlowState {
  return withStep(state, 'offers');
}

/** Whether the application on the screen was just refused, in whichever words. */
export function isRefused({ problem }: FlowState): boolean {
  return (
    problem === 'application-rejected' ||
    problem === 'rejected-with-documents' ||
    problem === 'rejected-earlier'
  );
}

/** Whether the application is with the BFF, and nobody knows yet what the service makes of it. */
export function isUndecided(state: FlowState | undefined): boolean {
  const status = state?.application?.status;
  return status === 'received' || status === 'confirming';
}

/** What stood in the trap goes with this attempt: whoever was refused for it may send the rest again. */
export function withSubmitting(state: FlowState): FlowState {
  const { [trapPath]: _trap, ...draft } = state.draft;
  return { ...state, draft, isSubmitting: true, problem: undefined };
}

export function withProblem(
  state: FlowState,
  problem: FlowProblem,
  retryAfterMs?: number,
): FlowState {
  return { ...state, isSubmitting: false, problem, retryAfterMs };
}

/** Nothing was filed, or nobody knows; what was wrong with answers is shown where they can be mended. */
export function withFailure(
  state: FlowState,
  { problem, errors, retryAfterMs }: SubmissionFailure,
): FlowState {
  const known = errors.length > 0 ? withRejection(state, errors) : state;
  return withProblem(known, problem, retryAfterMs);
}

/** Takes in where the application stands; a refusal leads back into the form, with everything still there. */
export function withApplication(state: FlowState, application: ApplicationStatus): FlowState {
  if (application.status === 'rejected') return withRejection(state, application.errors ?? []);
  const isNew = state.application === undefined;
  const known = {
    ...state,
    application,
    isSubmitting: false,
    problem: undefined,
    // The answers are kept until the service has them, and not a moment longer.
    draft: application.status === 'accepted' ? emptyDraft : state.draft,
  };
  return isNew ? withStep(known, 'submitted') : known;
}

/** Shows what the service refused on the step where it can be mended; without fields it stands on the review. */
export function withRejection(state: FlowState, errors: readonly FieldError[]): FlowState {
  const rejections = errors
    .map(({ pointer, code }) => ({ path: toPathOnScreen(pointer.slice(1), state.draft), code }))
    .filter(({ path }) => path !== '');
  const [first] = rejections;
  if (Object.keys(state.draft).length === 0) {
    const anew = { ...withStep(state, 'funding-need'), application: undefined, rejections };
    return { ...anew, isSubmitting: false, problem: 'rejected-earlier' };
  }
  const rejected: FlowState = {
    ...state,
    application: undefined,
    isSubmitting: false,
    rejections,
    problem: undefined,
  };
  if (!first) return { ...withStep(rejected, 'review'), problem: 'application-rejected' };
  return withRejectedStep(rejected, toStepOf(first.path));
}

function withRejectedStep(state: FlowState, step: FormStepId): FlowState {
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

function withStep(state: FlowState, step: StepId): FlowState {
  return { ...state, step, returnsToReview: false, errors: [], problem: undefined };
}

/** A home address that is the business's can be mended there only. */
function toPathOnScreen(path: string, draft: Draft): string {
  return draft['owner/homeSameAsBusiness'] === 'yes'
    ? path.replace(/^owner\/homeAddress/, 'business/address')
    : path;
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
