// Choosing an offer: the host page is told, and the lender's own page about the application opens.

import { html, nothing, type TemplateResult } from 'lit';
import { FundingOfferChosenEvent } from '../events.ts';
import { icons } from '../fields/icons.ts';
import { renderNewTab } from './new-tab.ts';
import { toOfferTitle } from './offer-facts.ts';
import type { PlacedOffer } from './offer-order.ts';
import type { StepContext } from './step-context.ts';
import { renderSupport, renderWith } from './support.ts';
import { toTrackingUrl } from './tracking.ts';

const middleButton = 1;

/** A real link where there is somewhere to go, so that a new tab, a bookmark or a copied address work as everywhere. */
export function renderChoose(context: StepContext, placed: PlacedOffer): TemplateResult {
  const { t, flow, dispatch } = context;
  const { offer, number, key } = placed;
  const url = toTrackingUrl(context);
  const choose = (event: MouseEvent) => {
    if (event.type === 'auxclick' && event.button !== middleButton) return;
    const goesOn = dispatch(new FundingOfferChosenEvent(offer.id, number, url));
    if (!goesOn) event.preventDefault();
    flow.parts?.offers.show({ chosen: { key, goesOn } });
  };
  const label = html`${t(url === undefined ? 'offers.choose' : 'offers.choose.link')}
    <span class="visually-hidden">${toOfferTitle(context, offer, number)}</span>`;
  return html`<div class="choose">
    ${
      url === undefined
        ? html`<button
            type="button"
            class="button secondary"
            part="button secondary"
            @click=${choose}
          >
            ${label}
          </button>`
        : renderNewTab(context, url, label, 'button secondary', choose)
    }
    <p role="status">${renderChosen(context, placed, url !== undefined)}</p>
  </div>`;
}

/** The choice itself reaches only the host page, so the text says how to accept the offer. A page that prevents the event takes over. */
function renderChosen(
  context: StepContext,
  { key }: PlacedOffer,
  hasLink: boolean,
): TemplateResult | typeof nothing {
  const { t, flow, state } = context;
  const chosen = flow.parts?.offers.view.chosen;
  if (chosen?.key !== key) return nothing;
  const contact = renderSupport(context);
  const next = hasLink
    ? 'offers.chosen.link'
    : contact === nothing
      ? 'offers.chosen.next'
      : 'offers.chosen.contact';
  const reference = state.application?.reference ?? '';
  return html`<span class="state done">${icons.check}<span>${t('offers.chosen')}</span></span> ${
      chosen.goesOn ? html`<span>${renderWith(t, next, { reference, contact })}</span>` : nothing
    }`;
}
