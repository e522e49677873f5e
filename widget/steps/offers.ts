// The outcome: looking, on their way, offers, none this time, or the service being away.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { OffersWatch } from '../flow/offers-watch.ts';
import { renderContact } from './contact.ts';
import { renderOffer } from './offer-card.ts';
import { renderWaiting, toCounted, type Heading } from './parts.ts';
import type { StepContext } from './step-context.ts';
import { renderTracking } from './tracking.ts';

export function toOffersHeading(context: StepContext): Heading {
  const { t, flow } = context;
  const offers = flow.parts?.offers.offers;
  const outcome = toOutcome(flow.parts?.offers);
  const problem = flow.parts?.offers.problem;
  if (outcome === 'service-away' && problem !== undefined && problem !== 'service-unavailable') {
    return { title: t('offers.service-away.title'), why: t(`problem.${problem}`) };
  }
  if (outcome === 'pending' && flow.endsWithPage) {
    return { title: t('offers.pending.title'), why: t('offers.pending.text.page-only') };
  }
  if (outcome !== 'qualified') {
    return { title: t(`offers.${outcome}.title`), why: t(`offers.${outcome}.text`) };
  }
  const count = offers?.offers.length ?? 0;
  return {
    title: toCounted(context, 'offers.title.one', 'offers.title.many', count),
    why: t('offers.text'),
  };
}

export function renderOffers(context: StepContext): TemplateResult {
  const watch = context.flow.parts?.offers;
  if (!watch) return html`${nothing}`;
  return html`${renderOutcome(context, watch)} ${renderTracking(context)} ${renderContact(context)}`;
}

type Outcome = 'qualified' | 'not-qualified' | 'pending' | 'waiting' | 'service-away' | 'looking';

/** A decision that has been seen stays on the screen, whatever a later question comes to. */
function toOutcome(watch: OffersWatch | undefined): Outcome {
  if (watch?.offers && watch.offers.decision !== 'pending') return watch.offers.decision;
  if (watch?.problem === 'application-pending') return 'waiting';
  if (watch?.problem !== undefined) return 'service-away';
  return watch?.offers ? 'pending' : 'looking';
}

function renderOutcome(context: StepContext, watch: OffersWatch): TemplateResult | typeof nothing {
  const { t } = context;
  switch (toOutcome(watch)) {
    case 'qualified':
      return renderQualified(context, watch);
    case 'not-qualified':
      return renderNotice(context);
    case 'looking':
      return renderWaiting(t('offers.looking.text'));
    case 'service-away':
    case 'waiting':
    case 'pending':
      return renderCheck(context, watch);
  }
}

function renderCheck({ t, format }: StepContext, watch: OffersWatch): TemplateResult {
  const checkedAt = watch.offers?.checkedAt;
  return html`<div class="actions">
    <button type="button" class="button secondary" @click=${() => void watch.check()}>
      ${t(watch.isChecking ? 'offers.checking' : 'offers.check')}
    </button>
    ${
      checkedAt
        ? html`<span class="hint"
            >${t('offers.checked', { time: format.time(new Date(checkedAt)) })}</span
          >`
        : nothing
    }
  </div>`;
}

function renderQualified(context: StepContext, watch: OffersWatch): TemplateResult {
  return html`<ol class="offers" part="offers">
    ${repeat(
      watch.offers?.offers ?? [],
      ({ id }) => id,
      (offer, index) => renderOffer(context, offer, index + 1),
    )}
  </ol>`;
}

/** The creditor's own notice (12 CFR 1002.9), when the partner has set one. */
function renderNotice({ configuration }: StepContext): TemplateResult | typeof nothing {
  const { notQualifiedNotice } = configuration.offers;
  return notQualifiedNotice === ''
    ? nothing
    : html`<p class="fine-print">${notQualifiedNotice}</p>`;
}
