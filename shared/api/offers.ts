// The response of `GET /v1/offers`: the pre-approval decision and its offers.

import * as z from 'zod/mini';

const nullableNumber = z.nullable(z.number());
const nullableString = z.nullable(z.string());

/**
 * One offer with the funding service's own figures: money in USD, rates in percent, term in months. `null` means that the
 * funding service sent no value. The BFF computes none.
 */
export const offerSchema = z.object({
  /** The funding service's id of the offer. */
  id: z.string(),
  /** The kind of funding, for example a term loan. */
  product: nullableString,
  /** The amount. */
  amount: nullableNumber,
  /** The term. */
  termMonths: nullableNumber,
  /** How often the applicant pays, in the funding service's words. */
  paymentFrequency: nullableString,
  /** The amount of each payment. */
  paymentAmount: nullableNumber,
  /** The rate for each month. The form shows it only if the configuration says so. */
  monthlyRate: nullableNumber,
  /** The lower end of the annual percentage rate. */
  aprLow: nullableNumber,
  /** The upper end of the annual percentage rate. */
  aprHigh: nullableNumber,
  /** The lower end of the fees. */
  feeLow: nullableNumber,
  /** The upper end of the fees. */
  feeHigh: nullableNumber,
  /** The disclosures of the lender, which the form shows whole. */
  disclosures: nullableString,
  /** Principal plus interest, without fees (spec, "Offer object"). */
  totalCost: nullableNumber,
  /** The cost for each dollar. The form shows it only if the configuration says so. */
  centsOnTheDollar: nullableNumber,
  /** The interest over the whole term. */
  totalInterest: nullableNumber,
});

/** The decision of the lender, with its offers. */
export const offersSchema = z.object({
  /** The decision. `pending`: qualified, but without offers so far. */
  decision: z.enum(['qualified', 'not-qualified', 'pending']),
  /** In the order of the funding service. */
  offers: z.array(offerSchema),
  /** ISO 8601: the time of the latest request to the funding service. */
  checkedAt: z.string(),
  /** The funding service's page about the application. */
  trackingUrl: z.optional(z.string()),
});

export type Offer = z.infer<typeof offerSchema>;
export type Offers = z.infer<typeof offersSchema>;
