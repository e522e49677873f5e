// The answers as they are shown once more before they are sent, in both languages.

import { describe, expect, it } from 'vitest';
import { requirableFields } from '../../../shared/application/application.ts';
import { createIndustryOptions } from '../../../widget/fields/industry-options.ts';
import { industryWordsEs } from '../../../widget/fields/industry-words-es.ts';
import { createStepValidation } from '../../../widget/flow/validation.ts';
import { en } from '../../../widget/i18n/en.ts';
import { es } from '../../../widget/i18n/es.ts';
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate } from '../../../widget/i18n/text.ts';
import { toReviewGroups } from '../../../widget/steps/review-answers.ts';
import type { FurtherContext, StepContext } from '../../../widget/steps/step-context.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { completeDraft } from '../../support/draft.ts';

describe('the answers on the review', () => {
  it('have a row for everything that can be wrong with them', () => {
    const configuration = createConfiguration({ requiredFields: [...requirableFields] });
    const validate = createStepValidation(configuration, () => new Date('2026-11-20T12:00:00Z'));
    const unmatched = toGroups('en', {}).flatMap(({ step, answers }) =>
      validate(step, {}).filter(
        (error) => !answers.some(({ path }) => error.path.startsWith(path)),
      ),
    );
    expect(unmatched).toEqual([]);
  });

  it('are written as people read them', () => {
    expect(toValues('en', { 'business/foundedDay': '15' })).toMatchObject({
      'Amount you need': '$75,000',
      'What will you use it for?': 'Equipment',
      'Type of business': 'Limited liability company (LLC)',
      Industry: 'Food & Beverage',
      'Employer Identification Number (EIN)': 'ends in 6789',
      'Business address': '100 Main St, Austin, Texas 78701-1234',
      'Annual revenue': '$480,000',
      Founded: 'March 15, 2017',
      'Number of employees': '6',
      'Phone number': '(512) 555-0134',
      'Home address': '100 Main St, Austin, Texas 78701-1234',
      'Date of birth': 'April 27, 1985',
      'Social Security number (SSN)': 'ends in 9999',
      'Your share of the business': '100\u00a0%',
      'Other owners or managers': 'No',
    });
  });

  it('are written in Spanish where the form is', () => {
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

  it('show a founding date without its day as month and year', () => {
    expect(toValues('en')['Founded']).toBe('March 2017');
  });

  it('are empty where nothing was given, and as typed where they are wrong', () => {
    const values = toValues('en', {
      'owner/birthDate/month': '',
      'owner/birthDate/day': '',
      'owner/birthDate/year': '',
      'owner/ssn': '',
      'owner/phone': '555-0134',
      'business/foundedMonth': 'Mach',
    });
    expect(values['Date of birth']).toBe('');
    expect(values['Social Security number (SSN)']).toBe('');
    expect(values['Phone number']).toBe('555-0134');
    expect(values['Founded']).toBe('Mach 2017');
  });
});

/** What stands beside each label. */
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
  const draft: Readonly<Record<string, string>> = { ...completeDraft, ...changes };
  const t = createTranslate(locale === 'es' ? es : en);
  const industries = createIndustryOptions(locale, { es: industryWordsEs });
  const context: Pick<StepContext, 't' | 'format' | 'locale' | 'configuration'> = {
    t,
    format: createFormat(`${locale}-US`),
    locale,
    configuration: createConfiguration(),
  };
  return toReviewGroups({
    ...context,
    fields: { valueOf: (path: string) => draft[path] ?? '' },
    pickers: { toIndustryLabel: industries.toLabel },
    // No more than these is looked at for the answers.
  } as unknown as FurtherContext);
}
