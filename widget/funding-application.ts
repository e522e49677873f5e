// The element: its public API, and the composition of its parts.

import {
  adoptStyles,
  html,
  LitElement,
  render,
  type CSSResult,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { BankReportStatus } from '../shared/api/attachments.ts';
import type { FundingApi } from './api/funding-api.ts';
import { Announcer } from './app/announcer.ts';
import { AppController } from './app/app-controller.ts';
import type { Draft } from './app/draft.ts';
import { createBrowserEnvironment, whenIdle } from './app/environment.ts';
import { FundingReadyEvent, FundingStepEvent } from './app/events.ts';
import type {
  AddPart,
  AppActions,
  Feature,
  StepContext,
  StepView,
  Wording,
} from './app/feature.ts';
import { FocusController } from './app/focus.ts';
import { toHostEvents } from './app/host-events.ts';
import { LanguageController } from './app/language.ts';
import { renderLayout, type LayoutActions } from './app/layout.ts';
import {
  formSteps,
  type StepId,
  toReachable,
  toStepIndex,
  withLaterStep,
  withPrefill,
  withStep,
} from './app/navigation.ts';
import { type AppState, type FormState, isTyping, Store } from './app/store.ts';
import { createFieldContext, toHeadingLevel } from './app/parts.ts';
import type { ErrorMessage } from './fields/field.ts';
import { fieldStyles } from './fields/field.styles.ts';
import { fundingNeedStep } from './form/funding-need.ts';
import { startStep } from './form/start.ts';
import { toPrefilledDraft } from './form/prefill.ts';
import { baseStyles } from './styles/base.styles.ts';
import { frameStyles } from './styles/frame.styles.ts';
import { tokens } from './styles/tokens.styles.ts';
import {
  FundingError,
  type FundingMessages,
  type FundingPrefill,
  type FundingSettings,
  type SolveChallenge,
} from './types.ts';

/** The sheets of the first steps, in the order of the cascade. */
const styles = [tokens, baseStyles, frameStyles, fieldStyles];

const now = () => new Date();

/** The steps in the entry chunk. */
const firstSteps: { readonly [Step in StepId]?: StepView } = {
  start: startStep,
  'funding-need': fundingNeedStep,
};

/**
 * A business funding application: form, documents, bank connection, and offers. The element sends requests to the partner's BFF
 * only. Its attribute `data-language` is the language that the form shows, for CSS of the host page.
 *
 * @slot - Fallback content, for example a phone number. It shows without JavaScript, while the form loads, and if it can't load.
 * @slot loading - Replaces the skeleton while the form loads.
 * @slot header - Content above every step.
 * @slot help - Content below every step. It replaces the line with the BFF's `support` contact.
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
    history: {},
    handoff: { type: Boolean },
    headingLevel: { attribute: 'heading-level', type: Number },
    prefill: { attribute: false },
    messages: { attribute: false },
    settings: { type: Object },
    api: { attribute: false },
    challenge: { attribute: false },
  };

  /**
   * The address of the BFF: its origin, and its base path if it has one, for example `https://apply.partner.example` or
   * `/funding`. Required if the element comes from the npm package. If empty, it is the address from which the BFF serves the
   * script. Read when the element is first connected.
   */
  declare bffUrl: string;
  /** The color scheme of the element. Default: the `color-scheme` that the element inherits. */
  declare theme: 'light' | 'dark' | undefined;
  /**
   * The language of the form, with or without a region, for example `en` or `es-MX`. Languages outside the BFF's setting `locales`
   * are ignored. Default: the nearest `lang` attribute around the element, then the first of `locales`. A new value replaces the
   * language that the applicant selected.
   */
  declare locale: string | undefined;
  /**
   * `off` stores no answers in the browser, and erases answers that were stored before. Otherwise a draft is stored in
   * `sessionStorage` until the funding service accepts the application. Read when the element is first connected.
   */
  declare draft: 'off' | undefined;
  /**
   * `off` leaves the browser's history alone. Otherwise each step is an entry of it, so that the browser's Back and Forward lead
   * from step to step. The URL and the page's own history state do not change. Read when the element is first connected.
   */
  declare history: 'off' | undefined;
  /**
   * Set by the BFF's page `/phone`: shows the upload of documents for an application that was begun on another device. Read when
   * the element is first connected.
   */
  declare handoff: boolean;
  /**
   * The level of each step's heading, 1 to 6. Headings inside a step get the levels below it, at most 6.
   *
   * @default 2
   */
  declare headingLevel: number | undefined;

  /**
   * Answers that the host page already knows. They fill empty fields only, and are validated like typed answers. Consents and the
   * signature can't be prefilled. The element reports unknown names in the console, and never their values. It forgets the answers
   * when the application is closed on this device; set the property again for the next applicant.
   */
  declare prefill: FundingPrefill | undefined;
  /**
   * The host page's own texts by language and key, for example `{ en: { continue: 'Next' } }`. The element reports unknown keys
   * in the console, when all parts of the form have loaded.
   */
  declare messages: FundingMessages | undefined;
  /** Options of the form. As an attribute: JSON, for example `{"campaignId": "spring-2026"}`. Read when the element is first connected. */
  declare settings: FundingSettings | undefined;
  /**
   * A custom transport to the BFF. Default: requests with `fetch` and `XMLHttpRequest` to `bffUrl`. Read when the element is first
   * connected.
   */
  declare api: FundingApi | undefined;
  /**
   * Solves the challenge that the BFF requires. Without it, applications to such a BFF cannot be sent. The element calls the
   * function at each submission. Resolve with the empty string if the applicant cancels or the provider fails. A rejected promise,
   * or no token after 3 minutes, also counts as not solved, and logs a warning.
   */
  declare challenge: SolveChallenge | undefined;

  readonly #store = new Store([
    (before, after) => this.#language.react(before, after),
    (before, after) => this.#app?.react(before, after),
    (before, after) => {
      // The next person at this device is a different applicant.
      if (!before.closing.closedStep && after.closing.closedStep) this.#prefill = {};
    },
    (before, after) => {
      for (const event of toHostEvents(before, after, this.#features)) this.dispatchEvent(event);
    },
    (before, after) => this.#focus.react(before, after),
    (before, after) => {
      // The browser shows typed text by itself. The form renders when the applicant leaves the field.
      if (!isTyping(before, after)) this.requestUpdate();
    },
  ]);
  readonly #language = new LanguageController(this, this.#store);
  readonly #focus = new FocusController(this);
  readonly #announcer = new Announcer(this, {
    store: this.#store,
    getWording: () => this.#wording,
    getFeatures: () => this.#features,
  });
  #app: AppController | undefined;
  #prefill: Draft = {};
  #expectedStep: StepId = 'start';
  #shownStep: StepId | undefined;
  #isPrepared = false;
  readonly #addedStyles: CSSResult[] = [];
  #printStyles: readonly CSSResult[] = [];

  constructor() {
    super();
    this.bffUrl = '';
    this.handoff = false;
    this.addController({
      hostConnected: () => this.#setConnected(true),
      hostDisconnected: () => this.#setConnected(false),
    });
  }

  /** Moves the focus to the heading of the step. While the form loads, the focus moves when the first step shows. */
  override focus(): void {
    this.#focus.moveTo('heading');
    if (this.hasUpdated) this.#focus.hostUpdated();
  }

  /**
   * Shows a step that the applicant could reach with Back, with Change, or from the list of what was sent.
   *
   * @param step the name of the step.
   * @returns `true` if the step changed; `false` if it shows already, or the applicant cannot reach it now.
   */
  goTo(step: StepId): boolean {
    const { form } = this.#store.state;
    const reached = form && toReachable(form, step);
    if (reached) this.#store.updateForm(() => reached);
    return reached !== undefined;
  }

  /**
   * Clears the answers, erases the stored draft, and shows the first step.
   *
   * @param options with `keepPrefill: true`, the values of `prefill` are filled in again.
   * @returns `true` if the answers were cleared; `false` while the form loads, and once the application is being sent.
   */
  reset({ keepPrefill = false }: { readonly keepPrefill?: boolean } = {}): boolean {
    return this.#app?.clear(keepPrefill) ?? false;
  }

  /**
   * Ends the session, like the button "Close my application on this device". Files that were not sent yet are discarded.
   *
   * @returns a promise that resolves when the session has ended, now or before.
   * @throws {FundingError} with the code `session-missing` while the form loads and after the application was closed on this page,
   *   `network` if the BFF did not respond, or another problem code.
   */
  async finish(): Promise<void> {
    if (!this.#app || !this.#store.state.form) throw new FundingError('session-missing');
    const outcome = await this.#app.close();
    const isFailed = (outcome === 'warned' ? await this.#app.close() : outcome) === 'failed';
    if (isFailed) throw new FundingError(this.#store.state.closing.problem ?? 'internal');
  }

  /**
   * Adds a bank report to the application.
   *
   * @param report the complete asset report of the aggregation provider: an object with `report` at the top level.
   * @returns the delivery status of the report. The BFF delivers a `received` report when the application is accepted.
   * @throws {FundingError} with the code `application-missing` if no application was sent, `asset-report-invalid` if the report has no
   *   data, `network` if the BFF did not respond, or another problem code.
   */
  async submitAssetReport(report: unknown): Promise<BankReportStatus> {
    const getReference = () => this.#store.state.form?.application?.reference;
    const reference = getReference();
    if (this.#store.state.form) await this.#app?.loadAfterChunk();
    // While the chunk loads, the applicant may close the application and start another one.
    if (!this.#store.state.form || getReference() !== reference)
      throw new FundingError('application-missing');
    const result = await this.#app?.afterChunk?.sendBankReport(report);
    if (!result?.ok) throw new FundingError(result?.code ?? 'network');
    return result.value;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has('locale')) this.#language.readPageLanguage();
    if (changed.has('messages')) this.#language.override(this.messages);
    if (changed.has('prefill')) {
      this.#prefill = toPrefilledDraft(this.prefill);
      this.#store.updateForm((form) => withPrefill(form, this.#prefill));
    }
    // Properties that were set before the element was defined are available since the first update.
    if (!this.#app && this.isConnected) this.#start();
  }

  protected override update(changed: PropertyValues): void {
    this.#focus.keepDuring(() => super.update(changed));
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // A removed element dispatches the events of its step when it is back in the document.
    if (!this.isConnected) return;
    const { form, language } = this.#store.state;
    const step = form && this.#canShow(form.step) ? form.step : undefined;
    // A host page without a script of its own, such as `/apply` of the BFF, follows the language with CSS.
    if (step && this.dataset['language'] !== language.locale)
      this.dataset['language'] = language.locale;
    if (step && !form?.application && this.#app?.formChunk && !this.#isPrepared) {
      this.#isPrepared = true;
      this.#prepareSteps();
    }
    if (step === this.#shownStep) return;
    this.#shownStep = step;
    if (!form || !step) return;
    if (!this.#language.isShown) {
      this.#language.isShown = true;
      this.dispatchEvent(new FundingReadyEvent(language.locale));
    }
    this.dispatchEvent(new FundingStepEvent(step, toStepIndex(form)));
  }

  /** @param state the current state, or one to prepare for. */
  protected override render(state = this.#store.state): TemplateResult {
    const { form } = state;
    const canShow = form !== undefined && this.#canShow(form.step);
    const formChunk = this.#app?.formChunk;
    const entries = (form && formChunk?.toErrorMessages(this.#wording, form)) ?? [];
    return html`
      <slot name="header"></slot>
      ${renderLayout({
        wording: this.#wording,
        state,
        actions: this.#layoutActions,
        headingLevel: toHeadingLevel(this.headingLevel, 0),
        context: canShow ? this.#createContext(state, form, entries) : undefined,
        view: form && this.#findView(form.step),
        entries,
        formChunk,
        afterChunk: this.#app?.afterChunk,
        expectedStep: this.#expectedStep,
      })}
      ${this.#announcer.render(state.language.locale)}
    `;
  }

  /** The loaded parts that announce changes, and have events for the host page. */
  get #features(): readonly Pick<Feature, 'toAnnouncements' | 'toHostEvents'>[] {
    return [this.#app?.formChunk ?? {}, ...(this.#app?.afterChunk?.features ?? [])];
  }

  /**
   * Renders each step of the form while the browser is idle, and discards it. At a change of step, the browser has then parsed the
   * templates, created the schemas, loaded the words of the industries, and measured the texts.
   */
  #prepareSteps(): void {
    for (const step of formSteps) {
      const box = document.createElement('div');
      // Its layout leaves the host page alone.
      box.style.position = 'fixed';
      whenIdle(() => {
        const { state } = this.#store;
        const form = state.form && withStep(state.form, step);
        if (form) render(this.render({ ...state, form }), box);
      });
      // Safari would forget to scroll to a field that has received the focus just before the layout.
      if (!('requestIdleCallback' in globalThis)) continue;
      whenIdle(() => {
        // The step is in the document for a layout only, and never in a frame.
        this.renderRoot.append(box);
        box.getBoundingClientRect();
        box.remove();
      });
    }
  }

  get #wording(): Wording {
    const { t, format } = this.#language;
    return { t, format, locale: this.#store.state.language.locale };
  }

  readonly #layoutActions: LayoutActions = {
    load: () => void this.#app?.load(),
    back: () => this.#app?.back(),
    continue: () => void this.#app?.continue(),
    clear: () => void this.#app?.clear(),
    answer: (path, value, isComplete) => this.#answer(path, value, isComplete),
    chooseLanguage: (locale) => this.#language.choose(locale),
  };

  readonly #actions: AppActions = {
    next: () => this.#app?.next(),
    editStep: (step) => this.#app?.editStep(step),
    showStep: (step) => this.#store.updateForm((form) => withLaterStep(form, step)),
    close: async () => (await this.#app?.close()) ?? 'failed',
  };

  #start(): void {
    const environment = createBrowserEnvironment(this);
    this.#expectedStep = environment.expectedStep;
    this.#language.restoreChoice(environment.choiceStore);
    const app = new AppController({
      ...environment,
      now,
      addPart: this.#addPart,
      store: this.#store,
      getPrefill: () => this.#prefill,
      getLocale: () => this.#language.requestLocale,
      loadFormChunk: async () => {
        const chunk = await import('./chunks/form.ts');
        this.#printStyles = [chunk.printStyles];
        this.#addPart(chunk);
        const masks = new chunk.FieldMasks(this);
        const { form, chunks } = this.#store.state;
        if (form && form.draft !== form.initialDraft) masks.formatTyped(chunks.isAwaited);
        return () =>
          chunk.createFormChunk({
            ...environment,
            now,
            store: this.#store,
            requestUpdate: () => this.requestUpdate(),
            answer: (path, value, isComplete) => this.#answer(path, value, isComplete),
            host: this,
            usesSelects: () => this.settings?.simpleControls === true,
            getCampaignId: () => this.settings?.campaignId,
            getChallengeSolver: () => this.challenge,
            getLocale: () => this.#language.requestLocale,
          });
      },
      loadAfterChunk: async () => {
        const chunk = await (this.handoff
          ? import('./chunks/phone-page.ts')
          : import('./chunks/after-submission.ts'));
        this.#addPart(chunk);
        return chunk.createAfterChunk;
      },
    });
    this.#app = app;
    this.#setConnected(true);
    void app.load();
  }

  #setConnected(isConnected: boolean): void {
    if (this.#app) this.#store.update((state) => ({ ...state, isConnected }));
    // The application starts with an update, when the properties are set. The element may have been removed before its first one.
    else this.requestUpdate();
  }

  readonly #addPart: AddPart = ({ messages, styles: added }) => {
    this.#language.addMessages(messages);
    this.#addedStyles.push(...added);
    // The print style sheet is last, so that it overrides the style sheets of the steps.
    if (this.shadowRoot)
      adoptStyles(this.shadowRoot, [...styles, ...this.#addedStyles, ...this.#printStyles]);
  };

  /** The first step shows when its language and its chunk are loaded. Until then, the skeleton shows. */
  #canShow(step: StepId): boolean {
    const { language, chunks } = this.#store.state;
    if (this.#language.isShown) return true;
    if (language.isLoading) return false;
    return this.#findView(step) !== undefined || Object.values(chunks).includes('failed');
  }

  #findView(step: StepId): StepView | undefined {
    const features = this.#app?.afterChunk?.features ?? [];
    return (
      firstSteps[step] ??
      this.#app?.formChunk?.steps[step] ??
      features.find(({ steps }) => steps?.[step])?.steps?.[step]
    );
  }

  #createContext(state: AppState, form: FormState, entries: readonly ErrorMessage[]): StepContext {
    const wording = this.#wording;
    return {
      ...wording,
      state,
      form,
      configuration: form.configuration,
      settings: this.settings ?? {},
      fields: createFieldContext(wording, form, entries, this.#app?.formChunk),
      actions: this.#actions,
      now,
      endsWithPage: this.#app?.endsWithPage ?? false,
      headingLevel: (depth) => toHeadingLevel(this.headingLevel, depth),
      toIndustryLabel: (value) =>
        this.#app?.formChunk?.toIndustryLabel(value, wording.locale) ?? value,
      isExpanded: (id) => form.expanded.includes(id),
      toggle: (id) => this.#app?.toggle(id),
      focus: (id) => void this.#focus.moveToField(id),
      dispatch: (event) => this.dispatchEvent(event),
    };
  }

  #answer(path: string, value: string, isComplete: boolean): void {
    this.#app?.answer(path, value, isComplete);
    if (isComplete) this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'funding-application': FundingApplication;
  }
}
