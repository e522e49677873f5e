// Changes of the state when an application is submitted, and when its status arrives. All functions are pure.

import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { FieldError } from '../../shared/application/field-errors.ts';
import { toNineDigits } from '../../shared/application/normalize-input.ts';
import { withAttachments, withoutAttachments } from './attachments.ts';
import { consentPath, emptyDraft, homeChoicePath, honeypotPath, type Draft } from './draft.ts';
import { formSteps, withStep, type FormStepId } from './navigation.ts';
import { toStepOf } from './step-fields.ts';
import type { AppState, FormProblem, FormState, SubmittedRecord } from './store.ts';

export interface SubmissionFailure {
  readonly problem: FormProblem;
  readonly errors: readonly FieldError[];
  readonly retryAfterMs?: number | undefined;
}

/** The BFF has the application, and the funding service has not decided yet. */
export function isUndecided(form: FormState | undefined): boolean {
  const status = form?.application?.status;
  return status === 'received' || status === 'confirming';
}

/** Starts a submission. The honeypot is emptied, so that an applicant whose browser filled it in can submit again. */
export function withSubmitting(form: FormState): FormState {
  const { [honeypotPath]: _honeypot, ...draft } = form.draft;
  return {
    ...form,
    draft,
    isSubmitting: true,
    problem: undefined,
    restored: undefined,
    rewordedConsents: [],
  };
}

/** The submission failed, or its outcome is unknown. Errors of fields are shown where the applicant can correct them. */
export function withFailure(
  form: FormState,
  { problem, errors, retryAfterMs }: SubmissionFailure,
): FormState {
  return withProblem(errors.length > 0 ? withRejection(form, errors) : form, problem, retryAfterMs);
}

/** The partner has changed the consents during the submission. The applicant must accept them again. */
export function withNewConsents(form: FormState, configuration: Configuration): FormState {
  const answers = Object.entries(form.draft).filter(([path]) => !path.startsWith('consents/'));
  return {
    ...withStep(form, 'review'),
    configuration,
    draft: Object.fromEntries(answers),
    isSubmitting: false,
    problem: 'consent-required',
  };
}

/**
 * Applies the session of an earlier page, or of another tab. Attachments of a rejected application do not belong to the next
 * one.
 */
export function withSession(state: AppState, session: Session): AppState {
  const { application } = session;
  if (!application) return state;
  return application.status === 'rejected'
    ? withApplicationStatus(state, application)
    : withApplicationStatus(withAttachments(state, session), application);
}

/** Applies the application's status. A rejection leads back into the form. */
export function withApplicationStatus(state: AppState, status: ApplicationStatus): AppState {
  if (!state.form) return state;
  if (status.status !== 'rejected') {
    return { ...state, form: withApplication(state.form, status) };
  }
  const hadAttachments = state.documents.uploaded.length > 0 || state.bank.report !== undefined;
  const errors = status.errors ?? [];
  const form = state.form.record
    ? withRejection(state.form, errors)
    : withEarlierRejection(state.form, errors);
  const isMore = hadAttachments && form.problem === 'application-rejected';
  return {
    ...withoutAttachments(state),
    form: {
      ...form,
      rejectedReference: status.reference,
      problem: isMore ? 'rejected-with-documents' : form.problem,
    },
  };
}

/** A status request failed. */
export function withUnknownStatus(
  form: FormState,
  problem: FormProblem,
  retryAfterMs?: number,
): FormState {
  return keepsProblem(form) ? form : withProblem(form, problem, retryAfterMs);
}

/** Returns the answers that the page stores and prints after the submission: no SSN, no EIN, and only the year of birth. */
export function toSubmittedRecord({ draft, configuration }: FormState): SubmittedRecord {
  const { consents, locale } = configuration;
  const lastDigits = (path: string) => toNineDigits(draft[path] ?? '').slice(-4);
  return {
    answers: {
      ...draft,
      'business/taxId': lastDigits('business/taxId'),
      'owner/ssn': lastDigits('owner/ssn'),
      'owner/birthDate/month': '',
      'owner/birthDate/day': '',
    },
    consents: consents.filter(({ id }) => draft[consentPath(id)] === 'yes'),
    locale,
  };
}

function withApplication(form: FormState, application: ApplicationStatus): FormState {
  const known: FormState = {
    ...form,
    application,
    isSubmitting: false,
    problem: keepsProblem(form) ? form.problem : undefined,
    // The answers stay until the funding service has them, and no longer.
    ...(application.status === 'accepted' && { draft: emptyDraft, restored: undefined }),
  };
  return form.application ? known : withStep(known, 'submitted');
}

/** These two problems explain what happened to the applicant's answers. They show until the step changes. */
function keepsProblem({ problem }: FormState): boolean {
  return problem === 'application-exists' || problem === 'already-sent';
}

/** Shows rejected answers on their step. A rejection without fields is shown on the review. */
export function withRejection(form: FormState, errors: readonly FieldError[]): FormState {
  const rejected = withoutApplication(form, errors);
  const [first] = rejected.rejections;
  return first
    ? withRejectedStep(rejected, toStepOf(first.path))
    : { ...withStep(rejected, 'review'), problem: 'application-rejected' };
}

/** Shows the rejected answers of a step. */
export function withRejectedStep(form: FormState, step: FormStepId): FormState {
  const errors = form.rejections.filter(({ path }) => toStepOf(path) === step);
  return {
    ...withStep(form, step),
    returnsToReview: step !== 'review',
    errors,
    // The review has no Continue that would remove them.
    rejections:
      step === 'review'
        ? form.rejections.filter((error) => !errors.includes(error))
        : form.rejections,
    problem: 'application-rejected',
  };
}

/** An earlier page submitted the application. The answers that are never stored are lost. */
function withEarlierRejection(form: FormState, errors: readonly FieldError[]): FormState {
  const rejected = withoutApplication(form, errors);
  const { rejections, restored } = rejected;
  const hasAnswers = restored !== undefined || form.isSubmitting;
  const wrong = [...rejections.map(({ path }) => path), ...(restored?.omitted ?? [])];
  const stepsToCorrect = new Set(wrong.map(toStepOf));
  const step = hasAnswers
    ? (formSteps.find((id) => stepsToCorrect.has(id)) ?? 'review')
    : formSteps[0];
  return {
    ...withStep(rejected, step),
    errors: hasAnswers ? rejections.filter(({ path }) => toStepOf(path) === step) : [],
    restored: restored && { ...restored, step },
    problem: 'rejected-earlier',
  };
}

function withoutApplication(form: FormState, errors: readonly FieldError[]): FormState {
  const rejections = errors
    .map(({ pointer, code }) => ({ path: toShownPath(pointer.slice(1), form.draft), code }))
    .filter(({ path }) => path !== '');
  return {
    ...form,
    application: undefined,
    record: undefined,
    isSubmitting: false,
    rejections,
    problem: undefined,
  };
}

/** The path of the field that the applicant sees: a home address that equals the business address has no fields of its own. */
export function toShownPath(path: string, draft: Draft): string {
  return draft[homeChoicePath] === 'yes'
    ? path.replace(/^owner\/homeAddress/, 'business/address')
    : path;
}

export function withProblem(
  form: FormState,
  problem: FormProblem,
  retryAfterMs?: number,
): FormState {
  return { ...form, isSubmitting: false, problem, retryAfterMs };
}
