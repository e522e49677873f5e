// How a token is asked for: the password grant of the specification behind an interface that another grant can take.

import { isHtml, parseJson, readObject, readText } from './reading.ts';
import { toRetryAfterMs } from './retry-after.ts';
import type { FundingSetting, LoginRefusal, OnFundingServiceEvent } from './events.ts';
import type { Transport, TransportAnswer } from './transport.ts';

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
    if (result.kind !== 'answer') {
      onEvent({ event: 'login-unreachable', failure: result.failure });
      return { kind: 'unreachable' };
    }
    return result.status >= 200 && result.status < 300 ? readGranted(result) : readFailed(result);
  }

  function readGranted(answer: TransportAnswer): GrantResult {
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

  function readFailed(answer: TransportAnswer): GrantResult {
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

  function unreadable(answer: TransportAnswer): GrantResult {
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
  unrecognised: [
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
  return 'unrecognised';
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
