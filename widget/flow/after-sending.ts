// The transitions of a form that is being sent: to what the BFF and the service make of it, and back where they refuse it.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import { emptyDraft, honeypotPath, type Draft } from '../app/draft.ts';
import { toFiledRecord } from './filed-record.ts';
import {
  withRejectedStep,
  withStep,
  type FlowProblem,
  type FlowState,
  type SubmissionFailure,
} from './state.ts';
import { formSteps, toStepOf } from '../app/steps.ts';

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

/** The honeypot is emptied, so that an applicant who was refused because of it can submit again. */
export function withSubmitting(state: FlowState): FlowState {
  const { [honeypotPath]: _honeypot, ...draft } = state.draft;
  return {
    ...state,
    draft,
    isSubmitting: true,
    problem: undefined,
    restored: undefined,
    rewordedConsents: [],
  };
}

/** These answers have been filed: what of them may be shown stays on the page. */
export function withRecord(state: FlowState): FlowState {
  return { ...state, record: toFiledRecord(state.draft, state.configuration) };
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

/** Takes in where the application stands; a refusal leads back into the form, with everything that is still there. */
export function withApplication(state: FlowState, application: ApplicationStatus): FlowState {
  if (application.status === 'rejected') {
    const reject = state.record ? withRejection : withEarlierRejection;
    return reject(state, application.errors ?? []);
  }
  const isNew = state.application === undefined;
  const known = {
    ...state,
    application,
    isSubmitting: false,
    problem: isLasting(state) ? state.problem : undefined,
    // The answers are kept until the service has them, and not a moment longer.
    ...(application.status === 'accepted' && { draft: emptyDraft, restored: undefined }),
  };
  return isNew ? withStep(known, 'submitted') : known;
}

/** It could not be asked where the application stands. */
export function withUnknownStatus(
  state: FlowState,
  problem: FlowProblem,
  retryAfterMs?: number,
): FlowState {
  return isLasting(state) ? state : withProblem(state, problem, retryAfterMs);
}

/** What has become of the answers is said until the step is left, whatever is heard meanwhile. */
function isLasting({ problem }: FlowState): boolean {
  return problem === 'application-exists' || problem === 'already-sent';
}

/** Shows what the service refused on the step where it can be mended; without fields it stands on the review. */
export function withRejection(state: FlowState, errors: readonly FieldError[]): FlowState {
  const rejected = withoutApplication(state, errors);
  const [first] = rejected.rejections;
  if (!first) return { ...withStep(rejected, 'review'), problem: 'application-rejected' };
  return withRejectedStep(rejected, toStepOf(first.path));
}

/** The page that sent it is gone, and with it what may not be kept: the applicant goes through the form once more. */
function withEarlierRejection(state: FlowState, errors: readonly FieldError[]): FlowState {
  const rejected = withoutApplication(state, errors);
  const { rejections, restored } = rejected;
  const isFilled = restored !== undefined || state.isSubmitting;
  const wrong = [...rejections.map(({ path }) => path), ...(restored?.omitted ?? [])];
  const toMend = new Set(wrong.map(toStepOf));
  const step = isFilled ? (formSteps.find((id) => toMend.has(id)) ?? 'review') : formSteps[0];
  return {
    ...withStep(rejected, step),
    errors: isFilled ? rejections.filter(({ path }) => toStepOf(path) === step) : [],
    restored: restored && { ...restored, step },
    problem: 'rejected-earlier',
  };
}

function withoutApplication(state: FlowState, errors: readonly FieldError[]): FlowState {
  const rejections = errors
    .map(({ pointer, code }) => ({ path: toPathOnScreen(pointer.slice(1), state.draft), code }))
    .filter(({ path }) => path !== '');
  const none = { application: undefined, record: undefined, isSubmitting: false };
  return { ...state, ...none, rejections, problem: undefined };
}

/** A home address that is the business's can be mended there only. */
function toPathOnScreen(path: string, draft: Draft): string {
  return draft['owner/homeSameAsBusiness'] === 'yes'
    ? path.replace(/^owner\/homeAddress/, 'business/address')
    : path;
}
