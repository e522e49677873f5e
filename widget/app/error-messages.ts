// Turns the errors of fields into messages.

import type { ErrorMessage } from '../fields/field.ts';
import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/messages.ts';
import type { Wording } from './feature.ts';
import type { FormState } from './store.ts';

/** The errors of the current step as messages, in the order of its fields. */
export function toErrorMessages({ t, format }: Wording, form: FormState): readonly ErrorMessage[] {
  return form.errors.map((error) => ({
    path: error.path,
    sentence: toErrorMessage(t, error, {
      label: toLabel(t, form, error.path),
      lastName: form.draft['owner/lastName'] ?? '',
      format,
    }),
  }));
}

/** The field's own message for this error, or the general one with the field's label. */
export function toErrorMessage(
  t: Translate,
  { path, code }: { readonly path: string; readonly code: string },
  { label, lastName, format }: { label: string; lastName: string; format: Format },
): string {
  const part = path.slice(path.lastIndexOf('/') + 1);
  const subject = path.startsWith('consents/') ? 'consent' : path;
  const keys = [`error.${subject}.${code}`, `error.${part}.${code}`, `error.${code}`];
  return t(keys.find(t.has) ?? 'error.invalid', {
    label,
    lastName,
    least: format.dollars(1),
    limit: format.dollars(1_000_000_000),
    amount: format.number(75_000),
  });
}

/** Both addresses share the labels of their parts. */
export function toLabelKey(t: Translate, path: string): MessageKey | undefined {
  const part = path.slice(path.lastIndexOf('/') + 1);
  return [`label.${path}`, `label.address/${part}`].find(t.has);
}

function toLabel(t: Translate, { configuration }: FormState, path: string): string {
  const consent = configuration.consents.find(({ id }) => path === `consents/${id}`);
  const key = toLabelKey(t, path);
  return consent?.label ?? (key ? t(key) : path);
}
