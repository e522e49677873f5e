// The response of `GET /v1/offers`: the pre-approval decision and its offers.

import * as z from 'zod/mini';

const nullableNumber = z.nullable(z.number());
const nullableString = z.nullable(z.string());

/**
 * One offer with the funding service's own figures: money in USD, rates in percent, term in months. `null` means that the
 * funding service sent no value. The BFF computes none.
 */
export const offerSchema = z.object({
  id: z.string(),
  product: nullableString,
  amount: nullableNumber,
  termMonths: nullableNumber,
  paymentFrequency: nullableString,
  paymentAmount: nullableNumber,
  monthlyRate: nullableNumber,
  aprLow: nullableNumber,
  aprHigh: nullableNumber,
  feeLow: nullableNumber,
  feeHigh: nullableNumber,
  disclosures: nullableString,
  /** Principal plus interest, without fees (spec, "Offer object"). */
  totalCost: nullableNumber,
  centsOnTheDollar: nullableNumber,
  totalInterest: nullableNumber,
});

/** `pending`: qualified, but without offers so far. `offers` keeps the order of the funding service. */
export const offersSchema = z.object({
  decision: z.enum(['qualified', 'not-qualified', 'pending']),
  offers: z.array(offerSchema),
  /** ISO 8601: the time of the latest request to the funding service. */
  checkedAt: z.string(),
  trackingUrl: z.optional(z.string()),
});

export type Offer = z.infer<typeof offerSchema>;
export type Offers = z.infer<typeof offersSchema>;
