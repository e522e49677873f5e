// Tests for the answers formatted for reading, in both languages.

import { english, spanish } from '../../support/messages.ts';
import { describe, expect, it } from 'vitest';
import { requirableFields } from '../../../shared/application/lists.ts';
import { createForm } from '../../../widget/app/navigation.ts';
import { toAnswerGroups } from '../../../widget/app/answers.ts';
import { createIndustryOptions } from '../../../widget/fields/pickers.ts';
import { industryWordsEs } from '../../../widget/fields/industry-words-es.ts';
import { createValidation } from '../../../widget/form/validation.ts';
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate } from '../../../widget/i18n/messages.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';

describe('toAnswerGroups', () => {
  it('contains an answer for every possible error', () => {
    const configuration = createConfiguration({ requiredFields: [...requirableFields] });
    const validate = createValidation(() => new Date('2026-11-20T12:00:00Z'));
    const form = createForm(configuration);
    const unmatched = toGroups('en', {}).flatMap(({ step, answers }) =>
      validate(form, step).filter(
        (error) => !answers.some(({ path }) => error.path.startsWith(path)),
      ),
    );
    expect(unmatched).toEqual([]);
  });

  it('formats answers for reading', () => {
    expect(toValues('en', { 'business/foundedDay': '15' })).toMatchObject({
      'Amount you need': '$75,000',
      'What will you use it for?': 'Equipment',
      'Type of business': 'Limited liability company (LLC)',
      Industry: 'Food & Beverage',
      'Employer Identification Number (EIN)': 'Ending in 6789',
      'Business address': '100 Main St, Austin, Texas 78701-1234',
      'Annual revenue': '$480,000',
      'Start date': 'March 15, 2017',
      'Number of employees': '6',
      'Phone number': '(512) 555-0134',
      'Home address': '100 Main St, Austin, Texas 78701-1234',
      'Date of birth': 'April 27, 1985',
      'Social Security number (SSN)': 'Ending in 9999',
      'Your ownership percentage': createFormat('en-US').percent(100),
      'Other owners or managers': 'No',
    });
  });

  it('formats answers in Spanish', () => {
    expect(Object.values(toValues('es'))).toEqual(
      expect.arrayContaining([
        '$75,000',
        'Alimentos y bebidas',
        'marzo de 2017',
        '27 de abril de 1985',
        'No',
      ]),
    );
  });

  it('shows a founding date without a day as month and year', () => {
    expect(toValues('en')['Start date']).toBe('March 2017');
  });

  it('returns an empty value for an answer that was not provided', () => {
    const values = toValues('en', {
      'owner/birthDate/month': '',
      'owner/birthDate/day': '',
      'owner/birthDate/year': '',
      'owner/ssn': '',
    });
    expect(values).toMatchObject({ 'Date of birth': '', 'Social Security number (SSN)': '' });
  });

  it('leaves invalid answers as typed', () => {
    const values = toValues('en', {
      'fundingNeed/amount': '25.000',
      'owner/phone': '555-0134',
      'business/foundedMonth': 'Mach',
    });
    expect(values).toMatchObject({
      'Amount you need': '25.000',
      'Phone number': '555-0134',
      'Start date': 'Mach 2017',
    });
  });
});

/** The value of each answer, by label. */
function toValues(
  locale: 'en' | 'es',
  changes: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    toGroups(locale, changes).flatMap(({ answers }) =>
      answers.map(({ label, value }) => [label, value]),
    ),
  );
}

function toGroups(locale: 'en' | 'es', changes: Readonly<Record<string, string>>) {
  const industryOptions = createIndustryOptions(locale, { es: industryWordsEs });
  return toAnswerGroups(
    {
      t: createTranslate(locale === 'es' ? spanish : english),
      format: createFormat(`${locale}-US`),
      configuration: createConfiguration(),
      toIndustryLabel: (value) => industryOptions.toLabel(value),
    },
    { ...completeDraft, ...changes },
  );
}
