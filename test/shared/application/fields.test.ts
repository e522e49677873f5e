// Tests each field with values at its limits and just beyond them.

import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import {
  calendarDate,
  ein,
  email,
  isCalendarDate,
  oneOf,
  personName,
  phone,
  ssn,
  text,
  wholeDollars,
  wholeNumber,
  zip,
} from '../../../shared/application/fields.ts';

/** An email address with this many characters. */
const createEmail = (length: number) =>
  `${'a'.repeat(length - '@bakery.example'.length)}@bakery.example`;

const cases: readonly (readonly [string, readonly string[], unknown, z.ZodMiniType])[] = [
  ['text', [], 'a', text()],
  ['text', [], 'x'.repeat(255), text()],
  ['text', ['too-long'], 'x'.repeat(256), text()],
  ['text', ['required'], '   ', text()],
  ['text', ['required'], null, text()],
  ['text', ['required'], undefined, text()],
  ['text', ['invalid'], 5, text()],
  ['text', ['invalid'], 'a\tb', text()],
  ['personName', [], 'Ñ', personName()],
  ['personName', [], 'x'.repeat(80), personName()],
  ['personName', ['too-long'], 'x'.repeat(81), personName()],
  ['personName', ['required'], '  ', personName()],
  ['personName', ['invalid'], '42', personName()],
  ['wholeDollars', [], 1, wholeDollars(1)],
  ['wholeDollars', ['too-small'], 0, wholeDollars(1)],
  ['wholeDollars', [], 999_999_999, wholeDollars(1)],
  ['wholeDollars', ['too-large'], 1_000_000_000, wholeDollars(1)],
  ['wholeDollars', ['required'], undefined, wholeDollars(1)],
  ['wholeNumber', [], 12, wholeNumber(1, 12)],
  ['wholeNumber', ['too-large'], 13, wholeNumber(1, 12)],
  ['wholeNumber', ['not-a-number'], NaN, wholeNumber(1, 12)],
  ['oneOf', [], 'A', oneOf(['A'])],
  ['oneOf', ['not-in-list'], 'B', oneOf(['A'])],
  ['oneOf', ['required'], '', oneOf(['A'])],
  ['oneOf', ['not-in-list'], 5, oneOf(['A'])],
  ['email', [], ' rosa@bakery.example ', email()],
  ['email', [], 'r@b.us', email()],
  ['email', ['email'], 'r@b.u', email()],
  ['email', ['email'], 'r', email()],
  ['email', ['required'], ' ', email()],
  ['email', [], createEmail(254), email()],
  ['email', ['too-long'], createEmail(255), email()],
  ['phone', [], '2002000000', phone()],
  ['phone', ['phone'], '1125550134', phone()],
  ['phone', ['phone'], '5121550134', phone()],
  ['phone', ['phone'], '15125550134', phone()],
  ['phone', ['phone'], '51255501345', phone()],
  ['phone', ['required'], '', phone()],
  ['phone', ['phone'], '5', phone()],
  ['zip', [], '78701', zip()],
  ['zip', [], '78701-1234', zip()],
  ['zip', ['zip'], '78701-12345', zip()],
  ['zip', ['zip'], '78701-123', zip()],
  ['zip', ['zip'], '178701', zip()],
  ['zip', ['zip'], '787011', zip()],
  ['ssn', [], '899010001', ssn()],
  ['ssn', [], '001010001', ssn()],
  ['ssn', ['ssn'], '900010001', ssn()],
  ['ssn', ['ssn'], '1219099999', ssn()],
  ['ssn', ['ssn'], '2190999991', ssn()],
  ['ein', [], '010000000', ein()],
  ['ein', ['ein'], '1123456789', ein()],
  ['ein', ['ein'], '1234567891', ein()],
  ['calendarDate', [], '1985-04-27', calendarDate()],
  ['calendarDate', ['required'], '', calendarDate()],
  ['calendarDate', ['date'], '1', calendarDate()],
  ['calendarDate', ['date'], 19_850_427, calendarDate()],
];

describe('field schemas', () => {
  it.each(cases)('%s reports %j: case %#', (_name, codes, value, schema) => {
    const parsed = schema.safeParse(value);
    const found = parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
    expect(found).toEqual(codes);
  });
});

describe('isCalendarDate', () => {
  it.each(['1985-04-27', '2024-02-29', '1800-01-01', '2026-12-31'])('accepts %s', (value) => {
    expect(isCalendarDate(value)).toBe(true);
  });

  it.each([
    ['month 0', '1985-00-10'],
    ['month 13', '1985-13-05'],
    ['month 99', '1985-99-05'],
    ['day 0', '1985-04-00'],
    ['a day that the month does not have', '1985-04-31'],
    ['February 29 of a year without one', '2023-02-29'],
    ['February 29 of 1900', '1900-02-29'],
    ['a year before 1800', '1799-12-31'],
    ['a month of one digit', '1985-4-27'],
    ['text before the date', 'x1985-04-27'],
    ['text after the date', '1985-04-27T00:00'],
  ])('rejects %s', (_name, value) => {
    expect(isCalendarDate(value)).toBe(false);
  });
});
