// Validates the answers of a step with the schemas that the BFF uses too: errors, their messages, and Continue.

import type { Configuration } from '../../shared/api/configuration.ts';
import {
  createApplicationSchemas,
  type FundingRange,
  isSignedBy,
} from '../../shared/application/application.ts';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import { maxDollars } from '../../shared/application/lists.ts';
import {
  toCalendarDate,
  toMonth,
  toNineDigits,
  toPhoneDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
} from '../../shared/application/normalize-input.ts';
import { toShownPath, withRejectedStep } from '../app/application-status.ts';
import { consentPath, homeChoicePath, type Draft } from '../app/draft.ts';
import type { Wording } from '../app/feature.ts';
import { allFields, type FieldKind } from '../app/form-fields.ts';
import {
  concerns,
  type FormStepId,
  formSteps,
  isFormStep,
  type StoredDraft,
  toFurthestStep,
  toNextStep,
  type ValidateStep,
  withStep,
} from '../app/navigation.ts';
import { toFieldPaths, toStepOf } from '../app/step-fields.ts';
import type { FormState, StepError } from '../app/store.ts';
import type { ErrorMessage } from '../fields/field.ts';
import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/messages.ts';

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
    furthestStep: toFurthestStep(stored.step, stored.returnsToReview ? 'review' : step),
    returnsToReview: stored.returnsToReview && step === stored.step,
    draft,
    initialDraft: draft,
    restored: isDifferent ? { step, omitted, reached: stored.step, isSeen: false } : undefined,
  };
}

/** The errors of the current step as messages, in the order of its fields. */
export function toErrorMessages({ t, format }: Wording, form: FormState): readonly ErrorMessage[] {
  return form.errors.map((error) => ({
    path: error.path,
    sentence: toErrorMessage(t, error, {
      label: toLabel(t, form, error.path),
      lastName: form.draft['owner/lastName'] ?? '',
      format,
      fundingNeed: form.configuration.fundingNeed,
    }),
  }));
}

/** The field's own message for this error, or the general one with the field's label. */
export function toErrorMessage(
  t: Translate,
  { path, code }: { readonly path: string; readonly code: string },
  {
    label,
    lastName,
    format,
    fundingNeed = {},
  }: {
    readonly label: string;
    readonly lastName: string;
    readonly format: Format;
    readonly fundingNeed?: FundingRange | undefined;
  },
): string {
  const part = path.slice(path.lastIndexOf('/') + 1);
  const subject = path.startsWith('consents/') ? 'consent' : path;
  const keys = [`error.${subject}.${code}`, `error.${part}.${code}`, `error.${code}`];
  return t(keys.find(t.has) ?? 'error.invalid', {
    label,
    lastName,
    least: format.dollars(fundingNeed.minimum ?? 1),
    most: format.dollars(fundingNeed.maximum ?? maxDollars),
    limit: format.dollars(maxDollars + 1),
    amount: format.number(75_000),
  });
}

/** Both addresses share the labels of their parts. */
export function toLabelKey(t: Translate, path: string): MessageKey | undefined {
  const part = path.slice(path.lastIndexOf('/') + 1);
  return [`label.${path}`, `label.address/${part}`].find(t.has);
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

type Schemas = ReturnType<typeof createApplicationSchemas>;

function createSchemas(
  { fundingReasons, businessTypes, creditScores, requiredFields, fundingNeed }: Configuration,
  now: () => Date,
): Schemas {
  return createApplicationSchemas({
    fundingReasons: fundingReasons.map(({ value }) => value),
    businessTypes: businessTypes.map(({ value }) => value),
    creditScores: creditScores.map(({ value }) => value),
    requiredFields,
    fundingNeed,
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
      return findSchemaErrors(schemas.fundingNeed, toSection(draft, 'fundingNeed'), 'fundingNeed');
    case 'business':
      return findSchemaErrors(schemas.business, toSection(draft, 'business'), 'business');
    case 'owner':
    case 'identity':
      return [
        ...findHomeChoiceErrors(draft),
        ...findSchemaErrors(schemas.owner, toSection(draft, 'owner'), 'owner'),
      ].filter(
        ({ path }) =>
          toStepOf(path) === step &&
          toFieldPaths(step, draft).some((shown) => path.startsWith(shown)),
      );
    case 'review':
      return [...findConsentErrors(configuration, draft), ...findSignatureErrors(schemas, draft)];
  }
}

function findHomeChoiceErrors(draft: Draft): StepError[] {
  return draft[homeChoicePath] ? [] : [{ path: homeChoicePath, code: 'required' }];
}

function findConsentErrors({ consents }: Configuration, draft: Draft): StepError[] {
  return consents
    .filter(({ id, required }) => required && draft[consentPath(id)] !== 'yes')
    .map(({ id }) => ({ path: consentPath(id), code: 'required' }));
}

function findSignatureErrors(schemas: Schemas, draft: Draft): StepError[] {
  const path = 'signature/name';
  const name = draft[path] ?? '';
  const errors = findSchemaErrors(schemas.signature, { name }, 'signature');
  if (errors.length > 0) return errors;
  return isSignedBy(name, draft['owner/lastName'] ?? '') ? [] : [{ path, code: 'name-mismatch' }];
}

function findSchemaErrors(
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

/** The values of one section, such as `business`. */
function toSection(draft: Draft, section: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { path, kind, requirement } of allFields) {
    const [name, key = '', part] = path.split('/');
    if (name !== section || path === homeChoicePath) continue;
    const parsed = parsers[kind](draft, toShownPath(path, draft));
    const value = parsed === '' && requirement !== 'required' ? undefined : parsed;
    // An address has parts.
    values[key] = part === undefined ? value : Object.assign(values[key] ?? {}, { [part]: value });
  }
  return values;
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
  'nine-digits': parse(toNineDigits),
  zip: parse(toZip),
  'yes-no': parse((typed) => (typed === '' ? undefined : typed === 'yes')),
  date: (draft, path) =>
    toCalendarDate({
      month: toText(draft, `${path}/month`),
      day: toText(draft, `${path}/day`),
      year: toText(draft, `${path}/year`),
    }),
};

function toLabel(t: Translate, { configuration }: FormState, path: string): string {
  const consent = configuration.consents.find(({ id }) => path === `consents/${id}`);
  const key = toLabelKey(t, path);
  return consent?.label ?? (key ? t(key) : path);
}
