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

  it('begin with the amount, the APR, and the cost of borrowing', () => {
    expect(toLines(facts.headline)).toEqual([
      'amount: $75,000',
      `apr: APR ${percent(18.2)}–${percent(24.9)}`,
      'cost: $5,830–$6,580',
    ]);
  });

  it('continue with what the applicant repays', () => {
    expect(toLines(facts.main)).toEqual([
      'payment: $1,540 frequency.weekly, payment.monthly($6,673)',
      'term: months.many(12)',
      'repayment: $80,830–$81,580',
    ]);
  });

  it('have the figures of the lender as details', () => {
    expect(toLines(facts.details)).toEqual([
      'interest: $5,080',
      'fees: $750–$1,500',
      'total: $80,080',
    ]);
  });

  it('are clear when the lender has sent every figure', () => {
    expect(listFacts(createOffer()).every(({ isClear }) => isClear)).toBe(true);
  });

  it('say what is missing, with the same labels, for an empty offer', () => {
    const names = Object.keys(createOffer());
    const empty = Object.fromEntries(names.map((name) => [name, null])) as unknown as Offer;
    expect(listFacts(empty)).toMatchObject(
      listFacts(createOffer()).map(({ label }) => ({ label, text: 'missing', isClear: false })),
    );
  });

  it('include the monthly rate only if the partner turns it on', () => {
    const offers = { showMonthlyRate: true, showCentsOnTheDollar: false, notQualifiedNotice: '' };
    const configuration = createConfiguration({ offers });
    const { details } = toFacts({ ...context, configuration }, createOffer());
    expect(details.at(-1)).toMatchObject({ label: 'monthly-rate', text: percent(1.6) });
  });

  it('include the cost per dollar only if the partner turns it on', () => {
    const offers = { showMonthlyRate: false, showCentsOnTheDollar: true, notQualifiedNotice: '' };
    const configuration = createConfiguration({ offers });
    const { details } = toFacts({ ...context, configuration }, createOffer());
    expect(details.at(-1)).toMatchObject({ label: 'cents', text: '1.07' });
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

  it('is part of the repayment', () => {
    expect(findText('repayment', { amount: 10_000, totalCost: 15_080 })).toBe('$15,830–$16,580');
  });

  it('makes the repayment unclear too', () => {
    expect(findText('repayment', { totalCost: 81_000 })).toBe('unclear($80,830–$81,580)');
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
  const unknownTotal = { totalCost: null };
  const offers = [
    createOffer({ id: 'a', aprHigh: 30, totalInterest: null, paymentAmount: 900 }),
    createOffer({
      id: 'b',
      aprLow: 40,
      aprHigh: 10,
      totalInterest: 9000,
      paymentFrequency: 'Sometimes',
      ...unknownTotal,
    }),
    createOffer({
      id: 'c',
      aprHigh: 20,
      totalInterest: 3000,
      paymentAmount: 3000,
      paymentFrequency: 'Monthly',
      ...unknownTotal,
    }),
    createOffer({
      id: 'd',
      aprLow: 0,
      aprHigh: 1,
      totalInterest: 6000,
      paymentAmount: 0,
      ...unknownTotal,
    }),
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
  it('is the highest known cost per dollar', () => {
    const small = createOffer({
      amount: 10_000,
      totalInterest: 2000,
      feeHigh: 1000,
      totalCost: null,
    });
    const unclear = createOffer({ amount: 100, feeHigh: null });
    expect(toScale([createOffer(), small, unclear])).toBe(0.3);
  });

  it('is zero for a single known cost, which needs no bar', () => {
    expect(toScale([createOffer(), createOffer({ amount: null })])).toBe(0);
  });

  it('is zero if no cost is known', () => {
    expect(toScale([createOffer({ amount: null })])).toBe(0);
  });
});
