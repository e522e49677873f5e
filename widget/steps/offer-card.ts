// One offer: no price without its APR range beside it (Cal. Fin. Code 22804; 23 NYCRR 600), nothing filled in.

import { html, nothing, type TemplateResult } from 'lit';
import type { Offer } from '../../shared/api/offers.ts';
import type { MessageKey } from '../i18n/text.ts';
import type { StepContext } from './step-context.ts';

export function renderOffer(context: StepContext, offer: Offer, number: number): TemplateResult {
  const { t } = context;
  const title = offer.product
    ? t('offers.number', { number, product: offer.product })
    : t('offers.number.plain', { number });
  return html`<li class="offer" part="offer" aria-labelledby="offer-${number}">
    <h3 id="offer-${number}">${title}</h3>
    <dl class="headline">
      ${renderFigure(t('offers.amount'), toMoney(context, offer.amount), t('offers.missing'))}
      ${renderFigure(t('offers.apr'), toAprRange(context, offer), t('offers.apr.missing'))}
    </dl>
    <dl class="answers facts">
      ${toFacts(context, offer).map(
        ({ label, value, note }) =>
          html`<div>
            <dt>${label}${note ? html` <span class="hint">${note}</span>` : nothing}</dt>
            <dd>${value ?? html`<span class="optional">${t('offers.missing')}</span>`}</dd>
          </div>`,
      )}
    </dl>
    ${
      offer.disclosures
        ? html`<details open>
            <summary>${t('offers.disclosures')}</summary>
            <p class="fine-print" data-testid="disclosures">${offer.disclosures}</p>
          </details>`
        : nothing
    }
  </li>`;
}

/**
 * `18.2 %–24.9 %`, or one figure when both are equal. A missing, zero or reversed range is not repaired: the answer is
 * `undefined`, and the card says that the lender gave none.
 */
function toAprRange(
  { t, format }: Pick<StepContext, 't' | 'format'>,
  { aprLow, aprHigh }: Pick<Offer, 'aprLow' | 'aprHigh'>,
): string | undefined {
  if (aprLow === null || aprHigh === null || aprLow <= 0 || aprHigh < aprLow) return undefined;
  if (aprLow === aprHigh) return format.percent(aprLow);
  return t('offers.apr.range', { low: format.percent(aprLow), high: format.percent(aprHigh) });
}

/** The payment as a monthly amount, for frequencies whose meaning is plain; 252 business days, 52 weeks a year. */
function toMonthlyPayment({
  paymentAmount,
  paymentFrequency,
}: Pick<Offer, 'paymentAmount' | 'paymentFrequency'>): number | undefined {
  const paymentsAYear = toFrequency(paymentFrequency)?.paymentsAYear;
  if (paymentAmount === null || paymentsAYear === undefined || paymentsAYear === 12)
    return undefined;
  return Math.round((paymentAmount * paymentsAYear) / 12);
}

interface Fact {
  readonly label: string;
  readonly value: string | undefined;
  readonly note?: string;
}

function toFacts(context: StepContext, offer: Offer): Fact[] {
  const { t, format, configuration } = context;
  const facts: Fact[] = [
    { label: t('offers.payment'), value: toPayment(context, offer) },
    { label: t('offers.term'), value: toTerm(context, offer.termMonths) },
    { label: t('offers.interest'), value: toMoney(context, offer.totalInterest) },
    { label: t('offers.fees'), value: toFees(context, offer) },
    {
      label: t('offers.total'),
      note: t('offers.total.note'),
      value: toMoney(context, offer.totalCost),
    },
  ];
  // Off unless the partner asks for them: on their own such figures mislead (Cal. Fin. Code 22806).
  if (configuration.offers.showMonthlyRate && offer.monthlyRate !== null) {
    facts.push({ label: t('offers.monthly-rate'), value: format.percent(offer.monthlyRate) });
  }
  if (configuration.offers.showCentsOnTheDollar && offer.centsOnTheDollar !== null) {
    facts.push({ label: t('offers.cents'), value: format.decimal(offer.centsOnTheDollar) });
  }
  return facts;
}

function renderFigure(label: string, value: string | undefined, missing: string): TemplateResult {
  return html`<div>
    <dt>${label}</dt>
    <dd class=${value === undefined ? 'absent' : ''}>${value ?? missing}</dd>
  </div>`;
}

function toPayment({ t, format }: StepContext, offer: Offer): string | undefined {
  if (offer.paymentAmount === null) return undefined;
  const known = toFrequency(offer.paymentFrequency);
  const payment = t('offers.payment.value', {
    amount: format.dollars(offer.paymentAmount),
    frequency: known ? t(known.key) : (offer.paymentFrequency ?? ''),
  }).trim();
  const monthly = toMonthlyPayment(offer);
  return monthly === undefined
    ? payment
    : `${payment}, ${t('offers.payment.monthly', { amount: format.dollars(monthly) })}`;
}

function toTerm(context: StepContext, months: number | null): string | undefined {
  if (months === null) return undefined;
  const { t, format } = context;
  return months === 1
    ? t('offers.term.one')
    : t('offers.term.many', { count: format.decimal(months) });
}

function toFees(context: StepContext, { feeLow, feeHigh }: Offer): string | undefined {
  const { t } = context;
  const [low, high] = [toMoney(context, feeLow), toMoney(context, feeHigh)];
  if (low !== undefined && high === undefined) return t('offers.fees.from', { amount: low });
  if (low === undefined && high !== undefined) return t('offers.fees.up-to', { amount: high });
  return low === high ? low : `${low}–${high}`;
}

function toMoney({ format }: StepContext, amount: number | null): string | undefined {
  return amount === null ? undefined : format.dollars(amount);
}

const frequencies: readonly {
  readonly pattern: RegExp;
  readonly key: MessageKey;
  readonly paymentsAYear: number;
}[] = [
  {
    pattern: /^(bi-?weekly|every (two|2|other) weeks?)$/i,
    key: 'offers.frequency.biweekly',
    paymentsAYear: 26,
  },
  { pattern: /^weekly$/i, key: 'offers.frequency.weekly', paymentsAYear: 52 },
  { pattern: /^(daily|every business day)$/i, key: 'offers.frequency.daily', paymentsAYear: 252 },
  { pattern: /^monthly$/i, key: 'offers.frequency.monthly', paymentsAYear: 12 },
];

/** The service's values are not documented, so an unknown one is shown as it came. */
function toFrequency(value: string | null) {
  return frequencies.find(({ pattern }) => pattern.test(value?.trim() ?? ''));
}
