// What an offer says: its own figures, and in words what is missing or cannot be right.

import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../shared/api/offers.ts';
import { enOffers } from '../../../widget/i18n/en-offers.ts';
import { createFormat } from '../../../widget/i18n/format.ts';
import { createTranslate } from '../../../widget/i18n/text.ts';
import { toFacts, type FactContext } from '../../../widget/steps/offer-facts.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { createOffer } from '../../support/offers.ts';

const context: FactContext = {
  t: createTranslate(enOffers),
  format: createFormat('en-US'),
  configuration: createConfiguration(),
};

function textOf(label: string, changes: Partial<Offer>): string | undefined {
  return toFacts(context, createOffer(changes)).find((fact) => fact.label === label)?.text;
}

describe('the facts of an offer', () => {
  it('begin with the amount and the APR', () => {
    const facts = toFacts(context, createOffer());
    expect(facts.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'Amount: $75,000',
      'Estimated APR range: APR 18.2%–24.9%',
      'Estimated payment: $1,540 every week, about $6,673 a month (our calculation)',
      'Estimated term: 12 months',
      'Fees: $750–$1,500',
      'Total interest: $5,080',
      'Principal plus interest: $80,080',
    ]);
    expect(facts.filter(({ isClear }) => !isClear)).toEqual([]);
  });

  it('name the lender for each missing figure', () => {
    const empty = Object.fromEntries(
      Object.keys(createOffer()).map((name) => [name, null]),
    ) as unknown as Offer;
    const facts = toFacts(context, empty);
    expect(facts.map(({ text, isClear }) => [text, isClear])).toEqual(
      Array.from({ length: 7 }, () => ['Not provided by the lender', false]),
    );
  });

  it('have no monthly rate unless the partner turns it on', () => {
    const offers = { showMonthlyRate: true, showCentsOnTheDollar: true, notQualifiedNotice: '' };
    const configuration = createConfiguration({ offers });
    const labels = toFacts({ ...context, configuration }, createOffer()).map(({ label }) => label);
    expect(labels.slice(-2)).toEqual(['Monthly rate', 'Cost per dollar']);
  });
});

describe('an APR', () => {
  it.each<[string, Partial<Offer>, string]>([
    [
      'has two decimals at both ends when one of them has',
      { aprLow: 33.21, aprHigh: 36.9 },
      'APR 33.21%–36.90%',
    ],
    ['equal at both ends is one figure', { aprHigh: 18.2 }, 'APR 18.2%'],
    [
      'reversed is said to be',
      { aprLow: 24.9, aprHigh: 18.2 },
      '24.9%–18.2% (this range looks reversed; ask the lender)',
    ],
    [
      'without its upper figure',
      { aprHigh: null },
      'From 18.2% (the lender didn’t provide the highest figure)',
    ],
    [
      'without its lower figure',
      { aprLow: null },
      'Up to 24.9% (the lender didn’t provide the lowest figure)',
    ],
    ['of zero is doubted', { aprLow: 0 }, '0%–24.9% (ask the lender about this figure)'],
    ['that is missing', { aprLow: null, aprHigh: null }, 'Not provided by the lender'],
  ])('%s', (_what, changes, text) => {
    expect(textOf('Estimated APR range', changes)).toBe(text);
  });
});

describe('a payment', () => {
  it.each([
    ['Daily', '$1,200 every business day, about $25,200 a month (our calculation)'],
    ['weekly', '$1,200 every week, about $5,200 a month (our calculation)'],
    ['Bi-Weekly', '$1,200 every two weeks, about $2,600 a month (our calculation)'],
    ['Semi-Monthly', '$1,200 twice a month, about $2,400 a month (our calculation)'],
    ['Monthly', '$1,200 every month'],
    ['Each full moon', '$1,200 Each full moon'],
    [null, '$1,200 (the lender didn’t say how often)'],
  ])('%s', (paymentFrequency, text) => {
    expect(textOf('Estimated payment', { paymentAmount: 1200, paymentFrequency })).toBe(text);
  });

  it('of zero refers the applicant to the lender', () => {
    expect(textOf('Estimated payment', { paymentAmount: 0 })).toBe(
      '$0 (ask the lender about this figure)',
    );
  });
});

describe('fees and interest', () => {
  it('can be zero', () => {
    const free = { feeLow: 0, feeHigh: 0, totalInterest: 0 };
    expect(textOf('Fees', free)).toBe('$0');
    expect(textOf('Total interest', free)).toBe('$0');
  });

  it('are not shown as fixed if one end of the range is missing', () => {
    expect(textOf('Fees', { feeHigh: null })).toBe(
      'From $750 (the lender didn’t provide the highest figure)',
    );
  });
});
