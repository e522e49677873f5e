// Conversions of typed answers. test/fixtures/typed-answers.txt has their results.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as normalize from '../../../shared/application/normalize-input.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';

const { toCalendarDate, ...conversions } = normalize;
const { suggestWholeDollars, toWholeDollars } = conversions;

it.each(readGroupedRows('typed-answers.txt'))('converts %s: %s', (typed, expected) => {
  const [name = '', result] = expected.split(': ');
  expect(String(conversions[name as keyof typeof conversions](JSON.parse(typed)))).toBe(result);
});

describe('an amount of any size', () => {
  const dollars = fc.integer({ min: 0, max: 999_999_999 });
  const group = (digits: number, separator: string) =>
    String(digits).replaceAll(/\B(?=(\d{3})+$)/g, separator);

  it('has the same meaning however its thousands are separated', () => {
    fc.assert(
      fc.property(dollars, fc.constantFrom('', ',', ' ', '\u00a0', '’'), (amount, separator) => {
        expect(toWholeDollars(`$${group(amount, separator)}`)).toBe(amount);
      }),
    );
  });

  it('is never suggested for text that has a meaning', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d.,km ]{1,12}$/), (typed) => {
        const hasMeaning = !Number.isNaN(toWholeDollars(typed) ?? Number.NaN);
        fc.pre(hasMeaning);
        expect(suggestWholeDollars(typed)).toBeUndefined();
      }),
    );
  });
});

it.each([
  [{ month: 'April', day: '7', year: '1985' }, '1985-04-07'],
  [{ month: '', day: '', year: '' }, ''],
  [{ month: '4', day: '', year: '1985' }, '1985-04-00'],
  [{ month: 'x', day: '7', year: '1985' }, '1985-NaN-07'],
  [{ month: '4', day: '7', year: '85' }, '0085-04-07'],
])('converts the date %j to %j', (parts, expected) => {
  expect(toCalendarDate(parts)).toBe(expected);
});
