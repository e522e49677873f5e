// The checks of single fields, shared by the form and the BFF; each failure's message is one of our field error codes.

import * as z from 'zod/mini';
import type { FieldErrorCode } from './field-errors.ts';

const maxTextLength = 255;
/** Larger figures are typing mistakes; the service's own bounds are not documented (spec, "Limits"). */
const maxDollars = 999_999_999;

/** The formats of fields that consist of digits. The OpenAPI document shows the same patterns. */
export const fieldPatterns = {
  /** Ten digits of a North American number; neither area code nor exchange begins with 0 or 1 (NANP). */
  phone: /^[2-9]\d{2}[2-9]\d{6}$/,
  /** `12345` or `12345-6789`. */
  zip: /^\d{5}(-\d{4})?$/,
  /** Nine digits; area not 000, 666 or 9xx, group not 00, serial not 0000 (SSA number assignment; form only). */
  ssn: /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/,
  /** Nine digits of an Employer Identification Number; the prefix 00 is never issued (IRS). */
  ein: /^(?!00)\d{9}$/,
} as const;

/** A trimmed, non-empty line of text without control characters. */
export function text(maxLength: number = maxTextLength) {
  return z.string(missingOr('invalid')).check(
    z.trim(),
    z.minLength(1, code('required')),
    z.maxLength(maxLength, code('too-long')),
    z.refine((value) => !hasControlCharacter(value), code('invalid')),
  );
}

/** A person's name: a text with at least one letter. */
export function personName() {
  return text(80).check(
    z.refine((value) => value.trim() === '' || /\p{L}/u.test(value), code('invalid')),
  );
}

/** Whole US dollars, as the service wants them (spec, "Limits": integers). */
export function wholeDollars(minimum: number, maximum: number = maxDollars) {
  return wholeNumber(minimum, maximum);
}

export function wholeNumber(minimum: number, maximum: number) {
  return z
    .int(missingOr('not-a-number'))
    .check(z.gte(minimum, code('too-small')), z.lte(maximum, code('too-large')));
}

export function oneOf(values: readonly string[]) {
  return z.string(missingOr('not-in-list')).check(
    z.minLength(1, code('required')),
    z.refine((value) => value === '' || values.includes(value), code('not-in-list')),
  );
}

/** One address with a dot in its domain; deliverability is the mail's own business. */
export function email() {
  return z.string(missingOr('email')).check(
    z.trim(),
    z.minLength(1, code('required')),
    z.maxLength(254, code('too-long')),
    z.regex(/^([^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]{2,})?$/u, code('email')),
    z.refine((value) => !hasControlCharacter(value), code('email')),
  );
}

export function phone() {
  return patterned('phone');
}

export function zip() {
  return patterned('zip');
}

export function ssn() {
  return patterned('ssn');
}

export function ein() {
  return patterned('ein');
}

/** A day of the calendar as `YYYY-MM-DD`. */
export function calendarDate() {
  return z.string(missingOr('date')).check(
    z.minLength(1, code('required')),
    z.refine((value) => value === '' || isCalendarDate(value), code('date')),
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

function patterned(name: keyof typeof fieldPatterns & FieldErrorCode) {
  return z.string(missingOr(name)).check(
    z.minLength(1, code('required')),
    z.refine((value) => value === '' || fieldPatterns[name].test(value), code(name)),
  );
}

/** A missing value reads `required`; one of the wrong type reads `otherwise`. */
function missingOr(otherwise: FieldErrorCode) {
  return {
    error: (issue: { readonly input: unknown }) =>
      code(issue.input === undefined || issue.input === null ? 'required' : otherwise),
  };
}

/** Keeps the message of a check inside the closed list. */
export function code(value: FieldErrorCode): FieldErrorCode {
  return value;
}

/**
 * Controls, ends of lines, halves of a character, and the marks that turn the direction of text around and so make it read as
 * something else.
 */
function hasControlCharacter(value: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(value);
}
