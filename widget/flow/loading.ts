// Gets what a form needs: the configuration, without which there is none, and the session, which only sending needs.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { FailureCode, FundingApi, Result } from '../api/funding-api.ts';
import {
  createPoller,
  toPollResult,
  type PollResult,
  type Poller,
  type PollingEnvironment,
} from '../app/polling.ts';

/** The form waits so long for its session: whoever has applied before then sees no other step first. */
const longestWaitMs = 1_500;
const longestTries = 5;

export interface LoadingOptions {
  readonly api: Pick<FundingApi, 'getConfiguration' | 'openSession'>;
  readonly polling: PollingEnvironment;
  /** In which language the configuration is asked for; undefined leaves it to the BFF. */
  readonly locale?: (() => string | undefined) | undefined;
  /** The form can be shown; without `session` that one is still to come, if it ever does. */
  readonly onForm: (configuration: Configuration, session: Session | undefined) => void;
  readonly onLateSession: (session: Session) => void;
  /** `problem` or `goesOn` has changed. */
  readonly onChange: () => void;
}

/** A session that does not come is asked for a few times; after that the submission asks for it. */
export class Loading {
  /** Why there is no form. */
  problem: FailureCode | undefined;
  /** The form comes by itself, once the BFF has a place for it. */
  goesOn = false;
  readonly #options: LoadingOptions;
  readonly #poller: Poller;
  #hasForm = false;
  #tries = 0;
  /** The least pause before what is missing is asked for again; undefined when nothing is, or nobody asks. */
  #pauseMs: number | undefined;
  #isConnected = false;
  #running: Promise<void> | undefined;

  constructor(options: LoadingOptions) {
    this.#options = options;
    this.#poller = createPoller(options.polling, () =>
      this.#hasForm ? this.#askSession() : this.#askForm(),
    );
  }

  connect(): void {
    this.#isConnected = true;
    if (this.#pauseMs !== undefined) this.#poller.start(this.#pauseMs);
  }

  disconnect(): void {
    this.#isConnected = false;
    this.#poller.stop();
  }

  /** Nothing is missing any more. */
  stop(): void {
    this.#poller.stop();
    this.#remember(false);
  }

  /** Begins anew, unless it does so already; ends with the form or a `problem`. */
  load(): Promise<void> {
    this.#running ??= this.#begin().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #begin(): Promise<void> {
    this.stop();
    this.#hasForm = false;
    this.problem = undefined;
    this.#options.onChange();
    this.#start(await this.#askForm());
  }

  /** The browser is online again: a form that did not come for want of that is asked for once more. */
  retry(): void {
    if (this.problem === 'network' && !this.goesOn) void this.load();
  }

  async #askForm(): Promise<PollResult> {
    const { api, onForm, onChange, locale } = this.#options;
    let session: Result<Session> | undefined;
    this.#tries = 1;
    const opening = api.openSession();
    void opening.then((opened) => (session = opened));
    const configuration = await api.getConfiguration(locale?.());
    if (!configuration.ok) {
      const { code, retryAfterMs } = configuration;
      this.problem = code;
      this.goesOn = retryAfterMs !== undefined;
      onChange();
      return this.#remember(retryAfterMs ?? false);
    }
    session ??= await this.#inTime(opening);
    this.problem = undefined;
    this.#hasForm = true;
    onForm(configuration.value, session?.ok ? session.value : undefined);
    if (!session) void opening.then((late) => this.#start(this.#takeLate(late)));
    return this.#remember(session && !session.ok ? toPollResult(session) : false);
  }

  async #askSession(): Promise<PollResult> {
    this.#tries += 1;
    return this.#takeLate(await this.#options.api.openSession());
  }

  #takeLate(session: Result<Session>): PollResult {
    if (session.ok) this.#options.onLateSession(session.value);
    const isEnough = session.ok || this.#tries >= longestTries;
    return this.#remember(isEnough ? false : toPollResult(session));
  }

  #remember(goOn: PollResult): PollResult {
    this.#pauseMs = goOn === false ? undefined : goOn === true ? 0 : goOn;
    return goOn;
  }

  #start(goOn: PollResult): void {
    if (goOn !== false && this.#isConnected) this.#poller.start(this.#pauseMs);
  }

  /** Nothing when the session takes longer. */
  #inTime(opening: Promise<Result<Session>>): Promise<Result<Session> | undefined> {
    const { setTimeout, clearTimeout } = this.#options.polling;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), longestWaitMs);
      void opening.then((session) => {
        clearTimeout(timer);
        resolve(session);
      });
    });
  }
}
