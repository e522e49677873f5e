// The disclosures of an offer: a paragraph of the length and kind that lenders write, in the offer's own figures.

import type { PreApprovalOffer } from '../shared/funding-service/pre-approval.ts';

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const paymentWords: Readonly<Record<string, string>> = {
  Daily: 'each business day',
  Weekly: 'each week',
  'Bi-Weekly': 'every two weeks',
  Monthly: 'each month',
};

export function toDisclosures(
  offer: Omit<PreApprovalOffer, 'Funding_Disclosures'>,
  paymentCount: number,
): string {
  const { APR_Range_Low: aprLow, APR_Range_High: aprHigh } = offer;
  const fees = `${dollars.format(offer.Fee_Range_Low)} to ${dollars.format(offer.Fee_Range_High)}`;
  const payments = `${paymentCount} payments of ${dollars.format(offer.Est_Payment_Amount)}`;
  return [
    `Estimated terms for a ${offer.Product}; this is not a commitment to lend, and all terms are subject to verification and final approval.`,
    `The estimated annual percentage rate (APR) is ${aprLow.toFixed(2)}% to ${aprHigh.toFixed(2)}%, calculated from a loan of ${dollars.format(offer.Loan_Amount)}, the payments below and an origination fee of ${fees}, which is deducted from the proceeds at funding.`,
    `You would make ${payments}, ${paymentWords[offer.Payment_Frequency] ?? 'each period'}, by automatic debit over an estimated term of ${offer.Est_Term} months, for a total of ${dollars.format(offer.Total_Cost_of_Loan)}, of which ${dollars.format(offer.Total_Interest_Cost)} is interest.`,
    'If you repay early, interest stops on the day of repayment; the origination fee is not refunded.',
    'A returned payment may cost up to $25.00.',
    'The lender may take a security interest in business assets and ask each owner of 20% or more for a personal guaranty.',
    'Disclosures required by the law of your state, among them those of California, Florida, Georgia, Kansas, Missouri, New York, Utah and Virginia, are given before you sign. This offer was made up by a sandbox.',
  ].join(' ');
}
