// What one offer says, in words and figures: the same list for the card and the table. Nothing is filled in or guessed.

import type { Offer } from '../../shared/api/offers.ts';
import type { MessageKey } from '../i18n/text.ts';
import type { CostPart } from './cost-bar.ts';
import type { StepContext } from './step-context.ts';

export interface Fact {
  readonly label: string;
  readonly note?: string;
  /** What the lender gave, or what is wrong with it. */
  readonly text: string;
  /** False when it is missing, or no figure to count on. */
  readonly isClear: boolean;
  /** What it is in the bar. */
  readonly part?: CostPart;
}

export type FactContext = Pick<StepContext, 't' | 'format' | 'configuration'>;

/** Amount and APR first: no price stands before its APR (Cal. Fin. Code 22804; 23 NYCRR 600). As many for every offer. */
export function toFacts(context: FactContext, offer: Offer): readonly [Fact, Fact, ...Fact[]] {
  const { t, format, configuration } = context;
  const { dollars, percent, decimal } = format;
  const { showMonthlyRate, showCentsOnTheDollar } = configuration.offers;
  const say = (figure: number | null, show: Show, least?: number) =>
    toFigure(context, figure, show, least);
  return [
    { label: t('offers.amount'), part: 'principal', ...say(offer.amount, dollars) },
    { label: t('offers.apr'), ...toApr(context, offer) },
    { label: t('offers.payment'), ...toPayment(context, offer) },
    { label: t('offers.term'), ...say(offer.termMonths, (months) => toTerm(context, months)) },
    { label: t('offers.fees'), part: 'fees', ...toFees(context, offer) },
    { label: t('offers.interest'), part: 'interest', ...say(offer.totalInterest, dollars, 0) },
    {
      label: t('offers.total'),
      note: t('offers.total.note'),
      ...say(offer.totalCost, dollars),
    },
    // Off unless the partner asks for them: on their own such figures mislead (Cal. Fin. Code 22806).
    ...(showMonthlyRate
      ? [{ label: t('offers.monthly-rate'), ...say(offer.monthlyRate, percent) }]
      : []),
    ...(showCentsOnTheDollar
      ? [{ label: t('offers.cents'), ...say(offer.centsOnTheDollar, decimal, 0) }]
      : []),
  ];
}

export function toOfferTitle({ t }: FactContext, { product }: Offer, number: number): string {
  return product ? t('offers.number', { number, product }) : t('offers.number.plain', { number });
}

/** Above zero and not reversed; only such a range counts. */
export function hasClearApr({ aprLow, aprHigh }: Offer): boolean {
  return aprLow !== null && aprHigh !== null && aprLow > 0 && aprHigh >= aprLow;
}

/** The payment as a monthly amount, for frequencies whose meaning is plain. */
export function toMonthlyPayment({ paymentAmount, paymentFrequency }: Offer): number | undefined {
  const paymentsAYear = toFrequency(paymentFrequency)?.paymentsAYear;
  return paymentAmount === null || paymentAmount <= 0 || paymentsAYear === undefined
    ? undefined
    : (paymentAmount * paymentsAYear) / 12;
}

export function toFees(context: FactContext, { feeLow, feeHigh }: Offer): Value {
  return toRange(context, [feeLow, feeHigh], context.format.dollars, 0);
}

type Value = Pick<Fact, 'text' | 'isClear'>;
type Show = (figure: number) => string;

/** @param least the lowest figure that makes sense; without it only one above zero does. */
function toFigure({ t }: FactContext, figure: number | null, show: Show, least?: number): Value {
  if (figure === null) return { text: t('offers.missing'), isClear: false };
  const isClear = isPlausible(figure, least);
  const text = show(figure);
  return { text: isClear ? text : t('offers.unclear', { figure: text }), isClear };
}

function isPlausible(figure: number, least?: number): boolean {
  return least === undefined ? figure > 0 : figure >= least;
}

/** `$750–$1,500`, or one figure when both are equal; a range that lacks an end or runs backwards is said to, not mended. */
function toRange(
  context: FactContext,
  [low, high]: readonly [number | null, number | null],
  show: Show,
  least?: number,
): Value {
  const unclear = (key: MessageKey, figure: string) => ({
    text: context.t(key, { figure }),
    isClear: false,
  });
  if (high === null)
    return low === null ? toFigure(context, low, show) : unclear('offers.from', show(low));
  if (low === null) return unclear('offers.up-to', show(high));
  const text = low === high ? show(low) : `${show(low)}–${show(high)}`;
  if (low > high) return unclear('offers.reversed', text);
  return isPlausible(low, least) ? { text, isClear: true } : unclear('offers.unclear', text);
}

function toApr(context: FactContext, { aprLow, aprHigh }: Offer): Value {
  const { percent, percentExactly } = context.format;
  const isExact = [aprLow, aprHigh].some((end) => Math.round((end ?? 0) * 100) % 10 !== 0);
  const range = toRange(context, [aprLow, aprHigh], isExact ? percentExactly : percent);
  return range.isClear ? { ...range, text: `APR ${range.text}` } : range;
}

function toPayment(context: FactContext, offer: Offer): Value {
  const { t, format } = context;
  const { paymentAmount, paymentFrequency } = offer;
  const payment = toFigure(context, paymentAmount, format.dollars);
  if (!payment.isClear) return payment;
  const known = toFrequency(paymentFrequency);
  const frequency = known
    ? t(`offers.frequency.${known.name}`)
    : (paymentFrequency ?? t('offers.frequency.missing'));
  const monthly = toMonthlyPayment(offer);
  const text = `${payment.text} ${frequency}`;
  return monthly === undefined || known?.paymentsAYear === 12
    ? { ...payment, text }
    : {
        ...payment,
        text: `${text}, ${t('offers.payment.monthly', { amount: format.dollars(Math.round(monthly)) })}`,
      };
}

function toTerm({ t, format }: FactContext, months: number): string {
  return months === 1
    ? t('offers.term.one')
    : t('offers.term.many', { count: format.decimal(months) });
}

/** 252 business days, 52 weeks a year. */
const frequencies = [
  { name: 'daily', pattern: /^(daily|every business day)$/i, paymentsAYear: 252 },
  { name: 'weekly', pattern: /^(weekly|every week)$/i, paymentsAYear: 52 },
  {
    name: 'biweekly',
    pattern: /^(bi-?weekly|every (two|2|other) weeks?)$/i,
    paymentsAYear: 26,
  },
  { name: 'semimonthly', pattern: /^(semi-?monthly|twice (a|per) month)$/i, paymentsAYear: 24 },
  { name: 'monthly', pattern: /^(monthly|every month)$/i, paymentsAYear: 12 },
] as const;

/** The service's values are not documented, so an unknown one is shown as it came. */
function toFrequency(value: string | null) {
  return frequencies.find(({ pattern }) => pattern.test(value?.trim() ?? ''));
}
