// What an offer costs, drawn to one scale with all others, and only from figures that the lender gave.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Offer } from '../../shared/api/offers.ts';
import { toFees, type FactContext } from './offer-facts.ts';

const parts = ['principal', 'interest', 'fees'] as const;

/** Each has a texture of its own, besides its colour. */
export type CostPart = (typeof parts)[number];

/** In dollars; fees at their upper figure. */
export type Cost = Readonly<Record<CostPart, number>>;

/** Rounding of the lender's own; more than that is a contradiction. */
const toleranceDollars = 1;

export function toCost({
  amount,
  totalInterest,
  totalCost,
  feeLow,
  feeHigh,
}: Offer): Cost | 'incomplete' | 'contradictory' {
  if (amount === null || amount <= 0 || totalInterest === null || totalInterest < 0) {
    return 'incomplete';
  }
  if (feeHigh === null || feeHigh < 0 || (feeLow ?? 0) > feeHigh) return 'incomplete';
  const difference = totalCost === null ? 0 : Math.abs(amount + totalInterest - totalCost);
  return difference > toleranceDollars
    ? 'contradictory'
    : { principal: amount, interest: totalInterest, fees: feeHigh };
}

/** Dollars of a bar that is as long as there is room. */
export function toScale(offers: readonly Offer[]): number {
  return Math.max(
    ...offers.map((offer) => {
      const cost = toCost(offer);
      return typeof cost === 'string' ? 0 : toSum(cost);
    }),
  );
}

/** @param scale of all offers; see `toScale`. */
export function renderCostBar(context: FactContext, offer: Offer, scale: number): TemplateResult {
  const { t, format } = context;
  const cost = toCost(offer);
  if (typeof cost === 'string')
    return html`<p class="hint" part="hint">${t(`offers.bar.${cost}`)}</p>`;
  const label = t('offers.bar.label', {
    principal: format.dollars(cost.principal),
    interest: format.dollars(cost.interest),
    fees: toFees(context, offer).text,
  });
  let end = 0;
  return html`<svg
    class="bar"
    viewBox="0 0 100 1"
    preserveAspectRatio="none"
    role="img"
    aria-label=${label}
  >
    ${parts.map((part) => {
      const start = end;
      end += (cost[part] / scale) * 100;
      return drawPart(part, start, end);
    })}
  </svg>`;
}

/** The legend: stands before the label of the figure that is drawn like this. */
export function renderSwatch(part: CostPart | undefined): TemplateResult | typeof nothing {
  return part === undefined
    ? nothing
    : html`<svg class="swatch" viewBox="0 0 3 1" preserveAspectRatio="none" aria-hidden="true">
        ${drawPart(part, 0, 3)}
      </svg>`;
}

function drawPart(part: CostPart, start: number, end: number): TemplateResult<2> {
  return svg`<path class=${part} d="M${start.toFixed(2)} .5H${end.toFixed(2)}" />`;
}

function toSum({ principal, interest, fees }: Cost): number {
  return principal + interest + fees;
}
