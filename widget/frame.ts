// The frame around every step: where the applicant is, the heading, what is wrong, the step, and the way on.

import { html, nothing, type TemplateResult } from 'lit';
import { sessionMaxHours } from '../shared/api/session-lifetime.ts';
import type { Locale } from '../shared/application/lists.ts';
import { renderReloadButton } from './app/parts.ts';
import { handleEnterKey, renderHoneypot } from './fields/field.ts';
import { renderErrorSummary } from './fields/error-summary.ts';
import { icons } from './fields/icons.ts';
import { honeypotPath } from './app/draft.ts';
import type { FlowController } from './flow/flow-controller.ts';
import { isRefused } from './flow/after-sending.ts';
import { toBackStep } from './flow/state.ts';
import { formSteps, isFormStep, type FormStepId, type StepId } from './app/steps.ts';
import type { FailureCode } from './api/funding-api.ts';
import type { Translate } from './i18n/text.ts';
import type { Language } from './language.ts';
import type { LateSteps } from './late-steps.ts';
import { renderFundingNeed } from './steps/funding-need.ts';
import { renderKept, renderRestored } from './steps/kept.ts';
import { renderProblem, renderWaiting, type Heading } from './steps/parts.ts';
import { renderLanguageChoice } from './steps/language-choice.ts';
import { renderStart } from './steps/start.ts';
import { renderStatusLines } from './steps/status-lines.ts';
import type { StepContext } from './steps/step-context.ts';
import { renderSupport, renderWith } from './steps/support.ts';

export interface FrameOptions {
  readonly t: Translate;
  readonly flow: FlowController | undefined;
  /** Undefined until configuration and session have arrived. */
  readonly context: StepContext | undefined;
  readonly late: LateSteps;
  readonly language: Language;
  /** What is shown first, most likely. */
  readonly comingStep: StepId;
  /** The `aria-level` of the heading of the step. */
  readonly headingLevel: number;
}

const frameClasses: Readonly<Partial<Record<StepId, string>>> = { start: 'start', offers: 'wide' };

export function renderFrame(options: FrameOptions): TemplateResult {
  const { t, context, late } = options;
  if (!context) return renderWithoutState(options);
  const { step } = context.state;
  // The marks by which recorders of sessions leave out what is inside: rrweb and its descendants, Sentry, FullStory, PostHog, LogRocket, Datadog, Hotjar, Clarity.
  return html`<div
    class="frame ${frameClasses[step] ?? ''} rr-block sentry-block fs-exclude ph-no-capture"
    data-private
    data-dd-privacy="hidden"
    data-hj-suppress
    data-clarity-mask="true"
    lang=${context.locale}
  >
    ${
      context.configuration.environment === 'sandbox'
        ? html`<p class="sandbox">${t('sandbox')}</p>`
        : nothing
    }
    <div class="top">${renderBack(context)} ${renderLanguageChoice(options.language, t)}</div>
    ${renderProgress(context)}
    ${renderHeading(options, toHeading(options, context), isFormStep(step) ? 'step-progress' : undefined)}
    ${
      isFormStep(step)
        ? renderForm(options, context, step)
        : html`<div class="body">
            ${renderAfter(options, context, step)} ${late.after?.renderFinish(context)}
          </div>`
    }
    ${renderHelp(context)} ${renderStatusLines(context)}
  </div>`;
}

function renderWithoutState(options: FrameOptions): TemplateResult {
  const { t, flow, late } = options;
  const { after } = late;
  const { locale } = options.language;
  // That it was finished stands in the part that could not be loaded; another form can begin without it.
  const isCut = !after && late.hasFailed && flow?.isFinished;
  const problem = isCut ? 'internal' : flow?.loading.problem;
  if (flow && problem) return renderLoadFailed(options, flow, problem);
  return flow?.isFinished && after
    ? html`<div class="frame" lang=${locale}>
        ${renderHeading(options, { title: t('finished.title') })}
        <div class="body">${after.renderFinished(t, flow)}</div>
      </div>`
    : renderLoading(t, locale, options.comingStep);
}

/** As high as the first page, or longer where an earlier page has kept a later step, so that nothing below moves when it comes; what the host page shows meanwhile stands inside. */
function renderLoading(t: Translate, locale: Locale, coming: StepId): TemplateResult {
  const isShort = coming === 'funding-need';
  return html`<div
    class="frame loading ${isShort ? '' : coming === 'start' ? 'start' : 'long'}"
    lang=${locale}
    aria-busy="true"
  >
    <slot name="loading">
      ${renderWaiting(t('loading'))}
      <div class="skeleton" aria-hidden="true">
        ${Array.from({ length: isShort ? 9 : 12 }, () => html`<span></span>`)}
      </div>
    </slot>
    <slot></slot>
  </div>`;
}

function renderLoadFailed(
  options: FrameOptions,
  flow: FlowController,
  problem: FailureCode,
): TemplateResult {
  const { t } = options;
  const { goesOn } = flow.loading;
  const why = t(problem === 'network' ? 'load-failed.text' : `problem.${problem}`);
  return html`<div class="frame loading" lang=${options.language.locale}>
    ${renderHeading(options, { title: t('load-failed.title'), ...(goesOn ? {} : { why }) })}
    <div class="body">
      ${
        goesOn
          ? renderWaiting(t('load-failed.retrying'))
          : problem === 'page-outdated'
            ? renderReloadButton(t)
            : html`<div class="actions">
                <button type="button" class="button" part="button" @click=${() => void flow.load()}>
                  ${t('try-again')}
                </button>
              </div>`
      }
      <slot></slot>
    </div>
  </div>`;
}

function renderBack({ t, flow, state }: StepContext): TemplateResult | typeof nothing {
  // The second press of a double click would lead from a step that nobody has seen.
  const back = (event: MouseEvent) => {
    if (event.detail <= 1) flow.back();
  };
  return toBackStep(state) === undefined
    ? nothing
    : html`<button type="button" class="quiet back" part="link" @click=${back}>
        ${icons.back}${t('back')}
      </button>`;
}

/** Steps that can be filled in again and again have a number; what follows the submission has none. */
function renderProgress({ t, state: { step } }: StepContext): TemplateResult | typeof nothing {
  if (!isFormStep(step)) return nothing;
  const number = formSteps.indexOf(step) + 1;
  const total = formSteps.length;
  return html`<div class="progress" part="progress">
    <p id="step-progress">${t('step.progress', { number, total })} · ${t(`step.${step}.name`)}</p>
    <div class="track">
      <svg viewBox="0 0 ${total} 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width=${number} height="1" />
      </svg>
    </div>
  </div>`;
}

/** Takes the focus when its step appears, so that it is read first (WCAG 2.2, 2.4.3). */
function renderHeading(
  { headingLevel }: FrameOptions,
  { title, why }: Heading,
  describedBy?: string,
): TemplateResult {
  return html`<h2
      id="step-heading"
      aria-level=${headingLevel}
      part="heading"
      tabindex="-1"
      aria-describedby=${describedBy ?? nothing}
    >
      ${title}
    </h2>
    ${why === undefined ? nothing : html`<p class="why">${why}</p>`}`;
}

function toHeading({ late: { after, offers } }: FrameOptions, context: StepContext): Heading {
  const { t, flow, state } = context;
  const { step } = state;
  if (step === 'submitted')
    return after?.toSubmittedHeading(context) ?? { title: t('submitted.received.title') };
  if (step === 'offers')
    return offers?.toOffersHeading(context) ?? { title: t('offers.checking.title') };
  // Once the application is on its way, or may be, "nothing has been sent" is no longer true.
  if (step === 'review' && (state.isSubmitting || state.problem !== undefined)) {
    return { title: t('step.review.title') };
  }
  const title = t(`step.${step}.title`);
  if (step === 'documents' && after && flow.endsWithPage) {
    return { title, why: t('documents.why.page-only') };
  }
  return { title, why: t(`step.${step}.why`, { hours: sessionMaxHours }) };
}

function renderForm(
  { late }: FrameOptions,
  context: StepContext,
  step: FormStepId,
): TemplateResult {
  const { t, flow, state, entries, focusField } = context;
  const isRefusal = isRefused(state);
  const fieldsOfStep = renderFormStep(late, context, step);
  if (!fieldsOfStep) return html`<div class="body">${renderMissing(late, context)}</div>`;
  return html`<form
    novalidate
    @submit=${(event: Event) => {
      event.preventDefault();
      flow.continue();
    }}
    @input=${(event: Event) => takeAnswer(flow, event, false)}
    @change=${(event: Event) => takeAnswer(flow, event, true)}
    @keydown=${(event: KeyboardEvent) => handleEnterKey(event)}
  >
    ${renderHoneypot(t('label.honeypot'), state.draft[honeypotPath] ?? '', (value) => flow.answer(honeypotPath, value))}
    ${isRefusal ? renderProblem(context, state.problem) : nothing}
    ${renderErrorSummary(context, step, entries, focusField)} ${renderRestored(context)}
    <div class="body">
      ${fieldsOfStep}
      <div class="group">
        ${isRefusal ? nothing : renderProblem(context, state.problem, state.retryAfterMs)}
        <div class="actions">
          <button type="submit" class="button" part="button">
            ${t(step !== 'review' ? 'continue' : state.isSubmitting ? 'review.submitting' : 'review.submit')}
          </button>
        </div>
        ${renderKept(context)}
      </div>
    </div>
  </form>`;
}

function renderAfter(
  { late }: FrameOptions,
  context: StepContext,
  step: Exclude<StepId, FormStepId>,
): TemplateResult | typeof nothing {
  if (step === 'start') return renderStart(context);
  const { after, offers } = late;
  if (!after || !offers) return renderMissing(late, context);
  if (step !== 'submitted' && context.state.problem === 'session-missing') {
    return renderProblem(context, 'session-missing');
  }
  switch (step) {
    case 'submitted':
      return after.renderSubmitted(context);
    case 'documents':
      return after.renderDocuments(context);
    case 'bank':
      return after.renderBank(context);
    case 'offers':
      return offers.renderOffers(context);
  }
}

/** Undefined while the step is not loaded. */
function renderFormStep(
  { further }: LateSteps,
  context: StepContext,
  step: FormStepId,
): TemplateResult | undefined {
  if (step === 'funding-need') return renderFundingNeed(context);
  const { pickers } = context;
  return further && pickers && further[step]({ ...context, pickers });
}

function renderMissing({ hasFailed }: LateSteps, context: StepContext): TemplateResult {
  return hasFailed ? renderReload(context) : renderWaiting(context.t('loading'));
}

function renderReload({ t, flow, state }: StepContext): TemplateResult {
  const isSent = state.application !== undefined;
  if (isSent && flow.endsWithPage) return html`<p role="alert">${t('reload.text.page-only')}</p>`;
  return html`<div role="alert">
      <p>${t(isSent ? 'reload.text' : 'reload.text.form')}</p>
      ${!isSent && flow.keepsDraft ? html`<p>${t('autosave')}</p>` : nothing}
    </div>
    ${renderReloadButton(t)}`;
}

/** Help stands in the same place on every step (WCAG 2.2, 3.2.6). */
function renderHelp(context: StepContext): TemplateResult {
  const contact = renderSupport(context);
  return html`<slot name="help"
    >${
      contact === nothing
        ? nothing
        : html`<p class="footer small">${renderWith(context.t, 'help', { contact })}</p>`
    }</slot
  >`;
}

/** Answers are read where they bubble up: the fields themselves hold no handlers. */
function takeAnswer(flow: FlowController, { target }: Event, isSettled: boolean): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  if (!target.name.includes('/')) return;
  const isUnticked =
    target instanceof HTMLInputElement && target.type === 'checkbox' && !target.checked;
  flow.answer(target.name, isUnticked ? '' : target.value);
  if (isSettled) flow.settle();
}
