// The figures of an offer, its cost for each dollar, and the order of the offers. Cards and table show the same figures.

import type { Offer } from '../../shared/api/offers.ts';
import type { StepContext } from '../app/feature.ts';
import { toCounted } from '../app/later-parts.ts';
import type { OffersState } from '../app/store.ts';
import type { MessageKey } from '../i18n/messages.ts';

export const orders: readonly OffersState['order'][] = ['arrival', 'apr', 'cost', 'payment'];

/** `perYear`: payments per year. A year has 252 business days and 52 weeks. */
const frequencies = [
  { name: 'daily', pattern: /^(daily|every business day)$/i, perYear: 252 },
  { name: 'weekly', pattern: /^(weekly|every week)$/i, perYear: 52 },
  { name: 'biweekly', pattern: /^(bi-?weekly|every (two|2|other) weeks?)$/i, perYear: 26 },
  { name: 'semimonthly', pattern: /^(semi-?monthly|twice (a|per) month)$/i, perYear: 24 },
  { name: 'monthly', pattern: /^(monthly|every month)$/i, perYear: 12 },
] as const;

/** The lender rounds its figures. A larger difference is a contradiction. */
const toleranceDollars = 1;

export interface Fact {
  readonly label: string;
  readonly text: string;
  /** False if the figure is missing or cannot be right. The text says so. */
  readonly isClear: boolean;
}

/** The same labels in the same order for every offer. */
export interface Facts {
  /**
   * Read together, at one size. The amount and the APR come first, because no price may stand before its APR (Cal. Fin. Code
   * 22804; 23 NYCRR 600).
   */
  readonly headline: readonly Fact[];
  readonly main: readonly Fact[];
  /** The lender's own figures behind the ones above. */
  readonly details: readonly Fact[];
}

export interface PlacedOffer {
  readonly offer: Offer;
  /** The number of the offer in the order of the funding service. Sorting does not change it. */
  readonly number: number;
  /** Unique, even if the funding service uses an id twice. */
  readonly key: string;
}

type FactText = Pick<Fact, 'text' | 'isClear'>;
type FormatFigure = (figure: number) => string;

export function toFacts(context: StepContext, offer: Offer): Facts {
  const { t, format, configuration } = context;
  const { dollars, percent, decimal } = format;
  const { amount, termMonths, totalInterest, totalCost, feeLow, feeHigh } = offer;
  const cost = toCost(offer);
  const toFact = (label: MessageKey, text: FactText): Fact => ({ label: t(label), ...text });
  const toText = (figure: number | null, formatFigure: FormatFigure, canBeZero?: boolean) =>
    toRange(context, figure, figure, formatFigure, canBeZero);
  const toCalculated = (base: number | null) =>
    toCalculatedRange(context, add(base, cost.low), add(base, cost.high), cost.isContradictory);
  const toTerm = (months: number) => toCounted(context, 'months.one', 'months.many', months);
  return {
    headline: [
      toFact('offers.amount', toText(amount, dollars)),
      toFact('offers.apr', toApr(context, offer)),
      toFact('offers.cost', toCalculated(0)),
    ],
    main: [
      toFact('offers.payment', toPayment(context, offer)),
      toFact('offers.term', toText(termMonths, toTerm)),
      toFact('offers.repayment', toCalculated(amount)),
    ],
    details: [
      toFact('offers.interest', toText(totalInterest, dollars, true)),
      toFact('offers.fees', toRange(context, feeLow, feeHigh, dollars, true)),
      toFact('offers.total', toText(totalCost, dollars)),
      // Off by default, because these figures mislead on their own (Cal. Fin. Code 22806).
      configuration.offers.showMonthlyRate &&
        toFact('offers.monthly-rate', toText(offer.monthlyRate, percent)),
      configuration.offers.showCentsOnTheDollar &&
        toFact('offers.cents', toText(offer.centsOnTheDollar, decimal, true)),
    ].filter((fact) => fact !== false),
  };
}

export function toOfferTitle(
  { t }: StepContext,
  { offer: { product }, number }: PlacedOffer,
): string {
  return product ? t('offers.number', { number, product }) : t('offers.number.plain', { number });
}

/** One figure, or a range such as `$750–$1,500`. A range that lacks an end or is reversed is shown as such, not corrected. */
function toRange(
  { t }: StepContext,
  low: number | null,
  high: number | null,
  formatFigure: FormatFigure,
  canBeZero = false,
): FactText {
  const toUnclear = (key: MessageKey, figure = '') => ({
    text: t(key, { figure }),
    isClear: false,
  });
  if (low === null) {
    return high === null
      ? toUnclear('offers.missing')
      : toUnclear('offers.up-to', formatFigure(high));
  }
  if (high === null) return toUnclear('offers.from', formatFigure(low));
  const text = low === high ? formatFigure(low) : `${formatFigure(low)}–${formatFigure(high)}`;
  if (low > high) return toUnclear('offers.reversed', text);
  const isPlausible = canBeZero ? low >= 0 : low > 0;
  return isPlausible ? { text, isClear: true } : toUnclear('offers.unclear', text);
}

/** A figure that is calculated from the lender's figures. */
function toCalculatedRange(
  context: StepContext,
  low: number | null,
  high: number | null,
  isContradictory: boolean,
): FactText {
  const range = toRange(context, low, high, context.format.dollars, true);
  return isContradictory && range.isClear
    ? { text: context.t('offers.unclear', { figure: range.text }), isClear: false }
    : range;
}

function toApr(context: StepContext, { aprLow, aprHigh }: Offer): FactText {
  const { percent, percentExactly } = context.format;
  const hasHundredths = [aprLow, aprHigh].some((end) => Math.round((end ?? 0) * 100) % 10 !== 0);
  const apr = toRange(context, aprLow, aprHigh, hasHundredths ? percentExactly : percent);
  return apr.isClear ? { ...apr, text: `APR ${apr.text}` } : apr;
}

function toPayment(context: StepContext, offer: Offer): FactText {
  const { t, format } = context;
  const { paymentAmount, paymentFrequency } = offer;
  const payment = toRange(context, paymentAmount, paymentAmount, format.dollars);
  if (!payment.isClear) return payment;
  const known = toFrequency(offer);
  const frequency = known
    ? t(`offers.frequency.${known.name}`)
    : (paymentFrequency ?? t('offers.frequency.missing'));
  const text = `${payment.text} ${frequency}`;
  const monthly = toMonthlyPayment(offer);
  if (monthly === undefined || known?.name === 'monthly') return { ...payment, text };
  const amount = format.dollars(Math.round(monthly));
  return { ...payment, text: `${text}, ${t('offers.payment.monthly', { amount })}` };
}

/** Undefined if the payment is missing or its frequency is unknown. */
function toMonthlyPayment(offer: Offer): number | undefined {
  const amount = offer.paymentAmount ?? 0;
  const frequency = toFrequency(offer);
  return amount > 0 && frequency ? (amount * frequency.perYear) / 12 : undefined;
}

/** The values of the funding service are not documented. An unknown one is shown unchanged. */
function toFrequency({ paymentFrequency }: Offer) {
  return frequencies.find(({ pattern }) => pattern.test(paymentFrequency?.trim() ?? ''));
}

/** Interest plus fees, in dollars. An end is null if the lender left out a figure of it. */
interface Cost {
  readonly low: number | null;
  readonly high: number | null;
  /** The lender's own sum of principal and interest is another one. */
  readonly isContradictory: boolean;
}

/** The funding service has no such figure: its `Total_Interest_Cost` excludes fees (spec, "Offer object"). */
function toCost({ amount, totalInterest, totalCost, feeLow, feeHigh }: Offer): Cost {
  const principalPlusInterest = add(amount, totalInterest);
  return {
    low: add(totalInterest, feeLow),
    high: add(totalInterest, feeHigh),
    isContradictory:
      principalPlusInterest !== null &&
      totalCost !== null &&
      Math.abs(principalPlusInterest - totalCost) > toleranceDollars,
  };
}

function add(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** The cost of a borrowed dollar in dollars, without the dollar itself. */
export interface CostPerDollar {
  readonly low: number;
  readonly high: number;
}

/** Undefined if a figure is missing or cannot be right. */
export function toCostPerDollar(offer: Offer): CostPerDollar | undefined {
  const { low, high, isContradictory } = toCost(offer);
  const { amount, totalInterest, feeLow } = offer;
  if (low === null || high === null || isContradictory || low > high) return undefined;
  if (amount === null || amount <= 0 || (totalInterest ?? 0) < 0 || (feeLow ?? 0) < 0)
    return undefined;
  return { low: low / amount, high: high / amount };
}

/**
 * The highest cost per dollar of the offers. Its bar has the full width, so that a longer bar is a more expensive offer. 0 means
 * no bars: a single one would be full, and look expensive without a comparison.
 */
export function toScale(offers: readonly Offer[]): number {
  const costs = offers.map(toCostPerDollar).filter((cost) => cost !== undefined);
  return costs.length < 2 ? 0 : Math.max(...costs.map(({ high }) => high));
}

/** Sorts the offers. Offers without a clear figure come last. `unclear` is their number. */
export function toOrdered(
  offers: readonly Offer[],
  order: OffersState['order'],
): { readonly placed: readonly PlacedOffer[]; readonly unclear: number } {
  const placed = offers.map((offer, index) => {
    const number = index + 1;
    const isRepeated = offers.findIndex(({ id }) => id === offer.id) !== index;
    return { offer, number, key: isRepeated ? `${offer.id} ${number}` : offer.id };
  });
  if (order === 'arrival') return { placed, unclear: 0 };
  const toFigure = ({ offer }: PlacedOffer) => toSortFigure(offer, order) ?? Number.MAX_VALUE;
  return {
    placed: placed.toSorted((a, b) => toFigure(a) - toFigure(b)),
    unclear: offers.filter((offer) => toSortFigure(offer, order) === undefined).length,
  };
}

/** Undefined if the figure is missing or cannot be right. */
function toSortFigure(offer: Offer, order: 'apr' | 'cost' | 'payment'): number | undefined {
  const { aprLow, aprHigh } = offer;
  if (order === 'payment') return toMonthlyPayment(offer);
  if (order === 'cost') return toCostPerDollar(offer)?.high;
  const isClear = aprLow !== null && aprHigh !== null && aprLow > 0 && aprHigh >= aprLow;
  return isClear ? aprHigh : undefined;
}
