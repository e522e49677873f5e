// What becomes of a row after an attempt; decided by operation and by where the attempt broke.

import type { FieldError } from '../../shared/application/field-errors.ts';
import type { Refusal, RefusalReason } from '../funding-service/failure-texts.ts';
import type { LeadCreated, Outcome } from '../funding-service/funding-service.ts';
import { toApplicationPointer } from '../funding-service/lead.ts';
import type { AttemptResult, Claim, DeliveryProgress } from '../store/store.ts';

/** The result of an attempt, with what the log reports and the store does not keep. */
export type DeliveryResult = AttemptResult & {
  /** Why the funding service refused a row that waits. */
  readonly refusal?: Refusal | undefined;
  /** True when the service's tracking URL is not safe to show. */
  readonly isTrackingUrlRefused?: boolean;
};

/** How often a document or report is sent when nobody can say whether it arrived; each time may leave another copy. */
export const maxUncertainSends = 3;

/** Recorded of a document that the virus scanner refused; none of the service's own codes. */
export const infectedOutcome = 'infected';

export type Retry = {
  readonly kind: 'retry';
  readonly isUncertain: boolean;
  readonly retryAfterMs?: number | undefined;
  /** Why the service refused the row, where that is not the applicant's to correct. The operator is told; the row waits. */
  readonly fault?: Refusal | undefined;
};

export type ApplicationDecision =
  | { readonly kind: 'accepted'; readonly lead: LeadCreated }
  | { readonly kind: 'rejected'; readonly errors: readonly FieldError[] }
  /** `candidateId`: what may be its ApplicationID, to be proved. */
  | { readonly kind: 'unconfirmed'; readonly candidateId?: string | undefined }
  /** A refusal that contradicts an earlier attempt of unknown outcome: the lead may exist all the same. */
  | { readonly kind: 'held' }
  | Retry;

/** Contact User has no documented refusal that is about the applicant, so a contact request is never rejected. */
export type ContactDecision = { readonly kind: 'accepted' } | Retry;

export type ContentDecision =
  | { readonly kind: 'accepted'; readonly serviceId: string }
  | { readonly kind: 'rejected' }
  /** It was sent as often as allowed, and nobody knows whether it arrived. */
  | { readonly kind: 'held' }
  | Retry;

/** Attempts of unknown outcome since an operator last looked into the row. */
type Uncertainty = Pick<DeliveryProgress, 'uncertainAttempts' | 'clearedAttempts'>;

/**
 * An application is rejected only on proof: a documented refusal (`answers.ts`) that names a field the applicant filled in,
 * while no earlier attempt may have created the lead. Create Lead may be repeated with the same ID and bytes, so everything
 * else waits; an unrecognized failure counts as an unknown outcome, because the service may have stored the lead before it
 * failed. A duplicate proves that the lead exists, but not under which ApplicationID.
 */
export function decideApplication(
  outcome: Outcome<LeadCreated>,
  progress: Uncertainty,
): ApplicationDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted', lead: outcome.value };
  if (outcome.kind !== 'refused') return toRetry(outcome);
  const { refusal } = outcome;
  const { reason, candidateId } = refusal;
  if (reason === 'duplicate-id') return { kind: 'unconfirmed', candidateId };
  const errors = toErrors(refusal);
  if (errors.length === 0) return toFault(refusal, reason === 'unrecognized');
  return countUncertain(progress) > 0 ? { kind: 'held' } : { kind: 'rejected', errors };
}

/**
 * A document or report is rejected only where a documented refusal names its category or its content, so that another one
 * would be accepted. One that may have arrived is sent again a few times, because each time may leave another copy; then it
 * is held for an operator.
 */
export function decideContent(outcome: Outcome<string>, progress: Uncertainty): ContentDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted', serviceId: outcome.value };
  if (outcome.kind === 'refused' && outcome.refusal.reason !== 'processing-failed') {
    const { refusal } = outcome;
    return contentRefusals.has(refusal.reason) ? { kind: 'rejected' } : toFault(refusal);
  }
  if (outcome.kind !== 'unknown' && outcome.kind !== 'refused') return toRetry(outcome);
  return countUncertain(progress) + 1 >= maxUncertainSends
    ? { kind: 'held' }
    : { kind: 'retry', isUncertain: true };
}

/** Contact User may be repeated safely (spec, operation 4), so it is sent until it succeeds or its deadline holds it. */
export function decideContact(outcome: Outcome<unknown>): ContactDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted' };
  if (outcome.kind !== 'refused') return toRetry(outcome);
  const { refusal } = outcome;
  return toFault(refusal, refusal.reason === 'unrecognized');
}

/** Attempts that may each have left a copy, since an operator last looked into the row. */
export function countUncertain({ uncertainAttempts, clearedAttempts }: Uncertainty): number {
  return uncertainAttempts - clearedAttempts;
}

/** How an attempt ended, as a code for the operator: a refusal by its reason, all else by its kind. */
export function toOutcomeCode(outcome: Outcome<unknown>): string {
  return outcome.kind === 'refused' ? outcome.refusal.reason : outcome.kind;
}

/** Refusals of a document or report that a different document or report avoids. */
const contentRefusals: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  'asset-report-invalid',
  'category-not-allowed',
]);

function toFault(fault: Refusal, isUncertain = false): Retry {
  return { kind: 'retry', isUncertain, fault };
}

function toRetry(outcome: Exclude<Outcome<unknown>, { kind: 'accepted' | 'refused' }>): Retry {
  switch (outcome.kind) {
    case 'throttled':
      return { kind: 'retry', isUncertain: false, retryAfterMs: outcome.retryAfterMs };
    case 'unknown':
      return { kind: 'retry', isUncertain: true };
    case 'authentication':
    case 'not-sent':
      return { kind: 'retry', isUncertain: false };
  }
}

/** Empty unless the refusal names a field that the applicant filled in. */
function toErrors({ reason, field }: Refusal): readonly FieldError[] {
  if (reason !== 'missing-field' && reason !== 'invalid-field') return [];
  const pointer = field === undefined ? undefined : toApplicationPointer(field);
  if (pointer === undefined) return [];
  return [{ pointer, code: reason === 'missing-field' ? 'required' : 'rejected' }];
}

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
): DeliveryResult {
  const { isUncertain, fault } = retry;
  const delayMs = toDelayMs(retry, claim, random);
  const nextAt = claim.claimedAt + delayMs;
  const { firstAttemptAt = nextAt } = toProgress(claim);
  if (nextAt > firstAttemptAt + deadlineMs) {
    return { state: 'held', reason: 'deadline', isUncertain, outcome };
  }
  return {
    state: 'waiting',
    delayMs,
    isUncertain,
    isRefused: fault !== undefined,
    outcome,
    refusal: fault,
  };
}

/** How far the row that was claimed has come. */
export function toProgress(claim: Claim): DeliveryProgress {
  return claim.kind === 'application' ? claim.application : claim.attachment;
}

function toDelayMs(
  { isUncertain, retryAfterMs }: Retry,
  claim: Claim,
  random: () => number,
): number {
  if (isUncertain && (claim.kind === 'document' || claim.kind === 'bank-report')) {
    return toUncertainBackoffMs(countUncertain(claim.attachment), random);
  }
  return toBackoffMs({ attempts: toProgress(claim).attempts, retryAfterMs, random });
}

const shortestMs = 2_000;
const longestMs = 15 * 60 * 1000;
const longestRetryAfterMs = 60 * 60 * 1000;
/** Jitter may come out near zero; this keeps a struggling service from being asked in a tight loop. */
const leastMs = 1_000;

export interface BackoffInput {
  /** How often it was tried already, from 1. */
  readonly attempts: number;
  readonly retryAfterMs?: number | undefined;
  /** 0 to 1, below 1. */
  readonly random: () => number;
}

/** Milliseconds until the next attempt: at most 4 s after the first, 15 minutes from the ninth on; `Retry-After` counts up to an hour. */
export function toBackoffMs({ attempts, retryAfterMs = 0, random }: BackoffInput): number {
  const ceiling = Math.min(longestMs, shortestMs * 2 ** Math.min(attempts, 20));
  const jittered = Math.max(leastMs, Math.round(random() * ceiling));
  return Math.max(jittered, Math.min(retryAfterMs, longestRetryAfterMs));
}

/** Long enough for a gateway to come back, since only a few such sends are allowed. */
const uncertainPausesMs = [60_000, 5 * 60_000] as const;

/** Milliseconds until a document or report is sent again that may have arrived: about 1 minute, then about 5. */
export function toUncertainBackoffMs(uncertainAttempts: number, random: () => number): number {
  const delayMs = uncertainPausesMs[uncertainAttempts] ?? uncertainPausesMs[1];
  return Math.round(delayMs * (0.75 + random() / 2));
}
