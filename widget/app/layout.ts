// The layout around every step: Back, language, progress, heading, the form with its errors, Continue, and help.

import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../shared/application/lists.ts';
import { handleEnterKey, renderHoneypot, type ErrorMessage } from '../fields/field.ts';
import { icons } from '../fields/icons.ts';
import { languageFailures, languageNames } from '../i18n/messages.ts';
import { formSteps, isFormStep, isRejection, type StepId, toBackStep } from './navigation.ts';
import { honeypotPath } from './draft.ts';
import type { AfterChunk, FormChunk, Heading, StepContext, StepView, Wording } from './feature.ts';
import {
  isSecondClick,
  renderButton,
  renderMessage,
  renderNoticeOf,
  renderProblem,
  renderReloadButton,
  renderStatusNotice,
  renderSupport,
  renderWaiting,
  toProblemText,
} from './parts.ts';
import type { AppState } from './store.ts';

/** Actions for the buttons and fields that only the layout renders. */
export interface LayoutActions {
  readonly load: () => void;
  readonly back: () => void;
  readonly continue: () => void;
  readonly clear: () => void;
  /** @param isComplete is false while the applicant types. */
  readonly answer: (path: string, value: string, isComplete: boolean) => void;
  readonly chooseLanguage: (locale: Locale) => void;
}

export interface LayoutOptions {
  readonly wording: Wording;
  readonly state: AppState;
  readonly actions: LayoutActions;
  /** The `aria-level` of the step's heading. */
  readonly headingLevel: number;
  /** Undefined until the current step can be shown. */
  readonly context: StepContext | undefined;
  /** Undefined while the chunk of the current step is not loaded. */
  readonly view: StepView | undefined;
  readonly entries: readonly ErrorMessage[];
  /** Undefined until they are loaded. */
  readonly formChunk: FormChunk | undefined;
  readonly afterChunk: AfterChunk | undefined;
  /** The step that is probably shown first. */
  readonly expectedStep: StepId;
}

const layoutClasses: Readonly<Partial<Record<StepId, string>>> = { start: 'start', offers: 'wide' };

export function renderLayout(options: LayoutOptions): TemplateResult {
  const { context, wording } = options;
  if (!context) return renderWithoutForm(options);
  const { t } = wording;
  const { form, configuration, locale } = context;
  const { step } = form;
  // Session recorders leave out elements with these marks: rrweb, Sentry, FullStory, PostHog, LogRocket, Datadog, Hotjar, Clarity.
  return html`<div
    class="frame ${layoutClasses[step] ?? (isFormStep(step) ? 'form' : '')} rr-block sentry-block fs-exclude ph-no-capture"
    data-private
    data-dd-privacy="hidden"
    data-hj-suppress
    data-clarity-mask="true"
    lang=${locale}
    @focusin=${handleFocus}
  >
    <div class="main">
      ${
        configuration.environment === 'sandbox'
          ? html`<div class="sandbox">
              ${renderNoticeOf('attention', html`<p>${t('sandbox')}</p>`)}
            </div>`
          : nothing
      }
      <div class="top">${renderBack(options, context)} ${renderLanguages(options)}</div>
      ${renderProgress(context)}
      ${renderHeading(options, toHeading(options, context), isFormStep(step))}
      ${isFormStep(step) ? renderForm(options, context) : renderBody(options, context)}
    </div>
    ${renderRail(options, context)} ${renderStatusNotices(options, context)}
  </div>`;
}

function renderWithoutForm(options: LayoutOptions): TemplateResult {
  const { wording, state, actions, afterChunk } = options;
  const { t, locale } = wording;
  const { problem, isRetrying } = state.loading;
  const isClosed = state.closing.closedStep !== undefined;
  if (isClosed && afterChunk)
    return html`<div class="frame" lang=${locale}>
      <div class="main">
        ${renderHeading(options, { title: t('finished.title') })}
        <div class="body">${afterChunk.renderClosed(wording, actions.load)}</div>
      </div>
    </div>`;
  // The page after closing could not be loaded. Another form can begin without it.
  const isIncomplete = isClosed && state.chunks.after === 'failed';
  if (problem === undefined && !isIncomplete) return renderLoading(options);
  const why =
    problem === 'network' ? t('load-failed.text') : toProblemText(t, problem ?? 'internal');
  const title = t('load-failed.title');
  return html`<div class="frame loading" lang=${locale}>
    ${renderHeading(options, isRetrying ? { title } : { title, why })}
    <div class="body">
      ${
        isRetrying
          ? renderWaiting(t('load-failed.retrying'))
          : problem === 'page-outdated'
            ? renderReloadButton(t)
            : html`<div class="actions">
                ${renderButton(t('try-again'), actions.load, 'button')}
              </div>`
      }
      <slot></slot>
    </div>
  </div>`;
}

/** The skeleton has the height of the expected step, so that the content below does not move when the step appears. */
function renderLoading({ wording, expectedStep }: LayoutOptions): TemplateResult {
  const isShort = expectedStep === 'funding-need';
  return html`<div
    class="frame loading ${isShort ? '' : expectedStep === 'start' ? 'start' : 'long'}"
    lang=${wording.locale}
    aria-busy="true"
  >
    <slot name="loading">
      ${renderWaiting(wording.t('loading'))}
      <div class="skeleton" aria-hidden="true">
        ${Array.from({ length: isShort ? 9 : 12 }, () => html`<span></span>`)}
      </div>
    </slot>
    <slot></slot>
  </div>`;
}

function renderBack(
  { actions }: LayoutOptions,
  { t, form }: StepContext,
): TemplateResult | typeof nothing {
  const handleClick = (event: MouseEvent) => {
    if (!isSecondClick(event)) actions.back();
  };
  return toBackStep(form) === undefined
    ? nothing
    : html`<button type="button" class="quiet back" part="link" @click=${handleClick}>
        ${icons.back}${t('back')}
      </button>`;
}

function renderLanguages({
  wording,
  state,
  actions,
}: LayoutOptions): TemplateResult | typeof nothing {
  const { locale, offered, failed } = state.language;
  if (offered.length < 2) return nothing;
  return html`<div class="languages" role="group" aria-label=${wording.t('language')}>
      ${offered.map(
        (one, index) =>
          html`${index === 0 ? nothing : html`<span aria-hidden="true">·</span>`}<button
              type="button"
              class="quiet"
              part="link"
              lang=${one}
              aria-current=${one === locale ? 'true' : nothing}
              @click=${() => actions.chooseLanguage(one)}
            >
              ${languageNames[one]}
            </button>`,
      )}
    </div>
    <p class="small" role="status" lang=${failed ?? nothing}>
      ${failed && languageFailures[failed]}
    </p>`;
}

/** Only the steps of the form have a number. */
function renderProgress({ t, form: { step } }: StepContext): TemplateResult | typeof nothing {
  if (!isFormStep(step)) return nothing;
  const number = formSteps.indexOf(step) + 1;
  const total = formSteps.length;
  return html`<div class="progress" part="progress">
    <p class="small" id="step-progress">
      ${t('step.progress', { number, total })} · ${t(`step.${step}.name`)}
    </p>
    <div class="track">
      <svg viewBox="0 0 ${total} 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width=${number} height="1" />
      </svg>
    </div>
  </div>`;
}

/** The heading takes the focus when its step appears, so that it is read first (WCAG 2.2, 2.4.3). */
function renderHeading(
  { headingLevel }: LayoutOptions,
  { title, why, mark }: Heading,
  hasProgress = false,
): TemplateResult {
  return html`${mark}
    <h2
      id="step-heading"
      part="heading"
      tabindex="-1"
      aria-level=${headingLevel}
      aria-describedby=${hasProgress ? 'step-progress' : nothing}
    >
      ${title}
    </h2>
    ${why === undefined ? nothing : html`<p class="why">${why}</p>`}`;
}

function toHeading({ view, state }: LayoutOptions, context: StepContext): Heading {
  const { t, form } = context;
  if (view) return view.toHeading(context);
  if (form.application) return { title: t('submitted.received.title') };
  return { title: t(state.chunks.form === 'failed' ? 'load-failed.title' : 'loading') };
}

function renderForm(options: LayoutOptions, context: StepContext): TemplateResult {
  const { state, actions, entries, view } = options;
  const { t, form } = context;
  if (!view) return renderBody(options, context);
  const isRejected = isRejection(form.problem);
  const label =
    form.step !== 'review' ? 'continue' : form.isSubmitting ? 'review.submitting' : 'review.submit';
  return html`<form
    novalidate
    @submit=${(event: Event) => {
      event.preventDefault();
      actions.continue();
    }}
    @input=${(event: Event) => handleAnswer(actions, event, false)}
    @change=${(event: Event) => handleAnswer(actions, event, true)}
    @keydown=${(event: KeyboardEvent) => handleEnterKey(event)}
  >
    ${renderHoneypot(t('label.honeypot'), form.draft[honeypotPath] ?? '', (value) =>
      actions.answer(honeypotPath, value, false),
    )}
    ${isRejected ? renderProblem(context, form.problem) : nothing}
    ${options.formChunk?.renderErrorSummary(context, entries)}
    ${options.formChunk?.renderRestored(context, renderClear(options, context))}
    <div class="body">
      ${view.render(context)}
      <div class="group">
        ${isRejected ? nothing : renderProblem(context, form.problem, form.retryAfterMs)}
        <div class="actions">
          <button type="submit" class="button" part="button">${t(label)}</button>
        </div>
        ${options.formChunk || !state.chunks.isAwaited ? nothing : renderMissing(state, context)}
      </div>
    </div>
  </form>`;
}

function renderBody(
  { view, state, afterChunk }: LayoutOptions,
  context: StepContext,
): TemplateResult {
  const { form } = context;
  const hasLostSession = form.step !== 'submitted' && form.problem === 'session-missing';
  return html`<div class="body">
    ${
      !view
        ? renderMissing(state, context)
        : hasLostSession
          ? renderProblem(context, 'session-missing')
          : view.render(context)
    }
    ${form.application ? afterChunk?.renderFooter(context) : nothing}
  </div>`;
}

/** The chunk of the step is still loading, or could not be loaded. */
function renderMissing({ chunks }: AppState, context: StepContext): TemplateResult {
  const { t, form, endsWithPage } = context;
  const isSubmitted = form.application !== undefined;
  // The phone of a handoff shows the documents step without an application.
  const chunk = isSubmitted || form.step === 'documents' ? 'after' : 'form';
  if (chunks[chunk] !== 'failed') return renderWaiting(t('loading'));
  const isLost = isSubmitted && endsWithPage;
  const text = isLost ? 'reload.text.page-only' : isSubmitted ? 'reload.text' : 'reload.text.form';
  return html`${renderNoticeOf('attention', html`<p>${t(text)}</p>`, { role: 'alert' })}
  ${isLost ? nothing : renderReloadButton(t)}`;
}

/** Clearing takes a second click, in place. The focus stays where it is. */
function renderClear(
  { actions }: LayoutOptions,
  { t, isExpanded, toggle }: StepContext,
): TemplateResult {
  const isConfirming = isExpanded('clear');
  return html`<button
      type="button"
      class="quiet"
      part="link"
      aria-expanded=${isConfirming}
      @click=${() => toggle('clear')}
    >
      ${t('clear')}
    </button>
    ${
      isConfirming
        ? html`<p>${t('clear.text')}</p>
            ${renderButton(t('clear.confirm'), actions.clear, 'quiet')}`
        : nothing
    }`;
}

/**
 * Below the step, and beside it in a wide container. It follows the form in the document, so that the Tab key goes from the heading to
 * the first field.
 */
function renderRail(options: LayoutOptions, context: StepContext): TemplateResult {
  const { view, state, formChunk, afterChunk } = options;
  const { t, form } = context;
  const isForm = isFormStep(form.step);
  return html`<div class="rail">
    ${
      view?.renderAside
        ? view.renderAside(context)
        : html`<div class="steps">${(isForm ? formChunk : afterChunk)?.renderSteps(context)}</div>`
    }
    ${
      isForm && state.savesDraft
        ? html`<div class="saved small ${formChunk ? '' : 'unfinished'}">
            ${
              formChunk
                ? formChunk.renderSaved(context, renderClear(options, context))
                : html`<p>${t('autosave')}</p>
                    ${renderClear(options, context)}`
            }
          </div>`
        : nothing
    }
    ${renderHelp(options, context)}
  </div>`;
}

/** Help is in the same place on every step (WCAG 2.2, 3.2.6). After the submission, it asks for the reference number. */
function renderHelp({ afterChunk }: LayoutOptions, context: StepContext): TemplateResult {
  const contact = renderSupport(context);
  return html`<slot name="help"
    >${
      contact === nothing
        ? nothing
        : html`<p class="footer small">
            ${renderMessage(context.t, context.form.application && afterChunk ? 'support' : 'help', { contact })}
          </p>`
    }</slot
  >`;
}

/**
 * Offline and session notices, at the lower edge of the viewport. The layout keeps room below the form, so that they cover nothing
 * (WCAG 2.2, 2.4.11).
 */
function renderStatusNotices(options: LayoutOptions, context: StepContext): TemplateResult {
  return html`<div class="status">
    ${options.state.isOffline ? renderStatusNotice(html`<p>${context.t('offline')}</p>`) : nothing}
    ${options.formChunk?.renderSessionNotice(context)}
  </div>`;
}

/**
 * Firefox and WebKit scroll to a focused control without its `scroll-margin`, so that it may be under a notice. A button that is
 * pressed with a mouse must not move.
 */
function handleFocus({ target }: Event): void {
  if (target instanceof Element && target.matches(':is(input, select, button, a):focus-visible'))
    target.scrollIntoView({ block: 'nearest' });
}

/** The fields have no listeners of their own: their events bubble to the form. */
function handleAnswer({ answer }: LayoutActions, { target }: Event, isComplete: boolean): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  if (!target.name.includes('/')) return;
  const isCleared =
    target instanceof HTMLInputElement && target.type === 'checkbox' && !target.checked;
  answer(target.name, isCleared ? '' : target.value, isComplete);
}
