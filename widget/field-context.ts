// What the fields are told of the state: answers, errors as sentences, and which of them may stay empty.

import { requirableFields } from '../shared/application/lists.ts';
import type { ErrorMessage, FieldContext } from './fields/field.ts';
import type { FlowState } from './flow/state.ts';
import { toErrorSentence, toLabelKey } from './i18n/error-sentence.ts';
import type { Format } from './i18n/format.ts';
import type { Translate } from './i18n/text.ts';

/** @param entries the errors of the step that is shown. */
export function createFieldContext(
  t: Translate,
  state: FlowState,
  entries: readonly ErrorMessage[],
): FieldContext {
  return {
    t,
    valueOf: (path) => state.draft[path] ?? '',
    errorOf: (path) => entries.find((entry) => entry.path === path)?.sentence,
    isOptional: (path) => isOptional(path, state.configuration),
  };
}

/** The errors of the step that is shown, as sentences, in its order. */
export function toSummaryEntries(
  { t, format }: { readonly t: Translate; readonly format: Format },
  state: FlowState,
): readonly ErrorMessage[] {
  return state.errors.map((error) => ({
    ...error,
    sentence: toErrorSentence(t, error, {
      label: toLabel(t, state, error.path),
      lastName: state.draft['owner/lastName'] ?? '',
      format,
    }),
  }));
}

function toLabel(t: Translate, { configuration }: FlowState, path: string): string {
  const consent = configuration.consents.find(({ id }) => path === `consents/${id}`);
  const key = toLabelKey(path);
  return consent?.label ?? (key ? t(key) : path);
}

function isOptional(path: string, configuration: FlowState['configuration']): boolean {
  if (path.startsWith('consents/')) {
    return configuration.consents.some(
      ({ id, required }) => !required && path === `consents/${id}`,
    );
  }
  if (path === 'owner/otherManagers') return true;
  const field = requirableFields.find(
    (name) => path === `owner/${name}` || path === `business/${name}`,
  );
  return field !== undefined && !configuration.requiredFields.includes(field);
}
