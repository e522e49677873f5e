// The record of a sent application: where it stands, its reference, what happens next.

import { html, nothing, type TemplateResult } from 'lit';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import { renderProblem, toSupport, type Heading } from './parts.ts';
import type { StepContext } from './step-context.ts';
import { renderTracking } from './tracking.ts';

export function toSubmittedHeading({ t, state }: StepContext): Heading {
  const isAccepted = state.application?.status === 'accepted';
  return { title: t(isAccepted ? 'submitted.accepted.title' : 'submitted.received.title') };
}

export function renderSubmitted(context: StepContext): TemplateResult {
  const { t, format, flow, state, configuration } = context;
  const { application } = state;
  if (!application) return html`${nothing}`;
  const isAccepted = application.status === 'accepted';
  return html`
    ${renderProblem(context, state.problem)}
    <div class="group">
      <p>${t(toSentence(application))}</p>
      ${renderSupport(context, application)}
      <p>
        ${t('submitted.reference')}
        <span class="reference" data-testid="reference">${application.reference}</span>
        <span class="hint"
          >${t('submitted.received-at', { time: format.dateTime(new Date(application.receivedAt)) })}</span
        >
      </p>
      ${isAccepted ? nothing : renderFollowing(context)} ${renderTracking(context)}
      ${flow.endsWithPage ? html`<p>${t('submitted.page-only')}</p>` : nothing}
    </div>
    <section class="group" aria-labelledby="next-title">
      <h3 id="next-title">${t('submitted.next.title')}</h3>
      <ol class="next">
        <li>${t('submitted.next.documents')}</li>
        ${configuration.bankConnection === 'off' ? nothing : html`<li>${t('submitted.next.bank')}</li>`}
        <li>${t('submitted.next.offers')}</li>
      </ol>
    </section>
    <div class="actions">
      <button type="button" class="button" @click=${() => flow.next()}>
        ${t('submitted.continue')}
      </button>
      ${
        isAccepted
          ? html`<button type="button" class="quiet" @click=${() => flow.showOffers()}>
              ${t('submitted.offers')}
            </button>`
          : nothing
      }
      <button type="button" class="quiet" @click=${() => window.print()}>
        ${t('submitted.print')}
      </button>
    </div>
  `;
}

/** For somebody who cannot wait until it is settled by itself. */
function renderSupport(
  context: StepContext,
  { status, delayed }: ApplicationStatus,
): TemplateResult | typeof nothing {
  const contact = toSupport(context);
  return contact !== '' && (delayed || status === 'confirming')
    ? html`<p>${context.t('submitted.support', { contact })}</p>`
    : nothing;
}

function renderFollowing({ t, format, flow }: StepContext): TemplateResult {
  return html`<div class="actions">
    <button type="button" class="button secondary" @click=${() => void flow.checkApplication()}>
      ${t(flow.isChecking ? 'offers.checking' : 'submitted.check')}
    </button>
    ${
      flow.checkedAt
        ? html`<span class="hint"
            >${t('submitted.checked', { time: format.time(flow.checkedAt) })}</span
          >`
        : nothing
    }
  </div>`;
}

function toSentence({ status, delayed }: ApplicationStatus) {
  if (status === 'accepted') return 'submitted.accepted.text';
  if (status === 'confirming') return 'submitted.confirming.text';
  return delayed ? 'submitted.delayed.text' : 'submitted.received.text';
}
