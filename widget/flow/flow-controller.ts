// Holds the state of one application, talks to the BFF, and tells its element when to draw.

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AssetReportStatus } from '../../shared/api/documents.ts';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Result } from '../api/api.ts';
import {
  createFlowParts,
  isGivenTo,
  nothingGiven,
  takeGiven,
  type FlowParts,
  type FlowPartsListener,
  type Given,
} from './flow-parts.ts';
import { Following } from './following.ts';
import { Loading } from './loading.ts';
import { goOnAfter, type GoOn, type PollingEnvironment } from './polling.ts';
import {
  createFlowState,
  isRefused,
  isUndecided,
  withAllChecked,
  withAnswer,
  withApplication,
  withBack,
  withChange,
  withFailure,
  withMendedErrors,
  withNewConsents,
  withNext,
  withOffers,
  withProblem,
  withRejection,
  withStepCompleted,
  withSubmitting,
  type FlowState,
} from './state.ts';
import type { FormStepId } from './steps.ts';
import { Submission, type SubmissionOptions, type SubmissionOutcome } from './submission.ts';
import { createStepValidation } from './validation.ts';

/** What the element is told besides "draw again". */
export interface FlowListener extends FlowPartsListener {
  /** Another step is shown: the heading takes the focus. */
  readonly onStep: () => void;
  /** Continue found something wrong: the error summary takes the focus. */
  readonly onErrors: () => void;
}

export interface FlowOptions extends FlowListener, SubmissionOptions {
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  /** Without it the form begins with its first step. */
  readonly hasStartPage?: boolean;
}

/** Holds the state of one application from the first field to the offers; one for each element. */
export class FlowController implements ReactiveController {
  state: FlowState | undefined;
  parts: FlowParts | undefined;
  checkedAt: Date | undefined;
  isChecking = false;
  /** The applicant has ended the session; nothing is shown any more. */
  isFinished = false;
  readonly loading: Loading;
  readonly #host: ReactiveControllerHost;
  readonly #options: FlowOptions;
  readonly #following: Following;
  readonly #submission: Submission;

  constructor(host: ReactiveControllerHost, options: FlowOptions) {
    this.#host = host;
    this.#options = options;
    this.#submission = new Submission(options);
    this.loading = new Loading({
      ...options,
      onForm: (configuration, session) => this.#begin(configuration, session),
      onLateSession: (session) => this.#takeLateSession(session),
      onChange: () => host.requestUpdate(),
    });
    this.#following = new Following({
      polling: options.polling,
      askStatus: () => this.#askStatus(),
      askGiven: () => this.#askGiven(),
      readState: () => this.state,
      readParts: () => this.parts,
    });
    host.addController(this);
  }

  hostDisconnected(): void {
    this.loading.disconnect();
    this.#following.disconnect();
  }

  hostConnected(): void {
    this.loading.connect();
    this.#following.connect();
  }

  /** Nothing of this can be shown again once the page is closed or reloaded. */
  get endsWithPage(): boolean {
    return this.#options.api.endsWithPage;
  }

  /** Shows the form; after a failure it may be asked for again, and then moves the focus. */
  async load(): Promise<void> {
    const isRetry = this.loading.problem !== undefined || this.isFinished;
    await this.loading.load();
    if (isRetry && this.state) this.#options.onStep();
  }

  #begin(configuration: Configuration, given: Given = nothingGiven): void {
    this.isFinished = false;
    this.parts = this.#createParts(configuration, given);
    this.state = createFlowState(
      configuration,
      given.application ?? undefined,
      this.#options.hasStartPage,
    );
    this.#host.requestUpdate();
    this.#following.followApplication();
  }

  /** Whoever has typed something keeps it: when it is sent, the BFF says that there is an application already. */
  #takeLateSession(given: Given): void {
    if (!given.application || !this.state || this.state.application) return;
    if (Object.keys(this.state.draft).length === 0) this.#begin(this.state.configuration, given);
  }

  /** Takes an answer as it is typed. Draws only when that changes what is shown. */
  answer(path: string, value: string): void {
    // What is being sent can no longer be changed.
    if (!this.state || !this.parts || this.state.isSubmitting) return;
    const before = this.state;
    this.state = withMendedErrors(withAnswer(before, path, value), path, this.parts.validate);
    if (this.state.errors !== before.errors) this.#host.requestUpdate();
  }

  /** An answer is complete: draws what depends on it. */
  settle(): void {
    this.#host.requestUpdate();
  }

  continue(): void {
    if (!this.state || !this.parts || this.state.isSubmitting) return;
    if (this.state.step === 'review') void this.submit();
    else this.#show(withStepCompleted(this.state, this.parts.validate));
  }

  change(step: FormStepId): void {
    if (this.state && !this.state.isSubmitting) this.#show(withChange(this.state, step));
  }

  back(): void {
    if (this.state && !this.state.isSubmitting) this.#show(withBack(this.state));
  }

  next(): void {
    if (this.state) this.#show(withNext(this.state));
  }

  showOffers(): void {
    if (this.state) this.#show(withOffers(this.state));
  }

  async submit(): Promise<void> {
    if (!this.state || !this.parts || this.state.isSubmitting) return;
    const checked = withAllChecked(this.state, this.parts.validate);
    if (checked !== this.state) {
      this.#show(checked);
      return;
    }
    this.#show(withSubmitting(checked));
    const { draft, configuration } = checked;
    await this.#takeOutcome(await this.#submission.file(draft, configuration));
  }

  async #takeOutcome(outcome: SubmissionOutcome): Promise<void> {
    if (!this.state) return;
    switch (outcome.kind) {
      case 'filed':
        // There is a session then, whoever opened it.
        this.loading.stop();
        this.#takeStatus(outcome.status);
        if (outcome.isAnother) this.#show(withProblem(this.state, 'application-exists'));
        this.#following.followApplication();
        return;
      case 'rejected':
        this.#show(withRejection(this.state, outcome.errors));
        return;
      case 'consents-changed':
        await this.#askConsentsAnew();
        return;
      case 'failed':
        this.#show(withFailure(this.state, outcome));
    }
  }

  async #askConsentsAnew(): Promise<void> {
    const configuration = await this.#options.api.getConfiguration();
    if (!this.state || !this.parts) return;
    if (!configuration.ok) {
      this.#show(withProblem(this.state, configuration.code, configuration.retryAfterMs));
      return;
    }
    const validate = createStepValidation(configuration.value, this.#options.now);
    this.parts = { ...this.parts, validate };
    this.#show(withNewConsents(this.state, configuration.value));
  }

  /** Asks where the application stands, at the applicant's wish. */
  async checkApplication(): Promise<void> {
    this.isChecking = true;
    this.#host.requestUpdate();
    await this.#askStatus();
    this.isChecking = false;
    this.#host.requestUpdate();
  }

  /** Passes on a report the host page has; see `FundingApplication.submitAssetReport`. */
  async submitAssetReport(report: unknown): Promise<Result<AssetReportStatus>> {
    if (!this.parts) return { ok: false, code: 'application-missing', errors: [] };
    return this.parts.bank.send(report);
  }

  #takeStatus(status: ApplicationStatus): void {
    if (!this.state) return;
    this.checkedAt = this.#options.now();
    // Decided: the answers in it are not kept any longer, and a corrected application is another one.
    if (status.status === 'accepted' || status.status === 'rejected') this.#submission.forget();
    const next = withApplication(this.state, status);
    const hadMore = status.status === 'rejected' && this.#beginAnew();
    const problem = next.problem === 'application-rejected' && hadMore;
    this.#show(problem ? { ...next, problem: 'rejected-with-documents' } : next);
  }

  /** What was given to a refused application is refused with it; only files in hand stay. True when there was something. */
  #beginAnew(): boolean {
    if (!this.parts || !this.state) return false;
    const { documents, bank, offers } = this.parts;
    const hadMore = documents.sent.length > 0 || bank.status !== undefined;
    offers.stop();
    bank.stop();
    documents.forgetSent();
    this.parts = { ...this.#createParts(this.state.configuration, nothingGiven), documents };
    return hadMore;
  }

  #createParts(configuration: Configuration, given: Given): FlowParts {
    return createFlowParts(configuration, given, {
      ...this.#options,
      onChange: () => this.#host.requestUpdate(),
      onGiven: () => this.#following.followGiven(),
      onEnded: () => this.#forget(),
    });
  }

  #forget(): void {
    this.#following.stop();
    this.#submission.forget();
    this.state = undefined;
    this.checkedAt = undefined;
    this.parts = undefined;
    this.isFinished = true;
    this.#host.requestUpdate();
    this.#options.onStep();
  }

  /** True while there is something to wait for. */
  async #askStatus(): Promise<GoOn> {
    const result = await this.#options.api.getApplication();
    if (!this.state) return false;
    if (result.ok) this.#takeStatus(result.value);
    else this.#show(withProblem(this.state, result.code, result.retryAfterMs));
    return isUndecided(this.state) && goOnAfter(result);
  }

  /** Takes over what has become of what was given; true while some of it is still being passed on. */
  async #askGiven(): Promise<GoOn> {
    const session = await this.#options.api.getSession();
    if (!this.parts || !this.state) return false;
    if (!session.ok && session.code !== 'session-missing') return goOnAfter(session);
    const isOurs = session.ok && isGivenTo(this.state.application, session.value);
    if (isOurs) return takeGiven(this.parts, session.value);
    this.#show(withProblem(this.state, 'session-missing'));
    return false;
  }

  /** Takes over a state; a new step or new errors move the focus. */
  #show(state: FlowState): void {
    const before = this.state;
    this.state = state;
    this.#host.requestUpdate();
    const isNewRefusal = isRefused(state) && before?.problem !== state.problem;
    if (before?.step !== state.step) {
      this.#following.followStep();
      this.#options.onStep();
    }
    if (isNewRefusal || (state.errors.length > 0 && state.errors !== before?.errors))
      this.#options.onErrors();
  }
}
