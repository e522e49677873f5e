// The fields of the form: the step and the order of each, how its text is parsed, and whether the draft stores it.

import { addressParts, homeChoicePath } from './draft.ts';
import type { FormStepId } from './navigation.ts';

export type FieldKind =
  | 'text'
  | 'choice'
  | 'industry'
  | 'dollars'
  | 'number'
  | 'percent'
  | 'month'
  | 'date'
  | 'phone'
  | 'nine-digits'
  | 'zip'
  | 'yes-no';

export interface FormField {
  /** See `Draft`. */
  readonly path: string;
  readonly kind: FieldKind;
  /** `partner`: optional unless the BFF's setting `requiredFields` contains it. */
  readonly requirement: 'required' | 'optional' | 'partner';
  /** If true, the browser may store the answer. */
  readonly isStored: boolean;
}

/** To add a field, follow "Add a question" in ARCHITECTURE.md. */
export const formFields: Readonly<Record<FormStepId, readonly FormField[]>> = {
  'funding-need': [
    field('fundingNeed/amount', { kind: 'dollars' }),
    field('fundingNeed/reason', { kind: 'choice' }),
  ],
  business: [
    field('business/name'),
    field('business/type', { kind: 'choice' }),
    field('business/industry', { kind: 'industry' }),
    field('business/taxId', { kind: 'nine-digits', requirement: 'partner', isStored: false }),
    ...address('business/address'),
    field('business/annualRevenue', { kind: 'dollars' }),
    field('business/foundedMonth', { kind: 'month' }),
    // Its hint says that it is optional.
    field('business/foundedDay', { kind: 'number' }),
    field('business/foundedYear', { kind: 'number' }),
    field('business/employees', { kind: 'number', requirement: 'partner' }),
  ],
  owner: [
    field('owner/firstName'),
    field('owner/lastName'),
    field('owner/email'),
    field('owner/phone', { kind: 'phone' }),
    field(homeChoicePath, { kind: 'yes-no' }),
    ...address('owner/homeAddress'),
  ],
  identity: [
    field('owner/birthDate', { kind: 'date', requirement: 'partner', isStored: false }),
    field('owner/ssn', { kind: 'nine-digits', requirement: 'partner', isStored: false }),
    field('owner/creditScore', { kind: 'choice' }),
    field('owner/ownershipPercent', { kind: 'percent', requirement: 'partner' }),
    field('owner/otherManagers', { kind: 'yes-no', requirement: 'optional' }),
  ],
  review: [field('consents', { isStored: false }), field('signature/name', { isStored: false })],
};

/** The fields of all steps. */
export const allFields: readonly FormField[] = Object.values(formFields).flat();

/** A required text that the browser may store, unless `options` say otherwise. */
function field(path: string, options: Partial<FormField> = {}): FormField {
  return { path, kind: 'text', requirement: 'required', isStored: true, ...options };
}

function address(path: string): readonly FormField[] {
  return addressParts.map((part) =>
    field(`${path}/${part}`, {
      kind: part === 'zip' ? 'zip' : 'text',
      requirement: part === 'suite' ? 'optional' : 'required',
    }),
  );
}
