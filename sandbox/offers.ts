// Creates offers from a lead: its amount, revenue, age, and credit score decide which products it gets, and at which price. A seed
// from the lead varies them, so that the same lead gets the same offers. Payments and APR are computed as for a real loan.

import { createHash } from 'node:crypto';
import type { Lead } from '../shared/funding-service/lead.ts';
import type { PreApprovalOffer } from '../shared/funding-service/pre-approval.ts';

interface Product {
  readonly name: string;
  readonly frequency: PaymentFrequency;
  readonly termMonths: number;
  /** Maximum amount as a share of the requested amount, and as a share of annual revenue. */
  readonly maxShares: readonly [number, number];
  /** The nominal annual interest rate in percent, or the factor of an advance: the total repayment per dollar. */
  readonly price: { readonly annualPercent: number } | { readonly factor: number };
  /** Lower and upper fee, in percent of the amount. */
  readonly feePercents: readonly [number, number];
  /** Offered to younger businesses or lower scores only if too few other products are left. */
  readonly minMonths: number;
  readonly minScore: number;
}

/** `Daily` means each business day. */
const paymentsPerYear = { Daily: 252, Weekly: 52, 'Bi-Weekly': 26, Monthly: 12 } as const;

type PaymentFrequency = keyof typeof paymentsPerYear;

/** In the order in which an established business gets them. */
const products: readonly Product[] = [
  {
    name: 'Term Loan',
    frequency: 'Monthly',
    termMonths: 24,
    maxShares: [1, 0.4],
    price: { annualPercent: 15.9 },
    feePercents: [1.5, 3],
    minMonths: 24,
    minScore: 650,
  },
  {
    name: 'Short-Term Loan',
    frequency: 'Weekly',
    termMonths: 12,
    maxShares: [0.8, 0.25],
    price: { annualPercent: 26.4 },
    feePercents: [2, 3.5],
    minMonths: 12,
    minScore: 600,
  },
  {
    name: 'Working Capital Loan',
    frequency: 'Daily',
    termMonths: 9,
    maxShares: [0.6, 0.15],
    price: { annualPercent: 38.5 },
    feePercents: [2.5, 4],
    minMonths: 6,
    minScore: 550,
  },
  {
    name: 'Merchant Cash Advance',
    frequency: 'Daily',
    termMonths: 8,
    maxShares: [0.5, 0.12],
    price: { factor: 1.27 },
    feePercents: [2, 3],
    minMonths: 3,
    minScore: 0,
  },
  {
    name: 'Equipment Financing',
    frequency: 'Monthly',
    termMonths: 48,
    maxShares: [1, 0.5],
    price: { annualPercent: 12.4 },
    feePercents: [1, 2],
    minMonths: 24,
    minScore: 650,
  },
  {
    name: 'Business Line of Credit',
    frequency: 'Weekly',
    termMonths: 18,
    maxShares: [0.75, 0.2],
    price: { annualPercent: 21.7 },
    feePercents: [1, 2.5],
    minMonths: 12,
    minScore: 620,
  },
  {
    name: 'Revenue-Based Financing',
    frequency: 'Bi-Weekly',
    termMonths: 10,
    maxShares: [0.5, 0.18],
    price: { factor: 1.2 },
    feePercents: [1.5, 3],
    minMonths: 6,
    minScore: 0,
  },
  {
    name: 'SBA Express Loan',
    frequency: 'Monthly',
    termMonths: 84,
    maxShares: [1, 0.6],
    price: { annualPercent: 11.9 },
    feePercents: [2, 3.75],
    minMonths: 36,
    minScore: 680,
  },
];

/** One offer of each product. */
export const maxCustomOffers = products.length;

const youngBusinessMonths = 24;
const youngBusinessExtraPercent = 6;
/** Each point of the credit score below this adds to the rate; each point above reduces it. */
const usualScore = 700;
const percentPerPoint = 0.03;
/** A price differs from the product's by at most this share, up or down. */
const priceSpread = 0.08;
/** Amounts are at least this share of the maximum. */
const minAmountShare = 0.85;
/** Amounts are multiples of this, unless the applicant requested less. */
const amountStep = 500;

export interface OfferOptions {
  /** USD; the amounts of the first offers, instead of computed ones. */
  readonly amounts?: readonly number[] | undefined;
  /** Another seed gives the same lead other offers. Default 0. */
  readonly seed?: number | undefined;
}

/** Creates `count` offers for a lead. The same lead and seed give the same offers. Money is in USD, rates in percent. */
export function createOffers(
  applicationId: string,
  lead: Lead,
  count: number,
  { amounts = [], seed = 0 }: OfferOptions = {},
): readonly PreApprovalOffer[] {
  return listProducts(lead)
    .slice(0, count)
    .map((product, index) => {
      const random = createRandom(lead, seed, product.name);
      // Both numbers are drawn, so that a chosen amount does not change the price.
      const usualAmount = toLoanAmount(product, lead, random());
      const terms = {
        amount: amounts[index] ?? usualAmount,
        priceShare: 1 + priceSpread * (2 * random() - 1),
      };
      return createOffer(`OFR-${applicationId.slice(3, 15)}-${index + 1}`, product, lead, terms);
    });
}

/** The products that fit the lead come first. */
function listProducts(lead: Lead): readonly Product[] {
  const score = readCreditScore(lead);
  const isFit = ({ minMonths, minScore }: Product) =>
    lead.TimeInBusinessMonths >= minMonths && score >= minScore;
  return [...products.filter(isFit), ...products.filter((product) => !isFit(product))];
}

/** The lower end of a range such as `680-719`. The spec does not show the values, so other texts count as the usual score. */
function readCreditScore({ CreditScore: text }: Lead): number {
  const number = Number(/\d{3}/.exec(text)?.[0] ?? usualScore);
  return number >= 300 && number <= 850 ? number : usualScore;
}

/** Numbers from 0 to 1 that depend on the answers of the applicant, not on ids or times. */
function createRandom(lead: Lead, seed: number, name: string): () => number {
  const { Company, LoanAmount, AnnualRevenue, TimeInBusinessMonths, CreditScore } = lead;
  const answers = [Company, LoanAmount, AnnualRevenue, TimeInBusinessMonths, CreditScore];
  const bytes = createHash('sha256')
    .update(JSON.stringify([...answers, seed, name]))
    .digest();
  let offset = 0;
  return () => {
    const number = bytes.readUInt32BE(offset) / 2 ** 32;
    offset += 4;
    return number;
  };
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

interface Terms {
  readonly amount: number;
  /** Multiplies the interest or the cost of the product. */
  readonly priceShare: number;
}

function createOffer(
  offerId: string,
  product: Product,
  lead: Lead,
  { amount, priceShare }: Terms,
): PreApprovalOffer {
  const { frequency, termMonths, price } = product;
  const perYear = paymentsPerYear[frequency];
  const count = Math.round((termMonths / 12) * perYear);
  const payment =
    'factor' in price
      ? roundToCents((amount * (1 + (price.factor - 1) * priceShare)) / count)
      : computePayment(amount, toAnnualPercent(price, lead, priceShare) / 100 / perYear, count);
  const repayment: Repayment = { payment, count, perYear };
  const totalCost = roundToCents(payment * count);
  const interest = roundToCents(totalCost - amount);
  const [feeLow, feeHigh] = product.feePercents.map((percent) =>
    Math.max(1, Math.round((amount * percent) / 100)),
  ) as [number, number]; // A pair maps to a pair.
  const figures = {
    OfferId: offerId,
    Product: product.name,
    Loan_Amount: amount,
    Est_Term: termMonths,
    Payment_Frequency: frequency,
    Est_Payment_Amount: payment,
    // Without a fee, the APR is the nominal rate. An advance has no rate, so this is the rate that its payments amount to.
    Monthly_Rate: roundToCents(computeAprPercent(amount, repayment) / 12),
    APR_Range_Low: computeAprPercent(amount - feeLow, repayment),
    APR_Range_High: computeAprPercent(amount - feeHigh, repayment),
    Fee_Range_Low: feeLow,
    Fee_Range_High: feeHigh,
    Total_Cost_of_Loan: totalCost,
    Cents_on_the_Dollar: roundToCents(interest / amount),
    Total_Interest_Cost: interest,
  };
  return { ...figures, Funding_Disclosures: toDisclosures(figures, frequency, count) };
}

function toLoanAmount(
  { maxShares: [ofRequest, ofRevenue] }: Product,
  lead: Lead,
  random: number,
): number {
  const maximum = Math.min(lead.LoanAmount * ofRequest, lead.AnnualRevenue * ofRevenue);
  const share = minAmountShare + (1 - minAmountShare) * random;
  const amount = Math.floor((maximum * share) / amountStep) * amountStep;
  return Math.min(lead.LoanAmount, Math.max(amountStep, amount));
}

function toAnnualPercent(
  { annualPercent }: { readonly annualPercent: number },
  lead: Lead,
  priceShare: number,
): number {
  const isYoung = lead.TimeInBusinessMonths < youngBusinessMonths;
  const ofScore = (usualScore - readCreditScore(lead)) * percentPerPoint;
  return annualPercent * priceShare + ofScore + (isYoung ? youngBusinessExtraPercent : 0);
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
