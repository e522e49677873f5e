// The record of a sent application, as a letter: where it stands, its reference, what happens next, what was given.

import { html, nothing, type TemplateResult } from 'lit';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import { icons } from '../fields/icons.ts';
import type { LaterStepId } from '../app/steps.ts';
import { renderLacking } from './given.ts';
import { renderProblem, toCounted, type Heading } from './parts.ts';
import { renderRecord } from './record.ts';
import type { StepContext } from './step-context.ts';
import { renderSupport, renderWith } from './support.ts';
import { renderTracking } from './tracking.ts';

export function toSubmittedHeading({ t, state }: StepContext): Heading {
  const isAccepted = state.application?.status === 'accepted';
  return { title: t(isAccepted ? 'submitted.accepted.title' : 'submitted.received.title') };
}

export function renderSubmitted(context: StepContext): TemplateResult {
  const { t, flow, state } = context;
  const { application } = state;
  if (!application) return html`${nothing}`;
  return html`
    ${renderProblem(context, state.problem)}
    <div class="group">
      <p role="status">${t(toSentence(application))}</p>
      <p>
        ${t('submitted.reference')}
        <span class="reference" part="reference" data-testid="reference"
          >${application.reference}</span
        >
      </p>
      <p class="print-reference" aria-hidden="true">
        ${t('submitted.reference')} ${application.reference}
      </p>
      ${renderReach(context, application)}
      ${application.status === 'accepted' ? nothing : renderFollowing(context)}
      ${renderTracking(context)}
      ${flow.endsWithPage ? html`<p>${t('submitted.page-only')}</p>` : nothing}
    </div>
    ${renderNext(context, application)}
    <div class="actions">
      <button type="button" class="button" part="button" @click=${() => flow.next()}>
        ${t('submitted.continue')}
      </button>
      <button type="button" class="quiet" part="link" @click=${() => window.print()}>
        ${t('submitted.print')}
      </button>
    </div>
    ${renderRecord(context)}
  `;
}

/** Three lines: what has happened, what can be done now, what comes of it. */
function renderNext(context: StepContext, { receivedAt }: ApplicationStatus): TemplateResult {
  const { t, format, configuration, headingLevel } = context;
  return html`<section class="group" aria-labelledby="next-title">
    <h3 id="next-title" aria-level=${headingLevel(1)}>${t('submitted.next.title')}</h3>
    <ol class="next">
      <li>
        <strong>${format.dateTime(new Date(receivedAt))}</strong>
        <p>${t('submitted.next.received')}</p>
      </li>
      <li class="screen-only">
        <strong>${t('submitted.next.now')}</strong>
        ${renderTask(context, 'documents')}
        ${configuration.bankConnection === 'off' ? nothing : renderTask(context, 'bank')}
        ${renderLacking(context)}
      </li>
      <li>
        <strong>${t('submitted.next.then')}</strong>
        <p>${t('submitted.next.offers')}</p>
        ${renderTask(context, 'offers')}
      </li>
    </ol>
  </section>`;
}

/** One press leads there, whatever was done before. */
function renderTask(context: StepContext, step: Exclude<LaterStepId, 'submitted'>): TemplateResult {
  const { t, flow } = context;
  const done = toDone(context, step);
  return html`<div class="task">
    <button
      type="button"
      class="quiet"
      part="link"
      aria-describedby="task-${step}"
      @click=${() => flow.showLater(step)}
    >
      ${t(step === 'offers' ? 'submitted.offers' : `step.${step}.title`)}
    </button>
    <span class="state ${done ? 'done' : 'small'}" id="task-${step}">
      ${done ? icons.check : nothing}${done || (step === 'offers' ? nothing : t('submitted.not-started'))}
    </span>
  </div>`;
}

/** What was given already, in words; empty when nothing was. */
function toDone(context: StepContext, step: LaterStepId): string {
  const { t, flow } = context;
  if (!flow.parts) return '';
  const { documents, bank, offers } = flow.parts;
  const files = documents.sent.filter(({ status }) => status !== 'rejected').length;
  const found = offers.offers?.offers.length ?? 0;
  const isConnected = bank.status !== undefined && bank.status.status !== 'rejected';
  if (step === 'bank') return isConnected ? t('submitted.bank') : '';
  return step === 'documents'
    ? files > 0
      ? toCounted(context, 'submitted.files.one', 'submitted.files.many', files)
      : ''
    : found > 0
      ? toCounted(context, 'offers.title.one', 'offers.title.many', found)
      : '';
}

/** For somebody who cannot wait until it is settled by itself. */
function renderReach(
  context: StepContext,
  { status, delayed }: ApplicationStatus,
): TemplateResult | typeof nothing {
  const contact = renderSupport(context);
  return contact !== nothing && (delayed || status === 'confirming')
    ? html`<p>${renderWith(context.t, 'submitted.support', { contact })}</p>`
    : nothing;
}

function renderFollowing({ t, format, flow }: StepContext): TemplateResult {
  const { isChecking, answersPress, checkedAt } = flow.watch;
  return html`<div class="actions">
    <button
      type="button"
      class="button secondary"
      part="button secondary"
      @click=${() => void flow.watch.check()}
    >
      ${t('submitted.check')}
    </button>
    <span class="hint" part="hint" role=${answersPress ? 'status' : nothing}>
      ${isChecking ? t('offers.checking') : checkedAt && t('submitted.checked', { time: format.time(checkedAt) })}
    </span>
  </div>`;
}

function toSentence({ status, delayed }: ApplicationStatus) {
  if (status === 'accepted') return 'submitted.accepted.text';
  if (status === 'confirming') return 'submitted.confirming.text';
  return delayed ? 'submitted.delayed.text' : 'submitted.received.text';
}
