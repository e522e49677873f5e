// Sorting offers: by what the applicant asks for, stable, and never with a missing figure first.

import { describe, expect, it } from 'vitest';
import { toOrdered, type Order } from '../../../widget/steps/offer-order.ts';
import { createOffer } from '../../support/offers.ts';

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

function idsBy(order: Order): string[] {
  return toOrdered(offers, order).placed.map(({ offer }) => offer.id);
}

describe('the order of the offers', () => {
  it('is the order of the response by default', () => {
    expect(idsBy('arrival')).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it.each<[Order, string[], number]>([
    ['apr', ['c', 'a', 'e', 'b', 'd'], 2],
    ['total', ['b', 'd', 'c', 'a', 'e'], 2],
    ['payment', ['e', 'c', 'a', 'b', 'd'], 2],
  ])(
    'by %s puts what has no clear figure last, in the order in which they came',
    (order, ids, lacking) => {
      expect(idsBy(order)).toEqual(ids);
      expect(toOrdered(offers, order).lacking).toBe(lacking);
    },
  );

  it('does not change the numbers of the offers', () => {
    expect(toOrdered(offers, 'apr').placed.map(({ number }) => number)).toEqual([3, 1, 5, 2, 4]);
  });

  it('distinguishes two offers with the same id', () => {
    const twins = toOrdered([createOffer(), createOffer()], 'arrival').placed;
    expect(new Set(twins.map(({ key }) => key)).size).toBe(2);
  });
});
