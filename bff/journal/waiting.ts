// How long a row waits for its next attempt, and when there is none any more.

import { toBackoffMs, toUncertainBackoffMs } from './backoff.ts';
import { countUncertain, type Retry } from './decisions.ts';
import type { Claim, Settlement } from './journal.ts';
import type { DeliveryProgress } from './records.ts';

/** From the first attempt on; what could not be delivered until then does not pass by itself. */
const deadlineMs = 72 * 60 * 60 * 1000;

export interface WaitingOptions {
  /** 0 to 1, below 1. */
  readonly random: () => number;
}

/** The row waits; unless its next attempt would come after 72 hours of them, then it is held for an operator. */
export function toWaiting(
  retry: Retry,
  outcome: string,
  claim: Claim,
  { random }: WaitingOptions,
): Settlement {
  const { isUncertain, fault } = retry;
  const pauseMs = toPauseMs(retry, claim, random);
  const nextAt = claim.claimedAt + pauseMs;
  const { firstAttemptAt = nextAt } = toProgress(claim);
  if (nextAt > firstAttemptAt + deadlineMs) {
    return { state: 'held', reason: 'deadline', isUncertain, outcome };
  }
  return { state: 'waiting', pauseMs, isUncertain, outcome, fault };
}

/** How far the row that was claimed has come. */
export function toProgress(claim: Claim): DeliveryProgress {
  return claim.kind === 'application' ? claim.application : claim.child;
}

function toPauseMs(
  { isUncertain, retryAfterMs }: Retry,
  claim: Claim,
  random: () => number,
): number {
  if (isUncertain && (claim.kind === 'document' || claim.kind === 'asset-report')) {
    return toUncertainBackoffMs(countUncertain(claim.child), random);
  }
  return toBackoffMs({ attempts: toProgress(claim).attempts, retryAfterMs, random });
}
