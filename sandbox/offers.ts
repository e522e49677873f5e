// The sandbox's offers: computed from what was asked and earned, with the arithmetic of a real loan.

import type { Lead } from '../shared/funding-service/lead.ts';
import type { PreApprovalOffer } from '../shared/funding-service/pre-approval.ts';
import { toAprPercent, toPayment, type Repayment } from './annuity.ts';
import { toDisclosures } from './disclosures.ts';

export interface OfferTemplate {
  readonly product: string;
  readonly frequency: PaymentFrequency;
  readonly termMonths: number;
  /** Largest amount as a part of what was asked for, and as a part of a year's revenue. */
  readonly shares: readonly [number, number];
  /** Nominal yearly interest for a sound business; a young one pays more. */
  readonly yearlyPercent: number;
  /** Lower and upper fee, percent of the amount. */
  readonly feePercents: readonly [number, number];
}

/** Payments a year; "daily" counts business days. */
export const paymentsPerYear = { Daily: 252, Weekly: 52, 'Bi-Weekly': 26, Monthly: 12 } as const;

export type PaymentFrequency = keyof typeof paymentsPerYear;

const templates: readonly OfferTemplate[] = [
  offer('Term Loan', 'Monthly', 24, [1, 0.4], 15.9, [1.5, 3]),
  offer('Short-Term Loan', 'Weekly', 12, [0.8, 0.25], 26.4, [2, 3.5]),
  offer('Working Capital Loan', 'Daily', 9, [0.6, 0.15], 38.5, [2.5, 4]),
  offer('Equipment Financing', 'Monthly', 48, [1, 0.5], 12.4, [1, 2]),
  offer('Business Line of Credit', 'Weekly', 18, [0.75, 0.2], 21.7, [1, 2.5]),
  offer('Bridge Loan', 'Bi-Weekly', 6, [0.5, 0.2], 31.2, [2, 4]),
  offer('SBA Express Loan', 'Monthly', 84, [1, 0.6], 11.9, [2, 3.75]),
  offer('Seasonal Loan', 'Bi-Weekly', 10, [0.4, 0.18], 29.6, [1.5, 3]),
];

const youngBusinessMonths = 24;
const youngBusinessPercent = 6;
/** Amounts are offered in steps of this, unless less was asked for. */
const amountStep = 500;

/** The first `count` offers for a lead; the same lead always gets the same ones. Money in USD, rates in percent. */
export function toOffers(
  applicationId: string,
  lead: Lead,
  count: number,
): readonly PreApprovalOffer[] {
  return templates
    .slice(0, count)
    .map((template, index) =>
      toOffer(`OFR-${applicationId.slice(3, 15)}-${index + 1}`, template, lead),
    );
}

/** The same offers as a careless service might send them: numeric text, nulls, a field left out. */
export function toUntidyOffers(
  offers: readonly PreApprovalOffer[],
): readonly Record<string, unknown>[] {
  return offers.map((tidy, index) => {
    const { Fee_Range_High: _left, ...rest } = tidy;
    const asText = { ...rest, Loan_Amount: String(tidy.Loan_Amount), Monthly_Rate: null };
    return index % 2 === 0
      ? { ...asText, Est_Payment_Amount: tidy.Est_Payment_Amount.toFixed(2), Product: null }
      : { ...asText, APR_Range_Low: null, APR_Range_High: `${tidy.APR_Range_High}`, Est_Term: '' };
  });
}

function toOffer(offerId: string, template: OfferTemplate, lead: Lead): PreApprovalOffer {
  const amount = toAmount(template, lead);
  const yearlyPercent = toYearlyPercent(template, lead);
  const perYear = paymentsPerYear[template.frequency];
  const count = Math.round((template.termMonths / 12) * perYear);
  const payment = toPayment(amount, yearlyPercent / 100 / perYear, count);
  const repayment: Repayment = { payment, count, perYear };
  const totalCost = toCents(payment * count);
  const interest = toCents(totalCost - amount);
  const [feeLow, feeHigh] = template.feePercents.map((percent) =>
    Math.max(1, Math.round((amount * percent) / 100)),
  ) as [number, number]; // A pair maps to a pair.
  const figures = {
    OfferId: offerId,
    Product: template.product,
    Loan_Amount: amount,
    Est_Term: template.termMonths,
    Payment_Frequency: template.frequency,
    Est_Payment_Amount: payment,
    Monthly_Rate: toCents(yearlyPercent / 12),
    APR_Range_Low: toAprPercent(amount - feeLow, repayment),
    APR_Range_High: toAprPercent(amount - feeHigh, repayment),
    Fee_Range_Low: feeLow,
    Fee_Range_High: feeHigh,
    Total_Cost_of_Loan: totalCost,
    Cents_on_the_Dollar: toCents(interest / amount),
    Total_Interest_Cost: interest,
  };
  return { ...figures, Funding_Disclosures: toDisclosures(figures, count) };
}

function toAmount({ shares: [ofAsked, ofRevenue] }: OfferTemplate, lead: Lead): number {
  const bound = Math.min(lead.LoanAmount * ofAsked, lead.AnnualRevenue * ofRevenue);
  const amount = Math.floor(bound / amountStep) * amountStep;
  return Math.min(lead.LoanAmount, Math.max(amountStep, amount));
}

function toYearlyPercent(template: OfferTemplate, { TimeInBusinessMonths: months }: Lead): number {
  return template.yearlyPercent + (months < youngBusinessMonths ? youngBusinessPercent : 0);
}

function toCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function offer(
  product: string,
  frequency: PaymentFrequency,
  termMonths: number,
  shares: readonly [number, number],
  yearlyPercent: number,
  feePercents: readonly [number, number],
): OfferTemplate {
  return { product, frequency, termMonths, shares, yearlyPercent, feePercents };
}
