// The offers in the response of Get Pre-Approval Offer (spec, "Pre-approval data" and operation 3).

import * as z from 'zod/mini';

/** The 15 fields of an offer. */
export const preApprovalOfferSchema = z.object({
  OfferId: z.string(),
  Product: z.string(),
  Loan_Amount: z.number(),
  /** Months. */
  Est_Term: z.number(),
  Payment_Frequency: z.string(),
  Est_Payment_Amount: z.number(),
  /** Percent. */
  Monthly_Rate: z.number(),
  APR_Range_Low: z.number(),
  APR_Range_High: z.number(),
  Fee_Range_Low: z.number(),
  Fee_Range_High: z.number(),
  Funding_Disclosures: z.string(),
  /** Principal plus interest. */
  Total_Cost_of_Loan: z.number(),
  Cents_on_the_Dollar: z.number(),
  Total_Interest_Cost: z.number(),
});

export const preApprovalStatuses = ['Qualified', 'Not Qualified'] as const;

export type PreApprovalOffer = z.infer<typeof preApprovalOfferSchema>;
export type PreApprovalStatus = (typeof preApprovalStatuses)[number];
