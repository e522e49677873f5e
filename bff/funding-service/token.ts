// The access token: cached, renewed by one login at a time, and never by a storm of them.

import { tokenLifetimeMs } from '../../shared/funding-service/token.ts';
import { afterOnTimer, passing, type After } from '../after.ts';
import type { OnFundingServiceEvent } from './events.ts';
import type { Grant, GrantResult } from './grant.ts';
import {
  createLoginPauses,
  createOwnLoginStore,
  toRefusedPauseMs,
  type LoginPause,
  type LoginPauses,
  type LoginTurn,
} from './login-pauses.ts';

/** A token is not used in its last minutes, so that it cannot die under way. */
const marginMs = 5 * 60 * 1000;
const usableMs = tokenLifetimeMs - marginMs;
/** From this age on a call starts a renewal it does not wait for. */
const refreshAfterMs = usableMs * 0.8;
/** While another process logs in; together as long as a login takes at the most. */
const askAgainMs = 250;
const mostQuestions = 40;

/** A token, or why a login gave none. */
export type TokenResult =
  | { readonly kind: 'token'; readonly token: string }
  | Exclude<GrantResult, { readonly kind: 'granted' }>;

type PausedResult = Exclude<GrantResult, { readonly kind: 'granted' | 'unreachable' }>;

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
  /** Default: those of this process alone. */
  readonly pauses?: LoginPauses;
  /** Default: timers that do not keep the process alive. */
  readonly after?: After;
}

interface CachedToken {
  readonly token: string;
  /** Our own clock when the login began; the answer has no `expires_in`, and `issued_at` is the other side's clock. */
  readonly requestedAt: number;
  /** Asked for because an operation had refused the token before it. */
  readonly replacesRefused: boolean;
}

/** A pause as this process knows it, so that not every call has to ask. */
interface KnownPause {
  readonly kind: LoginPause['kind'];
  readonly from: number;
  readonly until: number;
}

/** One token for the whole process, and one login at a time. */
export function createTokenCache(options: TokenCacheOptions): TokenCache {
  const { grant, clock, onEvent, after = afterOnTimer } = options;
  const pauses = options.pauses ?? createLoginPauses(createOwnLoginStore(clock), '');
  let cached: CachedToken | undefined;
  let confirmed = false;
  let flight: Promise<TokenResult> | undefined;
  let pause: KnownPause | undefined;
  /** Renewals in a row that gave a token no operation took. No account locks for them, so each process counts its own. */
  let fruitless = 0;
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
    if (isFruitless(failedToken)) beginFruitlessPause(failedToken);
    const result = activePause() ?? (await logIn(true));
    if (result.kind !== 'token' || result.token !== failedToken) return result;
    if (countedToken !== failedToken) {
      onEvent({ event: 'token-unchanged' });
      beginFruitlessPause(failedToken);
    }
    return { kind: 'refused' };
  }

  function confirm(token: string): void {
    if (cached?.token !== token) return;
    confirmed = true;
    fruitless = 0;
    countedToken = undefined;
  }

  function logIn(replacesRefused: boolean): Promise<TokenResult> {
    flight ??= requestToken(replacesRefused).finally(() => {
      flight = undefined;
    });
    return flight;
  }

  async function requestToken(replacesRefused: boolean): Promise<TokenResult> {
    const turn = await takeTurn();
    if (turn.kind === 'taken') {
      onEvent({ event: 'login-unreachable', failure: 'OTHER_LOGIN' });
      return { kind: 'unreachable' };
    }
    if (turn.kind === 'paused') {
      beginPause(turn.pause);
      return toPausedResult(turn.pause);
    }
    const requestedAt = clock();
    const result = await logInOnce(turn.number);
    if (result.kind !== 'granted') return result;
    confirmed = confirmed && cached?.token === result.token && !replacesRefused;
    cached = { token: result.token, requestedAt, replacesRefused };
    pause = undefined;
    if (!replacesRefused) fruitless = 0;
    onEvent({ event: 'token-renewed' });
    return { kind: 'token', token: result.token };
  }

  async function takeTurn(): Promise<LoginTurn> {
    let turn = await pauses.begin();
    for (let asked = 1; turn.kind === 'taken' && asked < mostQuestions; asked += 1) {
      await passing(askAgainMs, after);
      turn = await pauses.begin();
    }
    return turn;
  }

  async function logInOnce(number: number): Promise<GrantResult> {
    let result: GrantResult = { kind: 'unreachable' };
    let following: LoginPause | undefined;
    try {
      result = await grant.requestToken();
    } finally {
      // Also when it throws: nobody else could log in until the turn is over.
      following = await pauses.end(number, result);
    }
    if (!following) return result;
    beginPause(following);
    return toPausedResult(following);
  }

  function pausedUntil(): number {
    const now = clock();
    const hasToken = cached !== undefined && isUsable(cached, now);
    return hasToken || !pause || now < pause.from ? 0 : pause.until;
  }

  /** A clock that was set back ends it: it could last for days. */
  function activePause(): PausedResult | undefined {
    const now = clock();
    if (!pause || now < pause.from || now >= pause.until) return undefined;
    return toPausedResult({ kind: pause.kind, forMs: pause.until - now });
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

  function beginFruitlessPause(token: string): void {
    countedToken = token;
    fruitless += 1;
    beginPause({ kind: 'refused', forMs: toRefusedPauseMs(fruitless) });
  }

  function beginPause({ kind, forMs }: LoginPause): void {
    const from = clock();
    pause = { kind, from, until: from + forMs };
    onEvent({ event: 'login-paused', delayMs: forMs });
  }

  return { get, renew, confirm, pausedUntil };
}

function isUsable({ requestedAt }: CachedToken, now: number): boolean {
  return now - requestedAt < usableMs;
}

function toPausedResult({ kind, forMs }: LoginPause): PausedResult {
  return kind === 'refused' ? { kind } : { kind, retryAfterMs: forMs };
}
