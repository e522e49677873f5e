// Tests for the age of the business, which is shown below its founding date.

import { describe, expect, it } from 'vitest';
import type { FieldContext } from '../../../widget/fields/field.ts';
import { toAgeOfBusiness } from '../../../widget/form/business.ts';
import enForm from '../../../widget/i18n/en-form.json' with { type: 'json' };
import es from '../../../widget/i18n/es.json' with { type: 'json' };
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate } from '../../../widget/i18n/messages.ts';

const now = new Date('2026-11-20T15:00:00.000Z');

function toText(locale: 'en' | 'es', month: string, year: string): string {
  const answers = new Map([
    ['business/foundedMonth', month],
    ['business/foundedYear', year],
  ]);
  const valueOf = (path: string) => answers.get(path) ?? '';
  const t = createTranslate(locale === 'es' ? es : enForm);
  // Only the answers count.
  const fields = { valueOf } as FieldContext;
  return toAgeOfBusiness({ t, format: createFormat(`${locale}-US`), fields }, now);
}

describe('toAgeOfBusiness', () => {
  it.each([
    ['March', '2017', '9 years and 8 months in business'],
    ['11', '2025', '1 year in business'],
    ['10', '2026', '1 month in business'],
    ['11', '2026', 'Started this month'],
  ])('says for %s %s: %s', (month, year, text) => {
    expect(toText('en', month, year)).toBe(text);
  });

  it.each([
    ['in the future', '12', '2026'],
    ['before 1800', '3', '217'],
    ['in a month that does not exist', '13', '2017'],
    ['without a month', '', '2017'],
    ['without a year', 'March', ''],
  ])('is empty for a date %s', (_which, month, year) => {
    expect(toText('en', month, year)).toBe('');
  });

  it('speaks Spanish', () => {
    expect(toText('es', 'marzo', '2017')).toBe('9 años y 8 meses de actividad');
  });
});
