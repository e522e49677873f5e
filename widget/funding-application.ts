// The element a partner puts on a page: draws the step the flow is on and moves the focus with it.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { AssetReportStatus } from '../shared/api/documents.ts';
import { createFundingApi, type FundingApi } from './api/api.ts';
import { FundingBankRequestEvent, FundingStepEvent } from './events.ts';
import { toFieldId, type FieldContext } from './fields/field.ts';
import { IndustryCombobox } from './fields/industry-combobox.ts';
import type { DocumentNews } from './flow/document-queue.ts';
import { FlowController } from './flow/flow-controller.ts';
import { createBrowserPolling } from './flow/polling.ts';
import type { FlowState } from './flow/state.ts';
import { FundingError } from './funding-error.ts';
import { en } from './i18n/en.ts';
import { toErrorSentence, toLabelKey } from './i18n/error-sentence.ts';
import { createFormat } from './i18n/format.ts';
import { createTranslate } from './i18n/text.ts';
import { renderFrame } from './frame.ts';
import type { AfterSubmission } from './steps/after-submission.ts';
import type { StepContext } from './steps/step-context.ts';
import { afterStyles } from './styles/after.styles.ts';
import { fieldStyles } from './styles/field.styles.ts';
import { frameStyles } from './styles/frame.styles.ts';
import { tokens } from './styles/tokens.styles.ts';

const t = createTranslate(en);
const format = createFormat('en-US');

/**
 * An application for business funding: form, documents, bank connection and offers.
 *
 * @summary The whole application in one element; it speaks to the partner's BFF and to nothing else.
 * @slot - Shown until the element is defined, for example a phone number.
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
  };

  /** Origin of the BFF, for example `https://apply.partner.example`; by default the origin the script came from. Read once. */
  declare bffUrl: string;
  /** `light` or `dark`; by default the colour scheme of the page around the element. */
  declare theme: 'light' | 'dark' | undefined;
  /** Another way to the BFF, for hosts with a transport of their own; set it before the element is connected. */
  declare api: FundingApi | undefined;

  #flow: FlowController | undefined;
  #after: AfterSubmission | undefined;
  #afterFailed = false;
  #wantsFocus: 'heading' | 'errors' | undefined;
  #announcement = '';
  readonly #shown = new Set<string>();
  readonly #industry = new IndustryCombobox(this, (path, value, isSettled) => {
    this.#flow?.answer(path, value);
    if (isSettled) this.#flow?.settle();
  });

  constructor() {
    super();
    this.bffUrl = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#flow) return;
    this.#flow = new FlowController(this, {
      api:
        this.api ??
        createFundingApi(this.bffUrl.replace(/\/+$/, '') || new URL(import.meta.url).origin),
      polling: createBrowserPolling(),
      now: () => new Date(),
      createKey: () => crypto.randomUUID(),
      onStep: () => {
        this.#wantsFocus = 'heading';
        this.#shown.clear();
        const step = this.#flow?.state?.step;
        if (step) this.dispatchEvent(new FundingStepEvent(step));
      },
      onErrors: () => {
        this.#wantsFocus = 'errors';
      },
      onDocumentNews: (news) => this.#announceDocument(news),
      onOffersArrived: (count) => {
        this.#announce(
          count === 1
            ? t('offers.arrived.one')
            : t('offers.arrived.many', { count: format.number(count) }),
        );
      },
    });
    void this.#flow.load();
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
    const { state } = this.#flow ?? {};
    if (state && (state.step === 'review' || state.application)) void this.#loadAfter();
    this.#moveFocus();
  }

  protected override render(): TemplateResult {
    const flow = this.#flow;
    const state = flow?.state;
    return html`
      ${renderFrame({
        t,
        flow,
        context: flow && state ? this.#createContext(flow, state) : undefined,
        after: this.#after,
        hasAfterFailed: this.#afterFailed,
        onRetryAfter: () => void this.#loadAfter(),
        entries: this.#entries,
      })}
      <p class="visually-hidden" role="status" data-testid="announcement">${this.#announcement}</p>
    `;
  }

  get #entries(): readonly { readonly path: string; readonly sentence: string }[] {
    const { state } = this.#flow ?? {};
    return (state?.errors ?? []).map((error) => ({
      path: error.path,
      sentence: toErrorSentence(t, error, {
        label: this.#labelOf(error.path),
        lastName: state?.draft['owner/lastName'] ?? '',
      }),
    }));
  }

  #labelOf(path: string): string {
    const consent = this.#flow?.state?.configuration.consents.find(
      ({ id }) => path === `consents/${id}`,
    );
    const key = toLabelKey(path);
    return consent?.label ?? (key ? t(key) : path);
  }

  #createContext(flow: FlowController, state: FlowState): StepContext {
    const entries = this.#entries;
    const { configuration } = state;
    const fields: FieldContext = {
      t,
      valueOf: (path) => state.draft[path] ?? '',
      errorOf: (path) => entries.find((entry) => entry.path === path)?.sentence,
      isOptional: (path) => isOptional(path, configuration),
    };
    return {
      t,
      format,
      flow,
      state,
      configuration,
      fields,
      industry: this.#industry,
      isShown: (path) => this.#shown.has(path),
      toggleShown: (path) => {
        if (!this.#shown.delete(path)) this.#shown.add(path);
        this.requestUpdate();
      },
      focusField: (path) => void this.updateComplete.then(() => this.#focusField(path)),
      requestBank: () => this.dispatchEvent(new FundingBankRequestEvent()),
    };
  }

  async #loadAfter(): Promise<void> {
    if (this.#after) return;
    try {
      this.#after = (await import('./steps/after-submission.ts')).afterSubmission;
      this.#afterFailed = false;
    } catch {
      // The connection broke while the applicant was filling in; the frame offers to try again.
      this.#afterFailed = true;
    }
    this.requestUpdate();
  }

  /** Fragment links and autofocus do not reach into a shadow root, so the focus is moved by hand (WCAG 2.2, 2.4.3). */
  #moveFocus(): void {
    const target =
      this.#wantsFocus === 'errors'
        ? this.renderRoot.querySelector<HTMLElement>('#error-summary, .notice')
        : this.#wantsFocus === 'heading'
          ? this.renderRoot.querySelector<HTMLElement>('#step-heading')
          : null;
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
    if (news.kind !== 'failed') {
      this.#announce(t(`documents.announce.${news.kind}`, { name: news.name }));
    }
  }

  #announce(sentence: string): void {
    this.#announcement = sentence;
    this.requestUpdate();
  }
}

/** Fields that may stay empty, unless the partner made them required. */
function isOptional(path: string, configuration: FlowState['configuration']): boolean {
  const field = path.slice(path.indexOf('/') + 1);
  const isRequired = configuration.requiredFields.some((required) => required === field);
  if (path.startsWith('consents/')) {
    return configuration.consents.some(
      ({ id, required }) => !required && path === `consents/${id}`,
    );
  }
  return optionalPaths.has(path) && !isRequired;
}

const optionalPaths: ReadonlySet<string> = new Set([
  'business/taxId',
  'business/employees',
  'owner/birthDate',
  'owner/ssn',
  'owner/ownershipPercent',
  'owner/otherManagers',
]);
