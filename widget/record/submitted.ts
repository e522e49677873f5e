// The step after the submission: the status of the application, its reference, what happens next, and what was sent.

import { html, nothing, type TemplateResult } from 'lit';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import { toShortReference } from '../../shared/api/short-reference.ts';
import { renderAnswers, toAnswerGroups } from '../app/answers.ts';
import { hasBankReport, renderStatementsHint, withoutRejected } from '../app/attachment-parts.ts';
import type { Heading, StepContext } from '../app/feature.ts';
import {
  renderConsentLinks,
  renderFolded,
  renderPrintReference,
  renderTracking,
} from '../app/later-parts.ts';
import { renderButton, renderProblem } from '../app/parts.ts';
import type { LaterStepId } from '../app/navigation.ts';
import type { AppState, FormState } from '../app/store.ts';
import { icons } from '../fields/icons.ts';
import { toResults } from './later-steps.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface SubmittedActions {
  readonly checkStatus: () => void;
  /** @param element contains the text. It is selected if the browser refuses to copy. */
  readonly copy: (text: string, element: Element | null) => void;
  /** The check mark of this application was drawn. */
  readonly noteDrawn: (reference: string) => void;
}

export function toSubmittedHeading(context: StepContext, actions: SubmittedActions): Heading {
  const { t, form } = context;
  return form.application?.status === 'accepted'
    ? {
        title: t('submitted.accepted.title'),
        mark: renderMark(context, form.application.reference, actions),
      }
    : { title: t('submitted.received.title') };
}

/** Drawn once, on the page that submitted the application. */
function renderMark(
  { state, form }: StepContext,
  reference: string,
  { noteDrawn }: SubmittedActions,
): TemplateResult {
  const isDrawing = form.record !== undefined && state.sent.drawnFor !== reference;
  return html`<svg
    class="mark ${isDrawing ? 'drawing' : ''}"
    viewBox="0 0 56 56"
    aria-hidden="true"
  >
    <circle cx="28" cy="28" r="26" pathLength="1" />
    <path d="m17 29 8 8 15-17" pathLength="1" @animationend=${() => noteDrawn(reference)} />
  </svg>`;
}

export function renderSubmitted(context: StepContext, actions: SubmittedActions): TemplateResult {
  const { t, form, endsWithPage } = context;
  const { application } = form;
  if (!application) return html`${nothing}`;
  const isAccepted = application.status === 'accepted';
  const isWaiting = !isAccepted && !hasLostApplication(form);
  return html`
    ${renderProblem(context, form.problem)}
    <div class="group">
      <p class="waiting" role="status">
        ${isWaiting ? html`<span class="pulse"></span>` : nothing}
        <span>${isAccepted || isWaiting ? t(toStatusKey(application)) : nothing}</span>
      </p>
      ${isWaiting ? renderCheck(context, actions.checkStatus) : nothing}
      ${renderReference(context, application, actions)}
      ${endsWithPage ? html`<p>${t('submitted.page-only')}</p>` : nothing}
    </div>
    ${renderNext(context, application)}
    <div class="actions">
      ${renderPrimary(context)} ${renderButton(t('submitted.print'), () => window.print(), 'quiet')}
    </div>
    ${renderRecord(context)}
  `;
}

/** The BFF no longer shows the application to this page: the session has ended, or the application was erased. */
function hasLostApplication({ problem }: FormState): boolean {
  return problem === 'session-missing' || problem === 'application-missing';
}

function toStatusKey({ status, delayed }: ApplicationStatus) {
  if (status === 'accepted') return 'submitted.accepted.text';
  if (status === 'confirming') return 'submitted.confirming.text';
  return delayed ? 'submitted.delayed.text' : 'submitted.received.text';
}

/** The short reference to read aloud, and the long one that systems know. */
function renderReference(
  context: StepContext,
  { reference }: ApplicationStatus,
  { copy }: SubmittedActions,
): TemplateResult {
  const { t, state } = context;
  const short = toShortReference(reference);
  const outcome = state.sent.copy;
  const isLong = short !== reference;
  const label = t('submitted.reference');
  return html`<div class="numbers">
    <p class="label" part="label">${label}</p>
    <div class="number">
      <strong class="reference" part="reference" data-testid=${isLong ? nothing : 'reference'}
        >${short}</strong
      >
      <button
        type="button"
        class="quiet screen-only"
        part="link"
        @click=${({ currentTarget }: Event) =>
          copy(
            short,
            currentTarget instanceof Element ? currentTarget.previousElementSibling : null,
          )}
      >
        ${t('submitted.copy')} <span class="visually-hidden">${label}</span>
      </button>
      <span class="state ${outcome === 'copied' ? 'done' : ''} screen-only" role="status"
        >${outcome === 'copied' ? icons.check : nothing}${outcome && t(`submitted.copy.${outcome}`)}</span
      >
    </div>
    ${
      isLong
        ? renderFolded(
            context,
            'long-reference',
            t('submitted.reference.long'),
            html`<p class="figures" data-testid="reference">${reference}</p>`,
          )
        : nothing
    }
    ${renderPrintReference(context)}
  </div>`;
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

/** Shows the time of the submission, the tasks of the applicant, and the expected decision. */
function renderNext(context: StepContext, application: ApplicationStatus): TemplateResult {
  const { t, state, form, configuration, headingLevel } = context;
  const { acceptedAt, receivedAt } = application;
  const isLost = hasLostApplication(form);
  return html`<section class="group" aria-labelledby="next-title">
    <h3 id="next-title" aria-level=${headingLevel(1)}>${t('submitted.next.title')}</h3>
    <ol class="next">
      <li>
        ${renderMoment(context, new Date(acceptedAt ?? receivedAt))}
        <p>${t(acceptedAt ? 'submitted.next.sent' : 'submitted.next.received')}</p>
      </li>
      ${
        isLost
          ? nothing
          : html`<li class="screen-only">
              <strong>${t('submitted.next.now')}</strong>
              <div>
                ${renderTask(context, 'documents')}
                ${configuration.bankConnection === 'off' ? nothing : renderTask(context, 'bank')}
                ${renderStatementsHint(context)}
              </div>
            </li>`
      }
      <li>
        <strong>${toExpectation(context, application)}</strong>
        <div>
          ${hasDecision(state) ? nothing : html`<p>${t('submitted.next.offers')}</p>`}
          ${renderTracking(context)} ${isLost ? nothing : renderTask(context, 'offers')}
        </div>
      </li>
    </ol>
  </section>`;
}

function hasDecision({ offers: { response } }: AppState): boolean {
  return response !== undefined && response.decision !== 'pending';
}

function countOffers({ offers }: AppState): number {
  return offers.response?.offers.length ?? 0;
}

/** "Today, 3:04 PM". Paper has the date, because "today" is another day there. */
function renderMoment({ format, locale, now }: StepContext, moment: Date): TemplateResult {
  const toDay = (date: Date) => new Date(date).setHours(0, 0, 0, 0);
  const days = Math.round((toDay(moment) - toDay(now())) / dayMs);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  const day = relative.charAt(0).toLocaleUpperCase(locale) + relative.slice(1);
  const full = format.dateTime(moment);
  return days === 0 || days === -1
    ? html`<strong>
        <span class="screen-only">${day}, ${format.time(moment)}</span>
        <span class="print-only">${full}</span>
      </strong>`
    : html`<strong>${full}</strong>`;
}

/** The partner's expected time, until it has passed. The lender has to have the application first. */
function toExpectation(
  { t, configuration, state, now }: StepContext,
  { acceptedAt }: ApplicationStatus,
): string {
  if (hasDecision(state)) return t('submitted.next.decided');
  const expected = configuration.expectedDecision;
  if (!expected || acceptedAt === undefined) return t('submitted.next.then');
  const { within, unit } = expected;
  const isOver =
    unit === 'hours' && now().getTime() - new Date(acceptedAt).getTime() > within * hourMs;
  if (isOver) return t('submitted.next.then');
  const count = within === 1 ? 'one' : 'many';
  return t(`submitted.next.${unit}.${count}`, { count: within });
}

/** The one action that is next. After `finish`, it is "Close my application on this device" below. */
function renderPrimary(context: StepContext): TemplateResult | typeof nothing {
  const { t, state, actions } = context;
  switch (toNextAction(context)) {
    case 'documents':
      return renderButton(t('submitted.continue'), actions.next, 'button');
    case 'offers':
      return renderButton(t(toOffersKey(state)), () => actions.showStep('offers'), 'button');
    case 'finish':
      return nothing;
  }
}

/** Documents first, then the offers. After the lender's refusal or the applicant's choice, nothing is left but to close. */
export function toNextAction({
  state,
  form,
}: Pick<StepContext, 'state' | 'form'>): 'documents' | 'offers' | 'finish' {
  const { documents, bank, offers } = state;
  if (hasLostApplication(form) || offers.response?.decision === 'not-qualified' || offers.chosen)
    return 'finish';
  const hasSent = withoutRejected(documents.uploaded).length > 0 || hasBankReport(bank);
  return hasSent || countOffers(state) > 0 ? 'offers' : 'documents';
}

function toOffersKey(state: AppState) {
  return countOffers(state) > 0 ? 'submitted.offers' : 'submitted.offers.check';
}

/** A part of the application, and its result. Its link is left out if the button below leads there. */
function renderTask(context: StepContext, step: Exclude<LaterStepId, 'submitted'>): TemplateResult {
  const { t, state, actions } = context;
  const result = toResults(context)[step];
  const label = t(step === 'offers' ? toOffersKey(state) : `step.${step}.title`);
  const isNext = toNextAction(context) === step;
  return html`<div class="task screen-only">
    ${
      !isNext
        ? renderButton(label, () => actions.showStep(step), 'quiet', `task-${step}`)
        : step === 'offers'
          ? nothing
          : html`<span>${label}</span>`
    }
    <span class="state ${result ? 'done' : 'small'}" id="task-${step}">
      ${result ? icons.check : nothing}${result ?? (step === 'offers' ? nothing : t('submitted.not-started'))}
    </span>
  </div>`;
}

/** The submitted answers and consents: collapsed on the screen, shown on paper. Only the page that submitted them has them. */
function renderRecord(context: StepContext): TemplateResult | typeof nothing {
  const { t, form, headingLevel, isExpanded, toggle } = context;
  const { record } = form;
  if (!record) return nothing;
  // The form may be in another language now (WCAG 2.2, 3.1.2).
  const language = record.locale;
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
