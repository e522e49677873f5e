// The offers step: the decision of the lender, the offers as cards or as a table, or why there are none.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Offer } from '../../shared/api/offers.ts';
import { toShortReference } from '../../shared/api/short-reference.ts';
import { sessionMaxHours } from '../../shared/api/session-lifetime.ts';
import type { Heading, StepContext } from '../app/feature.ts';
import {
  renderFolded,
  renderPrintReference,
  renderTracking,
  toCounted,
} from '../app/later-parts.ts';
import { renderButton, toPartnerLanguage, toProblemText } from '../app/parts.ts';
import type { OffersState } from '../app/store.ts';
import { renderWithArrow } from '../fields/field.ts';
import { orders, toOrdered, toScale } from './offer-facts.ts';
import { renderOffer, renderOfferTable } from './offer-views.ts';
import type { OffersActions } from './offers.ts';

type Outcome = 'qualified' | 'not-qualified' | 'pending' | 'waiting' | 'unavailable' | 'checking';

export function toOffersHeading(context: StepContext): Heading {
  const { t, state, endsWithPage } = context;
  const { response, problem, hasTimedOut } = state.offers;
  const outcome = toOutcome(state.offers);
  if (outcome === 'qualified') {
    const count = response?.offers.length ?? 0;
    return {
      title: toCounted(context, 'offers.title.one', 'offers.title.many', count),
      why: t(count === 1 ? 'offers.text.one' : 'offers.text.many'),
    };
  }
  const title = t(`offers.${outcome}.title`);
  if (outcome === 'unavailable' && problem !== undefined && problem !== 'service-unavailable') {
    return { title, why: toProblemText(t, problem) };
  }
  // The texts below promise automatic checks, which have ended.
  if (hasTimedOut) return { title };
  return outcome === 'pending' && endsWithPage
    ? { title, why: t('offers.pending.text.page-only') }
    : { title, why: t(`offers.${outcome}.text`, { hours: sessionMaxHours }) };
}

export function renderOffers(context: StepContext, actions: OffersActions): TemplateResult {
  const { t, state, form } = context;
  const { response } = state.offers;
  return html`
    ${
      response?.decision === 'qualified'
        ? renderQualified(context, actions, response.offers)
        : response?.decision === 'not-qualified'
          ? renderNotQualified(context)
          : html`<div class="group">
              ${renderPolling(context)} ${renderCheck(context, actions)}
              <p>${t('offers.while-waiting')}</p>
            </div>`
    }
    <div class="group">
      <p class="small">
        ${t('submitted.reference')} ${toShortReference(form.application?.reference ?? '')}
      </p>
      ${renderPrintReference(context)} ${renderTracking(context)}
    </div>
  `;
}

/** A decision stays on the screen when a later request fails. */
function toOutcome({ response, problem }: OffersState): Outcome {
  if (response && response.decision !== 'pending') return response.decision;
  if (problem === 'application-pending') return 'waiting';
  if (problem !== undefined) return 'unavailable';
  return response ? 'pending' : 'checking';
}

/** Shows when polling started, or that it has ended. */
function renderPolling({ t, format, state, form }: StepContext): TemplateResult | typeof nothing {
  const { isPolling, hasTimedOut, since } = state.offers;
  if (!since || (!isPolling && !hasTimedOut)) return nothing;
  const text =
    toOutcome(state.offers) === 'waiting' && form.application
      ? t('submitted.received-at', { time: format.dateTime(new Date(form.application.receivedAt)) })
      : t('offers.since', { time: format.time(since) });
  // One template, so that screen readers say the new text when polling stops.
  return html`<p class="waiting" role="status">
    ${isPolling ? html`<span class="pulse"></span>` : nothing}
    <span>${isPolling ? text : t('offers.stopped')}</span>
  </p>`;
}

function renderCheck({ t, format, state }: StepContext, { check }: OffersActions): TemplateResult {
  const { response, problem, isChecking, isRequested } = state.offers;
  const checked =
    response && t('offers.checked', { time: format.time(new Date(response.checkedAt)) });
  // If there are no offers, the heading states the problem.
  const hasOffers = response?.decision === 'qualified';
  return html`<div class="actions">
    ${renderButton(t('offers.check'), () => void check())}
    <span class="hint" part="hint" role=${isRequested ? 'status' : nothing}>
      ${isChecking ? t('offers.checking') : checked}
      ${hasOffers && problem !== undefined ? toProblemText(t, problem) : nothing}
    </span>
  </div>`;
}

function renderQualified(
  context: StepContext,
  actions: OffersActions,
  offers: readonly Offer[],
): TemplateResult {
  const { t, state } = context;
  const { placed, unclear } = toOrdered(offers, state.offers.order);
  const scale = toScale(offers);
  const hasSeveral = offers.length > 1;
  const isTable = hasSeveral && state.offers.isTable;
  const explanation = renderFolded(
    context,
    'offers-explained',
    t('offers.explain'),
    html`<p class="hint" part="hint">
      ${t('offers.explained')} ${hasSeveral ? t('offers.bars') : nothing}
    </p>`,
  );
  return html`<div class="group">
    ${hasSeveral ? renderTools(context, actions, unclear) : nothing}
    ${isTable ? html`${renderOfferTable(context, actions, placed, scale)} ${explanation}` : nothing}
    <ol class="offers ${isTable ? 'on-paper' : ''}" part="offers">
      ${repeat(
        placed,
        ({ key }) => key,
        (offer) =>
          renderOffer(
            context,
            actions,
            offer,
            scale,
            offer === placed[0] && !isTable ? explanation : nothing,
          ),
      )}
    </ol>
    ${renderCheck(context, actions)}
  </div>`;
}

/** Sorting, and the switch between cards and table. */
function renderTools(
  { t, state }: StepContext,
  { show }: OffersActions,
  unclear: number,
): TemplateResult {
  const { order, isTable } = state.offers;
  return html`<div class="actions tools">
    <div class="field" part="field">
      <label for="offers-order" part="label">${t('offers.order')}</label>
      ${renderWithArrow(
        html`<select
          class="control"
          part="input"
          id="offers-order"
          @change=${({ target }: Event) => {
            const index = target instanceof HTMLSelectElement ? target.selectedIndex : -1;
            show({ order: orders[index] ?? order });
          }}
        >
          ${orders.map(
            (one) =>
              html`<option value=${one} ?selected=${one === order}>
                ${t(`offers.order.${one}`)}
              </option>`,
          )}
        </select>`,
      )}
    </div>
    <button
      type="button"
      class="button secondary"
      part="button secondary"
      aria-pressed=${isTable}
      @click=${() => show({ isTable: !isTable })}
    >
      ${t('offers.compare')}
    </button>
    <p class="hint" part="hint" role="status">
      <span class="visually-hidden"
        >${t('offers.order.announce', { order: t(`offers.order.${order}`) })}</span
      >
      ${unclear === 0 ? nothing : t('offers.order.incomplete', { count: unclear })}
    </p>
  </div>`;
}

/** The partner configures the creditor's notice (12 CFR 1002.9). The element states no reason of its own. */
function renderNotQualified(context: StepContext): TemplateResult {
  const { t, configuration } = context;
  const { notQualifiedNotice } = configuration.offers;
  return html`<div class="group">
    ${
      notQualifiedNotice &&
      html`<p class="fine-print" lang=${toPartnerLanguage(context)}>${notQualifiedNotice}</p>`
    }
    <div class="actions">${renderButton(t('submitted.print'), () => window.print())}</div>
  </div>`;
}
