// The element a partner puts on a page: draws the step the flow is on and moves the focus with it.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { Configuration } from '../shared/api/configuration.ts';
import type { BankReportStatus } from '../shared/api/attachments.ts';
import { Announcer } from './announcer.ts';
import type { FundingApi } from './api/api.ts';
import { FundingReadyEvent, FundingStepEvent, toFundingEvent } from './events.ts';
import type { Draft } from './flow/draft.ts';
import type { DocumentNews } from './flow/document-queue.ts';
import { FlowController } from './flow/flow-controller.ts';
import type { FlowEvent } from './flow/flow-event.ts';
import { endForGood, giveReport, toReached, withPrefill } from './flow/host-wishes.ts';
import type { SolveChallenge } from './flow/proof.ts';
import type { StepId } from './flow/steps.ts';
import { createFlowEnvironment } from './flow-environment.ts';
import { renderFrame } from './frame.ts';
import { FundingError } from './funding-error.ts';
import { setHeadingLevels } from './heading-levels.ts';
import { Language, type FundingMessages } from './language.ts';
import { LateSteps } from './late-steps.ts';
import { toPrefilledDraft, type FundingPrefill } from './prefill.ts';
import type { FundingSettings } from './settings.ts';
import { StepContexts } from './step-contexts.ts';
import { StepFocus } from './step-focus.ts';
import { styles } from './styles/styles.ts';
import { tellDeveloper } from './tell-developer.ts';

/**
 * An application for business funding: form, documents, bank connection and offers.
 *
 * @summary The whole application in one element; it speaks to the partner's BFF and to nothing else.
 * @slot - Shown without JavaScript, until the form is there, and when it cannot be shown; for example a phone number.
 * @slot loading - Shown instead of the skeleton until the form is there.
 * @slot header - Stands above every step.
 * @slot help - Stands at the bottom of every step, instead of the line made of the configuration's `support`.
 * @event {FundingReadyEvent} funding-ready - The form, or what has become of an earlier application, is shown.
 * @event {FundingStepEvent} funding-step - Another step is shown.
 * @event {FundingSubmittedEvent} funding-submitted - The BFF has the application, or its status has changed.
 * @event {FundingDocumentEvent} funding-document - The BFF has a file, or its status has changed.
 * @event {FundingOffersEvent} funding-offers - The lender has decided, or there is another number of offers.
 * @event {FundingOfferChosenEvent} funding-offer-chosen - An offer was chosen; cancelable, which keeps the tracking address closed.
 * @event {FundingErrorEvent} funding-error - Something did not work, and the applicant reads why.
 * @event {FundingExitEvent} funding-exit - The applicant has finished on this computer, or cleared the answers.
 * @event {FundingBankRequestEvent} funding-bank-request - The host page should open its own aggregator.
 * @csspart heading - The heading of a step.
 * @csspart field - A field with its label, hint, error and control.
 * @csspart label - The label of a field.
 * @csspart hint - The hint of a field.
 * @csspart error - The error of a field.
 * @csspart input - A native input or select.
 * @csspart choice - A box or a circle with its words.
 * @csspart listbox - The open list of a picker.
 * @csspart button - A button that leads on; with `secondary` where it is not the main one.
 * @csspart link - A quiet button in the text, for example Back, Change, Show.
 * @csspart progress - "Step 2 of 5" and its bar.
 * @csspart error-summary - The list of errors above a step.
 * @csspart notice - A message about the whole step.
 * @csspart answers - A list of answers or of an offer's figures.
 * @csspart reference - The reference of a sent application.
 * @csspart drop-zone - Where files are dropped or chosen.
 * @csspart file - One file.
 * @csspart offers - The list, or the table, of offers.
 * @csspart offer - One offer.
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

  /** Origin of the BFF, for example `https://apply.partner.example`; by default the origin the script came from. Read once. */
  declare bffUrl: string;
  /** `light` or `dark`; by default the colour scheme of the page around the element. */
  declare theme: 'light' | 'dark' | undefined;
  /** `en` or `es`, also with a region (`es-MX`); by default the nearest `lang` around the element. May be changed at any time. */
  declare locale: string | undefined;
  /** `off` keeps nothing in this browser, so that a reload begins anew. Read when the element is connected. */
  declare draft: 'off' | undefined;
  /** With it each step is an entry of the browser's history; the address stays as it is. Read when the element is connected. */
  declare history: boolean;
  /** Of the heading of each step, 1 to 5, so that it fits the page's outline; 2 by default. */
  declare headingLevel: number | undefined;

  /** What the page knows already of its customer. Fields that hold something keep it; consents and signature cannot be prefilled. */
  declare prefill: FundingPrefill | undefined;
  /** Texts of the page's own by language and key, for example `{ en: { continue: 'Next' } }`; may be changed at any time. */
  declare messages: FundingMessages | undefined;
  /** What this page decides about the form; read when the element is connected. */
  declare settings: FundingSettings | undefined;
  /** Another way to the BFF, for hosts with a transport of their own; set it before the element is connected. */
  declare api: FundingApi | undefined;

  /**
   * Solves the challenge that the BFF may ask for: gets the provider's site key, shows the provider's own challenge, and
   * resolves with the token. Called at every "Submit application"; a rejection counts as not solved.
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

  /** Moves the focus to the heading of the step that is shown, or to the next one that will be. */
  override focus(): void {
    this.#focus.moveTo('heading');
    this.#focus.hostUpdated();
  }

  /**
   * Shows another step, where Back, Change or the record could lead an applicant as well.
   *
   * @returns whether it is shown now; `false` for any step that has not been reached.
   */
  goTo(step: StepId): boolean {
    return this.#flow?.obey((state) => toReached(state, step)) ?? false;
  }

  /**
   * Clears what has been answered, also what this browser keeps, and begins with the first page.
   *
   * @param options `keepPrefill: true` fills in once more what the page had prefilled.
   * @returns `false` where there is nothing to clear: before the form is shown, while it is being sent, and afterwards.
   */
  reset({ keepPrefill = false }: { readonly keepPrefill?: boolean } = {}): boolean {
    const before = this.#flow?.state;
    this.#flow?.clear({ keepsPrefill: keepPrefill });
    return this.#flow?.state !== before;
  }

  /**
   * Ends the session, as "Finish on this computer" does; what was sent stays sent, files that are not yet sent are given up.
   *
   * @throws FundingError with the code `session-missing` before there is a session, `network` …
   */
  async finish(): Promise<void> {
    const flow = this.#flow;
    const problem = flow?.state ? await endForGood(flow) : 'session-missing';
    if (problem) throw new FundingError(problem);
  }

  /**
   * Gives a complete asset report, as the aggregation provider returns it, to the applicant's application.
   *
   * @param report an object with a top-level `report` (items, accounts, transactions).
   * @returns where the report stands; `received` reports are passed on as soon as the application is accepted.
   * @throws FundingError with the code `asset-report-invalid`, `application-missing`, `network` …
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
    setHeadingLevels(this.renderRoot, this.headingLevel);
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
    if (!this.challenge) tellDeveloper('the BFF asks for a challenge. Set "challenge".');
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
