// Schemas of single fields for the widget and the BFF. The message of every issue is a field error code.

import * as z from 'zod/mini';
import type { FieldErrorCode } from './field-errors.ts';
import { maxDollars } from './lists.ts';

const maxTextLength = 255;

/** The formats of fields. The OpenAPI document contains the same patterns. */
export const fieldPatterns = {
  email: /^[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]{2,}$/u,
  /** Ten digits of a North American number. Area code and exchange do not start with 0 or 1 (NANP). */
  phone: /^[2-9]\d{2}[2-9]\d{6}$/,
  /** `12345` or `12345-6789`. */
  zip: /^\d{5}(-\d{4})?$/,
  /** Nine digits. The area is not 000, 666, or 9xx, the group is not 00, and the serial is not 0000 (SSA). */
  ssn: /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/,
  /** Nine digits of an Employer Identification Number. The IRS does not issue the prefix 00. */
  ein: /^(?!00)\d{9}$/,
} as const;

/** A trimmed, nonempty line of text without control characters. */
export function text(maxLength: number = maxTextLength) {
  return z.string(missingOr('invalid')).check(
    z.trim(),
    z.minLength(1, errorCode('required')),
    z.maxLength(maxLength, errorCode('too-long')),
    z.refine((value) => !hasControlCharacter(value), errorCode('invalid')),
  );
}

/** A person's name: text with at least one letter. */
export function personName() {
  return text(80).check(
    z.refine((value) => value.trim() === '' || /\p{L}/u.test(value), errorCode('invalid')),
  );
}

/** Whole US dollars, because the funding service requires integers (spec, "Limits"). */
export function wholeDollars(minimum: number, maximum: number = maxDollars) {
  return wholeNumber(minimum, maximum);
}

export function wholeNumber(minimum: number, maximum: number) {
  return z.number(missingOr('not-a-number')).check(
    // `z.int` and `z.regex` would add 0.4 KiB to the built element.
    z.refine(Number.isSafeInteger, { error: errorCode('not-a-number'), abort: true }),
    z.gte(minimum, errorCode('too-small')),
    z.lte(maximum, errorCode('too-large')),
  );
}

export function oneOf(values: readonly string[]) {
  return z.string(missingOr('not-in-list')).check(
    z.minLength(1, errorCode('required')),
    z.refine((value) => value === '' || values.includes(value), errorCode('not-in-list')),
  );
}

/** One email address with a dot in its domain. It need not be deliverable. */
export function email() {
  return z.string(missingOr('email')).check(
    z.trim(),
    z.minLength(1, errorCode('required')),
    z.maxLength(254, errorCode('too-long')),
    z.refine((value) => value === '' || fieldPatterns.email.test(value), errorCode('email')),
    z.refine((value) => !hasControlCharacter(value), errorCode('email')),
  );
}

export function phone() {
  return matchesPattern('phone');
}

export function zip() {
  return matchesPattern('zip');
}

export function ssn() {
  return matchesPattern('ssn');
}

export function ein() {
  return matchesPattern('ein');
}

/** An existing date as `YYYY-MM-DD`. */
export function calendarDate() {
  return z.string(missingOr('date')).check(
    z.minLength(1, errorCode('required')),
    z.refine((value) => value === '' || isCalendarDate(value), errorCode('date')),
  );
}

export function isCalendarDate(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (year < 1800) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function matchesPattern(name: keyof typeof fieldPatterns & FieldErrorCode) {
  return z.string(missingOr(name)).check(
    z.minLength(1, errorCode('required')),
    z.refine((value) => value === '' || fieldPatterns[name].test(value), errorCode(name)),
  );
}

/** The error of a value of the wrong type: `required` if the value is missing, otherwise `typeError`. */
function missingOr(typeError: FieldErrorCode) {
  return {
    error: (issue: { readonly input: unknown }) =>
      errorCode(issue.input === undefined || issue.input === null ? 'required' : typeError),
  };
}

/** Makes the compiler check that a message is a field error code. */
export function errorCode(value: FieldErrorCode): FieldErrorCode {
  return value;
}

/** Control characters, line separators, lone surrogates, and bidirectional controls, which can make text look like other text. */
function hasControlCharacter(value: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(value);
}
