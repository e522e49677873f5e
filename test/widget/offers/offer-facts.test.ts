// The figures of an offer, with message keys in place of messages, its cost, and the order of the offers.

import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../shared/api/offers.ts';
import type { OffersState } from '../../../widget/app/store.ts';
import {
  toCostPerDollar,
  toFacts,
  toOrdered,
  toScale,
} from '../../../widget/offers/offer-facts.ts';
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
const wrongTotal = { totalCost: 81_000 };

function findText(label: string, changes: Partial<Offer>): string | undefined {
  return listFacts(createOffer(changes)).find((fact) => fact.label === label)?.text;
}

function listFacts(offer: Offer) {
  const { headline, main, details } = toFacts(context, offer);
  return [...headline, ...main, ...details];
}

describe('the facts of an offer', () => {
  const facts = toFacts(context, createOffer());
  const toLines = (list: typeof facts.main) => list.map(({ label, text }) => `${label}: ${text}`);

  const apr = `apr: APR ${percent(18.2)}–${percent(24.9)}`;
  const payment = 'payment: $1,540 frequency.weekly, payment.monthly($6,673)';

  it.each([
    ['headline', ['amount: $75,000', apr, 'cost: $5,830–$6,580']],
    ['main', [payment, 'term: months.many(12)', 'repayment: $80,830–$81,580']],
    ['details', ['interest: $5,080', 'fees: $750–$1,500', 'total: $80,080']],
  ] as const)('are clear as %s when the lender has sent every figure', (part, lines) => {
    expect(toLines(facts[part])).toEqual(lines);
    expect(facts[part].every(({ isClear }) => isClear)).toBe(true);
  });

  it('say what is missing, with the same labels, for an empty offer', () => {
    const names = Object.keys(createOffer());
    const empty = Object.fromEntries(names.map((name) => [name, null])) as unknown as Offer;
    expect(listFacts(empty)).toMatchObject(
      listFacts(createOffer()).map(({ label }) => ({ label, text: 'missing', isClear: false })),
    );
  });

  it.each([
    ['showMonthlyRate', 'monthly-rate', percent(1.6)],
    ['showCentsOnTheDollar', 'cents', '1.07'],
  ])('include with %s only the figure %s', (setting, label, text) => {
    const none = { showMonthlyRate: false, showCentsOnTheDollar: false, notQualifiedNotice: '' };
    const configuration = createConfiguration({ offers: { ...none, [setting]: true } });
    const { details } = toFacts({ ...context, configuration }, createOffer());
    expect(details.slice(facts.details.length)).toMatchObject([{ label, text }]);
  });
});

describe('the cost of borrowing', () => {
  it.each<[string, Partial<Offer>, string]>([
    ['is one figure if the fees are one', { feeHigh: 750 }, '$5,830'],
    [
      'of a free loan is zero',
      { totalInterest: 0, feeLow: 0, feeHigh: 0, totalCost: 75_000 },
      '$0',
    ],
    ['lacks its upper figure without the upper fee', { feeHigh: null }, 'from($5,830)'],
    ['lacks its lower figure without the lower fee', { feeLow: null }, 'up-to($6,580)'],
    ['is missing without the interest', { totalInterest: null }, 'missing'],
    ['is reversed with reversed fees', { feeLow: 2000 }, 'reversed($7,080–$6,580)'],
    ['may differ from the total by rounding', { totalCost: 80_080.9 }, '$5,830–$6,580'],
    ['is unclear if the total contradicts it', { totalCost: 81_000 }, 'unclear($5,830–$6,580)'],
  ])('%s', (_name, changes, text) => {
    expect(findText('cost', changes)).toBe(text);
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

it.each<[string, string, Partial<Offer>, string]>([
  ['a payment of zero is unclear', 'payment', { paymentAmount: 0 }, 'unclear($0)'],
  ['fees of zero are valid', 'fees', { feeLow: 0, feeHigh: 0 }, '$0'],
  ['interest of zero is valid', 'interest', { totalInterest: 0 }, '$0'],
  ['fees are not fixed if one end is missing', 'fees', { feeHigh: null }, 'from($750)'],
  [
    'the repayment has the cost',
    'repayment',
    { amount: 1e4, totalCost: 15_080 },
    '$15,830–$16,580',
  ],
  ['an unclear cost is an unclear repayment', 'repayment', wrongTotal, 'unclear($80,830–$81,580)'],
])('%s', (_name, label, changes, text) => {
  expect(findText(label, changes)).toBe(text);
});

describe('the order of the offers', () => {
  const reversed = { aprLow: 40, aprHigh: 10, totalCost: null };
  const monthly = { paymentAmount: 3000, paymentFrequency: 'Monthly' };
  const free = { aprLow: 0, aprHigh: 1, totalCost: null };
  const offers = [
    createOffer({ id: 'a', aprHigh: 30, totalInterest: null, paymentAmount: 900 }),
    createOffer({ ...reversed, id: 'b', totalInterest: 9000, paymentFrequency: 'Sometimes' }),
    createOffer({ ...monthly, id: 'c', aprHigh: 20, totalInterest: 3000, totalCost: null }),
    createOffer({ ...free, id: 'd', totalInterest: 6000, paymentAmount: 0 }),
    createOffer({ id: 'e', aprHigh: 30, amount: 0, paymentAmount: 600 }),
  ];

  it.each<[OffersState['order'], string, number]>([
    ['arrival', 'abcde', 0],
    ['apr', 'caebd', 2],
    ['cost', 'cdbae', 2],
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

describe('the cost per dollar', () => {
  it('is the cost of borrowing divided by the amount', () => {
    expect(toCostPerDollar(createOffer({ amount: 10_000, totalCost: null }))).toEqual({
      low: 0.583,
      high: 0.658,
    });
  });

  it.each<[string, Partial<Offer>]>([
    ['no amount', { amount: null }],
    ['an amount of zero', { amount: 0 }],
    ['no interest', { totalInterest: null }],
    ['negative interest', { totalInterest: -5080, totalCost: null }],
    ['no upper fee', { feeHigh: null }],
    ['no lower fee', { feeLow: null }],
    ['a negative fee', { feeLow: -1 }],
    ['reversed fees', { feeLow: 2000 }],
    ['another total', { totalCost: 81_000 }],
  ])('is unknown with %s', (_name, changes) => {
    expect(toCostPerDollar(createOffer(changes))).toBe(undefined);
  });
});

describe('the scale of the bars', () => {
  const small = { amount: 10_000, totalInterest: 2000, feeHigh: 1000, totalCost: null };

  it.each<[string, Partial<Offer>[], number]>([
    ['the highest known cost per dollar', [{}, small, { amount: 100, feeHigh: null }], 0.3],
    ['zero for a single known cost, which needs no bar', [{}, { amount: null }], 0],
    ['zero if no cost is known', [{ amount: null }], 0],
  ])('is %s', (_what, offers, scale) => {
    expect(toScale(offers.map(createOffer))).toBe(scale);
  });
});
