// The checks of single fields at their limits: the last value that each accepts, and the first that it refuses.

import { describe, expect, it } from 'vitest';
import { isCalendarDate } from '../../../shared/application/fields.ts';

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
  ])('refuses %s', (_name, value) => {
    expect(isCalendarDate(value)).toBe(false);
  });
});
