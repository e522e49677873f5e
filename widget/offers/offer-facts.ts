// The figures of one offer as text, the same for its card and its column of the table, and the order of the offers.

import type { Offer } from '../../shared/api/offers.ts';
import type { StepContext } from '../app/feature.ts';
import type { OffersState } from '../app/state.ts';
import type { MessageKey } from '../i18n/messages.ts';

export const orders: readonly OffersState['order'][] = ['arrival', 'apr', 'total', 'payment'];

/** A year has 252 business days and 52 weeks. */
const frequencies = [
  { name: 'daily', pattern: /^(daily|every business day)$/i, paymentsPerYear: 252 },
  { name: 'weekly', pattern: /^(weekly|every week)$/i, paymentsPerYear: 52 },
  {
    name: 'biweekly',
    pattern: /^(bi-?weekly|every (two|2|other) weeks?)$/i,
    paymentsPerYear: 26,
  },
  { name: 'semimonthly', pattern: /^(semi-?monthly|twice (a|per) month)$/i, paymentsPerYear: 24 },
  { name: 'monthly', pattern: /^(monthly|every month)$/i, paymentsPerYear: 12 },
] as const;

/** A part of the cost bar. */
export type CostPart = 'principal' | 'interest' | 'fees';

export interface Fact {
  readonly label: string;
  readonly note?: string;
  readonly text: string;
  /** False if the figure is missing or cannot be right. The text says so. */
  readonly isClear: boolean;
  /** The part of the cost bar that shows this figure. */
  readonly part?: CostPart;
}

export interface PlacedOffer {
  readonly offer: Offer;
  /** The number of the offer in the order of the funding service. Sorting does not change it. */
  readonly number: number;
  /** Unique, even if the funding service uses an id twice. */
  readonly key: string;
}

type FactContext = Pick<StepContext, 't' | 'format' | 'configuration'>;
type FactText = Pick<Fact, 'text' | 'isClear'>;
type FormatFigure = (figure: number) => string;

/**
 * The facts of an offer: the same labels in the same order for every offer. The amount and the APR come first, because no price
 * may stand before its APR (Cal. Fin. Code 22804; 23 NYCRR 600).
 */
export function toFacts(context: FactContext, offer: Offer): readonly [Fact, Fact, ...Fact[]] {
  const { t, format, configuration } = context;
  const { dollars, percent, decimal } = format;
  const { showMonthlyRate, showCentsOnTheDollar } = configuration.offers;
  const toText = (figure: number | null, formatFigure: FormatFigure, canBeZero?: boolean) =>
    toRange(context, figure, figure, formatFigure, canBeZero);
  return [
    { label: t('offers.amount'), part: 'principal', ...toText(offer.amount, dollars) },
    { label: t('offers.apr'), ...toApr(context, offer) },
    { label: t('offers.payment'), ...toPayment(context, offer) },
    { label: t('offers.term'), ...toText(offer.termMonths, (months) => toTerm(context, months)) },
    { label: t('offers.fees'), part: 'fees', ...toFees(context, offer) },
    {
      label: t('offers.interest'),
      part: 'interest',
      ...toText(offer.totalInterest, dollars, true),
    },
    {
      label: t('offers.total'),
      note: t('offers.total.note'),
      ...toText(offer.totalCost, dollars),
    },
    // Off by default, because these figures mislead on their own (Cal. Fin. Code 22806).
    ...(showMonthlyRate
      ? [{ label: t('offers.monthly-rate'), ...toText(offer.monthlyRate, percent) }]
      : []),
    ...(showCentsOnTheDollar
      ? [{ label: t('offers.cents'), ...toText(offer.centsOnTheDollar, decimal, true) }]
      : []),
  ];
}

export function toFees(context: FactContext, { feeLow, feeHigh }: Offer): FactText {
  return toRange(context, feeLow, feeHigh, context.format.dollars, true);
}

export function toOfferTitle(
  { t }: Pick<StepContext, 't'>,
  { offer: { product }, number }: PlacedOffer,
): string {
  return product ? t('offers.number', { number, product }) : t('offers.number.plain', { number });
}

/** One figure, or a range such as `$750–$1,500`. A range that lacks an end or is reversed is shown as such, not corrected. */
function toRange(
  { t }: FactContext,
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

function toApr(context: FactContext, { aprLow, aprHigh }: Offer): FactText {
  const { percent, percentExactly } = context.format;
  const hasHundredths = [aprLow, aprHigh].some((end) => Math.round((end ?? 0) * 100) % 10 !== 0);
  const apr = toRange(context, aprLow, aprHigh, hasHundredths ? percentExactly : percent);
  return apr.isClear ? { ...apr, text: `APR ${apr.text}` } : apr;
}

function toPayment(context: FactContext, offer: Offer): FactText {
  const { t, format } = context;
  const { paymentAmount, paymentFrequency } = offer;
  const payment = toRange(context, paymentAmount, paymentAmount, format.dollars);
  if (!payment.isClear) return payment;
  const known = toFrequency(paymentFrequency);
  const frequency = known
    ? t(`offers.frequency.${known.name}`)
    : (paymentFrequency ?? t('offers.frequency.missing'));
  const text = `${payment.text} ${frequency}`;
  const monthly = toMonthlyPayment(offer);
  if (monthly === undefined || known?.name === 'monthly') return { ...payment, text };
  const amount = format.dollars(Math.round(monthly));
  return { ...payment, text: `${text}, ${t('offers.payment.monthly', { amount })}` };
}

function toTerm({ t, format }: FactContext, months: number): string {
  return months === 1
    ? t('offers.term.one')
    : t('offers.term.many', { count: format.decimal(months) });
}

/** Undefined if the payment is missing or its frequency is unknown. */
function toMonthlyPayment({ paymentAmount, paymentFrequency }: Offer): number | undefined {
  const paymentsPerYear = toFrequency(paymentFrequency)?.paymentsPerYear;
  return paymentAmount === null || paymentAmount <= 0 || paymentsPerYear === undefined
    ? undefined
    : (paymentAmount * paymentsPerYear) / 12;
}

/** The values of the funding service are not documented. An unknown one is shown unchanged. */
function toFrequency(value: string | null) {
  return frequencies.find(({ pattern }) => pattern.test(value?.trim() ?? ''));
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
function toSortFigure(offer: Offer, order: 'apr' | 'total' | 'payment'): number | undefined {
  const { aprLow, aprHigh, totalCost } = offer;
  if (order === 'payment') return toMonthlyPayment(offer);
  if (order === 'total') return totalCost !== null && totalCost > 0 ? totalCost : undefined;
  const isClear = aprLow !== null && aprHigh !== null && aprLow > 0 && aprHigh >= aprLow;
  return isClear ? aprHigh : undefined;
}
