// The access token: one login at a time, an early refresh, and pauses after failed logins, because accounts lock.

import { tokenLifetimeMs } from '../../shared/funding-service/operations.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ClientContext, FundingSetting, LoginRefusal, Outcome } from './funding-service.ts';
import { isHtml, isSuccess, parseJson, readObject, readText } from './responses.ts';
import { toRetryAfterMs, type Transport, type TransportResponse } from './transport.ts';

/** A token is not used in its last five minutes, so that it does not expire during a call. */
const usableMs = tokenLifetimeMs - 5 * 60_000;
/** After this age, a call starts a refresh and goes on with the old token. */
const refreshAfterMs = usableMs * 0.8;
/** Pauses after one, two, and more refused logins in a row: at most three refusals in 15 minutes per process. */
const refusedPausesMs = [60_000, 5 * 60_000] as const;
const maxPauseMs = 15 * 60_000;
/** Used when the funding service throttles a login without a Retry-After header. */
const defaultThrottleMs = 60_000;

/** A token, or the outcome of an operation that cannot be sent without one. */
export type TokenResult =
  | { readonly kind: 'token'; readonly token: string }
  /** `not-sent`: the login failed without a statement about the credentials, or its response cannot be read. */
  | Extract<Outcome<never>, { kind: 'authentication' | 'throttled' | 'not-sent' }>;

/** One login. Reports the cause of a failure to the log. */
type RequestToken = () => Promise<TokenResult>;

interface CachedToken {
  readonly token: string;
  /** When the login started, by our own clock: the response has no `expires_in`, and `issued_at` is another clock. */
  readonly requestedAt: number;
  /** The login was made because an operation had refused the token before this one. */
  readonly isRenewal: boolean;
}

interface LoginPause {
  readonly kind: 'authentication' | 'throttled';
  readonly from: number;
  readonly until: number;
}

export type TokenCache = ReturnType<typeof createTokenCache>;

/** Create one per process: each cache logs in and pauses by itself. */
export function createTokenCache(requestToken: RequestToken, { clock, onEvent }: ClientContext) {
  let cached: CachedToken | undefined;
  /** An operation accepted the cached token. */
  let isConfirmed = false;
  let login: Promise<TokenResult> | undefined;
  let pause: LoginPause | undefined;
  let refusedLoginsInARow = 0;
  /** Renewals in a row that returned a token that no operation accepted. */
  let fruitlessRenewals = 0;
  /** The token that was counted last, so that concurrent calls with the same token count once. */
  let countedToken: string | undefined;

  /** Returns a token that has not expired by our own clock. Logs in if there is none. */
  async function get(): Promise<TokenResult> {
    const usable = findUsable();
    if (!usable) return findPause() ?? logIn(false);
    if (clock() - usable.requestedAt >= refreshAfterMs && !login && !findPause()) {
      // Nobody waits for this login. If it throws, the next caller logs in and gets the error.
      logIn(false).catch(() => undefined);
    }
    return { kind: 'token', token: usable.token };
  }

  /** Takes a token that an operation refused, and returns another one after at most one login. */
  async function renew(refusedToken: string): Promise<TokenResult> {
    const usable = findUsable();
    if (usable && usable.token !== refusedToken) return { kind: 'token', token: usable.token };
    const isFruitless = cached?.token === refusedToken && cached.isRenewal && !isConfirmed;
    if (isFruitless && countedToken !== refusedToken) countFruitlessRenewal(refusedToken);
    const result = findPause() ?? (await logIn(true));
    if (result.kind !== 'token' || result.token !== refusedToken) return result;
    if (countedToken !== refusedToken) {
      onEvent({ event: 'token-unchanged' });
      countFruitlessRenewal(refusedToken);
    }
    return { kind: 'authentication' };
  }

  /** Call it when an operation accepted this token. */
  function confirm(token: string): void {
    if (cached?.token !== token) return;
    isConfirmed = true;
    fruitlessRenewals = 0;
    countedToken = undefined;
  }

  /** Epoch milliseconds until which there is no token and no login. Past or 0: no pause. */
  function pausedUntil(): number {
    return findUsable() || !pause || clock() < pause.from ? 0 : pause.until;
  }

  function logIn(isRenewal: boolean): Promise<TokenResult> {
    login ??= requestAndStore(isRenewal).finally(() => {
      login = undefined;
    });
    return login;
  }

  async function requestAndStore(isRenewal: boolean): Promise<TokenResult> {
    const requestedAt = clock();
    const result = await requestToken();
    switch (result.kind) {
      case 'token':
        isConfirmed &&= cached?.token === result.token && !isRenewal;
        cached = { token: result.token, requestedAt, isRenewal };
        pause = undefined;
        refusedLoginsInARow = 0;
        if (!isRenewal) fruitlessRenewals = 0;
        onEvent({ event: 'token-renewed' });
        return result;
      case 'authentication':
        refusedLoginsInARow += 1;
        return startPause('authentication', toRefusedPauseMs(refusedLoginsInARow));
      case 'throttled': {
        const { retryAfterMs = defaultThrottleMs } = result;
        return startPause('throttled', Math.min(retryAfterMs, maxPauseMs));
      }
      case 'not-sent':
        return result;
    }
  }

  function countFruitlessRenewal(token: string): void {
    countedToken = token;
    fruitlessRenewals += 1;
    startPause('authentication', toRefusedPauseMs(fruitlessRenewals));
  }

  function startPause(kind: LoginPause['kind'], delayMs: number): TokenResult {
    const from = clock();
    pause = { kind, from, until: from + delayMs };
    onEvent({ event: 'login-paused', delayMs });
    return toResult(pause, from);
  }

  /** A clock that was set back ends the pause, which could otherwise last for days. */
  function findPause(): TokenResult | undefined {
    const now = clock();
    if (!pause || now < pause.from || now >= pause.until) return undefined;
    return toResult(pause, now);
  }

  function findUsable(): CachedToken | undefined {
    return cached && clock() - cached.requestedAt < usableMs ? cached : undefined;
  }

  return { get, renew, confirm, pausedUntil };
}

function toRefusedPauseMs(refusals: number): number {
  return refusedPausesMs[refusals - 1] ?? maxPauseMs;
}

function toResult({ kind, until }: LoginPause, now: number): TokenResult {
  return kind === 'authentication' ? { kind } : { kind, retryAfterMs: until - now };
}

/** Shorter than the timeouts of an operation, because calls wait for the login. */
const loginTimeouts = { headersMs: 10_000, bodyMs: 10_000, totalMs: 10_000 };

/** Get access token with the password grant (spec, operation 1). */
export function createPasswordGrant(
  service: ServiceConfig,
  transport: Transport,
  { clock, onEvent }: ClientContext,
): RequestToken {
  return async () => {
    const result = await transport({
      url: `${service.authUrl}/services/oauth2/token`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: service.clientId,
        client_secret: service.clientSecret,
        username: service.username,
        password: service.password,
      }).toString(),
      timeouts: loginTimeouts,
    });
    if (result.kind === 'response') return classifyLogin(result);
    onEvent({ event: 'login-unreachable', failure: result.failure });
    return { kind: 'not-sent' };
  };

  function classifyLogin(response: TransportResponse): TokenResult {
    const { status } = response;
    const body = readObject(parseJson(response.text));
    if (isSuccess(status)) {
      const token = readText(body?.['access_token']);
      // The token is sent in a header, which cannot hold spaces or line breaks.
      if (!token || !/^[\x21-\x7e]+$/.test(token)) return reportUnreadable(status);
      const instanceUrl = readText(body?.['instance_url']);
      if (instanceUrl && URL.parse(instanceUrl)?.host !== URL.parse(service.baseUrl)?.host) {
        onEvent({ event: 'instance-url-ignored', settings: ['FUNDING_BASE_URL'] });
      }
      return { kind: 'token', token };
    }
    const error = readText(body?.['error'])?.toLowerCase();
    const description = readText(body?.['error_description'])?.toLowerCase() ?? '';
    if (isThrottled(status, error, description)) {
      onEvent({ event: 'login-throttled', status });
      const retryAfterMs = toRetryAfterMs(response.headers['retry-after'], clock());
      return { kind: 'throttled', retryAfterMs };
    }
    if (status >= 500) {
      onEvent({ event: 'login-unreachable', failure: `HTTP_${status}` });
      return { kind: 'not-sent' };
    }
    if (error === undefined && (isHtml(response) || status !== 401)) {
      return reportUnreadable(status);
    }
    const refusal = toLoginRefusal(error, description);
    onEvent({ event: 'login-refused', refusal, settings: refusalSettings[refusal] });
    return { kind: 'authentication' };
  }

  function reportUnreadable(status: number): TokenResult {
    onEvent({ event: 'login-response-unreadable', status, settings: ['FUNDING_AUTH_URL'] });
    return { kind: 'not-sent' };
  }
}

const clientSettings = ['FUNDING_CLIENT_ID', 'FUNDING_CLIENT_SECRET'] as const;
const userSettings = ['FUNDING_USERNAME', 'FUNDING_PASSWORD'] as const;
const refusalSettings: Readonly<Record<LoginRefusal, readonly FundingSetting[]>> = {
  'client-id': ['FUNDING_CLIENT_ID'],
  'client-secret': ['FUNDING_CLIENT_SECRET'],
  client: clientSettings,
  'username-or-password': userSettings,
  // The funding service may not allow the password grant for this client.
  grant: ['FUNDING_CLIENT_ID'],
  unrecognized: [...clientSettings, ...userSettings],
};

/** The spec shows no error body. These are the codes of RFC 6749 section 5.2, and those that the platform adds. */
function toLoginRefusal(error: string | undefined, description: string): LoginRefusal {
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
