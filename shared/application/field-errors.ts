// What can be wrong with one field, as codes; the sentence for a person lives in the widget's message catalogue.

import * as z from 'zod/mini';

export const fieldErrorCodes = [
  'required',
  'invalid',
  'too-long',
  'too-small',
  'too-large',
  'not-a-number',
  'not-in-list',
  'email',
  'phone',
  'zip',
  'ssn',
  'ein',
  'date',
  'date-in-future',
  'too-young',
  'name-mismatch',
  'unknown-field',
  'rejected',
] as const;

export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** `pointer` is a JSON Pointer (RFC 6901) into the request body, for example `/business/address/zip`. */
export const fieldErrorSchema = z.strictObject({
  pointer: z.string(),
  code: z.enum(fieldErrorCodes),
});

export type FieldError = z.infer<typeof fieldErrorSchema>;

/** The issues of a failed parse as field errors, the first of each field only; values are never carried along. */
export function toFieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const issue of issues) {
    // An unknown key's name was chosen by the sender and could carry a value: its parent is named, never the key.
    const pointer = toPointer(issue.path);
    if (!errors.has(pointer)) errors.set(pointer, { pointer, code: toCode(issue) });
  }
  return [...errors.values()];
}

export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function toCode(issue: z.core.$ZodIssue): FieldErrorCode {
  if (issue.code === 'unrecognized_keys') return 'unknown-field';
  return fieldErrorCodes.find((code) => code === issue.message) ?? 'invalid';
}
