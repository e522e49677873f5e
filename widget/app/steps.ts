// The steps: their order, and the fields of each.

import type { Configuration } from '../../shared/api/configuration.ts';
import { addressParts, type Draft } from './draft.ts';

export const stepIds = [
  'start',
  'funding-need',
  'business',
  'owner',
  'identity',
  'review',
  'submitted',
  'documents',
  'bank',
  'offers',
] as const;

/** The name of a step, in the order of the form. */
export type StepId = (typeof stepIds)[number];

/** The steps of the form, before the submission. */
export const formSteps = ['funding-need', 'business', 'owner', 'identity', 'review'] as const;

export type FormStepId = (typeof formSteps)[number];

/** Steps after the submission. The applicant can visit them in any order. */
export type LaterStepId = 'submitted' | 'documents' | 'bank' | 'offers';

/** Whether the applicant can visit this step after the submission. */
export function isLaterStep(
  step: StepId,
  { bankConnection }: Pick<Configuration, 'bankConnection'>,
): step is LaterStepId {
  return step !== 'start' && !isFormStep(step) && (step !== 'bank' || bankConnection !== 'off');
}

export function isFormStep(step: StepId): step is FormStepId {
  return formSteps.some((id) => id === step);
}

/** The step after this one. */
export function toNextStep(
  step: StepId,
  configuration: Pick<Configuration, 'bankConnection'>,
): StepId {
  const following = stepIds.slice(stepIds.indexOf(step) + 1);
  return (
    following.find((id) => id !== 'bank' || configuration.bankConnection !== 'off') ?? 'offers'
  );
}

/** The position of a step among all steps, from 0. The host page's funnel counts with it. */
export function toStepIndex(
  step: StepId,
  hasStartPage: boolean,
  { bankConnection }: Pick<Configuration, 'bankConnection'>,
): number {
  const steps = stepIds.filter(
    (id) => (id !== 'start' || hasStartPage) && (id !== 'bank' || bankConnection !== 'off'),
  );
  return steps.indexOf(step);
}

/** The step that Back leads to. After the submission, Back never leads into the form. */
export function toPreviousStep(step: StepId): StepId | undefined {
  if (step === 'start' || step === 'submitted') return undefined;
  // Steps after the submission can be visited in any order, so all of them lead back to the record.
  return isFormStep(step) ? stepIds[stepIds.indexOf(step) - 1] : 'submitted';
}

/** The paths of a step's fields in the order of the screen. The error summary has the same order. */
export function toFieldPaths(step: FormStepId, draft: Draft): readonly string[] {
  return step === 'owner' && draft['owner/homeSameAsBusiness'] === 'yes'
    ? fieldPaths.owner.filter((path) => !path.startsWith('owner/homeAddress'))
    : fieldPaths[step];
}

/** The step on which a field can be corrected. */
export function toStepOf(path: string): FormStepId {
  if (path.startsWith('fundingNeed')) return 'funding-need';
  if (path.startsWith('business')) return 'business';
  if (fieldPaths.identity.some((field) => path.startsWith(field))) return 'identity';
  if (path.startsWith('owner')) return 'owner';
  return 'review';
}

const fieldPaths: Readonly<Record<FormStepId, readonly string[]>> = {
  'funding-need': ['fundingNeed/amount', 'fundingNeed/reason'],
  business: [
    'business/name',
    'business/type',
    'business/industry',
    'business/taxId',
    ...addressParts.map((part) => `business/address/${part}`),
    'business/annualRevenue',
    'business/foundedMonth',
    'business/foundedDay',
    'business/foundedYear',
    'business/employees',
  ],
  owner: [
    'owner/firstName',
    'owner/lastName',
    'owner/email',
    'owner/phone',
    ...addressParts.map((part) => `owner/homeAddress/${part}`),
  ],
  identity: [
    'owner/birthDate',
    'owner/ssn',
    'owner/creditScore',
    'owner/ownershipPercent',
    'owner/otherManagers',
  ],
  review: ['consents', 'signature/name'],
};
