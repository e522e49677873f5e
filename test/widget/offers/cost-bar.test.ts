// The cost bar shows figures of the lender only, on one scale for all offers.

import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../shared/api/offers.ts';
import { toCost, toScale } from '../../../widget/offers/cost-bar.ts';
import { createOffer } from '../../support/offers.ts';

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
