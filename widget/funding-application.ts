// The element a partner puts on a page: draws the step the flow is on and moves the focus with it.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { Configuration } from '../shared/api/configuration.ts';
import type { BankReportStatus } from '../shared/api/attachments.ts';
import { Announcer } from './announcer.ts';
import type { FundingApi } from './api/funding-api.ts';
import { FundingReadyEvent, FundingStepEvent, toFundingEvent } from './events.ts';
import type { Draft } from './app/draft.ts';
import type { DocumentNews } from './flow/document-queue.ts';
import { FlowController } from './flow/flow-controller.ts';
import type { FlowEvent } from './flow/flow-event.ts';
import { endForGood, giveReport, toReached, withPrefill } from './flow/host-wishes.ts';
import { toHeadingLevel } from './app/parts.ts';
import type { StepId } from './app/steps.ts';
import { createFlowEnvironment } from './flow-environment.ts';
import { renderFrame } from './frame.ts';
import { Language } from './language.ts';
import { LateSteps } from './late-steps.ts';
import { toPrefilledDraft } from './form/prefill.ts';
import { StepContexts } from './step-contexts.ts';
import { StepFocus } from './step-focus.ts';
import { styles } from './styles/styles.ts';
import {
  FundingError,
  type FundingMessages,
  type FundingPrefill,
  type FundingSettings,
  type SolveChallenge,
} from './types.ts';
import { warnDeveloper } from './app/warn-developer.ts';

/**
 * A business funding application: form, documents, bank connection, and offers. The element sends requests to the partner's BFF
 * only.
 *
 * @slot - Fallback content, for example a phone number. It shows without JavaScript, while the form loads, and if it can't load.
 * @slot loading - Replaces the skeleton while the form loads.
 * @slot header - Content above every step.
 * @slot help - Content below every step. It replaces the line with the BFF's `support` contact.
 * @event {FundingReadyEvent} funding-ready
 * @event {FundingStepEvent} funding-step
 * @event {FundingSubmittedEvent} funding-submitted
 * @event {FundingDocumentEvent} funding-document
 * @event {FundingOffersEvent} funding-offers
 * @event {FundingOfferChosenEvent} funding-offer-chosen
 * @event {FundingErrorEvent} funding-error
 * @event {FundingExitEvent} funding-exit
 * @event {FundingBankRequestEvent} funding-bank-request
 * @csspart heading - The heading of a step.
 * @csspart progress - The text "Step 2 of 5" and its bar.
 * @csspart field - A field: label, hint, error, and control.
 * @csspart label - The label of a field.
 * @csspart hint - The hint of a field.
 * @csspart error - The error message of a field.
 * @csspart input - An `<input>` or `<select>`.
 * @csspart choice - A checkbox or radio button with its label.
 * @csspart listbox - The open list of a combobox.
 * @csspart button - A button. Buttons that are not the main action of the step also have the part `secondary`.
 * @csspart secondary - A `button` that is not the main action of the step.
 * @csspart link - A button that looks like a link, for example Back, Change, or Show.
 * @csspart error-summary - The list of errors at the top of a step.
 * @csspart notice - A message about the whole step.
 * @csspart answers - The list of answers on the review step, or the list of an offer's figures.
 * @csspart reference - The reference number of a sent application.
 * @csspart drop-zone - The area where applicants drop or choose files.
 * @csspart file - One file of the list of documents.
 * @csspart offers - The list or the comparison table of offers.
 * @csspart offer - One offer of the list.
 */
export class FundingApplication extends LitElement {
  static override styles = styles;

  static override properties = {
    bffUrl: { attribute: 'bff-url' },
    theme: { reflect: true },
    locale: {},
    draft: {},
    history: { type: Boolean },
    headingLevel: { attribute: 'heading-level', type: Number },
    prefill: { attribute: false },
    messages: { attribute: false },
    settings: { attribute: false },
    api: { attribute: false },
    challenge: { attribute: false },
  };

  /**
   * The origin of the BFF, for example `https://apply.partner.example`. If empty, it is the origin of the script. Read when the
   * element is first connected.
   */
  declare bffUrl: string;
  /** The color scheme of the element. Default: the `color-scheme` that the element inherits. */
  declare theme: 'light' | 'dark' | undefined;
  /**
   * The language of the form: `en` or `es`, with or without a region (`es-MX`). Languages outside the BFF's setting `locales` are
   * ignored. Default: the nearest `lang` attribute around the element, then the first of `locales`. A new value replaces the language
   * that the applicant selected.
   */
  declare locale: string | undefined;
  /**
   * `off` stores no answers in the browser, and erases answers that were stored before. Otherwise a draft is stored in
   * `sessionStorage` until the funding service accepts the application. Read when the element is first connected.
   */
  declare draft: 'off' | undefined;
  /**
   * Adds each step to the browser's history, so that the browser's Back button leads to the previous step. The URL and the page's
   * own history state do not change. Read when the element is first connected.
   */
  declare history: boolean;
  /**
   * The level of each step's heading, 1 to 6. Headings inside a step get the levels below it, at most 6.
   *
   * @default 2
   */
  declare headingLevel: number | undefined;

  /**
   * Answers that the host page already knows. They fill empty fields only, and are validated like typed answers. Consents and the
   * signature can't be prefilled. The element reports unknown names in the console, and never their values.
   */
  declare prefill: FundingPrefill | undefined;
  /**
   * The host page's own texts by language and key, for example `{ en: { continue: 'Next' } }`. The element reports unknown keys
   * in the console.
   */
  declare messages: FundingMessages | undefined;
  /** Options of the form. Read when the element is first connected. */
  declare settings: FundingSettings | undefined;
  /**
   * A custom transport to the BFF. Default: requests with `fetch` and `XMLHttpRequest` to `bffUrl`. Read when the element is first
   * connected.
   */
  declare api: FundingApi | undefined;
  /**
   * Solves the challenge that the BFF requires. Without it, applications to such a BFF cannot be sent. The element calls the
   * function at each submission. A rejected promise, or no token after 3 minutes, counts as not solved.
   */
  declare challenge: SolveChallenge | undefined;

  #flow: FlowController | undefined;
  #prefilled: Draft = {};
  #configuration: Configuration | undefined;
  /** What is shown first, most likely. */
  #comingStep: StepId = 'start';
  #drawnStep: StepId | undefined;
  /** Differs from the one drawn where a listener has led on to another at once. */
  #toldStep: StepId | undefined;
  readonly #language = new Language(this, {
    onSettled: () => void this.#flow?.setLocale(this.#language.locale),
  });
  readonly #late = new LateSteps(this, this.#language, (Parts) => this.#flow?.equip(Parts));
  readonly #focus = new StepFocus(this);
  readonly #announcer = new Announcer(this, this.#language, () => this.#flow);
  readonly #contexts = new StepContexts(this, this.#language, this.#focus);

  constructor() {
    super();
    this.bffUrl = '';
    this.history = false;
  }

  /** Moves the focus to the heading of the step. While the form loads, the focus moves when the first step shows. */
  override focus(): void {
    this.#focus.moveTo('heading');
    this.#focus.hostUpdated();
  }

  /**
   * Shows a step that the applicant could reach with Back, with Change, or from the list of what was sent.
   *
   * @param step the name of the step.
   * @returns `true` if the step changed; `false` if the applicant cannot reach the step now.
   */
  goTo(step: StepId): boolean {
    return this.#flow?.obey((state) => toReached(state, step)) ?? false;
  }

  /**
   * Clears the answers, erases the stored draft, and shows the first step.
   *
   * @param options with `keepPrefill: true`, the values of `prefill` are filled in again.
   * @returns `true` if the answers were cleared; `false` while the form loads, and once the application is being sent.
   */
  reset({ keepPrefill = false }: { readonly keepPrefill?: boolean } = {}): boolean {
    const before = this.#flow?.state;
    this.#flow?.clear({ keepsPrefill: keepPrefill });
    return this.#flow?.state !== before;
  }

  /**
   * Ends the session, like the button "Close my application on this device". Files that were not sent yet are discarded.
   *
   * @returns a promise that resolves when the BFF has ended the session.
   * @throws {FundingError} with the code `session-missing` if there is no session, `network` if the BFF did not answer, or another
   *   problem code.
   */
  async finish(): Promise<void> {
    const flow = this.#flow;
    const problem = flow?.state ? await endForGood(flow) : 'session-missing';
    if (problem) throw new FundingError(problem);
  }

  /**
   * Adds a bank report to the application.
   *
   * @param report the complete asset report of the aggregation provider: an object with `report` at the top level.
   * @returns the delivery status of the report. The BFF delivers a `received` report when the application is accepted.
   * @throws {FundingError} with the code `application-missing` if no application was sent, `asset-report-invalid` if the report has no
   *   data, `network` if the BFF did not answer, or another problem code.
   */
  async submitAssetReport(report: unknown): Promise<BankReportStatus> {
    const flow = this.#flow;
    const result = flow && (await giveReport(flow, report, () => this.#late.loadAfter()));
    if (!result) throw new FundingError('application-missing');
    if (!result.ok) throw new FundingError(result.code);
    return result.value;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has('locale')) this.#language.obeyPage();
    if (changed.has('messages')) this.#language.override(this.messages);
    if (changed.has('prefill')) {
      this.#prefilled = toPrefilledDraft(this.prefill);
      this.#flow?.obey((state) => withPrefill(state, this.#prefilled));
    }
    // Only now are properties in place that were set before the element was defined.
    if (!this.#flow && this.isConnected) this.#begin();
    const configuration = this.#flow?.state?.configuration;
    if (configuration && configuration !== this.#configuration) {
      this.#configuration = configuration;
      this.#language.offer(configuration.locales);
    }
  }

  protected override update(changed: PropertyValues): void {
    this.#focus.keepThrough(() => super.update(changed));
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const step = this.#flow?.state?.step;
    if (!this.#language.isShown && step && this.#late.canShow(step)) {
      this.#language.isShown = true;
      this.dispatchEvent(new FundingReadyEvent(this.#language.locale));
    }
    if (step !== this.#drawnStep) {
      this.#drawnStep = step;
      this.#toldStep = step;
      this.#late.prepare(step);
    }
  }

  protected override render(): TemplateResult {
    const flow = this.#flow;
    const state = flow?.state && this.#late.canShow(flow.state.step) ? flow.state : undefined;
    return html`
      <slot name="header"></slot>
      ${renderFrame({
        t: this.#language.t,
        flow,
        context: flow && state ? this.#contexts.create(flow, state, this.#late.further) : undefined,
        late: this.#late,
        language: this.#language,
        comingStep: this.#comingStep,
        headingLevel: toHeadingLevel(this.headingLevel, 0),
      })}
      ${this.#announcer.render(this.#language.locale)}
    `;
  }

  #begin(): void {
    const environment = createFlowEnvironment(this);
    this.#comingStep = environment.comingStep;
    this.#language.keepIn(environment.languageStore);
    this.#flow = new FlowController(this, {
      ...environment,
      locale: () => this.#language.asked,
      readPrefill: () => this.#prefilled,
      findChallengeSolver: () => this.#findChallengeSolver(),
      onStep: () => this.#handleStep(),
      onErrors: () => this.#focus.moveTo('errors'),
      onDocumentNews: (news) => this.#announceDocument(news),
      onEvent: (event) => this.#handleEvent(event),
    });
    void this.#flow.load();
  }

  #findChallengeSolver(): SolveChallenge | undefined {
    if (!this.challenge) warnDeveloper('the BFF asks for a challenge. Set "challenge".');
    return this.challenge;
  }

  #handleStep(): void {
    this.#focus.moveTo('heading');
    this.#contexts.hideSecrets();
    const step = this.#flow?.state?.step;
    const isNews = step !== this.#toldStep;
    this.#toldStep = step;
    if (step && isNews) this.dispatchEvent(new FundingStepEvent(step));
  }

  #handleEvent(event: FlowEvent): void {
    // The next one at this computer may be somebody else.
    if (event.kind === 'exit' && event.reason === 'finished') {
      this.#prefilled = {};
      this.#language.forget();
    }
    this.dispatchEvent(toFundingEvent(event));
  }

  #announceDocument(news: DocumentNews): void {
    const configuration = this.#flow?.state?.configuration;
    const { after } = this.#late;
    if (!after || !configuration) return;
    const { t, format } = this.#language;
    this.#announcer.say(after.toDocumentSentence({ t, format, configuration }, news));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'funding-application': FundingApplication;
  }
}
