// The step after the submission: the status of the application, its reference, what happens next, and what was sent.

import { html, nothing, type TemplateResult } from 'lit';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import { renderAnswers, toAnswerGroups } from '../app/answers.ts';
import { hasBankReport, renderStatementsHint, withoutRejected } from '../app/attachment-parts.ts';
import type { Heading, StepContext } from '../app/feature.ts';
import { renderConsentLinks, renderTracking, toCounted } from '../app/later-parts.ts';
import { renderButton, renderMessage, renderProblem, renderSupport } from '../app/parts.ts';
import type { LaterStepId } from '../app/navigation.ts';
import { icons } from '../fields/icons.ts';

export function toSubmittedHeading({ t, form }: StepContext): Heading {
  const isAccepted = form.application?.status === 'accepted';
  return { title: t(isAccepted ? 'submitted.accepted.title' : 'submitted.received.title') };
}

export function renderSubmitted(context: StepContext, checkStatus: () => void): TemplateResult {
  const { t, form, actions, endsWithPage } = context;
  const { application } = form;
  if (!application) return html`${nothing}`;
  const { status, reference } = application;
  return html`
    ${renderProblem(context, form.problem)}
    <div class="group">
      <p role="status">${t(toStatusKey(application))}</p>
      <p>
        ${t('submitted.reference')}
        <span class="reference" part="reference" data-testid="reference">${reference}</span>
      </p>
      <p class="print-reference" aria-hidden="true">${t('submitted.reference')} ${reference}</p>
      ${renderSupportLine(context, application)}
      ${status === 'accepted' ? nothing : renderCheck(context, checkStatus)}
      ${renderTracking(context)}
      ${endsWithPage ? html`<p>${t('submitted.page-only')}</p>` : nothing}
    </div>
    ${renderNext(context, application)}
    <div class="actions">
      ${renderButton(t('submitted.continue'), actions.next, 'button')}
      ${renderButton(t('submitted.print'), () => window.print(), 'quiet')}
    </div>
    ${renderRecord(context)}
  `;
}

function toStatusKey({ status, delayed }: ApplicationStatus) {
  if (status === 'accepted') return 'submitted.accepted.text';
  if (status === 'confirming') return 'submitted.confirming.text';
  return delayed ? 'submitted.delayed.text' : 'submitted.received.text';
}

/** Tells the applicant how to reach the partner while the application takes longer than usual. */
function renderSupportLine(
  context: StepContext,
  { status, delayed }: ApplicationStatus,
): TemplateResult | typeof nothing {
  const contact = renderSupport(context);
  return contact !== nothing && (delayed || status === 'confirming')
    ? html`<p>${renderMessage(context.t, 'submitted.support', { contact })}</p>`
    : nothing;
}

/** The last check is announced only if the applicant asked for it. */
function renderCheck({ t, format, state }: StepContext, checkStatus: () => void): TemplateResult {
  const { isChecking, isRequested, checkedAt } = state.statusCheck;
  return html`<div class="actions">
    ${renderButton(t('submitted.check'), checkStatus)}
    <span class="hint" part="hint" role=${isRequested ? 'status' : nothing}>
      ${isChecking ? t('offers.checking') : checkedAt && t('offers.checked', { time: format.time(checkedAt) })}
    </span>
  </div>`;
}

/** Lists the completed, the current, and the following steps of the application. */
function renderNext(context: StepContext, { receivedAt }: ApplicationStatus): TemplateResult {
  const { t, format, state, configuration, headingLevel } = context;
  const { documents, bank, offers } = state;
  const fileCount = withoutRejected(documents.uploaded).length;
  const offerCount = offers.response?.offers.length ?? 0;
  return html`<section class="group" aria-labelledby="next-title">
    <h3 id="next-title" aria-level=${headingLevel(1)}>${t('submitted.next.title')}</h3>
    <ol class="next">
      <li>
        <strong>${format.dateTime(new Date(receivedAt))}</strong>
        <p>${t('submitted.next.received')}</p>
      </li>
      <li class="screen-only">
        <strong>${t('submitted.next.now')}</strong>
        ${renderTask(
          context,
          'documents',
          fileCount > 0 &&
            toCounted(context, 'submitted.files.one', 'submitted.files.many', fileCount),
        )}
        ${
          configuration.bankConnection === 'off'
            ? nothing
            : renderTask(context, 'bank', hasBankReport(bank) && t('submitted.bank'))
        }
        ${renderStatementsHint(context)}
      </li>
      <li>
        <strong>${t('submitted.next.then')}</strong>
        <p>${t('submitted.next.offers')}</p>
        ${renderTask(
          context,
          'offers',
          offerCount > 0 && toCounted(context, 'offers.title.one', 'offers.title.many', offerCount),
        )}
      </li>
    </ol>
  </section>`;
}

/** @param done describes the completed part of this step. */
function renderTask(
  { t, actions }: StepContext,
  step: Exclude<LaterStepId, 'submitted'>,
  done: string | false,
): TemplateResult {
  const label = t(step === 'offers' ? 'submitted.offers' : `step.${step}.title`);
  return html`<div class="task screen-only">
    ${renderButton(label, () => actions.showStep(step), 'quiet', `task-${step}`)}
    <span class="state ${done ? 'done' : 'small'}" id="task-${step}">
      ${done ? icons.check : nothing}${done || (step === 'offers' ? nothing : t('submitted.not-started'))}
    </span>
  </div>`;
}

/** The submitted answers and consents: collapsed on the screen, shown on paper. Only the page that submitted them has them. */
function renderRecord(context: StepContext): TemplateResult | typeof nothing {
  const { t, form, headingLevel, isExpanded, toggle } = context;
  const { record } = form;
  if (!record) return nothing;
  // The form may be in another language now (WCAG 2.2, 3.1.2).
  const language = record.locale ?? nothing;
  const isOpen = isExpanded('record');
  return html`<section class="group record">
    <h3 aria-level=${headingLevel(1)}>
      <button
        type="button"
        class="quiet"
        part="link"
        aria-expanded=${isOpen}
        @click=${() => toggle('record')}
      >
        ${t('record')}${icons.down}
      </button>
    </h3>
    <div class="group ${isOpen ? '' : 'folded'}">
      ${toAnswerGroups(context, record.answers).map(
        ({ title, answers }) =>
          html`<div class="field">
            <h4 aria-level=${headingLevel(2)}>${title}</h4>
            ${renderAnswers(t, answers)}
          </div>`,
      )}
      <div class="field">
        <h4 aria-level=${headingLevel(2)}>${t('review.consents')}</h4>
        ${record.consents.map(
          (consent) =>
            html`<p lang=${language}>${consent.label}</p>
              ${renderConsentLinks(context, consent, language)}
              <p class="fine-print" lang=${language}>${consent.text}</p>`,
        )}
        ${renderAnswers(t, [
          {
            path: 'signature/name',
            label: t('review.signature'),
            value: record.answers['signature/name'] ?? '',
          },
        ])}
      </div>
    </div>
  </section>`;
}
