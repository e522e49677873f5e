// The offers side by side: the facts of the cards, in the same order, each offer a column.

import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { renderChoose } from './choose-offer.ts';
import { renderCostBar } from './cost-bar.ts';
import { renderDisclosures, renderLabel } from './offer-card.ts';
import { toFacts, toOfferTitle } from './offer-facts.ts';
import type { PlacedOffer } from './offer-order.ts';
import type { StepContext } from './step-context.ts';

/** Scrolls inside itself, also by the keyboard (WCAG 2.2, 2.1.1 and 1.4.10). */
export function renderOfferTable(
  context: StepContext,
  placed: readonly PlacedOffer[],
  scale: number,
): TemplateResult {
  const { t } = context;
  const columns = placed.map((one) => ({ ...one, facts: toFacts(context, one.offer) }));
  type Column = (typeof columns)[number];
  const eachOffer = (render: (column: Column) => unknown) =>
    repeat(columns, ({ key }) => key, render);
  const row = (label: unknown, render: (column: Column) => unknown) =>
    html`<tr>
      <th scope="row">${label}</th>
      ${eachOffer((column) => html`<td>${render(column)}</td>`)}
    </tr>`;
  return html`<div class="scroller" role="region" aria-labelledby="offers-table" tabindex="0">
    <table class="comparison" part="offers">
      <caption class="visually-hidden" id="offers-table">
        ${t('offers.table')}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${eachOffer(({ offer, number }) => html`<th scope="col">${toOfferTitle(context, offer, number)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${columns[0]?.facts.map((fact, index) =>
          row(renderLabel(fact, true), ({ facts }) => {
            const own = facts[index];
            return html`<span class=${own?.isClear ? '' : 'absent'}>${own?.text}</span>`;
          }),
        )}
        ${row(t('offers.bar'), ({ offer }) => renderCostBar(context, offer, scale))}
        ${row(t('offers.disclosures'), ({ offer: { disclosures } }) =>
          disclosures === null ? t('offers.missing') : renderDisclosures(disclosures),
        )}
        <tr>
          <td></td>
          ${eachOffer((column) => html`<td>${renderChoose(context, column)}</td>`)}
        </tr>
      </tbody>
    </table>
  </div>`;
}
