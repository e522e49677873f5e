// Checks one step's answers with the shared schemas.

import type { Configuration } from '../../shared/api/configuration.ts';
import { createApplicationSchemas, isSignedBy } from '../../shared/application/application.ts';
import { toFieldErrors, type FieldError } from '../../shared/application/field-errors.ts';
import {
  consentPath,
  toBusinessCandidate,
  toFundingNeedCandidate,
  toOwnerCandidate,
  type Draft,
} from '../app/draft.ts';
import { toFieldPaths, toStepOf, type FormStepId } from '../app/steps.ts';

/** What is wrong with one field: its path and a code the catalogue has a sentence for. */
export interface StepError {
  readonly path: string;
  readonly code: FieldError['code'];
}

/** A function that lists what is wrong on a step, in the order of its fields; empty when it may be left. */
export function createStepValidation(configuration: Configuration, now: () => Date) {
  const schemas = createApplicationSchemas({
    fundingReasons: configuration.fundingReasons.map(({ value }) => value),
    businessTypes: configuration.businessTypes.map(({ value }) => value),
    creditScores: configuration.creditScores.map(({ value }) => value),
    requiredFields: configuration.requiredFields,
    now,
  });

  function toErrors(step: FormStepId, draft: Draft): StepError[] {
    switch (step) {
      case 'funding-need':
        return issuesOf(
          schemas.fundingNeed.safeParse(toNullPrototype(toFundingNeedCandidate(draft))),
          'fundingNeed',
        );
      case 'business':
        return issuesOf(
          schemas.business.safeParse(toNullPrototype(toBusinessCandidate(draft))),
          'business',
        );
      case 'owner':
      case 'identity':
        return issuesOf(
          schemas.owner.safeParse(toNullPrototype(toOwnerCandidate(draft))),
          'owner',
        ).filter(({ path }) => toStepOf(path) === step);
      case 'review':
        return [...consentErrors(configuration, draft), ...signatureErrors(draft)];
    }
  }

  function signatureErrors(draft: Draft): StepError[] {
    const path = 'signature/name';
    const errors = issuesOf(
      schemas.signature.safeParse(toNullPrototype({ name: draft[path] ?? '' })),
      'signature',
    );
    if (errors.length > 0) return errors;
    const signed = isSignedBy(draft[path] ?? '', draft['owner/lastName'] ?? '');
    return signed ? [] : [{ path, code: 'name-mismatch' }];
  }

  return (step: FormStepId, draft: Draft): readonly StepError[] =>
    inScreenOrder(toErrors(step, draft), toFieldPaths(step, draft));
}

export type ValidateStep = ReturnType<typeof createStepValidation>;

function consentErrors(configuration: Configuration, draft: Draft): StepError[] {
  return configuration.consents
    .filter(({ id, required }) => required && draft[consentPath(id)] !== 'yes')
    .map(({ id }) => ({ path: consentPath(id), code: 'required' }));
}

type Parsed =
  | { readonly success: true }
  | {
      readonly success: false;
      readonly error: { readonly issues: Parameters<typeof toFieldErrors>[0] };
    };

function issuesOf(parsed: Parsed, part: string): StepError[] {
  if (parsed.success) return [];
  return toFieldErrors(parsed.error.issues).map(({ pointer, code }) => ({
    path: `${part}${pointer}`,
    code,
  }));
}

function inScreenOrder(
  errors: readonly StepError[],
  paths: readonly string[],
): readonly StepError[] {
  const place = ({ path }: StepError) => paths.findIndex((candidate) => path.startsWith(candidate));
  return errors.toSorted((one, other) => place(one) - place(other));
}

/**
 * Copies a candidate into objects without a prototype. Strict schemas list keys with `for in`, and old scripts of a host page add
 * enumerable functions to `Object.prototype`: a schema would reject each of them as an unknown key.
 */
export function toNullPrototype(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toNullPrototype);
  const own: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) own[key] = toNullPrototype(member);
  return own;
}
