// Validates the answers of one step with the schemas that the BFF uses too.

import type { Configuration } from '../../shared/api/configuration.ts';
import { createApplicationSchemas, isSignedBy } from '../../shared/application/application.ts';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import { consentPath, type Draft } from '../app/draft.ts';
import type { ValidateStep } from '../app/navigation.ts';
import type { StepError } from '../app/state.ts';
import { toFieldPaths, toStepOf, type FormStepId } from '../app/steps.ts';
import { toBusinessCandidate, toFundingNeedCandidate, toOwnerCandidate } from './application.ts';

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
