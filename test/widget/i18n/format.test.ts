// Numbers, money, sizes, and dates in several languages, as they are read in the United States.

import { describe, expect, it } from 'vitest';
import { createFormat } from '../../../widget/i18n/format.ts';

const english = createFormat('en-US');
const spanish = createFormat('es-US');
const french = createFormat('fr-US');
const day = new Date(2026, 2, 7, 15, 5);

describe('a format', () => {
  it('writes cents only if there are any', () => {
    expect(english.dollars(75_000)).toBe('$75,000');
    expect(english.dollars(1250.5)).toBe('$1,250.50');
    expect(spanish.dollars(1250.5)).toBe('$1,250.50');
    expect(french.dollars(1250.5)).toBe('$1,250.50');
  });

  it('writes percentages without a space', () => {
    expect(english.percent(18.2)).toBe('18.2%');
    expect(spanish.percent(18.2)).toBe('18.2%');
  });

  it('writes file sizes in MB or KB', () => {
    expect(english.bytes(500)).toBe('1\u00a0KB');
    expect(english.bytes(2_621_440)).toBe('2.5\u00a0MB');
  });

  it('writes dates with the name of the month', () => {
    expect(english.date(day)).toBe('March 7, 2026');
    expect(spanish.date(day)).toBe('7 de marzo de 2026');
    expect(english.monthOfYear(day)).toBe('March 2026');
    expect(spanish.monthOfYear(day)).toBe('marzo de 2026');
    expect(english.month(day)).toBe('March');
    expect(spanish.month(day)).toBe('marzo');
  });

  it('joins lists in each language', () => {
    expect(english.either(['PDF', 'JPG', 'PNG'])).toBe('PDF, JPG, or PNG');
    expect(spanish.either(['PDF', 'JPG', 'PNG'])).toBe('PDF, JPG o PNG');
    expect(english.all(['a', 'b'])).toBe('a and b');
    expect(spanish.all(['a', 'b'])).toBe('a y b');
  });
});
