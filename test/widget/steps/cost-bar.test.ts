// What is drawn of an offer: given figures only, all offers to one scale.

import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../shared/api/offers.ts';
import { toCost, toScale } from '../../../widget/steps/cost-bar.ts';
import { createOffer } from '../../support/offers.ts';

describe('the bar of an offer', () => {
  it('consists of principal, interest, and the upper fee', () => {
    expect(toCost(createOffer())).toEqual({ principal: 75_000, interest: 5080, fees: 1500 });
  });

  it.each<[string, Partial<Offer>]>([
    ['no amount', { amount: null }],
    ['an amount of nothing', { amount: 0 }],
    ['no interest', { totalInterest: null }],
    ['no upper fee', { feeHigh: null }],
    ['fees that run backwards', { feeLow: 2000 }],
  ])('is not drawn with %s', (_what, changes) => {
    expect(toCost(createOffer(changes))).toBe('incomplete');
  });

  it('is not drawn if the figures contradict the total', () => {
    expect(toCost(createOffer({ totalCost: 80_080.9 }))).not.toBe('contradictory');
    expect(toCost(createOffer({ totalCost: 81_000 }))).toBe('contradictory');
  });

  it('fills the width only for the most expensive offer', () => {
    const dear = createOffer({ id: 'b', amount: 90_000, totalInterest: 9000, totalCost: null });
    const unclear = createOffer({ id: 'c', amount: 900_000, feeHigh: null });
    expect(toScale([createOffer(), dear, unclear])).toBe(100_500);
  });
});
