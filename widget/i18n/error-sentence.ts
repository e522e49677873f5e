// The sentence for an error of one field: its own where it has one, else a general one with the field's label.

import { isMessageKey, type MessageKey, type Translate } from './text.ts';

/** @param label the field's label, for sentences that stand for any field. */
export function toErrorSentence(
  t: Translate,
  error: { readonly path: string; readonly code: string },
  values: { readonly label: string; readonly lastName: string },
): string {
  const part = error.path.slice(error.path.lastIndexOf('/') + 1);
  const subject = error.path.startsWith('consents/') ? 'consent' : error.path;
  const keys = [
    `error.${subject}.${error.code}`,
    `error.${part}.${error.code}`,
    `error.${error.code}`,
  ];
  return t(keys.find(isMessageKey) ?? 'error.invalid', values);
}

/** The key of a field's label; the parts of both addresses share theirs. */
export function toLabelKey(path: string): MessageKey | undefined {
  const part = path.slice(path.lastIndexOf('/') + 1);
  return [`label.${path}`, `label.address/${part}`].find(isMessageKey);
}
