import { describe, expect, it } from 'vitest';
import {
  toBusinessAge,
  toFoundedMonth,
  toInceptionDate,
  toMonthsInBusiness,
} from '../../../bff/funding-service/lead.ts';
import type { BusinessAgeFormat, FoundedMonthFormat } from '../../../bff/config/settings.ts';

describe('toFoundedMonth', () => {
  it.each<[number, FoundedMonthFormat, string]>([
    [3, 'number', '3'],
    [12, 'number', '12'],
    [3, 'two-digit', '03'],
    [11, 'two-digit', '11'],
    [3, 'name', 'March'],
    [9, 'short-name', 'Sep'],
    [5, 'short-name', 'May'],
  ])('writes month %j as %s: %s', (month, format, expected) => {
    expect(toFoundedMonth(month, format)).toBe(expected);
  });

  it('throws on a month that does not exist', () => {
    expect(() => toFoundedMonth(13, 'number')).toThrow(RangeError);
  });
});

describe('toMonthsInBusiness', () => {
  const now = new Date('2026-05-04T23:30:00Z');

  it.each([
    ['years ago', { foundedYear: 2019, foundedMonth: 3 }, 86],
    ['this month', { foundedYear: 2026, foundedMonth: 5 }, 0],
    ['last month, day not reached', { foundedYear: 2026, foundedMonth: 4, foundedDay: 5 }, 0],
    ['last month, day reached', { foundedYear: 2026, foundedMonth: 4, foundedDay: 4 }, 1],
    ['over the turn of the year', { foundedYear: 2025, foundedMonth: 12 }, 5],
    ['later this month', { foundedYear: 2026, foundedMonth: 5, foundedDay: 31 }, 0],
  ])('counts whole months since %s', (_name, founded, expected) => {
    expect(toMonthsInBusiness(founded, now)).toBe(expected);
  });
});

describe('toBusinessAge', () => {
  it.each<[number, BusinessAgeFormat, string]>([
    [75, 'years', '6'],
    [11, 'years', '0'],
    [75, 'months', '75'],
    [75, 'years-and-months', '6 years 3 months'],
    [13, 'years-and-months', '1 year 1 month'],
    [0, 'years-and-months', '0 years 0 months'],
  ])('writes %j months in %s: %s', (months, format, expected) => {
    expect(toBusinessAge(months, format)).toBe(expected);
  });
});

describe('toInceptionDate', () => {
  it('is a date only when the day is known', () => {
    expect(toInceptionDate({ foundedYear: 2019, foundedMonth: 3, foundedDay: 2 })).toBe(
      '2019-03-02',
    );
    expect(toInceptionDate({ foundedYear: 2019, foundedMonth: 3 })).toBeUndefined();
  });
});
