// Holds the state of one application, talks to the BFF, and tells its element when to draw.

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ApplicationStatus } from '../../shared/api/application-status.ts';
import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import { isRefused, withProblem, withRecord } from './after-sending.ts';
import { ApplicationWatch } from './application-watch.ts';
import { beginFlow } from './beginning.ts';
import { DraftKeeping } from './draft-keeping.ts';
import { emptyDraft, type Draft } from '../app/draft.ts';
import { FlowNews } from './flow-news.ts';
import type { FlowOptions } from './flow-options.ts';
import type { FlowParts } from './flow-parts.ts';
import { Following } from './following.ts';
import { LateParts } from './late-parts.ts';
import { Loading } from './loading.ts';
import { PageLife } from './page-life.ts';
import { Sending } from './sending.ts';
import { SessionEnd } from './session-end.ts';
import {
  createFlowState,
  withAnswer,
  withBack,
  withChange,
  withLater,
  withCorrectedErrors,
  withNext,
  withStepCompleted,
  type FlowState,
} from './state.ts';
import type { FormStepId, LaterStepId } from '../app/steps.ts';
import { createStepValidation, type ValidateStep } from './validation.ts';

/** Holds the state of one application from the first field to the offers; one for each element. */
export class FlowController implements ReactiveController {
  state: FlowState | undefined;
  /** What is wrong on a step; nothing while there is no form. */
  validate: ValidateStep = () => [];
  /** The applicant has ended the session; nothing is shown any more. */
  isFinished = false;
  readonly loading: Loading;
  readonly watch: ApplicationWatch;
  readonly life: PageLife;
  readonly end: SessionEnd;
  readonly now: () => Date;
  readonly #host: ReactiveControllerHost;
  readonly #options: FlowOptions;
  readonly #following: Following;
  readonly #sending: Sending;
  readonly #news: FlowNews;
  readonly #keeping: DraftKeeping;
  readonly #late: LateParts;
  /** All that rests while the element is off the page. */
  readonly #living: readonly { connect(): void; disconnect(): void }[];
  /** The answers with which this page began. */
  #begun: Draft = emptyDraft;

  constructor(host: ReactiveControllerHost, options: FlowOptions) {
    this.#host = host;
    this.#options = options;
    this.now = options.now;
    this.#news = new FlowNews(options.onEvent);
    const access = {
      readState: () => this.state,
      readParts: () => this.parts,
      validate: (...asked: Parameters<ValidateStep>) => this.validate(...asked),
      show: (state: FlowState) => this.#show(state),
      onChange: () => this.#draw(),
      onGiven: () => this.#following.followGiven(),
      onConfiguration: (configuration: Configuration) => {
        this.validate = createStepValidation(configuration, options.now);
      },
    };
    this.#late = new LateParts({ ...options, ...access });
    this.end = new SessionEnd(options.api, access.onChange, () => this.#forget());
    this.#keeping = new DraftKeeping({ ...options, ...access, timers: options.page.timers });
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
      onRefused: () => this.#late.renew(),
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
      end: this.end,
      polling: options.polling,
      watch: this.watch,
    });
    this.#living = [this.#keeping, this.loading, this.#following, this.life];
    host.addController(this);
  }

  hostDisconnected(): void {
    for (const one of this.#living) one.disconnect();
  }

  hostConnected(): void {
    for (const one of this.#living) one.connect();
  }

  /** Answers stay in this browser until the service has them. */
  get keepsDraft(): boolean {
    return this.#keeping.works;
  }

  /** Nothing of this can be shown again once the page is closed or reloaded. */
  get endsWithPage(): boolean {
    return this.#options.api.endsWithPage;
  }

  /** Undefined until they are loaded. */
  get parts(): FlowParts | undefined {
    return this.#late.loaded;
  }

  /** What follows the submission has been loaded: from now on it is followed up where it is shown. */
  equip(Parts: typeof FlowParts): void {
    this.#late.equip(Parts);
    this.#following.followStep();
    this.#draw();
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
    this.validate = createStepValidation(configuration, this.#options.now);
    this.#late.begin(configuration, given);
    this.end.problem = undefined;
    this.state = beginFlow(configuration, given, this.validate, this.#options);
    this.#begun = this.state.draft;
    this.#news.begin(this.state.application);
    // What was kept of an application that was sent waits for its session.
    if (given) this.#keeping.write();
    this.life.begin(given);
    this.#draw();
    this.#following.followApplication();
  }

  /** Whoever has typed something keeps it: when it is sent, the BFF says that there is an application already. */
  #takeLateSession(given: Session): void {
    if (!this.state) return;
    this.life.session.take(given);
    if (!given.application || this.state.application) return;
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
    this.#keeping.erase();
    this.life.clear();
    this.#draw();
    this.#options.onStep();
    this.#options.onEvent?.({ kind: 'exit', reason: 'cleared', step });
  }

  /** Takes an answer as it is typed. Draws only when that changes what is shown. */
  answer(path: string, value: string): void {
    // What is being sent can no longer be changed.
    if (!this.state || this.state.isSubmitting) return;
    const before = this.state;
    this.life.session.use();
    this.state = withCorrectedErrors(withAnswer(before, path, value), path, this.validate);
    this.#keeping.writeSoon();
    if (this.state.errors !== before.errors) this.#draw();
  }

  /** An answer is complete: draws what depends on it. */
  settle(): void {
    this.#draw();
  }

  continue(): void {
    if (!this.state || this.state.isSubmitting) return;
    if (this.state.step === 'review') void this.submit();
    else this.#show(withStepCompleted(this.state, this.validate));
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
    if (!this.state || this.state.isSubmitting) return;
    await this.#sending.send(this.state, this.validate);
  }

  #takeFiled(status: ApplicationStatus, isAnother: boolean): void {
    // There is a session then, whoever opened it.
    this.loading.stop();
    this.end.problem = undefined;
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
  submitAssetReport(report: unknown): ReturnType<LateParts['sendReport']> {
    return this.#late.sendReport(report);
  }

  #forget(): void {
    const step = this.state?.step ?? 'submitted';
    this.loading.stop();
    this.#following.stop();
    this.#late.forget();
    this.#sending.forget();
    this.#keeping.erase();
    this.state = undefined;
    this.life.forget();
    this.watch.checkedAt = undefined;
    this.isFinished = true;
    this.#draw();
    this.#options.onStep();
    this.#options.onEvent?.({ kind: 'exit', reason: 'finished', step });
  }

  #draw(): void {
    this.#host.requestUpdate();
    this.#news.tell(this);
  }

  /** Takes over a state; a new step or new errors move the focus. */
  #show(state: FlowState): void {
    const before = this.state;
    this.state = state;
    this.#keeping.write();
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
