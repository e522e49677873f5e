// The offers as cards and as a table, with the same facts, cost bars, and buttons.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Offer } from '../../shared/api/offers.ts';
import { FundingOfferChosenEvent } from '../app/events.ts';
import type { StepContext } from '../app/feature.ts';
import { toTrackingUrl } from '../app/later-parts.ts';
import { renderButton, renderMessage, renderNewTab, renderSupport } from '../app/parts.ts';
import { icons } from '../fields/icons.ts';
import {
  toCost,
  toFacts,
  toFees,
  toOfferTitle,
  type CostPart,
  type Fact,
  type PlacedOffer,
} from './offer-facts.ts';
import type { OffersActions } from './offers.ts';

/** In the order of the bar. The style sheet gives each part a color and a texture. */
const costParts: readonly CostPart[] = ['principal', 'interest', 'fees'];

const middleButton = 1;

/** @param scale of the cost bars; see `toScale`. */
export function renderOffer(
  context: StepContext,
  actions: OffersActions,
  placed: PlacedOffer,
  scale: number,
): TemplateResult {
  const { t, state, headingLevel } = context;
  const { offer, number, key } = placed;
  const hasBar = typeof toCost(offer) !== 'string';
  const facts = toFacts(context, offer).map(
    (fact) =>
      html`<div>
        <dt>${renderFactLabel(fact, hasBar)}</dt>
        <dd class=${fact.isClear ? '' : 'absent'}>${fact.text}</dd>
      </div>`,
  );
  const isChosen = state.offers.chosen?.key === key;
  return html`<li
    class="offer ${isChosen ? 'chosen' : ''}"
    part="offer"
    aria-labelledby="offer-${number}"
  >
    <h3 id="offer-${number}" aria-level=${headingLevel(1)}>${toOfferTitle(context, placed)}</h3>
    <dl class="headline figures" part="answers">${facts.slice(0, 2)}</dl>
    ${renderCostBar(context, offer, scale)}
    <dl class="answers figures" part="answers">${facts.slice(2)}</dl>
    ${
      offer.disclosures === null
        ? nothing
        : html`<div>
            <p class="label" part="label">${t('offers.disclosures')}</p>
            ${renderDisclosures(offer.disclosures)}
          </div>`
    }
    ${renderChoose(context, actions, placed)}
  </li>`;
}

/**
 * One column for each offer. The table scrolls inside its own region, also with the keyboard (WCAG 2.2, 2.1.1 and 1.4.10).
 *
 * @param scale of the cost bars; see `toScale`.
 */
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
  return html`<div
    class="scroller screen-only"
    role="region"
    aria-labelledby="offers-table"
    tabindex="0"
  >
    <table class="comparison figures" part="offers">
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

/** The lender's text is shown unchanged, with its white space. */
function renderDisclosures(text: string): TemplateResult {
  return html`<p class="disclosures" dir="auto" data-testid="disclosures">${text}</p>`;
}

/** @param hasBar whether a cost bar needs the label as its legend. */
function renderFactLabel({ label, note, part }: Fact, hasBar: boolean): TemplateResult {
  const swatch = html`<svg
    class="swatch"
    viewBox="0 0 3 1"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${part && renderPart(part, 0, 3)}
  </svg>`;
  return html`${hasBar && part ? swatch : nothing}${label}${
    note && html` <span class="hint" part="hint">${note}</span>`
  }`;
}

/** The bar shows principal, interest, and fees. All offers have the same scale. */
function renderCostBar(context: StepContext, offer: Offer, scale: number): TemplateResult {
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

function renderPart(part: CostPart, start: number, end: number): TemplateResult<2> {
  return svg`<path class=${part} d="M${start.toFixed(2)} .5H${end.toFixed(2)}" />`;
}

/**
 * Dispatches `funding-offer-chosen`. With a tracking URL, this is a link, so that the browser's own ways to open a link work.
 */
function renderChoose(
  context: StepContext,
  { show }: OffersActions,
  placed: PlacedOffer,
): TemplateResult {
  const { t, state, dispatch } = context;
  const { offer, number, key } = placed;
  const { chosen } = state.offers;
  const url = toTrackingUrl(context);
  const handleClick = (event: MouseEvent) => {
    if (event.type === 'auxclick' && event.button !== middleButton) return;
    const isPrevented = !dispatch(new FundingOfferChosenEvent(offer.id, number, url));
    if (isPrevented) event.preventDefault();
    show({ chosen: { key, isPrevented } });
  };
  const label = html`${t(url === undefined ? 'offers.choose' : 'offers.choose.link')}
    <span class="visually-hidden">${toOfferTitle(context, placed)}</span>`;
  return html`<div class="choose">
    ${
      url === undefined
        ? renderButton(label, handleClick)
        : renderNewTab(context, url, label, 'button secondary', handleClick)
    }
    <p role="status">
      ${
        chosen?.key === key
          ? html`<span class="state done">${icons.check}<span>${t('offers.chosen')}</span></span>
              ${chosen.isPrevented ? nothing : html`<span>${renderNext(context, url)}</span>`}`
          : nothing
      }
    </p>
  </div>`;
}

/** Explains how to accept the chosen offer, which the element can't do. A host page that prevents the event does it. */
function renderNext(context: StepContext, trackingUrl: string | undefined): readonly unknown[] {
  const contact = renderSupport(context);
  const key = contact === nothing ? 'offers.chosen.next' : 'offers.chosen.contact';
  return renderMessage(context.t, trackingUrl === undefined ? key : 'offers.chosen.link', {
    reference: context.form.application?.reference ?? '',
    contact,
  });
}
