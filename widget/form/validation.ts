// Turns the draft into the application, and validates it step by step with the schemas that the BFF uses too.

import type { Configuration } from '../../shared/api/configuration.ts';
import { createApplicationSchemas, isSignedBy } from '../../shared/application/application.ts';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import { consentPath, type Draft } from '../app/draft.ts';
import { type FormStepId, toFieldPaths, toStepOf, type ValidateStep } from '../app/navigation.ts';
import type { StepError } from '../app/store.ts';
import {
  toCalendarDate,
  toMonth,
  toNineDigits,
  toPhoneDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
} from '../../shared/application/normalize-input.ts';

type Schemas = ReturnType<typeof createApplicationSchemas>;

export function createValidation(now: () => Date): ValidateStep {
  const schemasByConfiguration = new WeakMap<Configuration, Schemas>();
  return ({ configuration, draft }, step) => {
    const schemas = schemasByConfiguration.get(configuration) ?? createSchemas(configuration, now);
    schemasByConfiguration.set(configuration, schemas);
    const paths = toFieldPaths(step, draft);
    const position = ({ path }: StepError) => paths.findIndex((shown) => path.startsWith(shown));
    return findErrors(schemas, configuration, draft, step).toSorted(
      (one, other) => position(one) - position(other),
    );
  };
}

function createSchemas(
  { fundingReasons, businessTypes, creditScores, requiredFields }: Configuration,
  now: () => Date,
): Schemas {
  return createApplicationSchemas({
    fundingReasons: fundingReasons.map(({ value }) => value),
    businessTypes: businessTypes.map(({ value }) => value),
    creditScores: creditScores.map(({ value }) => value),
    requiredFields,
    now,
  });
}

function findErrors(
  schemas: Schemas,
  configuration: Configuration,
  draft: Draft,
  step: FormStepId,
): StepError[] {
  switch (step) {
    case 'funding-need':
      return validate(schemas.fundingNeed, toFundingNeedCandidate(draft), 'fundingNeed');
    case 'business':
      return validate(schemas.business, toBusinessCandidate(draft), 'business');
    case 'owner':
    case 'identity':
      return validate(schemas.owner, toOwnerCandidate(draft), 'owner').filter(
        ({ path }) => toStepOf(path) === step,
      );
    case 'review':
      return [...findConsentErrors(configuration, draft), ...findSignatureErrors(schemas, draft)];
  }
}

function findConsentErrors({ consents }: Configuration, draft: Draft): StepError[] {
  return consents
    .filter(({ id, required }) => required && draft[consentPath(id)] !== 'yes')
    .map(({ id }) => ({ path: consentPath(id), code: 'required' }));
}

function findSignatureErrors(schemas: Schemas, draft: Draft): StepError[] {
  const path = 'signature/name';
  const name = draft[path] ?? '';
  const errors = validate(schemas.signature, { name }, 'signature');
  if (errors.length > 0) return errors;
  return isSignedBy(name, draft['owner/lastName'] ?? '') ? [] : [{ path, code: 'name-mismatch' }];
}

function validate(
  schema: Schemas[keyof Schemas],
  candidate: Readonly<Record<string, unknown>>,
  group: string,
): StepError[] {
  const { success, error } = schema.safeParse(candidate);
  if (success) return [];
  return toFieldErrors(error.issues).map(({ pointer, code }) => ({
    path: `${group}${pointer}`,
    code,
  }));
}

/** The application as typed so far. Texts that can't be parsed stay in it, so that the schema rejects them. */
export function toApplicationCandidate(
  draft: Draft,
  consents: readonly { id: string; version: string }[],
  {
    locale,
    campaignId,
  }: {
    /** The language in which the applicant read the consents. */
    readonly locale?: string | undefined;
    readonly campaignId?: string | undefined;
  } = {},
) {
  return {
    fundingNeed: toFundingNeedCandidate(draft),
    business: toBusinessCandidate(draft),
    owner: toOwnerCandidate(draft),
    consents: consents
      .filter(({ id }) => draft[consentPath(id)] === 'yes')
      .map(({ id, version }) => ({ id, version, locale })),
    signature: { name: valueOf(draft, 'signature/name') },
    campaignId,
  };
}

export function toFundingNeedCandidate(draft: Draft) {
  return {
    amount: toWholeDollars(valueOf(draft, 'fundingNeed/amount')),
    reason: valueOf(draft, 'fundingNeed/reason'),
  };
}

export function toBusinessCandidate(draft: Draft) {
  return {
    name: valueOf(draft, 'business/name'),
    type: valueOf(draft, 'business/type'),
    industry: valueOf(draft, 'business/industry'),
    address: toAddressCandidate(draft, 'business/address'),
    annualRevenue: toWholeDollars(valueOf(draft, 'business/annualRevenue')),
    foundedMonth: toMonth(valueOf(draft, 'business/foundedMonth')),
    foundedDay: toWholeNumber(valueOf(draft, 'business/foundedDay')),
    foundedYear: toWholeNumber(valueOf(draft, 'business/foundedYear')),
    employees: toWholeNumber(valueOf(draft, 'business/employees')),
    taxId: orUndefined(toNineDigits(valueOf(draft, 'business/taxId'))),
  };
}

export function toOwnerCandidate(draft: Draft) {
  const home =
    draft['owner/homeSameAsBusiness'] === 'yes' ? 'business/address' : 'owner/homeAddress';
  const otherManagers = draft['owner/otherManagers'];
  return {
    firstName: valueOf(draft, 'owner/firstName'),
    lastName: valueOf(draft, 'owner/lastName'),
    email: valueOf(draft, 'owner/email'),
    phone: toPhoneDigits(valueOf(draft, 'owner/phone')),
    homeAddress: toAddressCandidate(draft, home),
    birthDate: orUndefined(
      toCalendarDate({
        month: valueOf(draft, 'owner/birthDate/month'),
        day: valueOf(draft, 'owner/birthDate/day'),
        year: valueOf(draft, 'owner/birthDate/year'),
      }),
    ),
    ssn: orUndefined(toNineDigits(valueOf(draft, 'owner/ssn'))),
    creditScore: valueOf(draft, 'owner/creditScore'),
    ownershipPercent: toWholeNumber(valueOf(draft, 'owner/ownershipPercent')),
    otherManagers: otherManagers ? otherManagers === 'yes' : undefined,
  };
}

function toAddressCandidate(draft: Draft, path: string) {
  return {
    street: valueOf(draft, `${path}/street`),
    city: valueOf(draft, `${path}/city`),
    state: valueOf(draft, `${path}/state`),
    zip: toZip(valueOf(draft, `${path}/zip`)),
  };
}

function valueOf(draft: Draft, path: string): string {
  return draft[path] ?? '';
}

function orUndefined(value: string): string | undefined {
  return value === '' ? undefined : value;
}
