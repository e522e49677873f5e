// `GET /v1/offers`: the pre-approval decision and its offers.

import * as z from 'zod/mini';

const figure = z.nullable(z.number());
const words = z.nullable(z.string());

/**
 * One offer in the service's own figures: money in USD, rates in percent, term in months. `null` is "the service did not
 * say"; nothing is computed or filled in.
 */
export const offerSchema = z.object({
  id: z.string(),
  product: words,
  amount: figure,
  termMonths: figure,
  paymentFrequency: words,
  paymentAmount: figure,
  monthlyRate: figure,
  aprLow: figure,
  aprHigh: figure,
  feeLow: figure,
  feeHigh: figure,
  disclosures: words,
  /** Principal plus interest; fees are not in it (spec, "Offer object"). */
  totalCost: figure,
  centsOnTheDollar: figure,
  totalInterest: figure,
});

/** `pending`: qualified, but no offer has been made yet. The order of `offers` is the service's own. */
export const offersSchema = z.object({
  decision: z.enum(['qualified', 'not-qualified', 'pending']),
  offers: z.array(offerSchema),
  /** ISO 8601: when the service was last asked. */
  checkedAt: z.string(),
  trackingUrl: z.optional(z.string()),
});

export type Offer = z.infer<typeof offerSchema>;
export type Offers = z.infer<typeof offersSchema>;
