// Knows when the session ends: keeps it alive while it is used, warns before it ends, and says when it has.

import { type Session } from '../../shared/api/session.ts';
import { sessionLifetime } from '../../shared/api/session-lifetime.ts';
import type { FailureCode, FundingApi } from '../api/funding-api.ts';
import type { PollingEnvironment } from '../app/polling.ts';

const minuteMs = 60_000;
/** Time enough to come back from the next room (WCAG 2.2, 2.2.1 asks for 20 seconds). */
export const warningMs = 5 * minuteMs;
/** Minimum time between two requests that extend the session while the applicant fills in the form. */
const usePauseMs = 5 * minuteMs;
/** The same once the warning is there, and an answer may have been lost. */
const urgentPauseMs = 15_000;
/** A session that seems to last longer was measured with a wrong clock. The hour allows for a clock that is a little slow. */
const longestMs = (sessionLifetime.maxSeconds + 60 * 60) * 1000;

/** Tells the other tabs of this site, whose session is the same, until when it lives: epoch milliseconds. */
export interface SessionChannel {
  readonly post: (endsAt: number) => void;
  readonly close: () => void;
}

export type OpenSessionChannel = (onMessage: (endsAt: unknown) => void) => SessionChannel;

export interface SessionWatchOptions {
  readonly api: Pick<FundingApi, 'getSession' | 'endsWithPage'>;
  readonly polling: PollingEnvironment;
  readonly now: () => Date;
  /** The session of an application lasts `sessionLifetime.maxSeconds` from its start. Use does not extend it. */
  readonly hasApplication: () => boolean;
  readonly openChannel: OpenSessionChannel;
  readonly onChange: () => void;
}

/** Asking the BFF for the session is a use of it, so it is asked only for somebody who is there, or where use counts for nothing. */
export class SessionWatch {
  /** What is to be said: that it ends soon, or that it has ended. */
  notice: 'ends' | 'ended' | undefined;
  /** Epoch milliseconds; undefined while nobody knows. */
  endsAt: number | undefined;
  /** Why the wish to stay was not heard. */
  problem: FailureCode | undefined;
  readonly #options: SessionWatchOptions;
  #askedAt = 0;
  #usedAt = 0;
  /** It was asked for shortly before its end, and got no longer. */
  #isFinal = false;
  #isAsking = false;
  #isConnected = false;
  #run = 0;
  #timer: number | undefined;
  #stopListening: (() => void) | undefined;
  #channel: SessionChannel | undefined;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
  }

  /** Whether one press can make it longer. */
  get canStay(): boolean {
    return !this.#isFinal && !this.#options.hasApplication();
  }

  connect(): void {
    this.disconnect();
    this.#isConnected = true;
    const { polling, openChannel } = this.#options;
    this.#channel = openChannel((endsAt) => this.#hear(endsAt));
    this.#stopListening = polling.onVisibilityChange(() => {
      // Whoever comes back to the page uses it.
      if (!polling.isHidden()) this.#usedAt = this.#now;
      this.#look();
    });
    this.#look();
  }

  disconnect(): void {
    this.#isConnected = false;
    this.#clear();
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#channel?.close();
    this.#channel = undefined;
  }

  /** Takes over what the BFF says about the session. */
  take({ expiresAt }: Pick<Session, 'expiresAt'>): void {
    const endsAt = Date.parse(expiresAt);
    this.#askedAt = this.#now;
    this.#isFinal = endsAt - this.#now <= warningMs;
    this.#setEnd(endsAt);
    // A handle is this page's own, and so is its session.
    if (this.endsAt !== undefined && !this.#options.api.endsWithPage) this.#channel?.post(endsAt);
  }

  /** The applicant is there; called at each keystroke. */
  use(): void {
    const now = this.#now;
    this.#usedAt = now;
    if (this.endsAt === undefined || this.notice === 'ended' || !this.canStay) return;
    const pauseMs = this.notice ? urgentPauseMs : usePauseMs;
    if (now - this.#askedAt >= pauseMs) void this.#ask();
  }

  /** At the applicant's wish: makes it longer. */
  async stay(): Promise<void> {
    this.problem = await this.#ask();
    this.#options.onChange();
  }

  /** The application is filed, in this session or in another one that was opened for it: from now on only its maximum lifetime counts. */
  followApplication(): void {
    if (this.#timer === undefined || this.notice) void this.#ask();
  }

  /** Another step is shown: what has ended was read. */
  dismiss(): void {
    if (this.notice === 'ended') this.#say(undefined);
  }

  /** The session was ended at the applicant's wish. */
  forget(): void {
    this.#run += 1;
    this.#isAsking = false;
    this.#setEnd(Number.NaN);
  }

  get #now(): number {
    return this.#options.now().getTime();
  }

  /** Answers why there is no answer. */
  async #ask(): Promise<FailureCode | undefined> {
    if (this.#isAsking) return undefined;
    const run = this.#run;
    this.#isAsking = true;
    this.#askedAt = this.#now;
    const session = await this.#options.api.getSession();
    if (run !== this.#run) return undefined;
    this.#isAsking = false;
    if (session.ok) this.take(session.value);
    else if (session.code === 'session-missing') this.#end();
    else {
      this.#look();
      return session.code;
    }
    return undefined;
  }

  /** Another tab says so, or any script of this site: it can put off a warning, and no more. */
  #hear(endsAt: unknown): void {
    if (typeof endsAt !== 'number' || this.#options.api.endsWithPage) return;
    if (this.endsAt === undefined || endsAt <= this.endsAt) return;
    if (endsAt - this.#now >= longestMs) return;
    this.#isFinal = false;
    this.#setEnd(endsAt);
  }

  #setEnd(endsAt: number): void {
    const leftMs = endsAt - this.#now;
    this.endsAt = leftMs > 0 && leftMs < longestMs ? endsAt : undefined;
    this.#say(undefined);
    this.#look();
  }

  /** Nothing is said to a page that nobody sees; coming back looks again. */
  #look(): void {
    this.#clear();
    const { polling, hasApplication } = this.#options;
    if (this.endsAt === undefined || !this.#isConnected || polling.isHidden()) return;
    const now = this.#now;
    const leftMs = this.endsAt - now;
    if (leftMs > warningMs) {
      this.#wait(leftMs - warningMs);
      return;
    }
    const isUsed = now - this.#usedAt < usePauseMs || hasApplication();
    if (isUsed && this.#askedAt < this.endsAt - warningMs) {
      void this.#ask();
    } else if (leftMs > 0) {
      this.#say('ends');
      this.#wait(leftMs);
    } else {
      this.#end();
    }
  }

  #end(): void {
    this.#clear();
    this.#say('ended');
  }

  #say(notice: SessionWatch['notice']): void {
    if (this.notice === notice) return;
    this.notice = notice;
    this.problem = undefined;
    this.#options.onChange();
  }

  #wait(ms: number): void {
    this.#timer = this.#options.polling.setTimeout(() => this.#look(), ms);
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#options.polling.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * The browser's own channel.
 *
 * @param name of the session; the same in all tabs that share it.
 */
export function createBrowserSessionChannel(name: string): OpenSessionChannel {
  return (onMessage) => {
    try {
      const channel = new BroadcastChannel(name);
      channel.addEventListener('message', ({ data }) => onMessage(data));
      return { post: (endsAt) => channel.postMessage(endsAt), close: () => channel.close() };
    } catch {
      // A browser that lets a page keep nothing may refuse it: then this tab hears of its own use only.
      return { post: () => undefined, close: () => undefined };
    }
  };
}
