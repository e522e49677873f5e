// The figures of an offer, with message keys in place of messages, its cost, and the order of the offers.

import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../shared/api/offers.ts';
import type { OffersState } from '../../../widget/app/store.ts';
import { toCost, toFacts, toOrdered, toScale } from '../../../widget/offers/offer-facts.ts';
import { createConfiguration } from '../../support/configuration.ts';
import type { MessageKey, MessageValues } from '../../../widget/i18n/messages.ts';
import { createAcceptedState, createStepContext } from '../../support/create-feature.ts';
import { createOffer } from '../../support/offers.ts';

/** Returns `key` or `key(values)`, without the prefix of the offers. */
const context = createStepContext(createAcceptedState(), {
  t: Object.assign(
    (key: MessageKey, values: MessageValues = {}) => {
      const name = key.replace('offers.', '');
      const valueTexts = Object.values(values).join(', ');
      return valueTexts === '' ? name : `${name}(${valueTexts})`;
    },
    { has: (key: string): key is MessageKey => key !== '' },
  ),
});
const { percent, percentExactly } = context.format;

function findText(label: string, changes: Partial<Offer>): string | undefined {
  return toFacts(context, createOffer(changes)).find((fact) => fact.label === label)?.text;
}

describe('the facts of an offer', () => {
  const facts = toFacts(context, createOffer());

  it('begin with the amount and the APR', () => {
    expect(facts.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'amount: $75,000',
      `apr: APR ${percent(18.2)}–${percent(24.9)}`,
      'payment: $1,540 frequency.weekly, payment.monthly($6,673)',
      'term: months.many(12)',
      'fees: $750–$1,500',
      'interest: $5,080',
      'total: $80,080',
    ]);
  });

  it('are clear when the lender has sent every figure', () => {
    expect(facts.every(({ isClear }) => isClear)).toBe(true);
  });

  it('say what is missing, with the same labels, for an empty offer', () => {
    const names = Object.keys(createOffer());
    const empty = Object.fromEntries(names.map((name) => [name, null])) as unknown as Offer;
    expect(toFacts(context, empty)).toMatchObject(
      facts.map(({ label }) => ({ label, text: 'missing', isClear: false })),
    );
  });

  it('include the monthly rate only if the partner turns it on', () => {
    const offers = { showMonthlyRate: true, showCentsOnTheDollar: false, notQualifiedNotice: '' };
    const configuration = createConfiguration({ offers });
    const [last] = toFacts({ ...context, configuration }, createOffer()).slice(-1);
    expect(last).toMatchObject({ label: 'monthly-rate', text: percent(1.6) });
  });

  it('include the cost per dollar only if the partner turns it on', () => {
    const offers = { showMonthlyRate: false, showCentsOnTheDollar: true, notQualifiedNotice: '' };
    const configuration = createConfiguration({ offers });
    const [last] = toFacts({ ...context, configuration }, createOffer()).slice(-1);
    expect(last).toMatchObject({ label: 'cents', text: '1.07' });
  });
});

describe('an APR', () => {
  it.each<[string, Partial<Offer>, string]>([
    [
      'has two decimals at both ends if one end has two',
      { aprLow: 33.21, aprHigh: 36.9 },
      `APR ${percentExactly(33.21)}–${percentExactly(36.9)}`,
    ],
    ['with equal ends is one figure', { aprHigh: 18.2 }, `APR ${percent(18.2)}`],
    [
      'is shown as reversed',
      { aprLow: 24.9, aprHigh: 18.2 },
      `reversed(${percent(24.9)}–${percent(18.2)})`,
    ],
    ['lacks its upper figure', { aprHigh: null }, `from(${percent(18.2)})`],
    ['lacks its lower figure', { aprLow: null }, `up-to(${percent(24.9)})`],
    ['of zero is unclear', { aprLow: 0 }, `unclear(${percent(0)}–${percent(24.9)})`],
    ['is missing', { aprLow: null, aprHigh: null }, 'missing'],
  ])('%s', (_name, changes, text) => {
    expect(findText('apr', changes)).toBe(text);
  });
});

describe('a payment with the frequency', () => {
  it.each([
    ['Daily', '$1,200 frequency.daily, payment.monthly($25,200)'],
    ['weekly', '$1,200 frequency.weekly, payment.monthly($5,200)'],
    ['Bi-Weekly', '$1,200 frequency.biweekly, payment.monthly($2,600)'],
    ['Semi-Monthly', '$1,200 frequency.semimonthly, payment.monthly($2,400)'],
    ['Monthly', '$1,200 frequency.monthly'],
    ['Each full moon', '$1,200 Each full moon'],
    [null, '$1,200 frequency.missing'],
  ])('%s', (paymentFrequency, text) => {
    expect(findText('payment', { paymentAmount: 1200, paymentFrequency })).toBe(text);
  });
});

describe('a figure of zero', () => {
  it('is unclear as a payment', () => {
    expect(findText('payment', { paymentAmount: 0 })).toBe('unclear($0)');
  });

  it('is valid as fees', () => {
    expect(findText('fees', { feeLow: 0, feeHigh: 0 })).toBe('$0');
  });

  it('is valid as interest', () => {
    expect(findText('interest', { totalInterest: 0 })).toBe('$0');
  });
});

describe('fees', () => {
  it('are not shown as fixed if one end is missing', () => {
    expect(findText('fees', { feeHigh: null })).toBe('from($750)');
  });
});

describe('the order of the offers', () => {
  const offers = [
    createOffer({ id: 'a', aprHigh: 30, totalCost: null, paymentAmount: 900 }),
    createOffer({ id: 'b', aprLow: 40, aprHigh: 10, totalCost: 50, paymentFrequency: 'Sometimes' }),
    createOffer({
      id: 'c',
      aprHigh: 20,
      totalCost: 60,
      paymentAmount: 3000,
      paymentFrequency: 'Monthly',
    }),
    createOffer({ id: 'd', aprLow: 0, aprHigh: 1, totalCost: 50, paymentAmount: 0 }),
    createOffer({ id: 'e', aprHigh: 30, totalCost: 0, paymentAmount: 600 }),
  ];

  it.each<[OffersState['order'], string, number]>([
    ['arrival', 'abcde', 0],
    ['apr', 'caebd', 2],
    ['total', 'bdcae', 2],
    ['payment', 'ecabd', 2],
  ])('by %s puts offers without a clear figure last', (order, ids, unclear) => {
    const ordered = toOrdered(offers, order);
    expect(ordered.placed.map(({ offer }) => offer.id).join('')).toBe(ids);
    expect(ordered.unclear).toBe(unclear);
  });

  it('does not change the number of an offer', () => {
    expect(toOrdered(offers, 'apr').placed.map(({ number }) => number)).toEqual([3, 1, 5, 2, 4]);
  });

  it('distinguishes two offers with the same id', () => {
    const [first, second] = toOrdered([createOffer(), createOffer()], 'arrival').placed;
    expect(first?.key).not.toBe(second?.key);
  });
});

describe('the cost of an offer', () => {
  it('consists of principal, interest, and the upper fee', () => {
    expect(toCost(createOffer())).toEqual({ principal: 75_000, interest: 5080, fees: 1500 });
  });

  it.each<[string, Partial<Offer>]>([
    ['no amount', { amount: null }],
    ['an amount of zero', { amount: 0 }],
    ['no interest', { totalInterest: null }],
    ['no upper fee', { feeHigh: null }],
    ['reversed fees', { feeLow: 2000 }],
  ])('is incomplete with %s', (_name, changes) => {
    expect(toCost(createOffer(changes))).toBe('incomplete');
  });

  it('may differ from the total by rounding', () => {
    expect(toCost(createOffer({ totalCost: 80_080.9 }))).not.toBe('contradictory');
  });

  it('is contradictory if it differs more from the total', () => {
    expect(toCost(createOffer({ totalCost: 81_000 }))).toBe('contradictory');
  });
});

describe('the scale of the bars', () => {
  it('is the highest known cost', () => {
    const expensive = createOffer({
      id: 'b',
      amount: 90_000,
      totalInterest: 9000,
      totalCost: null,
    });
    const unclear = createOffer({ id: 'c', amount: 900_000, feeHigh: null });
    expect(toScale([createOffer(), expensive, unclear])).toBe(100_500);
  });
});
