// The steps and the way between them: answers, Back, and Change. All functions are pure.

import type { Configuration } from '../../shared/api/configuration.ts';
import { emptyDraft, type Draft } from './draft.ts';
import type { FormProblem, FormState, StepError } from './store.ts';

/** The steps of the form, before the submission. */
export const formSteps = ['funding-need', 'business', 'owner', 'identity', 'review'] as const;

export type FormStepId = (typeof formSteps)[number];

/** The steps whose answers the review lists, and which the host page can prefill. */
export const answeredSteps = formSteps.filter((step) => step !== 'review');

export const stepIds = ['start', ...formSteps, 'submitted', 'documents', 'bank', 'offers'] as const;

/** The name of a step, in the order of the form. */
export type StepId = (typeof stepIds)[number];

/** Steps after the submission. The applicant can visit them in any order. */
export type LaterStepId = Exclude<StepId, 'start' | FormStepId>;

export function isFormStep(step: StepId): step is FormStepId {
  return formSteps.some((id) => id === step);
}

export function toNextStep({ step, configuration }: FormState): StepId {
  const following = stepIds.slice(stepIds.indexOf(step) + 1);
  return following.find((id) => hasStep(configuration, id)) ?? 'offers';
}

/** The position of the step among all steps, from 0. The host page's funnel counts with it. */
export function toStepIndex({ step, hasStartPage, configuration }: FormState): number {
  const steps = stepIds.filter((id) => hasStep(configuration, id));
  return steps.indexOf(step) - (hasStartPage ? 0 : 1);
}

/** Lists the errors on a step, in the order of its fields. */
export type ValidateStep = (
  form: Pick<FormState, 'configuration' | 'draft'>,
  step: FormStepId,
) => readonly StepError[];

/** A draft that an earlier page stored. */
export interface StoredDraft {
  readonly step: FormStepId;
  readonly returnsToReview: boolean;
  readonly answers: Draft;
  /** Paths of typed answers that are never stored. */
  readonly omitted: readonly string[];
  /** The application had been submitted when the draft was stored. */
  readonly isSubmitted: boolean;
}

export function createForm(
  configuration: Configuration,
  { hasStartPage = false, draft = emptyDraft }: { hasStartPage?: boolean; draft?: Draft } = {},
): FormState {
  return {
    configuration,
    step: hasStartPage ? 'start' : 'funding-need',
    furthestStep: 'funding-need',
    hasStartPage,
    returnsToReview: false,
    draft,
    initialDraft: draft,
    timesCleared: 0,
    errors: [],
    rejections: [],
    problem: undefined,
    retryAfterMs: undefined,
    isSubmitting: false,
    application: undefined,
    rejectedReference: undefined,
    record: undefined,
    restored: undefined,
    advice: {},
    filled: emptyDraft,
    rewordedConsents: [],
    expanded: [],
  };
}

export function withAnswer(form: FormState, path: string, value: string): FormState {
  return {
    ...form,
    draft: { ...form.draft, [path]: value },
    rejections: without(form.rejections, (error) => concerns(error, path)),
    rewordedConsents: without(form.rewordedConsents, (reworded) => reworded === path),
  };
}

/** "Change" on the review. */
export function withStepToEdit(form: FormState, step: FormStepId): FormState {
  return { ...withStep(form, step), returnsToReview: true };
}

export function withBack(form: FormState): FormState {
  const previous = toBackStep(form);
  return previous ? withStep(form, previous) : form;
}

/** The step that Back leads to, or undefined on the first one and on the record. */
export function toBackStep(form: FormState): StepId | undefined {
  const { step, hasStartPage, returnsToReview } = form;
  if (step === 'start' || step === 'submitted') return undefined;
  // Steps after the submission can be visited in any order, so all of them lead back to the record, and never into the form.
  // The phone of a handoff has no record.
  if (!isFormStep(step)) return form.application && 'submitted';
  if (returnsToReview) return 'review';
  const previous = stepIds[stepIds.indexOf(step) - 1];
  return previous === 'start' && !hasStartPage ? undefined : previous;
}

export function withNext(form: FormState): FormState {
  return withStep(form, toNextStep(form));
}

/** Steps after the submission can be visited in any order. */
export function withLaterStep(form: FormState, step: StepId): FormState {
  const isLater = step !== 'start' && !isFormStep(step) && hasStep(form.configuration, step);
  return form.application && isLater ? withStep(form, step) : form;
}

/**
 * Shows a step for the host page.
 *
 * @returns undefined for a step that the applicant could not reach with Back, Change, or the record.
 */
export function toReachable(form: FormState, step: StepId): FormState | undefined {
  if (form.isSubmitting || form.step === step) return undefined;
  if (form.application) {
    const later = withLaterStep(form, step);
    return later === form ? undefined : later;
  }
  if (form.step === 'review' && isFormStep(step)) return withStepToEdit(form, step);
  const back = toBackStep(form) === undefined ? undefined : withBack(form);
  return back?.step === step ? back : back && toReachable(back, step);
}

/** Fills in answers that are still missing. A submitted application stays as it is. */
export function withPrefill(form: FormState, prefill: Draft): FormState {
  if (form.application || form.isSubmitting) return form;
  const draft = { ...prefill, ...form.draft };
  const isUntouched = form.draft === form.initialDraft;
  return { ...form, draft, initialDraft: isUntouched ? draft : form.initialDraft };
}

/** Shows a step without errors. Secrets that were revealed are hidden again. */
export function withStep(form: FormState, step: StepId): FormState {
  return {
    ...form,
    step,
    furthestStep: toFurthestStep(form.furthestStep, step),
    returnsToReview: false,
    advice: {},
    errors: [],
    problem: undefined,
    retryAfterMs: undefined,
    expanded: [],
  };
}

export function toFurthestStep(furthest: FormStepId, step: StepId): FormStepId {
  return isFormStep(step) && formSteps.indexOf(step) > formSteps.indexOf(furthest)
    ? step
    : furthest;
}

export function withToggled(form: FormState, id: string): FormState {
  const expanded = form.expanded.includes(id)
    ? form.expanded.filter((other) => other !== id)
    : [...form.expanded, id];
  return { ...form, expanded };
}

/** The same array if nothing is removed, so that typing does not render the form. */
function without<Item>(
  items: readonly Item[],
  isRemoved: (item: Item) => boolean,
): readonly Item[] {
  return items.some(isRemoved) ? items.filter((item) => !isRemoved(item)) : items;
}

/** The funding service has just rejected the application on the screen. */
export function isRejection(problem: FormProblem | undefined): boolean {
  return (
    problem === 'application-rejected' ||
    problem === 'rejected-with-documents' ||
    problem === 'rejected-earlier'
  );
}

/** The applicant has cleared all answers. */
export function isCleared(before: FormState, after: FormState): boolean {
  return before.timesCleared !== after.timesCleared;
}

function hasStep({ bankConnection }: Configuration, step: StepId): boolean {
  return step !== 'bank' || bankConnection !== 'off';
}

/** An error of `owner/birthDate` also concerns `owner/birthDate/year`. The parts of the founding date concern each other. */
export function concerns(error: StepError, path: string): boolean {
  const founded = 'business/founded';
  return (
    error.path === path ||
    path.startsWith(`${error.path}/`) ||
    (error.path.startsWith(founded) && path.startsWith(founded))
  );
}
