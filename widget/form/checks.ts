// Changes of the form that need its validation: Continue, corrections, and restored drafts. All functions are pure.

import { withRejectedStep } from '../app/application-status.ts';
import {
  concerns,
  formSteps,
  isFormStep,
  toFieldPaths,
  toNextStep,
  toStepOf,
  withStep,
  type FormStepId,
  type StoredDraft,
  type ValidateStep,
} from '../app/navigation.ts';
import type { FormState } from '../app/store.ts';

/** Goes to the next step, or shows the errors of this one. */
export function withStepCompleted(form: FormState, validate: ValidateStep): FormState {
  const { step } = form;
  if (!isFormStep(step) || step === 'review') return form;
  const errors = validate(form, step);
  if (errors.length > 0) return { ...form, errors };
  const rejections = form.rejections.filter(({ path }) => toStepOf(path) !== step);
  const next = form.returnsToReview ? 'review' : toNextStep(form);
  return {
    ...withStep({ ...form, rejections }, next),
    errors: rejections.filter(({ path }) => toStepOf(path) === next),
  };
}

/** Before the submission: goes to the first step with an error. Returns the same form if there is none. */
export function withAllStepsChecked(form: FormState, validate: ValidateStep): FormState {
  const [rejected] = form.rejections;
  if (rejected) return withRejectedStep(form, toStepOf(rejected.path));
  for (const step of formSteps) {
    const errors = validate(form, step);
    if (errors.length > 0) {
      return { ...withStep(form, step), returnsToReview: step !== 'review', errors };
    }
  }
  return form;
}

/**
 * Removes the errors that this answer has corrected. The message of an error that is still wrong does not change while the
 * applicant types.
 */
export function withCorrectedErrors(
  form: FormState,
  path: string,
  validate: ValidateStep,
): FormState {
  const { step } = form;
  if (!isFormStep(step) || form.errors.length === 0) return form;
  const paths = toFieldPaths(step, form.draft);
  const found = validate(form, step);
  const errors = form.errors.filter((error) => {
    const isShown = paths.some((shown) => error.path.startsWith(shown));
    const isStillWrong = found.some((candidate) => candidate.path === error.path);
    return isShown && (isStillWrong || !concerns(error, path));
  });
  return errors.length === form.errors.length ? form : { ...form, errors };
}

/**
 * Restores a draft on its step, or on the first step before it that is incomplete. It shows no errors, because the applicant has
 * not pressed Continue.
 */
export function withStoredDraft(
  form: FormState,
  stored: StoredDraft,
  validate: ValidateStep,
): FormState {
  const draft = { ...form.draft, ...stored.answers };
  const { omitted } = stored;
  const isIncomplete = (step: FormStepId) =>
    omitted.some((path) => toStepOf(path) === step) ||
    validate({ ...form, draft }, step).length > 0;
  const step = formSteps.find((id) => id === stored.step || isIncomplete(id)) ?? stored.step;
  const isDifferent =
    omitted.length > 0 ||
    Object.entries(stored.answers).some(([path, value]) => value !== (form.draft[path] ?? ''));
  return {
    ...form,
    step,
    returnsToReview: stored.returnsToReview && step === stored.step,
    draft,
    initialDraft: draft,
    restored: isDifferent ? { step, omitted } : undefined,
  };
}
