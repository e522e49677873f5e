// The offers as cards and as a table, with the same facts, bars, and buttons.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Offer } from '../../shared/api/offers.ts';
import { toShortReference } from '../../shared/api/short-reference.ts';
import { FundingOfferChosenEvent } from '../app/later-events.ts';
import type { StepContext } from '../app/feature.ts';
import { renderFolded, toTrackingUrl } from '../app/later-parts.ts';
import { renderButton, renderMessage, renderNewTab, renderSupport } from '../app/parts.ts';
import { icons } from '../fields/icons.ts';
import { laterIcons } from '../fields/later-icons.ts';
import {
  toCostPerDollar,
  toFacts,
  toOfferTitle,
  type Fact,
  type PlacedOffer,
} from './offer-facts.ts';
import type { OffersActions } from './offers.ts';

const middleButton = 1;

/**
 * @param scale of the bars; see `toScale`.
 * @param explanation of the figures, at the end of the first card.
 */
export function renderOffer(
  context: StepContext,
  actions: OffersActions,
  placed: PlacedOffer,
  scale: number,
  explanation: unknown,
): TemplateResult {
  const { t, state, headingLevel } = context;
  const { offer, number, key } = placed;
  const { headline, main, details } = toFacts(context, offer);
  const isChosen = state.offers.chosen?.key === key;
  return html`<li
    class="offer ${isChosen ? 'chosen' : ''}"
    part="offer"
    aria-labelledby="offer-${number}"
  >
    <h3 id="offer-${number}" aria-level=${headingLevel(1)}>${toOfferTitle(context, placed)}</h3>
    <dl class="headline figures" part="answers">${headline.map(renderFact)}</dl>
    <div class="cost">${renderCostBar(context, offer, scale)}</div>
    <dl class="answers figures" part="answers">${main.map(renderFact)}</dl>
    ${renderFolded(
      context,
      `offer-${number}-details`,
      html`${t('offers.details')}
        <span class="visually-hidden">${toOfferTitle(context, placed)}</span>`,
      html`<dl class="answers figures" part="answers">${details.map(renderFact)}</dl>`,
    )}
    <div>
      ${
        offer.disclosures === null
          ? nothing
          : html`<p class="label" part="label">${t('offers.disclosures')}</p>
              ${renderDisclosures(offer.disclosures)}`
      }
    </div>
    <div class="choose">${renderChoose(context, actions, placed)} ${explanation}</div>
  </li>`;
}

function renderFact(fact: Fact): TemplateResult {
  return html`<div>
    <dt>${fact.label}</dt>
    <dd class=${fact.isClear ? '' : 'absent'}>${fact.text}</dd>
  </div>`;
}

/**
 * One column for each offer, with the label of each row above its figures. The table scrolls inside its own region, also with the
 * keyboard (WCAG 2.2, 2.1.1 and 1.4.10).
 *
 * @param scale of the bars; see `toScale`.
 */
export function renderOfferTable(
  context: StepContext,
  actions: OffersActions,
  placed: readonly PlacedOffer[],
  scale: number,
): TemplateResult {
  const { t } = context;
  const columns = placed.map((one) => {
    const { headline, main, details } = toFacts(context, one.offer);
    return { ...one, facts: [...headline, ...main, ...details] };
  });
  type Column = (typeof columns)[number];
  const renderCells = (render: (column: Column) => unknown) =>
    html`<tr>
      ${repeat(
        columns,
        ({ key }) => key,
        (column) => html`<td>${render(column)}</td>`,
      )}
    </tr>`;
  const renderRow = (label: unknown, render: (column: Column) => unknown) =>
    html`<tbody>
      <tr>
        <th scope="rowgroup" colspan=${columns.length}><span>${label}</span></th>
      </tr>
      ${renderCells(render)}
    </tbody>`;
  return html`<section class="scroller screen-only" aria-labelledby="offers-table" tabindex="0">
    <table class="comparison figures" part="offers">
      <caption class="visually-hidden" id="offers-table">
        ${t('offers.table')}
      </caption>
      <thead>
        <tr>
          ${repeat(
            columns,
            ({ key }) => key,
            (column) => html`<th scope="col">${toOfferTitle(context, column)}</th>`,
          )}
        </tr>
      </thead>
      ${columns[0]?.facts.map((fact, index) =>
        renderRow(fact.label, ({ facts }) => {
          const own = facts[index];
          return html`<span class=${own?.isClear ? '' : 'absent'}
            >${renderRanges(own?.text)}</span
          >`;
        }),
      )}
      ${renderRow(t('offers.bar'), ({ offer }) => html`<div class="cost">${renderCostBar(context, offer, scale)}</div>`)}
      ${renderRow(t('offers.disclosures'), ({ offer: { disclosures } }) =>
        disclosures === null
          ? t('offers.missing')
          : html`<details>
              <summary>${t('offers.disclosures.show')}${icons.down}</summary>
              ${renderDisclosures(disclosures)}
            </details>`,
      )}
      <tbody>
        ${renderCells((column) => html`<div class="choose">${renderChoose(context, actions, column)}</div>`)}
      </tbody>
    </table>
  </section>`;
}

/** Marks ranges such as `18.2%–24.9%`, which must not wrap like other text. */
function renderRanges(text = ''): readonly unknown[] {
  return text
    .split(/(\S+–\S+)/)
    .map((part, index) => (index % 2 === 0 ? part : html`<span class="range">${part}</span>`));
}

/** The lender's text is shown unchanged, with its white space. */
function renderDisclosures(text: string): TemplateResult {
  return html`<p class="disclosures" dir="auto" data-testid="disclosures">${text}</p>`;
}

/** The bar shows the cost of a borrowed dollar, on one scale for all offers. Its pale end is the range. */
function renderCostBar({ t, format }: StepContext, offer: Offer, scale: number): TemplateResult {
  const cost = toCostPerDollar(offer);
  if (!cost) return html`<p class="hint" part="hint">${t('offers.bar.missing')}</p>`;
  const low = format.exactDollars(1 + cost.low);
  const high = format.exactDollars(1 + cost.high);
  const figure = low === high ? low : `${low}–${high}`;
  const toPath = (end: number) => `M0 .5H${((end / scale) * 100).toFixed(2)}`;
  return html`
    <p class="small">${renderRanges(t('offers.bar.label', { figure }))}</p>
    ${
      scale === 0
        ? nothing
        : html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <path class="high" d=${toPath(cost.high)} />
            <path class="low" d=${toPath(cost.low)} />
          </svg>`
    }
  `;
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
  const label = html`${url === undefined ? t('offers.choose') : html`${t('offers.choose.link')}${laterIcons.newTab}`}
    <span class="visually-hidden">${toOfferTitle(context, placed)}</span>`;
  return html`${
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
    </p>`;
}

/** Explains how to accept the chosen offer, which the element can't do. A host page that prevents the event does it. */
function renderNext(context: StepContext, trackingUrl: string | undefined): readonly unknown[] {
  const contact = renderSupport(context);
  const key = contact === nothing ? 'offers.chosen.next' : 'offers.chosen.contact';
  return renderMessage(context.t, trackingUrl === undefined ? key : 'offers.chosen.link', {
    reference: toShortReference(context.form.application?.reference ?? ''),
    contact,
  });
}
