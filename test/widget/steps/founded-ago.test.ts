// The founding date, shown back as an age.

import { describe, expect, it } from 'vitest';
import { en } from '../../../widget/i18n/en.ts';
import { es } from '../../../widget/i18n/es.ts';
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate } from '../../../widget/i18n/text.ts';
import { toFoundedAgo } from '../../../widget/steps/founded-ago.ts';

const now = new Date('2026-11-20T15:00:00.000Z');

describe('how long ago the business was founded', () => {
  it.each([
    ['March', '2017', '9 years and 8 months in business'],
    ['11', '2025', '1 year in business'],
    ['10', '2026', '1 month in business'],
    ['11', '2026', 'Started this month'],
    ['12', '2026', ''],
    ['3', '217', ''],
    ['13', '2017', ''],
    ['', '2017', ''],
    ['March', '', ''],
  ])('is said for %j %j as “%s”', (month, year, sentence) => {
    expect(toSentence('en', month, year)).toBe(sentence);
  });

  it('is said in Spanish', () => {
    expect(toSentence('es', 'marzo', '2017')).toBe('9 años y 8 meses de actividad');
  });
});

function toSentence(locale: 'en' | 'es', month: string, year: string): string {
  const given: Readonly<Record<string, string>> = {
    'business/foundedMonth': month,
    'business/foundedYear': year,
  };
  return toFoundedAgo(
    {
      t: createTranslate(locale === 'es' ? es : en),
      format: createFormat(`${locale}-US`),
      fields: {
        t: createTranslate(en),
        valueOf: (path) => given[path] ?? '',
        errorOf: () => undefined,
        isOptional: () => false,
      },
    },
    now,
  );
}
