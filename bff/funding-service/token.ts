// The access token: cached, renewed by one login at a time, and never by a storm of them.

import { tokenLifetimeMs } from '../../shared/funding-service/operations.ts';
import { isHtml, parseJson, readObject, readText } from './responses.ts';
import type { FundingSetting, LoginRefusal, OnFundingServiceEvent } from './funding-service.ts';
import { toRetryAfterMs, type Transport, type TransportResponse } from './transport.ts';

/** A token is not used in its last minutes, so that it cannot die under way. */
const marginMs = 5 * 60 * 1000;
const usableMs = tokenLifetimeMs - marginMs;
/** From this age on a call starts a renewal it does not wait for. */
const refreshAfterMs = usableMs * 0.8;
/** Delays after one, two, and three or more refused logins in a row: at most three refusals in fifteen minutes, because accounts lock. */
const refusedPausesMs = [60_000, 5 * 60_000, 15 * 60_000] as const;
const maxPauseMs = 15 * 60_000;
const throttledPauseMs = 60_000;

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
}

interface CachedToken {
  readonly token: string;
  /** Our own clock when the login began; the answer has no `expires_in`, and `issued_at` is the other side's clock. */
  readonly requestedAt: number;
  /** Asked for because an operation had refused the token before it. */
  readonly replacesRefused: boolean;
}

/** How long no login is tried, and why. */
interface LoginPause {
  readonly kind: 'refused' | 'throttled';
  readonly forMs: number;
}

interface KnownPause {
  readonly kind: LoginPause['kind'];
  readonly from: number;
  readonly until: number;
}

/** One token for the whole process, and one login at a time. */
export function createTokenCache(options: TokenCacheOptions): TokenCache {
  const { grant, clock, onEvent } = options;
  let cached: CachedToken | undefined;
  let confirmed = false;
  let flight: Promise<TokenResult> | undefined;
  let pause: KnownPause | undefined;
  /** Refused logins in a row. */
  let refusals = 0;
  /** Renewals in a row that gave a token no operation took. */
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
    const requestedAt = clock();
    const result = await grant.requestToken();
    if (result.kind !== 'granted') return pauseAfter(result);
    refusals = 0;
    confirmed = confirmed && cached?.token === result.token && !replacesRefused;
    cached = { token: result.token, requestedAt, replacesRefused };
    pause = undefined;
    if (!replacesRefused) fruitless = 0;
    onEvent({ event: 'token-renewed' });
    return { kind: 'token', token: result.token };
  }

  function pauseAfter(result: Exclude<GrantResult, { kind: 'granted' }>): TokenResult {
    if (result.kind === 'unreachable') return result;
    if (result.kind === 'refused') refusals += 1;
    const forMs =
      result.kind === 'refused'
        ? toRefusedPauseMs(refusals)
        : Math.min(result.retryAfterMs ?? throttledPauseMs, maxPauseMs);
    beginPause({ kind: result.kind, forMs });
    return toPausedResult({ kind: result.kind, forMs });
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

/** 1 → one minute, 2 → five, 3 and more → fifteen. */
function toRefusedPauseMs(refusals: number): number {
  return refusedPausesMs[refusals - 1] ?? maxPauseMs;
}

function toPausedResult({ kind, forMs }: LoginPause): PausedResult {
  return kind === 'refused' ? { kind } : { kind, retryAfterMs: forMs };
}

/** `unreachable` also stands for an answer that cannot be read: nothing is known about the credentials. */
export type GrantResult =
  | { readonly kind: 'granted'; readonly token: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'unreachable' };

/** One login. Reports why it failed through its own `onEvent`; the result holds no text of the service. */
export interface Grant {
  readonly requestToken: () => Promise<GrantResult>;
}

export interface PasswordGrantOptions {
  readonly transport: Transport;
  /** FUNDING_AUTH_URL, with or without a slash at its end. */
  readonly authUrl: string;
  /** FUNDING_BASE_URL; the only host that operations are sent to. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onEvent: OnFundingServiceEvent;
}

/** Callers wait for a login, so it is given up sooner than an operation. */
const loginTimeouts = { headersMs: 10_000, bodyMs: 10_000, totalMs: 10_000 };

/** Get access token (spec, operation 1): form-encoded, `grant_type=password`. */
export function createPasswordGrant(options: PasswordGrantOptions): Grant {
  const { transport, clock, onEvent } = options;

  async function requestToken(): Promise<GrantResult> {
    const result = await transport({
      url: `${options.authUrl.replace(/\/+$/, '')}/services/oauth2/token`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: options.clientId,
        client_secret: options.clientSecret,
        username: options.username,
        password: options.password,
      }).toString(),
      timeouts: loginTimeouts,
    });
    if (result.kind !== 'response') {
      onEvent({ event: 'login-unreachable', failure: result.failure });
      return { kind: 'unreachable' };
    }
    return result.status >= 200 && result.status < 300 ? readGranted(result) : readFailed(result);
  }

  function readGranted(answer: TransportResponse): GrantResult {
    const body = readObject(parseJson(answer.text));
    const token = readText(body?.['access_token']);
    // A token with blanks or line breaks could not stand in a header.
    if (!token || !/^[\x21-\x7e]+$/.test(token)) return unreadable(answer);
    const instanceUrl = readText(body?.['instance_url']);
    if (instanceUrl && !isSameHost(instanceUrl, options.baseUrl)) {
      onEvent({ event: 'instance-url-ignored', settings: ['FUNDING_BASE_URL'] });
    }
    return { kind: 'granted', token };
  }

  function readFailed(answer: TransportResponse): GrantResult {
    const body = readObject(parseJson(answer.text));
    const error = readText(body?.['error'])?.toLowerCase();
    const description = readText(body?.['error_description'])?.toLowerCase() ?? '';
    if (isThrottled(answer.status, error, description)) {
      onEvent({ event: 'login-throttled', status: answer.status });
      return {
        kind: 'throttled',
        retryAfterMs: toRetryAfterMs(answer.headers['retry-after'], clock()),
      };
    }
    if (answer.status >= 500) {
      onEvent({ event: 'login-unreachable', failure: `HTTP_${answer.status}` });
      return { kind: 'unreachable' };
    }
    if (error === undefined && (isHtml(answer) || answer.status !== 401)) return unreadable(answer);
    const refusal = toRefusal(error, description);
    onEvent({ event: 'login-refused', refusal, settings: refusalSettings[refusal] });
    return { kind: 'refused' };
  }

  function unreadable(answer: TransportResponse): GrantResult {
    onEvent({
      event: 'login-answer-unreadable',
      status: answer.status,
      settings: ['FUNDING_AUTH_URL'],
    });
    return { kind: 'unreachable' };
  }

  return { requestToken };
}

const refusalSettings: Readonly<Record<LoginRefusal, readonly FundingSetting[]>> = {
  'client-id': ['FUNDING_CLIENT_ID'],
  'client-secret': ['FUNDING_CLIENT_SECRET'],
  client: ['FUNDING_CLIENT_ID', 'FUNDING_CLIENT_SECRET'],
  'username-or-password': ['FUNDING_USERNAME', 'FUNDING_PASSWORD'],
  // The account's side may have switched this grant off; no value of ours mends that.
  grant: ['FUNDING_CLIENT_ID'],
  unrecognized: [
    'FUNDING_CLIENT_ID',
    'FUNDING_CLIENT_SECRET',
    'FUNDING_USERNAME',
    'FUNDING_PASSWORD',
  ],
};

/** The error body is not shown in the specification: codes of RFC 6749 section 5.2 and those platforms of this shape add. */
function toRefusal(error: string | undefined, description: string): LoginRefusal {
  const words = `${error ?? ''} ${description}`;
  if (error === 'unsupported_grant_type' || error === 'unauthorized_client') return 'grant';
  if (/client[_ -]?secret|invalid client credentials/.test(words)) return 'client-secret';
  if (/client[_ -]?id(entifier)?\b/.test(words)) return 'client-id';
  if (error === 'invalid_client') return 'client';
  if (error === 'invalid_grant' || /username|password|inactive_user/.test(words)) {
    return 'username-or-password';
  }
  return 'unrecognized';
}

function isThrottled(status: number, error: string | undefined, description: string): boolean {
  if (status === 429 || error === 'rate_limit_exceeded') return true;
  return error === 'invalid_grant' && description.includes('rate exceeded');
}

function isSameHost(first: string, second: string): boolean {
  return (
    URL.canParse(first) && URL.canParse(second) && new URL(first).host === new URL(second).host
  );
}
