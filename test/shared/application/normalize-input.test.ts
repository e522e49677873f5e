import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isPlainAmount,
  suggestWholeDollars,
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
    ['99.99', 100],
    ['75,000.4', 75_000],
    ['0', 0],
    ['', undefined],
    ['  ', undefined],
    ['75k', 75_000],
    ['75K', 75_000],
    ['$75k', 75_000],
    ['1,500k', 1_500_000],
    ['75 mil', 75_000],
    ['75 thousand', 75_000],
    ['1.5m', 1_500_000],
    ['1.5 million', 1_500_000],
    ['1,5 millones', 1_500_000],
    ['1,5 millones de dólares', 1_500_000],
    ['1 millón', 1_000_000],
    ['0.75 MM', 750_000],
    ['.5 million', 500_000],
    ['75,000 dollars', 75_000],
    ['75,000 dólares', 75_000],
    ['US$ 75,000', 75_000],
    ['75\u00a0000', 75_000],
    ['75, 000', 75_000],
    ['75’000', 75_000],
    ['７５，０００', 75_000],
    ['1.250.000', 1_250_000],
    ['75.000,00', 75_000],
    ['75000,50', 75_001],
    ['1,5', Number.NaN],
    ['75,50', Number.NaN],
    ['1.500k', Number.NaN],
    ['k', Number.NaN],
    ['75 constructor', Number.NaN],
    ['about 75', Number.NaN],
    ['25.000', Number.NaN],
    ['1.250', Number.NaN],
    ['75,000.5', 75_001],
    ['12,34,567', Number.NaN],
    ['9'.repeat(30), Number.MAX_SAFE_INTEGER],
    ['-5', Number.NaN],
    ['1.2.3', Number.NaN],
    ['1e9', Number.NaN],
  ])('converts %j to %j', (typed, expected) => {
    expect(toWholeDollars(typed)).toBe(expected);
  });
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

  it('has the same meaning in full-width digits', () => {
    const widen = (text: string) =>
      text.replaceAll(/[\d,]/g, (digit) => String.fromCodePoint(digit.charCodeAt(0) + 0xfee0));
    fc.assert(
      fc.property(dollars, (amount) => {
        expect(toWholeDollars(widen(group(amount, ',')))).toBe(amount);
      }),
    );
  });

  it('is rounded to the nearest dollar', () => {
    fc.assert(
      fc.property(dollars, fc.integer({ min: 0, max: 99 }), (amount, cents) => {
        const typed = `${amount}.${String(cents).padStart(2, '0')}`;
        expect(toWholeDollars(typed)).toBe(cents < 50 ? amount : amount + 1);
      }),
    );
  });

  it('has the same meaning with a word for a thousand', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999 }),
        fc.constantFrom('k', 'K', ' mil', ' thousand'),
        (thousands, word) => {
          expect(toWholeDollars(`${thousands}${word}`)).toBe(thousands * 1000);
        },
      ),
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

describe('suggestWholeDollars', () => {
  it.each([
    ['1.500', 1_500],
    ['25.000', 25_000],
    ['$ 250.000', 250_000],
    ['0.500', undefined],
    ['1.5', undefined],
    ['75,50', undefined],
    ['1.250.000', undefined],
    ['', undefined],
  ])('suggests for %j %j', (typed, expected) => {
    expect(suggestWholeDollars(typed)).toBe(expected);
  });
});

describe('isPlainAmount', () => {
  it.each([
    ['75000', true],
    ['$75,000.00', true],
    ['75 000 dollars', true],
    ['75,000.50', false],
    ['75k', false],
    ['75.000,00', false],
    ['75,50', false],
  ])('of %j is %j', (typed, expected) => {
    expect(isPlainAmount(typed)).toBe(expected);
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
