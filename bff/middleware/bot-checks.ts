// Bot checks of an application: honeypot, minimum fill time, and a challenge of Turnstile, hCaptcha, or the partner's own provider.

import type { Context } from 'hono';
import * as z from 'zod/mini';
import { apiHeaders } from '../../shared/api/paths.ts';
import type { ChallengeConfig, Config } from '../config/config.ts';
import {
  type Challenge,
  type ChallengeFailure,
  challengeFailures,
  type ChallengeRefusal,
  challengeRefusals,
} from '../config/hooks.ts';
import type { Log } from '../logging/log.ts';
import type { RateLimitedLog, RefusalEvent } from '../logging/rate-limited-log.ts';
import { AppError } from '../runtime/app-error.ts';
import { tryParseJson } from '../runtime/json.ts';
import { type StartTimer, withTimeout } from '../runtime/timers.ts';
import type { FindClientAddress } from './client-address.ts';
import type { BffEnv } from './context.ts';
import type { Counters } from './counters.ts';
import { LoggedRefusal } from './errors.ts';

export const maxTokenLength = 8_192;
/** The request keeps its permit while it waits for the provider. */
const challengeTimeoutMs = 5_000;
const challengeRetryAfterSeconds = 10;

export type ChallengeRefusedEvent = RefusalEvent<'challenge-refused', ChallengeRefusal>;

/** The challenge provider gave no usable answer. The BFF accepts no application while this lasts. */
export interface ChallengeFailedEvent {
  readonly event: 'challenge-failed';
  readonly requestId: string;
  readonly reason: ChallengeFailure;
}

export interface BotCheckOptions {
  readonly config: Pick<Config, 'settings'>;
  /** An application needs a token of this challenge. `undefined` turns the challenge off. */
  readonly challenge: Challenge | undefined;
  readonly counters: Counters;
  readonly findClientAddress: FindClientAddress;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  readonly log: Log<ChallengeFailedEvent>;
  readonly logRateLimited: RateLimitedLog<ChallengeRefusedEvent>;
}

/**
 * Throws if the request looks automated (OWASP API Security Top 10 2023, API6). Nothing is stored then, and the applicant can
 * send the same body again with the same key.
 */
export async function checkForBots(c: Context<BffEnv>, options: BotCheckOptions): Promise<void> {
  const { config, challenge, clock, counters } = options;
  if (c.req.header(apiHeaders.honeypot) !== undefined) {
    counters.countBotCheckFailure('honeypot');
    throw new AppError('automation-suspected');
  }
  const minimumMs = config.settings.limits.minimumFillSeconds * 1000;
  const remainingMs = c.get('session').createdAt + minimumMs - clock();
  // More than the minimum means that the clock was set back, and the time is unknown.
  if (remainingMs > 0 && remainingMs <= minimumMs) {
    counters.countBotCheckFailure('too-soon');
    throw new AppError('too-soon', { retryAfterSeconds: Math.ceil(remainingMs / 1000) });
  }
  if (challenge) await checkChallenge(c, challenge, options);
}

async function checkChallenge(
  c: Context<BffEnv>,
  challenge: Challenge,
  { counters, findClientAddress, startTimer, log, logRateLimited }: BotCheckOptions,
): Promise<void> {
  const requestId = c.get('requestId');
  const token = c.req.header(apiHeaders.challenge) ?? '';
  const isToken = token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token);
  const verify = (signal: AbortSignal) => challenge.verify(token, findClientAddress(c), signal);
  // A partner's own provider may return anything. The verdict gets into the log, so only a known one is used.
  const verdict: unknown = isToken
    ? await withTimeout(challengeTimeoutMs, startTimer, verify, 'unreachable')
    : 'token-missing';
  if (verdict === 'passed') return;
  const reason = challengeRefusals.find((refusal) => refusal === verdict);
  if (reason) {
    counters.countBotCheckFailure('challenge');
    const event = 'challenge-refused';
    logRateLimited(`${event} ${reason}`, (refused) => ({ event, requestId, reason, refused }));
    throw new LoggedRefusal('challenge-required');
  }
  const failure = challengeFailures.find((known) => known === verdict) ?? 'answer-unreadable';
  counters.countBotCheckFailure('challenge-unavailable');
  log({ event: 'challenge-failed', requestId, reason: failure });
  throw new AppError('challenge-unavailable', { retryAfterSeconds: challengeRetryAfterSeconds });
}

const maxResponseBytes = 64 * 1024;

/** Error codes that concern the configuration. All other codes concern the token. */
const secretCodes: ReadonlySet<string> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'not-using-dummy-passcode',
]);

/** hCaptcha returns this instead of the host name under high load. The token is bound to the site key in any case. */
const withheldHost = 'not-provided';

const responseSchema = z.object({
  success: z.boolean(),
  hostname: z.optional(z.nullable(z.string())),
  'error-codes': z.optional(z.nullable(z.array(z.string()))),
});

/** Returns `undefined` if no challenge is configured. */
export function createConfiguredChallenge(
  config: Config,
  send: typeof fetch,
): Challenge | undefined {
  const { challenge, allowedOrigins, crossSiteOrigins, publicOrigin, environment } = config;
  if (!challenge) return undefined;
  const origins = [publicOrigin, ...allowedOrigins, ...crossSiteOrigins];
  const hosts = origins.map((origin) => new URL(origin).hostname);
  return createSiteverifyChallenge(challenge, environment === 'sandbox' ? undefined : hosts, send);
}

/**
 * Checks tokens with the `siteverify` endpoint of Turnstile or hCaptcha. It does not send the applicant's IP address, because the
 * browser may reach the provider over IPv6 and the BFF over IPv4.
 *
 * @param pageHosts host names of the pages that may show the challenge. `undefined` allows any, which the providers' test keys need.
 */
export function createSiteverifyChallenge(
  { provider, siteKey, secret, verifyUrl }: ChallengeConfig,
  pageHosts: readonly string[] | undefined,
  send: typeof fetch,
): Challenge {
  /** Returns the response body, or `undefined` if the provider is unreachable or sends too much. */
  async function request(token: string, signal: AbortSignal): Promise<string | undefined> {
    const body = new URLSearchParams({ secret, response: token });
    if (provider === 'hcaptcha') body.set('sitekey', siteKey);
    try {
      const response = await send(verifyUrl, { method: 'POST', body, redirect: 'error', signal });
      if (response.status >= 500) return undefined;
      return await readText(response);
    } catch {
      // `fetch` throws a TypeError for every kind of connection failure.
      return undefined;
    }
  }

  return {
    provider,
    siteKey,
    async verify(token, _address, signal) {
      const text = await request(token, signal);
      if (text === undefined) return 'unreachable';
      const { data } = responseSchema.safeParse(tryParseJson(text));
      if (!data) return 'answer-unreadable';
      const codes = data['error-codes'] ?? [];
      if (!data.success) {
        if (codes.some((code) => secretCodes.has(code))) return 'secret-refused';
        return codes.includes('internal-error') ? 'unreachable' : 'token-refused';
      }
      const host = data.hostname?.toLowerCase() ?? '';
      const isAllowed = host === withheldHost || !pageHosts || pageHosts.includes(host);
      return isAllowed ? 'passed' : 'other-host';
    },
  };
}

/** Undefined if the body is longer than `maxResponseBytes`. */
async function readText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxResponseBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
