// One offer as a card: no price without its APR range beside it, nothing filled in.

import { html, nothing, type TemplateResult } from 'lit';
import { renderChoose } from './choose-offer.ts';
import { renderCostBar, renderSwatch, toCost } from './cost-bar.ts';
import { toFacts, toOfferTitle, type Fact } from './offer-facts.ts';
import type { PlacedOffer } from './offer-order.ts';
import type { StepContext } from './step-context.ts';

/** @param scale of the bars of all offers. */
export function renderOffer(
  context: StepContext,
  placed: PlacedOffer,
  scale: number,
): TemplateResult {
  const { offer, number } = placed;
  const [amount, apr, ...facts] = toFacts(context, offer);
  const hasBar = typeof toCost(offer) !== 'string';
  const isChosen = context.flow.parts?.offers.view.chosen?.key === placed.key;
  return html`<li
    class="offer ${isChosen ? 'chosen' : ''}"
    part="offer"
    aria-labelledby="offer-${number}"
  >
    <h3 id="offer-${number}" aria-level=${context.headingLevel(1)}>
      ${toOfferTitle(context, offer, number)}
    </h3>
    <dl class="headline" part="answers">
      ${renderFact(amount, hasBar)} ${renderFact(apr, hasBar)}
    </dl>
    ${renderCostBar(context, offer, scale)}
    <dl class="answers facts" part="answers">${facts.map((fact) => renderFact(fact, hasBar))}</dl>
    ${
      offer.disclosures === null
        ? nothing
        : html`<div>
            <p class="label" part="label">${context.t('offers.disclosures')}</p>
            ${renderDisclosures(offer.disclosures)}
          </div>`
    }
    ${renderChoose(context, placed)}
  </li>`;
}

/** Character by character as the lender wrote them. */
export function renderDisclosures(text: string): TemplateResult {
  return html`<p class="disclosures" dir="auto" data-testid="disclosures">${text}</p>`;
}

export function renderLabel({ label, note, part }: Fact, hasBar: boolean): TemplateResult {
  return html`${hasBar ? renderSwatch(part) : nothing}${label}${
    note === undefined ? nothing : html` <span class="hint" part="hint">${note}</span>`
  }`;
}

function renderFact(fact: Fact, hasBar: boolean): TemplateResult {
  return html`<div>
    <dt>${renderLabel(fact, hasBar)}</dt>
    <dd class=${fact.isClear ? '' : 'absent'}>${fact.text}</dd>
  </div>`;
}
