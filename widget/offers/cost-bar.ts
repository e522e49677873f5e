// The cost bar: principal, interest, and fees of an offer, on one scale with all other offers.

import { html, svg, type TemplateResult } from 'lit';
import type { Offer } from '../../shared/api/offers.ts';
import type { StepContext } from '../app/feature.ts';
import { toFees, type CostPart } from './offer-facts.ts';

/** In the order of the bar. The sheet gives each part a color and a texture. */
const costParts: readonly CostPart[] = ['principal', 'interest', 'fees'];

/** The lender rounds its figures. A larger difference is a contradiction. */
const toleranceDollars = 1;

/** In dollars. Fees are the upper figure. */
type Cost = Readonly<Record<CostPart, number>>;

/** The cost of an offer, or why there is no bar. */
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

/** The highest cost of the offers, in dollars. Its bar has the full width. */
export function toScale(offers: readonly Offer[]): number {
  const costs = offers.map(toCost).filter((cost) => typeof cost !== 'string');
  return Math.max(...costs.map(({ principal, interest, fees }) => principal + interest + fees));
}

/** @param scale see `toScale`. */
export function renderCostBar(context: StepContext, offer: Offer, scale: number): TemplateResult {
  const { t, format } = context;
  const cost = toCost(offer);
  if (typeof cost === 'string') {
    return html`<p class="hint" part="hint">${t(`offers.bar.${cost}`)}</p>`;
  }
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
    ${costParts.map((part) => {
      const start = end;
      end += (cost[part] / scale) * 100;
      return renderPart(part, start, end);
    })}
  </svg>`;
}

/** The legend of a part of the bar, beside the label of its figure. */
export function renderSwatch(part: CostPart): TemplateResult {
  return html`<svg class="swatch" viewBox="0 0 3 1" preserveAspectRatio="none" aria-hidden="true">
    ${renderPart(part, 0, 3)}
  </svg>`;
}

function renderPart(part: CostPart, start: number, end: number): TemplateResult<2> {
  return svg`<path class=${part} d="M${start.toFixed(2)} .5H${end.toFixed(2)}" />`;
}
