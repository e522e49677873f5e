// Turns the draft into the application, and validates it step by step with the schemas that the BFF uses too.

import type { Configuration } from '../../shared/api/configuration.ts';
import { createApplicationSchemas, isSignedBy } from '../../shared/application/application.ts';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import {
  toCalendarDate,
  toMonth,
  toNineDigits,
  toPhoneDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
} from '../../shared/application/normalize-input.ts';
import { consentPath, type Draft } from '../app/draft.ts';
import { formFields, type FieldKind } from '../app/form-fields.ts';
import { type FormStepId, toFieldPaths, toStepOf, type ValidateStep } from '../app/navigation.ts';
import type { StepError } from '../app/store.ts';

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
      return validate(schemas.fundingNeed, toSection(draft, 'fundingNeed'), 'fundingNeed');
    case 'business':
      return validate(schemas.business, toSection(draft, 'business'), 'business');
    case 'owner':
    case 'identity':
      return validate(schemas.owner, toSection(draft, 'owner'), 'owner').filter(
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
    fundingNeed: toSection(draft, 'fundingNeed'),
    business: toSection(draft, 'business'),
    owner: toSection(draft, 'owner'),
    consents: consents
      .filter(({ id }) => draft[consentPath(id)] === 'yes')
      .map(({ id, version }) => ({ id, version, locale })),
    signature: toSection(draft, 'signature'),
    campaignId,
  };
}

/** The values of one section, such as `business`. */
function toSection(draft: Draft, section: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { path, kind } of Object.values(formFields).flat()) {
    const [name, key = '', part] = path.split('/');
    if (name !== section) continue;
    const value = parsers[kind](draft, toSourcePath(draft, path));
    // An address has parts.
    values[key] = part === undefined ? value : Object.assign(values[key] ?? {}, { [part]: value });
  }
  return values;
}

function toSourcePath(draft: Draft, path: string): string {
  return draft['owner/homeSameAsBusiness'] === 'yes'
    ? path.replace('owner/homeAddress', 'business/address')
    : path;
}

const toText = (draft: Draft, path: string) => draft[path] ?? '';
const parse =
  (toValue: (typed: string) => unknown) =>
  (draft: Draft, path: string): unknown =>
    toValue(toText(draft, path));

const parsers: Readonly<Record<FieldKind, (draft: Draft, path: string) => unknown>> = {
  text: toText,
  choice: toText,
  industry: toText,
  dollars: parse(toWholeDollars),
  number: parse(toWholeNumber),
  percent: parse(toWholeNumber),
  month: parse(toMonth),
  phone: parse(toPhoneDigits),
  'nine-digits': parse((typed) => toNineDigits(typed) || undefined),
  zip: parse(toZip),
  'yes-no': parse((typed) => (typed === '' ? undefined : typed === 'yes')),
  date: (draft, path) =>
    toCalendarDate({
      month: toText(draft, `${path}/month`),
      day: toText(draft, `${path}/day`),
      year: toText(draft, `${path}/year`),
    }) || undefined,
};
