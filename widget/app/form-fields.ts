// The fields of the form: the step and the order of each, how its text is parsed, and whether the draft stores it.

import { addressParts } from './draft.ts';
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
  /** Whether the browser may store the answer. */
  readonly isStored: boolean;
}

/** To add a field, add it here, in the step's template, in the schema, and its texts in the catalogs. */
export const formFields: Readonly<Record<FormStepId, readonly FormField[]>> = {
  'funding-need': [stored('fundingNeed/amount', 'dollars'), stored('fundingNeed/reason', 'choice')],
  business: [
    stored('business/name'),
    stored('business/type', 'choice'),
    stored('business/industry', 'industry'),
    notStored('business/taxId', 'nine-digits'),
    ...address('business/address'),
    stored('business/annualRevenue', 'dollars'),
    stored('business/foundedMonth', 'month'),
    stored('business/foundedDay', 'number'),
    stored('business/foundedYear', 'number'),
    stored('business/employees', 'number'),
  ],
  owner: [
    stored('owner/firstName'),
    stored('owner/lastName'),
    stored('owner/email'),
    stored('owner/phone', 'phone'),
    ...address('owner/homeAddress'),
  ],
  identity: [
    notStored('owner/birthDate', 'date'),
    notStored('owner/ssn', 'nine-digits'),
    stored('owner/creditScore', 'choice'),
    stored('owner/ownershipPercent', 'percent'),
    stored('owner/otherManagers', 'yes-no'),
  ],
  review: [notStored('consents'), notStored('signature/name')],
};

function stored(path: string, kind: FieldKind = 'text'): FormField {
  return { path, kind, isStored: true };
}

function notStored(path: string, kind: FieldKind = 'text'): FormField {
  return { path, kind, isStored: false };
}

function address(path: string): readonly FormField[] {
  return addressParts.map((part) => stored(`${path}/${part}`, part === 'zip' ? 'zip' : 'text'));
}
