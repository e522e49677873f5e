// Reads the offers of a pre-approval tolerantly; nothing is computed, filled in or reordered.

import type { PreApprovalOfferRead } from './funding-service.ts';
import { readNumber, readObject, readText, readWholeText } from './reading.ts';

/** The offers in the service's order; anything that is no list is an empty one, an item that is no object is left out. */
export function toOffers(value: unknown): PreApprovalOfferRead[] {
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value;
  return items.flatMap((item, index) => {
    const offer = readObject(item);
    return offer ? [toOffer(offer, index)] : [];
  });
}

function toOffer(offer: Readonly<Record<string, unknown>>, index: number): PreApprovalOfferRead {
  return {
    // An offer is shown even if the service leaves out its id; its place in the list then names it.
    id: readText(offer['OfferId']) ?? `offer-${index + 1}`,
    product: readText(offer['Product']) ?? null,
    amount: readNumber(offer['Loan_Amount']),
    termMonths: readNumber(offer['Est_Term']),
    paymentFrequency: readText(offer['Payment_Frequency']) ?? null,
    paymentAmount: readNumber(offer['Est_Payment_Amount']),
    monthlyRate: readNumber(offer['Monthly_Rate']),
    aprLow: readNumber(offer['APR_Range_Low']),
    aprHigh: readNumber(offer['APR_Range_High']),
    feeLow: readNumber(offer['Fee_Range_Low']),
    feeHigh: readNumber(offer['Fee_Range_High']),
    disclosures: readWholeText(offer['Funding_Disclosures']) ?? null,
    totalCost: readNumber(offer['Total_Cost_of_Loan']),
    centsOnTheDollar: readNumber(offer['Cents_on_the_Dollar']),
    totalInterest: readNumber(offer['Total_Interest_Cost']),
  };
}
