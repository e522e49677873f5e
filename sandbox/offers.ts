// Creates offers from a lead's requested amount and revenue. Payments and APR are computed as for a real loan.

import type { Lead } from '../shared/funding-service/lead.ts';
import type { PreApprovalOffer } from '../shared/funding-service/pre-approval.ts';

interface OfferTemplate {
  readonly product: string;
  readonly frequency: PaymentFrequency;
  readonly termMonths: number;
  /** Maximum amount as a share of the requested amount, and as a share of annual revenue. */
  readonly maxShares: readonly [number, number];
  /** Nominal annual interest rate. Young businesses pay more. */
  readonly annualPercent: number;
  /** Lower and upper fee, in percent of the amount. */
  readonly feePercents: readonly [number, number];
}

/** `Daily` means each business day. */
const paymentsPerYear = { Daily: 252, Weekly: 52, 'Bi-Weekly': 26, Monthly: 12 } as const;

type PaymentFrequency = keyof typeof paymentsPerYear;

const templates: readonly OfferTemplate[] = [
  defineTemplate('Term Loan', 'Monthly', 24, [1, 0.4], 15.9, [1.5, 3]),
  defineTemplate('Short-Term Loan', 'Weekly', 12, [0.8, 0.25], 26.4, [2, 3.5]),
  defineTemplate('Working Capital Loan', 'Daily', 9, [0.6, 0.15], 38.5, [2.5, 4]),
  defineTemplate('Equipment Financing', 'Monthly', 48, [1, 0.5], 12.4, [1, 2]),
  defineTemplate('Business Line of Credit', 'Weekly', 18, [0.75, 0.2], 21.7, [1, 2.5]),
  defineTemplate('Bridge Loan', 'Bi-Weekly', 6, [0.5, 0.2], 31.2, [2, 4]),
  defineTemplate('SBA Express Loan', 'Monthly', 84, [1, 0.6], 11.9, [2, 3.75]),
  defineTemplate('Seasonal Loan', 'Bi-Weekly', 10, [0.4, 0.18], 29.6, [1.5, 3]),
];

/** One offer of each product. */
export const maxCustomOffers = templates.length;

const youngBusinessMonths = 24;
const youngBusinessExtraPercent = 6;
/** Amounts are multiples of this, unless the applicant requested less. */
const amountStep = 500;

/**
 * Creates the first `count` offers for a lead. The same lead always gets the same offers. Money is in USD, rates in percent.
 *
 * @param amounts of the first offers, instead of computed ones.
 */
export function createOffers(
  applicationId: string,
  lead: Lead,
  count: number,
  amounts: readonly number[] = [],
): readonly PreApprovalOffer[] {
  return templates
    .slice(0, count)
    .map((template, index) =>
      createOffer(
        `OFR-${applicationId.slice(3, 15)}-${index + 1}`,
        template,
        lead,
        amounts[index] ?? toLoanAmount(template, lead),
      ),
    );
}

/** The same offers with numeric strings, nulls, and a missing field. */
export function toUntidyOffers(
  offers: readonly PreApprovalOffer[],
): readonly Record<string, unknown>[] {
  return offers.map((offer, index) => {
    const { Fee_Range_High: _omitted, ...rest } = offer;
    const untidy = { ...rest, Loan_Amount: String(offer.Loan_Amount), Monthly_Rate: null };
    return index % 2 === 0
      ? { ...untidy, Est_Payment_Amount: offer.Est_Payment_Amount.toFixed(2), Product: null }
      : { ...untidy, APR_Range_Low: null, APR_Range_High: `${offer.APR_Range_High}`, Est_Term: '' };
  });
}

function createOffer(
  offerId: string,
  template: OfferTemplate,
  lead: Lead,
  amount: number,
): PreApprovalOffer {
  const annualPercent = toAnnualPercent(template, lead);
  const perYear = paymentsPerYear[template.frequency];
  const count = Math.round((template.termMonths / 12) * perYear);
  const payment = computePayment(amount, annualPercent / 100 / perYear, count);
  const repayment: Repayment = { payment, count, perYear };
  const totalCost = roundToCents(payment * count);
  const interest = roundToCents(totalCost - amount);
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
    Monthly_Rate: roundToCents(annualPercent / 12),
    APR_Range_Low: computeAprPercent(amount - feeLow, repayment),
    APR_Range_High: computeAprPercent(amount - feeHigh, repayment),
    Fee_Range_Low: feeLow,
    Fee_Range_High: feeHigh,
    Total_Cost_of_Loan: totalCost,
    Cents_on_the_Dollar: roundToCents(interest / amount),
    Total_Interest_Cost: interest,
  };
  return { ...figures, Funding_Disclosures: toDisclosures(figures, template.frequency, count) };
}

function toLoanAmount({ maxShares: [ofRequest, ofRevenue] }: OfferTemplate, lead: Lead): number {
  const maximum = Math.min(lead.LoanAmount * ofRequest, lead.AnnualRevenue * ofRevenue);
  const amount = Math.floor(maximum / amountStep) * amountStep;
  return Math.min(lead.LoanAmount, Math.max(amountStep, amount));
}

function toAnnualPercent(template: OfferTemplate, { TimeInBusinessMonths: months }: Lead): number {
  return template.annualPercent + (months < youngBusinessMonths ? youngBusinessExtraPercent : 0);
}

export interface Repayment {
  /** USD per payment. */
  readonly payment: number;
  readonly count: number;
  readonly perYear: number;
}

/** The level payment that repays `principal` in `count` periods at `periodRate` per period, rounded to cents. */
export function computePayment(principal: number, periodRate: number, count: number): number {
  return roundToCents(principal / computeAnnuityFactor(periodRate, count));
}

/**
 * The annual percentage rate of a loan that pays out `proceeds`: the periodic rate multiplied by the periods per year, as in
 * Regulation Z, Appendix J. Percent, rounded to two decimals.
 */
export function computeAprPercent(
  proceeds: number,
  { payment, count, perYear }: Repayment,
): number {
  let low = 0;
  let high = 1;
  // The present value falls as the rate rises, so bisection finds the rate. 60 steps exhaust the precision of a double.
  for (let step = 0; step < 60; step += 1) {
    const rate = (low + high) / 2;
    if (payment * computeAnnuityFactor(rate, count) > proceeds) low = rate;
    else high = rate;
  }
  return Math.round(low * perYear * 10_000) / 100;
}

/** The present value of `count` payments of one dollar. */
function computeAnnuityFactor(periodRate: number, count: number): number {
  return periodRate === 0 ? count : (1 - (1 + periodRate) ** -count) / periodRate;
}

function roundToCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** A disclosure paragraph of the length and kind that lenders write. */
function toDisclosures(
  offer: Omit<PreApprovalOffer, 'Funding_Disclosures'>,
  frequency: PaymentFrequency,
  paymentCount: number,
): string {
  const { APR_Range_Low: aprLow, APR_Range_High: aprHigh } = offer;
  const fees = `${dollars.format(offer.Fee_Range_Low)} to ${dollars.format(offer.Fee_Range_High)}`;
  const payments = `${paymentCount} payments of ${dollars.format(offer.Est_Payment_Amount)}`;
  return [
    `Estimated terms for a ${offer.Product}; this is not a commitment to lend, and all terms are subject to verification and final approval.`,
    `The estimated annual percentage rate (APR) is ${aprLow.toFixed(2)}% to ${aprHigh.toFixed(2)}%, calculated from a loan of ${dollars.format(offer.Loan_Amount)}, the payments below and an origination fee of ${fees}, which is deducted from the proceeds at funding.`,
    `You would make ${payments}, ${paymentIntervals[frequency]}, by automatic debit over an estimated term of ${offer.Est_Term} months, for a total of ${dollars.format(offer.Total_Cost_of_Loan)}, of which ${dollars.format(offer.Total_Interest_Cost)} is interest.`,
    'If you repay early, interest stops on the day of repayment; the origination fee is not refunded.',
    'A returned payment may cost up to $25.00.',
    'The lender may take a security interest in business assets and ask each owner of 20% or more for a personal guaranty.',
    'Disclosures required by the law of your state, including those of California, Florida, Georgia, Kansas, Missouri, New York, Utah, and Virginia, are given before you sign. This offer was created by a sandbox and is not real.',
  ].join(' ');
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const paymentIntervals: Readonly<Record<PaymentFrequency, string>> = {
  Daily: 'each business day',
  Weekly: 'each week',
  'Bi-Weekly': 'every two weeks',
  Monthly: 'each month',
};

function defineTemplate(
  product: string,
  frequency: PaymentFrequency,
  termMonths: number,
  maxShares: OfferTemplate['maxShares'],
  annualPercent: number,
  feePercents: OfferTemplate['feePercents'],
): OfferTemplate {
  return { product, frequency, termMonths, maxShares, annualPercent, feePercents };
}
