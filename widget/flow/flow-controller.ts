// Holds the state of one application, talks to the BFF, and tells its element when to draw.

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AssetReportStatus } from '../../shared/api/documents.ts';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { Result } from '../api/api.ts';
import { isRefused, withProblem, withRecord } from './after-sending.ts';
import { ApplicationWatch } from './application-watch.ts';
import { beginFlow } from './beginning.ts';
import { toKeptDraft } from './draft-store.ts';
import { emptyDraft, type Draft } from './draft.ts';
import { FlowNews } from './flow-news.ts';
import type { FlowOptions } from './flow-options.ts';
import {
  createFlowParts,
  checkedBy,
  hasGiven,
  nothingGiven,
  renewParts,
  type FlowParts,
  type Given,
} from './flow-parts.ts';
import { Following } from './following.ts';
import { Loading } from './loading.ts';
import { PageLife } from './page-life.ts';
import { Sending } from './sending.ts';
import {
  createFlowState,
  withAnswer,
  withBack,
  withChange,
  withLater,
  withMendedErrors,
  withNext,
  withStepCompleted,
  type FlowState,
} from './state.ts';
import type { FormStepId, LaterStepId } from './steps.ts';

/** Holds the state of one application from the first field to the offers; one for each element. */
export class FlowController implements ReactiveController {
  state: FlowState | undefined;
  parts: FlowParts | undefined;
  /** Answers stay in this browser until the service has them. */
  keepsDraft = false;
  /** The applicant has ended the session; nothing is shown any more. */
  isFinished = false;
  readonly loading: Loading;
  readonly watch: ApplicationWatch;
  readonly life: PageLife;
  readonly #host: ReactiveControllerHost;
  readonly #options: FlowOptions;
  readonly #following: Following;
  readonly #sending: Sending;
  readonly #news: FlowNews;
  /** The answers with which this page began. */
  #begun: Draft = emptyDraft;

  constructor(host: ReactiveControllerHost, options: FlowOptions) {
    this.#host = host;
    this.#options = options;
    this.#news = new FlowNews(options.onEvent);
    const access = {
      readState: () => this.state,
      readParts: () => this.parts,
      show: (state: FlowState) => this.#show(state),
      onChange: () => this.#draw(),
      onConfiguration: (configuration: Configuration) => {
        this.parts = this.parts && checkedBy(configuration, this.parts, options.now);
      },
    };
    this.life = new PageLife({ ...options, ...access, onOnline: () => this.loading.retry() });
    this.#sending = new Sending({
      ...options,
      ...access,
      onFiled: (status, isAnother) => this.#takeFiled(status, isAnother),
      isOffline: () => this.life.connection.isOffline,
    });
    this.watch = new ApplicationWatch({
      ...options,
      ...access,
      onDecided: () => this.#sending.forget(),
      onRefused: () => this.#renewParts(),
      onSession: (session) => this.life.session.take(session),
    });
    this.loading = new Loading({
      ...options,
      ...access,
      onForm: (configuration, session) => this.#begin(configuration, session),
      onLateSession: (session) => this.#takeLateSession(session),
    });
    this.#following = new Following({
      ...access,
      polling: options.polling,
      askStatus: () => this.watch.askStatus(),
      askGiven: () => this.watch.askGiven(),
    });
    host.addController(this);
  }

  hostDisconnected(): void {
    this.loading.disconnect();
    this.#following.disconnect();
    this.life.disconnect();
  }

  hostConnected(): void {
    this.loading.connect();
    this.#following.connect();
    this.life.connect();
  }

  /** Nothing of this can be shown again once the page is closed or reloaded. */
  get endsWithPage(): boolean {
    return this.#options.api.endsWithPage;
  }

  /** Shows the form; after a failure it may be asked for again, and then moves the focus. */
  async load(): Promise<void> {
    const isRetry = this.loading.problem !== undefined || this.isFinished;
    this.isFinished = false;
    await this.loading.load();
    if (isRetry && this.state) this.#options.onStep();
  }

  /** @param given undefined while nobody knows. */
  #begin(configuration: Configuration, given: Session | undefined): void {
    this.parts = this.#createParts(configuration, given ?? nothingGiven);
    this.state = beginFlow(configuration, given, this.parts.validate, this.#options);
    this.#begun = this.state.draft;
    this.#news.begin(this.state.application);
    // What was kept of an application that was sent waits for its session.
    this.keepsDraft = this.#options.draftStore !== undefined;
    if (given) this.#keep();
    this.life.begin(given);
    this.#draw();
    this.#following.followApplication();
  }

  /** Whoever has typed something keeps it: when it is sent, the BFF says that there is an application already. */
  #takeLateSession(given: Session): void {
    this.life.session.take(given);
    if (!given.application || !this.state || this.state.application) return;
    if (this.state.draft === this.#begun) this.#begin(this.state.configuration, given);
  }

  /** Begins anew, without what was typed. */
  clear({ keepsPrefill = false }: { readonly keepsPrefill?: boolean } = {}): void {
    const before = this.state;
    if (!before || before.application || before.isSubmitting) return;
    const { step, configuration, hasStartPage } = before;
    const draft = (keepsPrefill && this.#options.readPrefill?.()) || emptyDraft;
    this.#sending.forget();
    this.state = createFlowState(configuration, { hasStartPage, draft });
    this.#begun = draft;
    this.#options.draftStore?.erase();
    this.life.clear();
    this.#draw();
    this.#options.onStep();
    this.#options.onEvent?.({ kind: 'exit', reason: 'cleared', step });
  }

  /** Takes an answer as it is typed. Draws only when that changes what is shown. */
  answer(path: string, value: string): void {
    // What is being sent can no longer be changed.
    if (!this.state || !this.parts || this.state.isSubmitting) return;
    const before = this.state;
    this.life.session.use();
    this.state = withMendedErrors(withAnswer(before, path, value), path, this.parts.validate);
    this.#keep();
    if (this.state.errors !== before.errors) this.#draw();
  }

  /** An answer is complete: draws what depends on it. */
  settle(): void {
    this.#draw();
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

  /** Does what the host page wishes; false when that leads nowhere. */
  obey(wish: (state: FlowState) => FlowState | undefined): boolean {
    const before = this.state;
    const state = before && wish(before);
    if (!state) return false;
    if (before.draft === this.#begun) this.#begun = state.draft;
    this.#show(state);
    return true;
  }

  /** Straight to what comes after the submission, or back to its record. */
  showLater(step: LaterStepId): void {
    if (this.state) this.#show(withLater(this.state, step));
  }

  async submit(): Promise<void> {
    if (!this.state || !this.parts || this.state.isSubmitting) return;
    await this.#sending.send(this.state, this.parts.validate);
  }

  #takeFiled(status: ApplicationStatus, isAnother: boolean): void {
    // There is a session then, whoever opened it.
    this.loading.stop();
    if (this.state && !isAnother) this.state = withRecord(this.state);
    this.watch.take(status);
    if (isAnother && this.state) this.#show(withProblem(this.state, 'application-exists'));
    this.life.session.followApplication();
    this.#following.followApplication();
  }

  /** The BFF's labels and texts come in this language from now on; nothing given is lost. */
  setLocale(locale: string): Promise<void> {
    return this.life.language.switchTo(locale);
  }

  /** Passes on a report the host page has; see `FundingApplication.submitAssetReport`. */
  async submitAssetReport(report: unknown): Promise<Result<AssetReportStatus>> {
    if (!this.parts) return { ok: false, code: 'application-missing', errors: [] };
    return this.parts.bank.send(report);
  }

  #renewParts(): boolean {
    if (!this.parts || !this.state) return false;
    const before = hasGiven(this.parts);
    this.parts = renewParts(this.parts, this.#createParts(this.state.configuration, nothingGiven));
    return before;
  }

  #createParts(configuration: Configuration, given: Given): FlowParts {
    return createFlowParts(configuration, given, {
      ...this.#options,
      onChange: () => this.#draw(),
      onGiven: () => this.#following.followGiven(),
      onEnded: () => this.#forget(),
    });
  }

  #forget(): void {
    const step = this.state?.step ?? 'submitted';
    this.#following.stop();
    this.#sending.forget();
    this.#options.draftStore?.erase();
    this.state = undefined;
    this.life.forget();
    this.watch.checkedAt = undefined;
    this.parts = undefined;
    this.isFinished = true;
    this.#draw();
    this.#options.onStep();
    this.#options.onEvent?.({ kind: 'exit', reason: 'finished', step });
  }

  #draw(): void {
    this.#host.requestUpdate();
    this.#news.tell(this);
  }

  /** Once the service has the answers, there are none left to keep. */
  #keep(): void {
    const { draftStore } = this.#options;
    if (!this.state || !draftStore) return;
    this.keepsDraft = draftStore.write(toKeptDraft(this.state));
  }

  /** Takes over a state; a new step or new errors move the focus. */
  #show(state: FlowState): void {
    const before = this.state;
    this.state = state;
    this.#keep();
    this.#draw();
    if (before) this.life.follow(before);
    const isNewRefusal = isRefused(state) && before?.problem !== state.problem;
    if (before?.step !== state.step) {
      this.#following.followStep();
      this.#options.onStep();
    }
    if (isNewRefusal || (state.errors.length > 0 && state.errors !== before?.errors))
      this.#options.onErrors();
  }
}
