// The access token: cached, renewed by one login at a time, and never by a storm of them.

import { tokenLifetimeMs } from '../../shared/funding-service/token.ts';
import type { OnFundingServiceEvent } from './events.ts';
import type { Grant, GrantResult } from './grant.ts';

/** A token is not used in its last minutes, so that it cannot die under way. */
const marginMs = 5 * 60 * 1000;
const usableMs = tokenLifetimeMs - marginMs;
/** From this age on a call starts a renewal it does not wait for. */
const refreshAfterMs = usableMs * 0.8;
/** Pauses after one, two, and three or more refused logins in a row. */
const pausesMs = [60_000, 5 * 60_000, 15 * 60_000] as const;
const longestPauseMs = 15 * 60_000;
const throttledPauseMs = 60_000;

/** A token, or why a login gave none. */
export type TokenResult =
  | { readonly kind: 'token'; readonly token: string }
  | Exclude<GrantResult, { readonly kind: 'granted' }>;

export interface TokenCache {
  /** A token that is alive by our own clock; logs in when there is none. */
  readonly get: () => Promise<TokenResult>;
  /** Hands back a token that an operation refused; answers with another one, after at most one login. */
  readonly renew: (failedToken: string) => Promise<TokenResult>;
  /** Tells that an operation took this token. */
  readonly confirm: (token: string) => void;
  /** Epoch milliseconds before which there is neither a token nor a login; 0 or gone by when nothing is in the way. */
  readonly pausedUntil: () => number;
}

export interface TokenCacheOptions {
  readonly grant: Grant;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

interface CachedToken {
  readonly token: string;
  /** Our own clock when the login began; the answer has no `expires_in`, and `issued_at` is the other side's clock. */
  readonly requestedAt: number;
  /** Asked for because an operation had refused the token before it. */
  readonly replacesRefused: boolean;
}

interface Pause {
  readonly until: number;
  readonly kind: 'refused' | 'throttled';
}

/** One token for the whole process, and one login at a time. */
export function createTokenCache({ grant, clock, onEvent }: TokenCacheOptions): TokenCache {
  let cached: CachedToken | undefined;
  let confirmed = false;
  let flight: Promise<TokenResult> | undefined;
  let pause: Pause | undefined;
  let refusals = 0;
  /** The token for which a pause was begun already, so that many callers holding it count once. */
  let countedToken: string | undefined;

  async function get(): Promise<TokenResult> {
    const now = clock();
    if (cached && isUsable(cached, now)) {
      if (now - cached.requestedAt >= refreshAfterMs && !flight && !activePause()) {
        // Nobody waits for it; what it finds, the next caller finds as well.
        void logIn(false).catch(() => undefined);
      }
      return { kind: 'token', token: cached.token };
    }
    return activePause() ?? logIn(false);
  }

  async function renew(failedToken: string): Promise<TokenResult> {
    const other = otherToken(failedToken);
    if (other) return other;
    if (isFruitless(failedToken)) beginRefusedPause(failedToken);
    const result = activePause() ?? (await logIn(true));
    if (result.kind !== 'token' || result.token !== failedToken) return result;
    if (countedToken !== failedToken) {
      onEvent({ event: 'token-unchanged' });
      beginRefusedPause(failedToken);
    }
    return { kind: 'refused' };
  }

  function confirm(token: string): void {
    // Only its first use counts: a login refused since then must keep its place in the row of pauses.
    if (cached?.token !== token || confirmed) return;
    confirmed = true;
    refusals = 0;
    countedToken = undefined;
  }

  function logIn(replacesRefused: boolean): Promise<TokenResult> {
    flight ??= requestToken(replacesRefused).finally(() => {
      flight = undefined;
    });
    return flight;
  }

  async function requestToken(replacesRefused: boolean): Promise<TokenResult> {
    const requestedAt = clock();
    const result = await grant.requestToken();
    if (result.kind === 'granted') {
      confirmed = confirmed && cached?.token === result.token && !replacesRefused;
      cached = { token: result.token, requestedAt, replacesRefused };
      pause = undefined;
      if (!replacesRefused) refusals = 0;
      onEvent({ event: 'token-renewed' });
      return { kind: 'token', token: result.token };
    }
    return pauseAfter(result);
  }

  function pauseAfter(result: Exclude<GrantResult, { kind: 'granted' }>): TokenResult {
    if (result.kind === 'refused') beginPause('refused', nextRefusedPauseMs());
    if (result.kind !== 'throttled') return result;
    const retryAfterMs = Math.min(result.retryAfterMs ?? throttledPauseMs, longestPauseMs);
    beginPause('throttled', retryAfterMs);
    return { kind: 'throttled', retryAfterMs };
  }

  function pausedUntil(): number {
    const hasToken = cached !== undefined && isUsable(cached, clock());
    return hasToken ? 0 : (pause?.until ?? 0);
  }

  function activePause(): TokenResult | undefined {
    const now = clock();
    if (!pause || now >= pause.until) return undefined;
    return pause.kind === 'refused'
      ? { kind: 'refused' }
      : { kind: 'throttled', retryAfterMs: pause.until - now };
  }

  /** A token that came as a renewal and was never taken: another login would most likely end the same way. */
  function isFruitless(failedToken: string): boolean {
    if (cached?.token !== failedToken) return false;
    return cached.replacesRefused && !confirmed && countedToken !== failedToken;
  }

  function otherToken(failedToken: string): TokenResult | undefined {
    if (!cached || cached.token === failedToken || !isUsable(cached, clock())) return undefined;
    return { kind: 'token', token: cached.token };
  }

  function beginRefusedPause(token: string): void {
    countedToken = token;
    beginPause('refused', nextRefusedPauseMs());
  }

  function nextRefusedPauseMs(): number {
    const pauseMs = pausesMs[Math.min(refusals, pausesMs.length - 1)] ?? longestPauseMs;
    refusals += 1;
    return pauseMs;
  }

  function beginPause(kind: Pause['kind'], delayMs: number): void {
    pause = { until: clock() + delayMs, kind };
    onEvent({ event: 'login-paused', delayMs });
  }

  return { get, renew, confirm, pausedUntil };
}

function isUsable({ requestedAt }: CachedToken, now: number): boolean {
  return now - requestedAt < usableMs;
}
