// Offers of the BFF, complete and consistent unless a test changes them.

import type { Offer, Offers } from '../../shared/api/offers.ts';
import { ok } from './fake-funding-api.ts';

export function createOffer(changes: Partial<Offer> = {}): Offer {
  return {
    id: 'offer-1',
    product: 'Term loan',
    amount: 75_000,
    termMonths: 12,
    paymentFrequency: 'Weekly',
    paymentAmount: 1540,
    monthlyRate: 1.6,
    aprLow: 18.2,
    aprHigh: 24.9,
    feeLow: 750,
    feeHigh: 1500,
    disclosures: 'First line.\nSecond line, whole.',
    totalCost: 80_080,
    centsOnTheDollar: 1.07,
    totalInterest: 5080,
    ...changes,
  };
}

/** The decision of a lender. */
export function createDecision(offers: readonly Offer[], changes: Partial<Offers> = {}): Offers {
  return {
    decision: offers.length > 0 ? 'qualified' : 'not-qualified',
    offers: [...offers],
    checkedAt: '2026-11-20T15:02:00.000Z',
    ...changes,
  };
}

/** The response of a lender that has decided. */
export function decided(offers: readonly Offer[], changes: Partial<Offers> = {}) {
  return ok(createDecision(offers, changes));
}
