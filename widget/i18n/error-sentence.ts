// The sentence for an error of one field: its own where it has one, else a general one with the field's label.

import type { Format } from './format.ts';
import { isMessageKey, type MessageKey, type Translate } from './text.ts';

export interface ErrorValues {
  /** The field's label, for sentences that stand for any field. */
  readonly label: string;
  readonly lastName: string;
  /** Writes the amounts in the sentences. */
  readonly format: Format;
}

export function toErrorSentence(
  t: Translate,
  error: { readonly path: string; readonly code: string },
  { label, lastName, format }: ErrorValues,
): string {
  const part = error.path.slice(error.path.lastIndexOf('/') + 1);
  const subject = error.path.startsWith('consents/') ? 'consent' : error.path;
  const keys = [
    `error.${subject}.${error.code}`,
    `error.${part}.${error.code}`,
    `error.${error.code}`,
  ];
  return t(keys.find(isMessageKey) ?? 'error.invalid', {
    label,
    lastName,
    least: format.dollars(1),
    limit: format.dollars(1_000_000_000),
    amount: format.number(75_000),
  });
}

/** The key of a field's label; the parts of both addresses share theirs. */
export function toLabelKey(path: string): MessageKey | undefined {
  const part = path.slice(path.lastIndexOf('/') + 1);
  return [`label.${path}`, `label.address/${part}`].find(isMessageKey);
}
