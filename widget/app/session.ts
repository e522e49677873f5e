// The end of the session: extends it while the applicant is active, and shows a notice before its end and after it.

import { html, nothing, type TemplateResult } from 'lit';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';
import type { FailureCode, FundingApi } from '../api/funding-api.ts';
import { toReference } from './attachments.ts';
import type { StepContext } from './feature.ts';
import { withSessionResponse } from './loading.ts';
import { isCleared } from './navigation.ts';
import { renderStatusNotice, toProblemText } from './parts.ts';
import type { PollingEnvironment } from './polling.ts';
import type { AppState, SessionState, Store } from './store.ts';

const minuteMs = 60_000;
/** WCAG 2.2, 2.2.1 asks for at least 20 seconds. */
export const warningMs = 5 * minuteMs;
/** Minimum time between two requests that extend the session. */
const extendIntervalMs = 5 * minuteMs;
/** The same while the warning is shown, because a response may have been lost. */
const urgentExtendIntervalMs = 15_000;
/** A longer session means that this device's clock is wrong. One hour of tolerance for a clock that is a little slow. */
const maxLifetimeMs = (sessionLifetime.maxSeconds + 60 * 60) * 1000;

/** Tells other tabs with the same session when it ends: epoch milliseconds, or 0 after the applicant has closed it. */
export interface SessionChannel {
  readonly post: (endsAt: number) => void;
  readonly close: () => void;
}

export type OpenSessionChannel = (
  name: string,
  onMessage: (endsAt: unknown) => void,
) => SessionChannel;

export interface SessionEnvironment {
  readonly store: Store;
  readonly api: FundingApi;
  readonly timers: PollingEnvironment;
  readonly now: () => Date;
  readonly sessionChannelName: string;
  /** Tests pass their own. */
  readonly openSessionChannel?: OpenSessionChannel;
}

/** A request for the session extends it, so it is sent only while the applicant is active, or when nothing extends it anyway. */
export class SessionController {
  readonly #environment: SessionEnvironment;
  #askedAt = 0;
  #activeAt = 0;
  #isAsking = false;
  /** Changes when the session is closed: responses to earlier requests are ignored. */
  #generation = 0;
  #timer: number | undefined;
  #stopListening: (() => void) | undefined;
  #channel: SessionChannel | undefined;

  constructor(environment: SessionEnvironment) {
    this.#environment = environment;
    const { state } = environment.store;
    if (state.isConnected) this.#connect();
    this.#take(state.session.response);
  }

  react(before: AppState, after: AppState): void {
    if (!before.isConnected && after.isConnected) this.#connect();
    if (before.isConnected && !after.isConnected) this.#disconnect();
    if (before.form && !after.form) this.#forget();
    if (!before.closing.closedStep && after.closing.closedStep) this.#post(0);
    if (before.session.response !== after.session.response) this.#take(after.session.response);
    if (!before.form || !after.form) return;
    if (before.form.step !== after.form.step || isCleared(before.form, after.form)) {
      // The applicant has read the notice.
      if (after.session.notice === 'ended') this.#notify(undefined);
      this.noteActivity();
    }
    const isNew = after.form.application && !before.form.application;
    // Another session may have been started for it. From now on only its maximum lifetime counts.
    if (isNew && before.form.isSubmitting && (this.#timer === undefined || after.session.notice))
      void this.#ask();
  }

  /** The applicant is active. Called for every key. */
  noteActivity(): void {
    const { session } = this.#environment.store.state;
    const now = this.#now;
    this.#activeAt = now;
    if (session.endsAt === undefined || session.notice === 'ended' || !canExtend(this.#state))
      return;
    const intervalMs = session.notice ? urgentExtendIntervalMs : extendIntervalMs;
    if (now - this.#askedAt >= intervalMs) void this.#ask();
  }

  /** "Stay on this page": extends the session. */
  async extend(): Promise<void> {
    const problem = await this.#ask();
    this.#environment.store.merge('session', { problem });
  }

  get #state(): AppState {
    return this.#environment.store.state;
  }

  get #now(): number {
    return this.#environment.now().getTime();
  }

  #connect(): void {
    const {
      timers,
      sessionChannelName,
      openSessionChannel = openBrowserChannel,
    } = this.#environment;
    this.#channel = openSessionChannel(sessionChannelName, (endsAt) => this.#handleMessage(endsAt));
    this.#stopListening = timers.onVisibilityChange(() => {
      // A return to the page is activity.
      if (!timers.isHidden()) this.#activeAt = this.#now;
      this.#check();
    });
    this.#check();
  }

  #disconnect(): void {
    this.#clearTimer();
    this.#stopListening?.();
    this.#channel?.close();
    this.#channel = undefined;
  }

  #forget(): void {
    this.#generation += 1;
    this.#isAsking = false;
    this.#clearTimer();
  }

  #take(response: SessionState['response']): void {
    if (!response) return;
    const { endsAt, receivedAt } = response;
    this.#askedAt = receivedAt;
    const lifetimeMs = endsAt - receivedAt;
    const isPlausible = lifetimeMs > 0 && lifetimeMs < maxLifetimeMs;
    this.#setEnd(isPlausible ? endsAt : undefined, lifetimeMs <= warningMs);
    if (isPlausible) this.#post(endsAt);
  }

  /** A session token belongs to this page alone. */
  #post(endsAt: number): void {
    if (!this.#environment.api.endsWithPage) this.#channel?.post(endsAt);
  }

  /** Returns why there is no response. */
  async #ask(): Promise<FailureCode | undefined> {
    if (this.#isAsking) return undefined;
    const generation = this.#generation;
    const reference = toReference(this.#state);
    this.#isAsking = true;
    this.#askedAt = this.#now;
    const session = await this.#environment.api.getSession();
    if (generation !== this.#generation) return undefined;
    this.#isAsking = false;
    // Another tab may have closed the application and started another one.
    const hasEnded = session.ok
      ? reference !== undefined && session.value.application?.reference !== reference
      : session.code === 'session-missing';
    if (hasEnded) this.#end();
    else if (session.ok) {
      const { store, now } = this.#environment;
      store.update((state) => withSessionResponse(state, session.value, now()));
    } else {
      this.#check();
      return session.code;
    }
    return undefined;
  }

  /** Any script of this origin can post a message. It can only delay the warning, or cause a request. */
  #handleMessage(endsAt: unknown): void {
    const known = this.#state.session.endsAt;
    if (typeof endsAt !== 'number' || this.#environment.api.endsWithPage) return;
    if (endsAt === 0 && this.#state.form) {
      // A request in progress may have been answered before the application was closed.
      this.#forget();
      void this.#ask();
    }
    if (known === undefined || endsAt <= known || endsAt - this.#now >= maxLifetimeMs) return;
    this.#setEnd(endsAt, false);
  }

  #setEnd(endsAt: number | undefined, isFinal: boolean): void {
    this.#environment.store.merge('session', {
      endsAt,
      isFinal,
      notice: undefined,
      problem: undefined,
    });
    this.#check();
  }

  /** Shows the notice that is due, or starts the timer for the next one. A hidden page shows nothing; its return checks again. */
  #check(): void {
    this.#clearTimer();
    const { isConnected, session, form } = this.#state;
    if (session.endsAt === undefined || !isConnected || this.#environment.timers.isHidden()) return;
    const now = this.#now;
    const remainingMs = session.endsAt - now;
    if (remainingMs > warningMs) {
      this.#startTimer(remainingMs - warningMs);
      return;
    }
    const isActive = now - this.#activeAt < extendIntervalMs || form?.application !== undefined;
    if (isActive && this.#askedAt < session.endsAt - warningMs) {
      void this.#ask();
    } else if (remainingMs > 0) {
      this.#notify('ends');
      this.#startTimer(remainingMs);
    } else {
      this.#end();
    }
  }

  #end(): void {
    this.#clearTimer();
    this.#notify('ended');
  }

  #notify(notice: SessionState['notice']): void {
    if (this.#state.session.notice !== notice)
      this.#environment.store.merge('session', { notice, problem: undefined });
  }

  #startTimer(ms: number): void {
    this.#timer = this.#environment.timers.setTimeout(() => this.#check(), ms);
  }

  #clearTimer(): void {
    if (this.#timer !== undefined) this.#environment.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Returns true if the applicant can extend the session. The session of a submitted application has a fixed end. */
export function canExtend({ session, form }: AppState): boolean {
  return !session.isFinal && form?.application === undefined;
}

function openBrowserChannel(name: string, onMessage: (endsAt: unknown) => void): SessionChannel {
  try {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }) => onMessage(data));
    return { post: (endsAt) => channel.postMessage(endsAt), close: () => channel.close() };
  } catch {
    // A browser that blocks storage may refuse the channel. Then each tab knows only its own requests.
    return { post: () => undefined, close: () => undefined };
  }
}

/** @param extend extends the session. */
export function renderSessionNotice(
  { t, format, form, state }: StepContext,
  extend: () => void,
): TemplateResult | typeof nothing {
  const { notice, endsAt, problem } = state.session;
  const isSubmitted = form.application !== undefined;
  // A step with this problem shows the same message.
  if (notice === 'ended' && form.problem !== 'session-missing')
    return renderStatusNotice(
      html`<p>${t(isSubmitted ? 'problem.session-missing' : 'session.ended')}</p>`,
    );
  if (notice !== 'ends' || endsAt === undefined) return nothing;
  const time = format.time(new Date(endsAt));
  return renderStatusNotice(html`
    <p>${t(isSubmitted ? 'session.ends.sent' : 'session.ends', { time })}</p>
    ${problem ? html`<p>${toProblemText(t, problem)}</p>` : nothing}
    ${
      canExtend(state)
        ? html`<div class="actions">
            <button
              type="button"
              class="button secondary"
              part="button secondary"
              @mousedown=${(event: Event) => event.preventDefault()}
              @click=${extend}
            >
              ${t('session.stay')}
            </button>
          </div>`
        : nothing
    }
  `);
}
