// The frame around every step: where the applicant is, the heading, what is wrong, the step, and the way on.

import { html, nothing, type TemplateResult } from 'lit';
import { renderErrorSummary } from './fields/error-summary.ts';
import { icons } from './fields/icons.ts';
import { renderTrap } from './fields/trap.ts';
import { trapPath } from './flow/draft.ts';
import type { FlowController } from './flow/flow-controller.ts';
import { isRefused, toBackStep } from './flow/state.ts';
import { formSteps, isFormStep, type FormStepId, type StepId } from './flow/steps.ts';
import type { FailureCode } from './api/api.ts';
import type { Translate } from './i18n/text.ts';
import type { AfterSubmission } from './steps/after-submission.ts';
import type { OffersStep } from './steps/offers-step.ts';
import { renderBusiness } from './steps/business.ts';
import { renderFundingNeed } from './steps/funding-need.ts';
import { renderIdentity } from './steps/identity.ts';
import { renderOwner } from './steps/owner.ts';
import { renderProblem, renderWaiting, toSupport, type Heading } from './steps/parts.ts';
import { renderReview } from './steps/review.ts';
import { renderStart } from './steps/start.ts';
import type { StepContext } from './steps/step-context.ts';

export interface FrameOptions {
  readonly t: Translate;
  readonly flow: FlowController | undefined;
  /** Undefined until configuration and session have arrived. */
  readonly context: StepContext | undefined;
  readonly after: AfterSubmission | undefined;
  readonly offers: OffersStep | undefined;
  readonly hasAfterFailed: boolean;
}

const formViews = {
  'funding-need': renderFundingNeed,
  business: renderBusiness,
  owner: renderOwner,
  identity: renderIdentity,
  review: renderReview,
} as const satisfies Record<FormStepId, (context: StepContext) => TemplateResult>;

export function renderFrame(options: FrameOptions): TemplateResult {
  const { t, context, after } = options;
  if (!context) return renderWithoutState(options);
  const { step } = context.state;
  const isWide = step === 'offers';
  // The marks by which recorders of sessions leave out what is inside: rrweb and its descendants, Sentry, FullStory, PostHog, LogRocket, Datadog, Hotjar, Clarity.
  return html`<div
    class="frame ${isWide ? 'wide' : ''} rr-block sentry-block fs-exclude ph-no-capture"
    data-private
    data-dd-privacy="hidden"
    data-hj-suppress
    data-clarity-mask="true"
    lang="en"
  >
    ${
      context.configuration.environment === 'sandbox'
        ? html`<p class="sandbox">${t('sandbox')}</p>`
        : nothing
    }
    ${renderBack(context)} ${renderProgress(context)}
    ${renderHeading(toHeading(options, context), isFormStep(step) ? 'step-progress' : undefined)}
    ${
      isFormStep(step)
        ? renderForm(context, step)
        : html`<div class="body">
            ${renderAfter(options, context, step)} ${after?.renderFinish(context)}
          </div>`
    }
    ${renderHelp(context)}
  </div>`;
}

function renderWithoutState({ t, flow, after }: FrameOptions): TemplateResult {
  if (flow?.loading.problem) return renderLoadFailed(t, flow, flow.loading.problem);
  return flow?.isFinished && after
    ? html`<div class="frame" lang="en">
        ${renderHeading({ title: t('finished.title') })}
        <div class="body">${after.renderFinished(t, flow)}</div>
      </div>`
    : renderLoading(t);
}

function renderLoading(t: Translate): TemplateResult {
  return html`<div class="frame loading" lang="en">${renderWaiting(t('loading'))}</div>
    <slot></slot>`;
}

function renderLoadFailed(
  t: Translate,
  flow: FlowController,
  problem: FailureCode,
): TemplateResult {
  const { goesOn } = flow.loading;
  const why = t(problem === 'network' ? 'load-failed.text' : `problem.${problem}`);
  return html`<div class="frame loading" lang="en">
    ${renderHeading({ title: t('load-failed.title'), ...(goesOn ? {} : { why }) })}
    <div class="body">
      ${
        goesOn
          ? renderWaiting(t('load-failed.goes-on'))
          : html`<div class="actions">
              <button type="button" class="button" @click=${() => void flow.load()}>
                ${t('try-again')}
              </button>
            </div>`
      }
      <slot></slot>
    </div>
  </div>`;
}

function renderBack({ t, flow, state }: StepContext): TemplateResult | typeof nothing {
  return toBackStep(state) === undefined
    ? nothing
    : html`<button type="button" class="quiet back" @click=${() => flow.back()}>
        ${icons.back}${t('back')}
      </button>`;
}

/** Steps that can be filled in again and again have a number; what follows the submission has none. */
function renderProgress({ t, state: { step } }: StepContext): TemplateResult | typeof nothing {
  if (!isFormStep(step)) return nothing;
  const number = formSteps.indexOf(step) + 1;
  const total = formSteps.length;
  return html`<div class="progress">
    <p id="step-progress">${t('step.progress', { number, total })} · ${t(`step.${step}.name`)}</p>
    <div class="track">
      <svg viewBox="0 0 ${total} 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width=${number} height="1" />
      </svg>
    </div>
  </div>`;
}

/** Takes the focus when its step appears, so that it is read first (WCAG 2.2, 2.4.3). */
function renderHeading({ title, why }: Heading, describedBy?: string): TemplateResult {
  return html`<h2
      id="step-heading"
      part="heading"
      tabindex="-1"
      aria-describedby=${describedBy ?? nothing}
    >
      ${title}
    </h2>
    ${why === undefined ? nothing : html`<p class="why">${why}</p>`}`;
}

function toHeading({ after, offers }: FrameOptions, context: StepContext): Heading {
  const { t, flow, state } = context;
  const { step } = state;
  if (step === 'submitted')
    return after?.toSubmittedHeading(context) ?? { title: t('submitted.received.title') };
  if (step === 'offers')
    return offers?.toOffersHeading(context) ?? { title: t('offers.looking.title') };
  // Once the application is on its way, or may be, "nothing has been sent" is no longer true.
  if (step === 'review' && (state.isSubmitting || state.problem !== undefined)) {
    return { title: t('step.review.title') };
  }
  const title = t(`step.${step}.title`);
  if (step === 'documents' && after && flow.endsWithPage) {
    return { title, why: t('documents.why.page-only') };
  }
  return { title, why: t(`step.${step}.why`) };
}

function renderForm(context: StepContext, step: FormStepId): TemplateResult {
  const { t, flow, state, entries, focusField } = context;
  const isRefusal = isRefused(state);
  return html`<form
    novalidate
    @submit=${(event: Event) => {
      event.preventDefault();
      flow.continue();
    }}
    @input=${(event: Event) => takeAnswer(flow, event, false)}
    @change=${(event: Event) => takeAnswer(flow, event, true)}
  >
    ${renderTrap(trapPath, t('label.business/website'), state.draft[trapPath] ?? '')}
    ${isRefusal ? renderProblem(context, state.problem) : nothing}
    ${entries.length === 0 ? nothing : renderErrorSummary(t, entries, focusField)}
    <div class="body">
      ${formViews[step](context)}
      <div class="group">
        ${isRefusal ? nothing : renderProblem(context, state.problem, state.retryAfterMs)}
        <div class="actions">
          <button type="submit" class="button">
            ${t(step !== 'review' ? 'continue' : state.isSubmitting ? 'review.submitting' : 'review.submit')}
          </button>
        </div>
      </div>
    </div>
  </form>`;
}

function renderAfter(
  { after, offers, hasAfterFailed }: FrameOptions,
  context: StepContext,
  step: Exclude<StepId, FormStepId>,
): TemplateResult | typeof nothing {
  if (step === 'start') return renderStart(context);
  if (!after || (step === 'offers' && !offers)) {
    return hasAfterFailed ? renderReload(context) : renderWaiting(context.t('loading'));
  }
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
      return offers?.renderOffers(context) ?? nothing;
  }
}

function renderReload({ t, flow }: StepContext): TemplateResult {
  if (flow.endsWithPage) return html`<p role="alert">${t('reload.text.page-only')}</p>`;
  return html`<p role="alert">${t('reload.text')}</p>
    <div class="actions">
      <button type="button" class="button" @click=${() => location.reload()}>${t('reload')}</button>
    </div>`;
}

/** Help stands in the same place on every step (WCAG 2.2, 3.2.6). */
function renderHelp(context: StepContext): TemplateResult | typeof nothing {
  const contact = toSupport(context);
  return contact === ''
    ? nothing
    : html`<p class="footer small">${context.t('help', { contact })}</p>`;
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
