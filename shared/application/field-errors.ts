// Errors of single fields, as codes. The message for the applicant is in the widget's catalog.

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

/** An error of one field. */
export const fieldErrorSchema = z.strictObject({
  /** A JSON Pointer (RFC 6901) into the request body, for example `/business/address/zip`. */
  pointer: z.string(),
  /** The reason. */
  code: z.enum(fieldErrorCodes),
});

export type FieldError = z.infer<typeof fieldErrorSchema>;

/** Converts the issues of a failed parse into field errors: one per field, the first, and never with a value. */
export function toFieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const issue of issues) {
    // The path of an unknown key is that of its parent. The sender chose the key, so it might contain personal data.
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
