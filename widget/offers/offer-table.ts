// The offers side by side, one column for each offer, with the same facts as the cards.

import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { StepContext } from '../app/feature.ts';
import { renderCostBar } from './cost-bar.ts';
import { renderChoose, renderDisclosures, renderFactLabel } from './offer-card.ts';
import { toFacts, toOfferTitle, type PlacedOffer } from './offer-facts.ts';
import type { OffersActions } from './offers.ts';

/** A table that scrolls inside its own region, also with the keyboard (WCAG 2.2, 2.1.1 and 1.4.10). */
export function renderOfferTable(
  context: StepContext,
  actions: OffersActions,
  placed: readonly PlacedOffer[],
  scale: number,
): TemplateResult {
  const { t } = context;
  const columns = placed.map((one) => ({ ...one, facts: toFacts(context, one.offer) }));
  type Column = (typeof columns)[number];
  const renderCells = (render: (column: Column) => unknown) =>
    repeat(columns, ({ key }) => key, render);
  const renderRow = (label: unknown, render: (column: Column) => unknown) =>
    html`<tr>
      <th scope="row">${label}</th>
      ${renderCells((column) => html`<td>${render(column)}</td>`)}
    </tr>`;
  return html`<div class="scroller" role="region" aria-labelledby="offers-table" tabindex="0">
    <table class="comparison" part="offers">
      <caption class="visually-hidden" id="offers-table">
        ${t('offers.table')}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${renderCells((column) => html`<th scope="col">${toOfferTitle(context, column)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${columns[0]?.facts.map((fact, index) =>
          renderRow(renderFactLabel(fact, true), ({ facts }) => {
            const own = facts[index];
            return html`<span class=${own?.isClear ? '' : 'absent'}>${own?.text}</span>`;
          }),
        )}
        ${renderRow(t('offers.bar'), ({ offer }) => renderCostBar(context, offer, scale))}
        ${renderRow(t('offers.disclosures'), ({ offer: { disclosures } }) =>
          disclosures === null ? t('offers.missing') : renderDisclosures(disclosures),
        )}
        <tr>
          <td></td>
          ${renderCells((column) => html`<td>${renderChoose(context, actions, column)}</td>`)}
        </tr>
      </tbody>
    </table>
  </div>`;
}
