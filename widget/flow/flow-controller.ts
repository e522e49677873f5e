// Holds the state of one application, talks to the BFF, and tells its element when to draw.

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AssetReportStatus } from '../../shared/api/documents.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { FailureCode, FundingApi, Result } from '../api/api.ts';
import { BankConnection } from './bank-connection.ts';
import { ContactChange } from './contact-change.ts';
import { DocumentQueue, type DocumentNews } from './document-queue.ts';
import { toApplicationCandidate } from './draft.ts';
import { OffersWatch } from './offers-watch.ts';
import { createPoller, type Poller, type PollingEnvironment } from './polling.ts';
import {
  createFlowState,
  withAllChecked,
  withAnswer,
  withApplication,
  withBack,
  withChange,
  withMendedErrors,
  withNext,
  withProblem,
  withRejection,
  withStepCompleted,
  withSubmitting,
  type FlowState,
} from './state.ts';
import type { FormStepId } from './steps.ts';
import { createStepValidation, type ValidateStep } from './validation.ts';

/** What the element is told besides "draw again". */
export interface FlowListener {
  /** Another step is shown: the heading takes the focus. */
  readonly onStep: () => void;
  /** Continue found something wrong: the error summary takes the focus. */
  readonly onErrors: () => void;
  readonly onDocumentNews: (news: DocumentNews) => void;
  readonly onOffersArrived: (count: number) => void;
}

export interface FlowOptions extends FlowListener {
  readonly api: FundingApi;
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  readonly createKey: () => string;
}

/** Parts that exist only once the configuration has arrived. */
interface Loaded {
  readonly documents: DocumentQueue;
  readonly offers: OffersWatch;
  readonly bank: BankConnection;
  readonly contact: ContactChange;
  readonly validate: ValidateStep;
}

export class FlowController implements ReactiveController {
  state: FlowState | undefined;
  loadProblem: FailureCode | undefined;
  checkedAt: Date | undefined;
  isChecking = false;
  #loaded: Loaded | undefined;
  readonly #host: ReactiveControllerHost;
  readonly #options: FlowOptions;
  readonly #statusPoller: Poller;
  /** A key belongs to one set of answers: the same body is never sent under another one. */
  #sent: { readonly body: string; readonly key: string } | undefined;

  constructor(host: ReactiveControllerHost, options: FlowOptions) {
    this.#host = host;
    this.#options = options;
    this.#statusPoller = createPoller(options.polling, () => this.#askStatus());
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#statusPoller.stop();
    this.#loaded?.offers.stop();
  }

  hostConnected(): void {
    if (this.state?.application) this.#followApplication();
    this.#followStep();
  }

  get parts(): Loaded | undefined {
    return this.#loaded;
  }

  /** Gets the configuration and the session; may be called again after a failure. */
  async load(): Promise<void> {
    this.loadProblem = undefined;
    this.#host.requestUpdate();
    const { api } = this.#options;
    const [configuration, session] = await Promise.all([api.getConfiguration(), api.openSession()]);
    if (!configuration.ok || !session.ok) {
      this.loadProblem = configuration.ok
        ? session.ok
          ? undefined
          : session.code
        : configuration.code;
      this.#host.requestUpdate();
      return;
    }
    this.#loaded = this.#createParts(configuration.value, session.value.documents);
    if (session.value.assetReport) this.#loaded.bank.status = session.value.assetReport;
    this.state = createFlowState(configuration.value, session.value.application ?? undefined);
    this.#host.requestUpdate();
    if (this.state.application) this.#followApplication();
  }

  /** Takes an answer as it is typed. Draws only when that changes what is shown. */
  answer(path: string, value: string): void {
    if (!this.state || !this.#loaded) return;
    const before = this.state;
    this.state = withMendedErrors(withAnswer(before, path, value), path, this.#loaded.validate);
    if (this.state.errors !== before.errors) this.#host.requestUpdate();
  }

  /** An answer is complete: draws what depends on it. */
  settle(): void {
    this.#host.requestUpdate();
  }

  continue(): void {
    if (!this.state || !this.#loaded) return;
    if (this.state.step === 'review') void this.submit();
    else this.#show(withStepCompleted(this.state, this.#loaded.validate));
  }

  change(step: FormStepId): void {
    if (this.state) this.#show(withChange(this.state, step));
  }

  back(): void {
    if (this.state) this.#show(withBack(this.state));
  }

  next(): void {
    if (this.state) this.#show(withNext(this.state));
  }

  async submit(): Promise<void> {
    if (!this.state || !this.#loaded || this.state.isSubmitting) return;
    const checked = withAllChecked(this.state, this.#loaded.validate);
    const errors = checked.step === 'review' ? this.#loaded.validate('review', checked.draft) : [];
    if (checked !== this.state || errors.length > 0) {
      this.#show({ ...checked, errors: errors.length > 0 ? errors : checked.errors });
      return;
    }
    this.#show(withSubmitting(checked));
    const body = JSON.stringify(
      toApplicationCandidate(checked.draft, checked.configuration.consents),
    );
    if (this.#sent?.body !== body) this.#sent = { body, key: this.#options.createKey() };
    await this.#send(this.#sent.body, this.#sent.key);
  }

  async #send(body: string, key: string, isSecondTry = false): Promise<void> {
    const { api } = this.#options;
    const result = await api.submitApplication(body, key);
    if (!this.state) return;
    if (result.ok) {
      this.#takeApplication(result);
    } else if (result.code === 'application-rejected') {
      this.#sent = undefined;
      this.#show(withRejection(this.state, result.errors));
    } else if (result.code === 'application-exists') {
      this.#takeApplication(await api.getApplication());
    } else if (result.code === 'session-missing' && !isSecondTry && (await api.openSession()).ok) {
      await this.#send(body, key, true);
    } else if (result.errors.length > 0) {
      this.#show({ ...withRejection(this.state, result.errors), problem: result.code });
    } else {
      this.#show(withProblem(this.state, result.code));
    }
  }

  /** Asks where the application stands, at the applicant's wish. */
  async checkApplication(): Promise<void> {
    await this.#askStatus();
  }

  async submitAssetReport(report: unknown): Promise<Result<AssetReportStatus>> {
    if (!this.#loaded) return { ok: false, code: 'application-missing', errors: [] };
    return this.#loaded.bank.send(report);
  }

  #takeApplication(result: Result<Parameters<typeof withApplication>[1]>): void {
    if (!this.state) return;
    if (!result.ok) {
      this.#show(withProblem(this.state, result.code));
      return;
    }
    this.checkedAt = this.#options.now();
    this.#show(withApplication(this.state, result.value));
    this.#followApplication();
  }

  #followApplication(): void {
    const status = this.state?.application?.status;
    if (status === 'received' || status === 'confirming') this.#statusPoller.start();
  }

  async #askStatus(): Promise<boolean> {
    if (this.isChecking) return true;
    this.isChecking = true;
    this.#host.requestUpdate();
    const result = await this.#options.api.getApplication();
    this.isChecking = false;
    if (!this.state) return false;
    this.checkedAt = this.#options.now();
    if (result.ok) this.#show(withApplication(this.state, result.value));
    else this.#show(withProblem(this.state, result.code));
    const status = this.state.application?.status;
    return status === 'received' || status === 'confirming';
  }

  /** Takes over a state; a new step or new errors move the focus. */
  #show(state: FlowState): void {
    const before = this.state;
    this.state = state;
    this.#host.requestUpdate();
    const isRefused = state.problem === 'application-rejected' && before?.problem !== state.problem;
    if (before?.step !== state.step) {
      this.#followStep();
      this.#options.onStep();
    }
    if (isRefused || (state.errors.length > 0 && state.errors !== before?.errors))
      this.#options.onErrors();
  }

  #followStep(): void {
    if (this.state?.step === 'offers') this.#loaded?.offers.start();
    else this.#loaded?.offers.stop();
  }

  #createParts(configuration: Configuration, sent: DocumentQueue['sent']): Loaded {
    const { api, polling, now, onDocumentNews, onOffersArrived } = this.#options;
    const draw = () => this.#host.requestUpdate();
    return {
      validate: createStepValidation(configuration, now),
      bank: new BankConnection(api, draw),
      contact: new ContactChange(api, draw),
      documents: new DocumentQueue({
        api,
        limits: configuration.documents,
        sent,
        onChange: (news) => {
          draw();
          if (news) onDocumentNews(news);
        },
      }),
      offers: new OffersWatch({
        api,
        polling,
        onChange: (arrived) => {
          draw();
          if (arrived > 0) onOffersArrived(arrived);
        },
      }),
    };
  }
}
