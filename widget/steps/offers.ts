// The outcome: looking, on their way, offers, none this time, or the service being away.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Offers } from '../../shared/api/offers.ts';
import { sessionMaxHours } from '../../shared/api/session-lifetime.ts';
import { renderWithArrow } from '../fields/field.ts';
import type { OffersWatch } from '../flow/offers-watch.ts';
import { renderContact } from './contact.ts';
import { toScale } from './cost-bar.ts';
import { renderOffer } from './offer-card.ts';
import { orders, toOrdered, type Order } from './offer-order.ts';
import { renderOfferTable } from './offer-table.ts';
import { toCounted, type Heading } from './parts.ts';
import { toPartnerLanguage } from './partner-texts.ts';
import type { StepContext } from './step-context.ts';
import { renderSupport, renderWith } from './support.ts';
import { renderTracking } from './tracking.ts';

export function toOffersHeading(context: StepContext): Heading {
  const { t, flow } = context;
  const watch = flow.parts?.offers;
  const outcome = toOutcome(watch);
  const problem = watch?.problem;
  if (outcome === 'unavailable' && problem !== undefined && problem !== 'service-unavailable') {
    return { title: t('offers.unavailable.title'), why: t(`problem.${problem}`) };
  }
  if (outcome !== 'qualified') {
    const title = t(`offers.${outcome}.title`);
    // What it would promise is no longer done.
    if (watch?.hasTired) return { title };
    return outcome === 'pending' && flow.endsWithPage
      ? { title, why: t('offers.pending.text.page-only') }
      : { title, why: t(`offers.${outcome}.text`, { hours: sessionMaxHours }) };
  }
  const count = watch?.offers?.offers.length ?? 0;
  return {
    title: toCounted(context, 'offers.title.one', 'offers.title.many', count),
    why: t(count === 1 ? 'offers.text.one' : 'offers.text.many'),
  };
}

export function renderOffers(context: StepContext): TemplateResult {
  const { t, state, flow } = context;
  const watch = flow.parts?.offers;
  if (!watch) return html`${nothing}`;
  return html`
    ${renderOutcome(context, watch)}
    <div class="group">
      <p class="small">${t('submitted.reference')} ${state.application?.reference}</p>
      ${renderTracking(context)}
    </div>
    ${renderContact(context)}
  `;
}

type Outcome = 'qualified' | 'not-qualified' | 'pending' | 'waiting' | 'unavailable' | 'checking';

/** A decision that has been seen stays on the screen, whatever a later question comes to. */
function toOutcome(watch: OffersWatch | undefined): Outcome {
  if (watch?.offers && watch.offers.decision !== 'pending') return watch.offers.decision;
  if (watch?.problem === 'application-pending') return 'waiting';
  if (watch?.problem !== undefined) return 'unavailable';
  return watch?.offers ? 'pending' : 'checking';
}

function renderOutcome(context: StepContext, watch: OffersWatch): TemplateResult {
  const { offers } = watch;
  if (offers?.decision === 'qualified') return renderQualified(context, watch, offers);
  if (offers?.decision === 'not-qualified') return renderNotQualified(context);
  return html`<div class="group">
    ${renderLooking(context, watch)} ${renderCheck(context, watch)}
    <p>${context.t('offers.meanwhile')}</p>
  </div>`;
}

/** What is being done, and since when; or that it is left to the applicant now. */
function renderLooking(
  { t, format, state }: StepContext,
  watch: OffersWatch,
): TemplateResult | typeof nothing {
  if (!watch.isLooking && !watch.hasTired) return nothing;
  const { application } = state;
  const isOnItsWay = toOutcome(watch) === 'waiting' && application !== undefined;
  const since = isOnItsWay
    ? t('submitted.received-at', { time: format.dateTime(new Date(application.receivedAt)) })
    : t('offers.since', { time: format.time(watch.since) });
  return html`<p class="waiting" role="status">
    ${watch.isLooking ? html`<span class="pulse"></span>` : nothing}
    <span>${watch.isLooking ? since : t('offers.stopped')}</span>
  </p>`;
}

function renderCheck({ t, format }: StepContext, watch: OffersWatch): TemplateResult {
  const { offers, problem } = watch;
  const checked = offers && t('offers.checked', { time: format.time(new Date(offers.checkedAt)) });
  // Elsewhere the heading says what does not work.
  const hasOffers = offers?.decision === 'qualified';
  return html`<div class="actions">
    <button
      type="button"
      class="button secondary"
      part="button secondary"
      @click=${() => void watch.check()}
    >
      ${t('offers.check')}
    </button>
    <span class="hint" part="hint" role=${watch.answersPress ? 'status' : nothing}>
      ${watch.isChecking ? t('offers.checking') : checked}
      ${hasOffers && problem !== undefined ? t(`problem.${problem}`) : nothing}
    </span>
  </div>`;
}

function renderQualified(
  context: StepContext,
  watch: OffersWatch,
  { offers }: Offers,
): TemplateResult {
  const { t } = context;
  const { order, isTable } = watch.view;
  const { placed, lacking } = toOrdered(offers, order);
  const scale = toScale(offers);
  const hasSeveral = offers.length > 1;
  // On paper the columns of a table would be too narrow for their figures: there the cards stand in its place.
  const showsTable = hasSeveral && isTable;
  return html`<div class="group">
    <p class="hint" part="hint">
      ${t('offers.explained')} ${hasSeveral ? t('offers.bars') : nothing}
    </p>
    ${hasSeveral ? renderTools(context, watch, lacking) : nothing}
    ${showsTable ? renderOfferTable(context, placed, scale) : nothing}
    <ol class="offers ${showsTable ? 'on-paper' : ''}" part="offers">
      ${repeat(
        placed,
        ({ key }) => key,
        (one) => renderOffer(context, one, scale),
      )}
    </ol>
    ${renderCheck(context, watch)}
  </div>`;
}

function renderTools({ t }: StepContext, watch: OffersWatch, lacking: number): TemplateResult {
  const { order, isTable } = watch.view;
  const said = t('offers.order.announce', { order: t(`offers.order.${order}`) });
  return html`<div class="actions tools">
    <div class="field" part="field">
      <label for="offers-order" part="label">${t('offers.order')}</label>
      ${renderWithArrow(
        html`<select
          class="control"
          part="input"
          id="offers-order"
          @change=${({ target }: Event) => {
            const chosen = orders.find(
              (one) => target instanceof HTMLSelectElement && one === target.value,
            );
            if (chosen) watch.show({ order: chosen });
          }}
        >
          ${orders.map(
            (one: Order) =>
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
      @click=${() => watch.show({ isTable: !isTable })}
    >
      ${t('offers.compare')}
    </button>
    <p class="hint" part="hint" role="status">
      <span class="visually-hidden">${said}</span>
      ${lacking === 0 ? nothing : t('offers.order.incomplete', { count: lacking })}
    </p>
  </div>`;
}

/** The creditor's own notice (12 CFR 1002.9), when the partner has set one; no reason is made up. */
function renderNotQualified(context: StepContext): TemplateResult {
  const { t, configuration } = context;
  const { notQualifiedNotice } = configuration.offers;
  const contact = renderSupport(context);
  return html`<div class="group">
    ${notQualifiedNotice === '' ? nothing : html`<p class="fine-print" lang=${toPartnerLanguage(context)}>${notQualifiedNotice}</p>`}
    ${
      contact === nothing
        ? nothing
        : html`<p>${renderWith(t, 'offers.not-qualified.contact', { contact })}</p>`
    }
    <div class="actions">
      <button
        type="button"
        class="button secondary"
        part="button secondary"
        @click=${() => window.print()}
      >
        ${t('submitted.print')}
      </button>
    </div>
  </div>`;
}
