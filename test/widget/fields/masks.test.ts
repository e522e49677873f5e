// Formats of amounts and numbers during and after typing.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatInput,
  formatMoney,
  formatTypedMoney,
} from '../../../widget/fields/masks.ts';
import { formatPhone, toWholeDollars } from '../../../shared/application/normalize-input.ts';

describe('an amount', () => {
  it.each([
    ['1250000', '1,250,000'],
    ['$1,250,000.00', '1,250,000.00'],
    ['1,2503', '12,503'],
    ['75 000', '75,000'],
    ['1250.', '1,250.'],
    ['999', '999'],
    ['７５０００', '75,000'],
    ['75 ', '75 '],
    ['1.5 ', '1.5 '],
  ])('typed as %j becomes %j', (text, written) => {
    expect(formatTypedMoney(text)).toBe(written);
  });

  it.each([
    '',
    '$',
    '75k',
    '75,000k',
    '1.5 million',
    '1,5',
    '1,',
    '1250,50',
    '1.250.000',
    '25.000',
    '1250.000',
    '1,250.000',
    '1,5.',
    '1 250,5',
    '-5',
    'a lot',
    '1,250 dollars',
  ])('typed as %j stays, because it is incomplete, ambiguous, or invalid', (text) => {
    expect(formatTypedMoney(text)).toBe(text);
  });

  it.each([
    ['$1,250,000.00', '1,250,000'],
    ['75 000 usd', '75,000'],
    ['99.99', '100'],
    ['75k', '75,000'],
    ['1.5 million', '1,500,000'],
    ['1,5', '1,5'],
    ['25.000', '25.000'],
    ['a lot', 'a lot'],
    ['', ''],
    ['9'.repeat(30), '9'.repeat(30)],
  ])('left as %j becomes %j', (text, written) => {
    expect(formatMoney(text)).toBe(written);
  });
});

describe('an amount of any text', () => {
  /** Mostly text that looks like an amount. */
  const text = fc.oneof(
    fc.stringMatching(/^\$?\d{1,9}(,\d{1,3}){0,2}(\.\d{0,3})?( ?(k|m|mil|million|dollars))?$/),
    fc.string({ unit: fc.constantFrom(...'0123456789.,$ km７') }),
    fc.string({ unit: 'binary' }),
  );

  it('is formatted once', () => {
    fc.assert(
      fc.property(text, (typed) => {
        const formatted = formatMoney(typed);
        expect(formatMoney(formatted)).toBe(formatted);
        const whileTyping = formatTypedMoney(typed);
        expect(formatTypedMoney(whileTyping)).toBe(whileTyping);
      }),
    );
  });

  it('is sent as it is shown', () => {
    fc.assert(
      fc.property(text, (typed) => {
        expect(toWholeDollars(formatMoney(typed))).toBe(toWholeDollars(typed));
      }),
    );
  });

  it('keeps its meaning while the applicant types', () => {
    fc.assert(
      fc.property(text, (typed) => {
        const dollars = toWholeDollars(typed);
        fc.pre(dollars !== undefined && !Number.isNaN(dollars));
        expect(toWholeDollars(formatTypedMoney(typed))).toBe(dollars);
      }),
    );
  });
});

describe('a number with dashes', () => {
  it.each([
    ['219099999', '219-09-9999'],
    ['219 09 9999', '219-09-9999'],
    ['219.09.9999', '219-09-9999'],
    ['2190', '219-0'],
    ['219', '219'],
    ['219-', '219'],
    ['219-09-99991', '219-09-99991'],
    ['21x', '21x'],
    ['', ''],
  ])('as SSN %j becomes %j', (text, written) => {
    expect(formatInput(text, 'ssn')).toBe(written);
  });

  it.each([
    ['123456789', '12-3456789'],
    ['12', '12'],
    ['12-3', '12-3'],
  ])('as EIN %j becomes %j', (text, written) => {
    expect(formatInput(text, 'ein')).toBe(written);
  });

  it.each([
    ['787011234', '78701-1234'],
    ['78701 – 1234', '78701-1234'],
    ['78701', '78701'],
    ['SW1A 1AA', 'SW1A 1AA'],
  ])('as ZIP code %j becomes %j', (text, written) => {
    expect(formatInput(text, 'zip')).toBe(written);
  });
});

describe('a count', () => {
  it.each([
    ['1,200', '1200'],
    ['2,5', '2,5'],
    ['2.5', '2.5'],
    ['six', 'six'],
  ])('%j becomes %j', (text, written) => {
    expect(formatCount(text)).toBe(written);
  });
});

describe('a percentage', () => {
  it.each([
    ['60 %', '60'],
    [' 60', '60'],
    ['2,5', '2,5'],
    ['2,500', '2,500'],
    ['2%5', '2%5'],
  ])('%j becomes %j', (text, written) => {
    expect(formatInput(text, 'percent')).toBe(written);
  });
});

describe('a phone number', () => {
  it.each([
    ['5125550134', '(512) 555-0134'],
    ['+1 512.555.0134', '(512) 555-0134'],
    ['555-0134', '555-0134'],
    ['+52 55 1234 56', '+52 55 1234 56'],
    ['512-555-0134 x7', '512-555-0134 x7'],
  ])('left as %j becomes %j', (text, written) => {
    expect(formatPhone(text)).toBe(written);
  });
});
