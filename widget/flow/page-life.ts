// What goes on around the form while it is open: the connection, the session's end, the browser's history, the language.

import type { Configuration } from '../../shared/api/configuration.ts';
import type { Session } from '../../shared/api/session.ts';
import type { FundingApi } from '../api/funding-api.ts';
import {
  Connection,
  createBrowserConnection,
  type ConnectionEnvironment,
} from '../app/connection.ts';
import type { HistoryAccess, StepHistory } from './history.ts';
import type { FlowParts } from './flow-parts.ts';
import { LanguageSwitch } from './language-switch.ts';
import { createBrowserPolling, type PollingEnvironment } from '../app/polling.ts';
import {
  createBrowserSessionChannel,
  SessionWatch,
  type OpenSessionChannel,
} from './session-watch.ts';
import type { FlowState } from './state.ts';
import type { ValidateStep } from './validation.ts';

/** The page as the flow hears of it. */
export interface PageEnvironment {
  readonly connection: ConnectionEnvironment;
  /** Of the session, apart from what is asked again and again. */
  readonly timers: PollingEnvironment;
  readonly openSessionChannel: OpenSessionChannel;
  /** Only where the host page wishes its history to follow the steps; loaded only then. */
  readonly openHistory?: ((form: HistoryAccess) => Promise<StepHistory>) | undefined;
}

export interface PageLifeOptions {
  readonly api: FundingApi;
  readonly now: () => Date;
  readonly page: PageEnvironment;
  readonly readState: () => FlowState | undefined;
  readonly readParts: () => FlowParts | undefined;
  readonly validate: ValidateStep;
  readonly show: (state: FlowState) => void;
  readonly onConfiguration: (configuration: Configuration) => void;
  readonly onOnline: () => void;
  readonly onChange: () => void;
}

export class PageLife {
  readonly connection: Connection;
  readonly session: SessionWatch;
  readonly language: LanguageSwitch;
  readonly #readState: PageLifeOptions['readState'];
  #history: StepHistory | undefined;
  #isConnected = false;

  constructor(options: PageLifeOptions) {
    const { page, readState, readParts, onOnline, onChange } = options;
    this.#readState = readState;
    this.connection = new Connection(page.connection, (isOffline) => {
      onChange();
      if (isOffline) return;
      onOnline();
      void this.language.retry();
    });
    this.session = new SessionWatch({
      ...options,
      polling: page.timers,
      openChannel: page.openSessionChannel,
      hasApplication: () => readState()?.application !== undefined,
    });
    this.language = new LanguageSwitch({ ...options, readContact: () => readParts()?.contact });
    if (page.openHistory) void this.#keepHistory(page.openHistory(options));
  }

  connect(): void {
    this.#isConnected = true;
    this.connection.connect();
    this.session.connect();
    this.#history?.connect();
  }

  disconnect(): void {
    this.#isConnected = false;
    this.connection.disconnect();
    this.session.disconnect();
    this.#history?.disconnect();
  }

  /** The form is shown for the first time. */
  begin(session: Pick<Session, 'expiresAt'> | undefined): void {
    if (session) this.session.take(session);
    this.#history?.begin();
    void this.language.retry();
  }

  /** Another state is shown. */
  follow(before: FlowState): void {
    const isSameStep = before.step === this.#readState()?.step;
    if (!isSameStep || before.isSubmitting) void this.language.retry();
    if (isSameStep) return;
    this.session.dismiss();
    this.session.use();
    this.#history?.follow(before);
  }

  /** The answers are gone. */
  clear(): void {
    this.session.dismiss();
    this.session.use();
    this.#history?.clear();
  }

  /** The session was ended at the applicant's wish, and nothing is shown any more. */
  forget(): void {
    this.session.forget();
    this.#history?.clear();
  }

  async #keepHistory(opening: Promise<StepHistory>): Promise<void> {
    try {
      this.#history = await opening;
    } catch {
      // This part of the widget could not be loaded: Back leaves the page then, as it does without the wish.
      return;
    }
    if (this.#isConnected) this.#history.connect();
    this.#history.begin();
  }
}

/**
 * The browser's own page.
 *
 * @param bffOrigin whose session it is.
 * @param historyKey of this form, where the page wishes its history to follow the steps.
 */
export function createBrowserPage(bffOrigin: string, historyKey?: string): PageEnvironment {
  return {
    connection: createBrowserConnection(),
    timers: createBrowserPolling(),
    openSessionChannel: createBrowserSessionChannel(`funding-session ${bffOrigin}`),
    openHistory:
      historyKey === undefined
        ? undefined
        : async (form) => (await import('./history.ts')).createFormHistory(form, historyKey),
  };
}
