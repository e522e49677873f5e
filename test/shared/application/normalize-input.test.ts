import { describe, expect, it } from 'vitest';
import {
  toCalendarDate,
  toMonth,
  toNineDigits,
  toPhoneDigits,
  toWholeDollars,
  toWholeNumber,
  toZip,
} from '../../../shared/application/normalize-input.ts';

describe('toWholeDollars', () => {
  it.each([
    ['$1,250,000.00', 1_250_000],
    ['75000', 75_000],
    [' 75 000 usd ', 75_000],
    ['99.99', 99],
    ['0', 0],
    ['', undefined],
    ['  ', undefined],
    ['75k', Number.NaN],
    ['1,5', Number.NaN],
    ['25.000', Number.NaN],
    ['1.250', Number.NaN],
    ['75,000.5', 75_000],
    ['12,34,567', Number.NaN],
    ['9'.repeat(30), Number.MAX_SAFE_INTEGER],
    ['-5', Number.NaN],
    ['1.2.3', Number.NaN],
    ['1e9', Number.NaN],
  ])('converts %j to %j', (typed, expected) => {
    expect(toWholeDollars(typed)).toBe(expected);
  });
});

describe('toWholeNumber', () => {
  it.each([
    ['100 %', 100],
    ['1,200', 1200],
    ['', undefined],
    ['2,5', Number.NaN],
    ['0,050', Number.NaN],
    ['2%5', Number.NaN],
    ['2.5', Number.NaN],
    ['six', Number.NaN],
  ])('converts %j to %j', (typed, expected) => {
    expect(toWholeNumber(typed)).toBe(expected);
  });
});

describe('digits with separators', () => {
  it.each([
    ['219-09-9999', '219099999'],
    ['219 09 9999', '219099999'],
    ['219–09–9999', '219099999'],
    ['21a-09-9999', '21a099999'],
  ])('removes the separators of the SSN %j', (typed, expected) => {
    expect(toNineDigits(typed)).toBe(expected);
  });

  it.each([
    ['+1 (512) 555-0134', '5125550134'],
    ['1.512.555.0134', '5125550134'],
    ['512 555 0134', '5125550134'],
    ['555-0134', '5550134'],
    ['+52 55 1234 56', '+5255123456'],
  ])('converts the phone number %j to %j', (typed, expected) => {
    expect(toPhoneDigits(typed)).toBe(expected);
  });

  it.each([
    ['78701', '78701'],
    ['787011234', '78701-1234'],
    ['78701 - 1234', '78701-1234'],
    ['7870', '7870'],
  ])('converts the ZIP code %j to %j', (typed, expected) => {
    expect(toZip(typed)).toBe(expected);
  });
});

describe('dates', () => {
  it.each([
    ['3', 3],
    ['03', 3],
    ['Mar', 3],
    ['sept.', 9],
    ['December', 12],
    ['Enero', 1],
    ['abr.', 4],
    ['ago', 8],
    ['setiembre', 9],
    ['Dic', 12],
    ['', undefined],
    ['ma', Number.NaN],
    ['Foo', Number.NaN],
  ])('converts the month %j to %j', (typed, expected) => {
    expect(toMonth(typed)).toBe(expected);
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
});
