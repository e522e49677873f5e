// Whether an application that was not filed before may be kept: no sign of a program, and not too many of them.

import type { Context } from 'hono';
import { apiHeaders } from '../../shared/api/paths.ts';
import { answerWithin } from '../after.ts';
import { AppError } from '../app-error.ts';
import {
  isChallengeRefusal,
  toKnownVerdict,
  type Challenge,
  type ChallengeVerdict,
} from '../gate/challenge.ts';
import type { BffEnv } from '../gate/context.ts';
import { CountedRefusal } from '../gate/counted-refusal.ts';
import type { GiveBack } from '../gate/limits.ts';
import type { RouteDependencies } from './dependencies.ts';

const maxTokenLength = 8_192;
const challengePatienceMs = 5_000;
const challengeRetryAfterSeconds = 10;

/**
 * Throws unless the application may be kept. Nothing has been stored by then, and nothing is lost: what stands in the way is
 * told with a code of its own, and the same answers may be sent again under the same key. To be called back when it was not
 * kept in the end: the limits count what is kept.
 */
export type Admit = (c: Context<BffEnv>) => Promise<GiveBack>;

/** OWASP API Security Top 10 2023, API6: the form is public, so that programs find it as well. */
export function createAdmission(dependencies: RouteDependencies): Admit {
  const { config, throttle, challenge, clock, after, log, logRarely, refusals } = dependencies;
  const minimumMs = config.settings.limits.minimumFillSeconds * 1000;

  function requireTime(c: Context<BffEnv>): void {
    const leftMs = c.get('session').row.createdAt + minimumMs - clock();
    // More than the whole time: the clock was set back, and nobody knows how long it took.
    if (leftMs <= 0 || leftMs > minimumMs) return;
    refusals.countAutomation('too-soon');
    throw new AppError('too-soon', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }

  async function requireProof(c: Context<BffEnv>, asked: Challenge): Promise<void> {
    const requestId = c.get('requestId');
    const token = c.req.header(apiHeaders.challenge) ?? '';
    const isToken = token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token);
    const verdict = isToken ? await verify(c, asked, token) : 'token-missing';
    if (verdict === 'passed') return;
    if (isChallengeRefusal(verdict)) {
      refusals.countAutomation('challenge');
      logRarely(`challenge-refused ${verdict}`, (refused) => ({
        event: 'challenge-refused',
        requestId,
        reason: verdict,
        refused,
      }));
      throw new CountedRefusal('challenge-required');
    }
    refusals.countAutomation('challenge-unavailable');
    log({ event: 'challenge-failed', requestId, reason: verdict });
    throw new AppError('challenge-unavailable', {
      retryAfterSeconds: challengeRetryAfterSeconds,
    });
  }

  /** The request keeps its place meanwhile, so it must not hang on somebody else's provider. */
  async function verify(
    c: Context<BffEnv>,
    asked: Challenge,
    token: string,
  ): Promise<ChallengeVerdict> {
    const address = dependencies.findClientAddress(c);
    const ask = (signal: AbortSignal) => asked.verify(token, address, signal);
    const late = 'unreachable' as const;
    return toKnownVerdict(await answerWithin(challengePatienceMs, after, ask, late));
  }

  return async function admit(c) {
    if (c.req.header(apiHeaders.honeypot) !== undefined) {
      refusals.countAutomation('honeypot');
      throw new AppError('automation-suspected');
    }
    requireTime(c);
    if (challenge) await requireProof(c, challenge);
    return throttle.countApplication(c);
  };
}
