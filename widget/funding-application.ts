// The element a partner puts on a page: draws the step the flow is on and moves the focus with it.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { AssetReportStatus } from '../shared/api/documents.ts';
import { createFundingApi, type FundingApi } from './api/api.ts';
import { FundingBankRequestEvent, FundingStepEvent } from './events.ts';
import { createFieldContext, toSummaryEntries } from './field-context.ts';
import { toFieldId } from './fields/field.ts';
import { IndustryCombobox } from './fields/industry-combobox.ts';
import type { DocumentNews } from './flow/document-queue.ts';
import { FlowController } from './flow/flow-controller.ts';
import { createBrowserPolling } from './flow/polling.ts';
import type { SolveChallenge } from './flow/proof.ts';
import type { FlowState } from './flow/state.ts';
import type { StepId } from './flow/steps.ts';
import { FundingError } from './funding-error.ts';
import { en } from './i18n/en.ts';
import { createFormat } from './i18n/format.ts';
import { createTranslate } from './i18n/text.ts';
import { renderFrame } from './frame.ts';
import type { FundingSettings } from './settings.ts';
import type { AfterSubmission } from './steps/after-submission.ts';
import type { OffersStep } from './steps/offers-step.ts';
import type { StepContext } from './steps/step-context.ts';
import { afterStyles } from './styles/after.styles.ts';
import { fieldStyles } from './styles/field.styles.ts';
import { frameStyles } from './styles/frame.styles.ts';
import { tokens } from './styles/tokens.styles.ts';

const format = createFormat('en-US');

/**
 * An application for business funding: form, documents, bank connection and offers.
 *
 * @summary The whole application in one element; it speaks to the partner's BFF and to nothing else.
 * @slot - Shown until the form is there, and when it cannot be shown, for example a phone number.
 * @event {FundingStepEvent} funding-step - Another step is shown.
 * @event {FundingBankRequestEvent} funding-bank-request - The host page should open its own aggregator.
 * @csspart heading - The heading of a step.
 * @csspart field - A field with its label, hint, error and control.
 * @csspart label - The label of a field.
 * @csspart hint - The hint of a field.
 * @csspart error - The error of a field.
 * @csspart input - A native input or select.
 * @csspart error-summary - The list of errors above a step.
 * @csspart notice - A message about the whole step.
 * @csspart offers - The list of offers.
 * @csspart offer - One offer.
 * @cssproperty --funding-accent - Buttons, links, focus; text contrast of 4.5:1 on the page is needed.
 * @cssproperty --funding-on-accent - Text on the accent.
 * @cssproperty --funding-text - Text.
 * @cssproperty --funding-muted - Hints and secondary text.
 * @cssproperty --funding-surface - Inputs and offer cards.
 * @cssproperty --funding-border - Borders of controls; contrast of 3:1 is needed.
 * @cssproperty --funding-error - Errors.
 * @cssproperty --funding-attention - Notices.
 * @cssproperty --funding-success - What has been done.
 * @cssproperty --funding-font-family - Font; the host page's own by default.
 * @cssproperty --funding-font-size - Size of body text; 17px by default.
 * @cssproperty --funding-radius - Corner radius; 8px by default.
 * @cssproperty --funding-width - Widest the column grows; 544px by default.
 */
export class FundingApplication extends LitElement {
  static override styles = [tokens, frameStyles, fieldStyles, afterStyles];

  static override properties = {
    bffUrl: { attribute: 'bff-url' },
    theme: { reflect: true },
    api: { attribute: false },
    challenge: { attribute: false },
    settings: { attribute: false },
  };

  /** Origin of the BFF, for example `https://apply.partner.example`; by default the origin the script came from. Read once. */
  declare bffUrl: string;
  /** `light` or `dark`; by default the colour scheme of the page around the element. */
  declare theme: 'light' | 'dark' | undefined;
  /** Another way to the BFF, for hosts with a transport of their own; set it before the element is connected. */
  declare api: FundingApi | undefined;

  /**
   * Solves the challenge that the BFF may ask for: gets the provider's site key, shows the provider's own challenge, and
   * resolves with the token. Called at every "Submit application"; a rejection counts as not solved.
   */
  declare challenge: SolveChallenge | undefined;

  /** What this page decides about the form; read when the element is connected. */
  declare settings: FundingSettings | undefined;

  #t = createTranslate(en);
  #flow: FlowController | undefined;
  #after: AfterSubmission | undefined;
  #offers: OffersStep | undefined;
  #hasAfterFailed = false;
  #hasToldDeveloper = false;
  #drawnStep: StepId | undefined;
  #headingStep: StepId | undefined;
  #heading = '';
  #wantsFocus: 'heading' | 'errors' | undefined;
  readonly #shown = new Set<string>();
  readonly #industry = new IndustryCombobox(this, (path, value, isSettled) => {
    this.#flow?.answer(path, value);
    if (isSettled) this.#flow?.settle();
  });

  constructor() {
    super();
    this.bffUrl = '';
  }

  /** Only now are properties in place that were set before the element was defined. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.#flow || !this.isConnected) return;
    this.#flow = new FlowController(this, {
      api: this.api ?? createFundingApi(this.#bffOrigin),
      polling: createBrowserPolling(),
      now: () => new Date(),
      hasStartPage: this.settings?.startPage ?? true,
      createKey: () => crypto.randomUUID(),
      findChallengeSolver: () => this.#findChallengeSolver(),
      onStep: () => this.#handleStep(),
      onErrors: () => {
        this.#wantsFocus = 'errors';
      },
      onDocumentNews: (news) => this.#announceDocument(news),
    });
    void this.#flow.load();
  }

  protected override update(changed: PropertyValues): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    // What had the focus is gone: reading goes on at the heading, not at the top of the host page.
    if (focused && !focused.isConnected) this.#wantsFocus ??= 'heading';
  }

  /**
   * Gives a complete asset report, as the aggregation provider returns it, to the applicant's application.
   *
   * @param report an object with a top-level `report` (items, accounts, transactions).
   * @returns where the report stands; `received` reports are passed on as soon as the application is accepted.
   * @throws FundingError with the code `asset-report-invalid`, `application-missing`, `network` …
   */
  async submitAssetReport(report: unknown): Promise<AssetReportStatus> {
    const result = await this.#flow?.submitAssetReport(report);
    if (!result) throw new FundingError('application-missing');
    if (!result.ok) throw new FundingError(result.code);
    return result.value;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const step = this.#flow?.state?.step;
    if (step !== this.#drawnStep) {
      this.#drawnStep = step;
      // Fetched early, so that it is there when it is needed, whatever becomes of the connection.
      if (step && step !== 'start' && step !== 'funding-need') void this.#loadAfter();
    }
    this.#followHeading(step);
    this.#moveFocus();
  }

  protected override render(): TemplateResult {
    const flow = this.#flow;
    const state = flow?.state;
    return html`
      ${renderFrame({
        t: this.#t,
        flow,
        context: flow && state ? this.#createContext(flow, state) : undefined,
        after: this.#after,
        offers: this.#offers,
        hasAfterFailed: this.#hasAfterFailed,
      })}
      <p class="visually-hidden" id="announcement" role="status"></p>
    `;
  }

  #createContext(flow: FlowController, state: FlowState): StepContext {
    const entries = toSummaryEntries(this.#t, state);
    return {
      t: this.#t,
      format,
      flow,
      state,
      configuration: state.configuration,
      entries,
      fields: createFieldContext(this.#t, state, entries),
      industry: this.#industry,
      isShown: (path) => this.#shown.has(path),
      toggleShown: (path) => {
        if (!this.#shown.delete(path)) this.#shown.add(path);
        this.requestUpdate();
      },
      focusField: (path) => void this.updateComplete.then(() => this.#focusField(path)),
      dispatch: (event) => this.dispatchEvent(event),
      requestBank: () => this.dispatchEvent(new FundingBankRequestEvent()),
    };
  }

  get #bffOrigin(): string {
    // A host page without types may set anything here.
    const given: string | undefined = this.bffUrl;
    return given?.replace(/\/+$/, '') || new URL(import.meta.url).origin;
  }

  #findChallengeSolver(): SolveChallenge | undefined {
    if (!this.challenge && !this.#hasToldDeveloper) {
      this.#hasToldDeveloper = true;
      // oxlint-disable-next-line no-console -- for the developer of the host page; applicants read a sentence.
      console.error(
        '<funding-application>: the BFF asks for a challenge. Set the property "challenge".',
      );
    }
    return this.challenge;
  }

  #handleStep(): void {
    this.#wantsFocus = 'heading';
    this.#shown.clear();
    const step = this.#flow?.state?.step;
    if (step) this.dispatchEvent(new FundingStepEvent(step));
    // Finished: the last that was said may name a file.
    else this.#announce('');
  }

  async #loadAfter(): Promise<void> {
    if (this.#after) return;
    this.#hasAfterFailed = false;
    try {
      const [{ afterSubmission }, { offersStep }] = await Promise.all([
        import('./steps/after-submission.ts'),
        import('./steps/offers-step.ts'),
      ]);
      this.#after = afterSubmission;
      this.#offers = offersStep;
      this.#t = createTranslate({ ...en, ...afterSubmission.messages, ...offersStep.messages });
    } catch {
      // A browser may remember a failed module for good, so that only a reload of the page helps; the session survives it.
      this.#hasAfterFailed = true;
    }
    this.requestUpdate();
  }

  /** A heading that changes while its step stays is news, for example "You have 3 offers" (WCAG 2.2, 4.1.3). */
  #followHeading(step: StepId | undefined): void {
    const heading = this.renderRoot.querySelector('#step-heading')?.textContent?.trim() ?? '';
    const isNews = step === this.#headingStep && heading !== this.#heading && this.#heading !== '';
    this.#heading = heading;
    this.#headingStep = step;
    if (isNews) this.#announce(heading);
  }

  /** Fragment links and autofocus do not reach into a shadow root, so the focus is moved by hand (WCAG 2.2, 2.4.3). */
  #moveFocus(): void {
    if (!this.#wantsFocus) return;
    const find = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    const target =
      this.#wantsFocus === 'heading'
        ? find('#step-heading')
        : (find('#error-summary') ?? find('.notice'));
    if (!target) return;
    this.#wantsFocus = undefined;
    target.focus({ preventScroll: true });
    if (this.getBoundingClientRect().top < 0 || target.getBoundingClientRect().top > innerHeight) {
      this.scrollIntoView({ block: 'start' });
    }
  }

  #focusField(path: string): void {
    const id = toFieldId(path);
    const field =
      this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ??
      this.renderRoot.querySelector<HTMLElement>(`[id^="${CSS.escape(id)}-"]:is(input, select)`);
    field?.focus();
    field?.closest('.field')?.scrollIntoView({ block: 'nearest' });
  }

  #announceDocument(news: DocumentNews): void {
    const configuration = this.#flow?.state?.configuration;
    if (!configuration) return;
    if (news.kind !== 'failed') {
      this.#announce(this.#t(`documents.announce.${news.kind}`, { name: news.name }));
      return;
    }
    const reason = this.#after?.toProblemSentence(
      { t: this.#t, format, configuration },
      news.file,
      news.problem,
    );
    this.#announce(
      this.#t('documents.announce.failed', { name: news.file.name, reason: reason ?? '' }),
    );
  }

  /** Written straight into the live region: it is there from the first drawing, and nothing else draws it. */
  #announce(sentence: string): void {
    const region = this.renderRoot.querySelector('#announcement');
    if (region) region.textContent = sentence;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'funding-application': FundingApplication;
  }
}
