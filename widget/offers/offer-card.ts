// One offer as a card, and the button that chooses an offer.

import { html, nothing, type TemplateResult } from 'lit';
import type { StepContext } from '../app/feature.ts';
import {
  renderButton,
  renderMessage,
  renderNewTab,
  renderSupport,
  toTrackingUrl,
} from '../app/parts.ts';
import { FundingOfferChosenEvent } from '../app/events.ts';
import { icons } from '../fields/icons.ts';
import { renderCostBar, renderSwatch, toCost } from './cost-bar.ts';
import { toFacts, toOfferTitle, type Fact, type PlacedOffer } from './offer-facts.ts';
import type { OffersActions } from './offers.ts';

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
  const [amount, apr, ...facts] = toFacts(context, offer);
  const hasBar = typeof toCost(offer) !== 'string';
  const isChosen = state.offers.chosen?.key === key;
  const renderFact = (fact: Fact) =>
    html`<div>
      <dt>${renderFactLabel(fact, hasBar)}</dt>
      <dd class=${fact.isClear ? '' : 'absent'}>${fact.text}</dd>
    </div>`;
  return html`<li
    class="offer ${isChosen ? 'chosen' : ''}"
    part="offer"
    aria-labelledby="offer-${number}"
  >
    <h3 id="offer-${number}" aria-level=${headingLevel(1)}>${toOfferTitle(context, placed)}</h3>
    <dl class="headline" part="answers">${renderFact(amount)} ${renderFact(apr)}</dl>
    ${renderCostBar(context, offer, scale)}
    <dl class="answers facts" part="answers">${facts.map(renderFact)}</dl>
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

/** Unchanged, with all white space of the lender. */
export function renderDisclosures(text: string): TemplateResult {
  return html`<p class="disclosures" dir="auto" data-testid="disclosures">${text}</p>`;
}

/** @param hasBar an offer without a cost bar needs no legend. */
export function renderFactLabel({ label, note, part }: Fact, hasBar: boolean): TemplateResult {
  return html`${hasBar && part !== undefined ? renderSwatch(part) : nothing}${label}${
    note === undefined ? nothing : html` <span class="hint" part="hint">${note}</span>`
  }`;
}

/**
 * Dispatches `funding-offer-chosen`. With a tracking URL, this is a link, so that the browser's own ways to open a link work.
 */
export function renderChoose(
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

/** How to accept the chosen offer. The element cannot do it, and a host page that prevents the event does it itself. */
function renderNext(context: StepContext, trackingUrl: string | undefined): readonly unknown[] {
  const { t, form } = context;
  const contact = renderSupport(context);
  const key =
    trackingUrl !== undefined
      ? 'offers.chosen.link'
      : contact === nothing
        ? 'offers.chosen.next'
        : 'offers.chosen.contact';
  return renderMessage(t, key, { reference: form.application?.reference ?? '', contact });
}
