// Decides what happens to a row after a failed attempt: a table of rules, and the delay until the next attempt.

import type { FieldError } from '../../shared/application/field-errors.ts';
import type { Refusal, RefusalReason, RejectingReason } from '../funding-service/failure-texts.ts';
import type { Outcome } from '../funding-service/funding-service.ts';
import { toApplicationPointer } from '../funding-service/lead.ts';
import type { AttemptResult, Claim, DeliveryProgress } from '../store/store.ts';

/** The result of an attempt: what the store records, and what only the log reports. */
export type DeliveryResult = AttemptResult & {
  /** Why the funding service refused a row that waits. */
  readonly refusal?: Refusal | undefined;
  /** True if the tracking URL is not safe to show. */
  readonly isTrackingUrlRefused?: boolean;
};

type Failure = Exclude<Outcome<unknown>, { kind: 'accepted' }>;
type FailureCode = Exclude<Failure['kind'], 'refused'> | RefusalReason;

/**
 * All of these send the row again after a delay.
 * - `retry`: nothing was processed.
 * - `retry-uncertain`: the attempt may have been processed. A document or bank report is sent three times at most, because
 *   each attempt may create another copy; then it is held.
 * - `alert`: nothing was processed. The log reports the refusal (`delivery-refused`), and a row that stays refused for minutes
 *   raises an alarm. Use it for every refusal of the row, even if it may pass.
 * - `alert-uncertain`: as `alert`, and the attempt may have been processed.
 */
type RetryRule = 'retry' | 'retry-uncertain' | 'alert' | 'alert-uncertain';

/**
 * `reject` is final and leads to the deletion of content, so only a `RejectingReason` may have it. `responses.ts` returns
 * these reasons only for a response in the documented form.
 */
type RejectRule<Code> = Code extends RejectingReason ? 'reject' : never;

interface Rules<Code> {
  /**
   * - `reject`: if the refusal names a field that the applicant entered; otherwise `alert`. The application is held instead
   *   if an earlier attempt may have created the lead.
   * - `unconfirmed`: the funding service has the lead, and its ApplicationID is unknown.
   */
  readonly application: RetryRule | RejectRule<Code> | 'unconfirmed';
  /** Documents and bank reports. `reject`: the applicant can send another one. */
  readonly content: RetryRule | RejectRule<Code>;
  /** Contact requests. No documented refusal is about the applicant, and a repeated call does no harm (spec, operation 4). */
  readonly contact: RetryRule;
}

/** An application with an unknown refusal counts as uncertain: the funding service may have stored the lead before it failed. */
const rules: { readonly [Code in FailureCode]: Rules<Code> } = {
  'not-sent': { application: 'retry', content: 'retry', contact: 'retry' },
  authentication: { application: 'retry', content: 'retry', contact: 'retry' },
  throttled: { application: 'retry', content: 'retry', contact: 'retry' },
  unknown: {
    application: 'retry-uncertain',
    content: 'retry-uncertain',
    contact: 'retry-uncertain',
  },
  unrecognized: { application: 'alert-uncertain', content: 'alert', contact: 'alert-uncertain' },
  'missing-field': { application: 'reject', content: 'alert', contact: 'alert' },
  'invalid-field': { application: 'reject', content: 'alert', contact: 'alert' },
  'duplicate-id': { application: 'unconfirmed', content: 'alert', contact: 'alert' },
  'category-not-allowed': { application: 'alert', content: 'reject', contact: 'alert' },
  'asset-report-invalid': { application: 'alert', content: 'reject', contact: 'alert' },
  'processing-failed': { application: 'alert', content: 'retry-uncertain', contact: 'alert' },
  'application-id-missing': { application: 'alert', content: 'alert', contact: 'alert' },
  'application-id-invalid': { application: 'alert', content: 'alert', contact: 'alert' },
  'application-not-found': { application: 'alert', content: 'alert', contact: 'alert' },
  'partner-headers-missing': { application: 'alert', content: 'alert', contact: 'alert' },
  'request-malformed': { application: 'alert', content: 'alert', contact: 'alert' },
  'asset-report-missing': { application: 'alert', content: 'alert', contact: 'alert' },
  'content-not-base64': { application: 'alert', content: 'alert', contact: 'alert' },
  'too-large': { application: 'alert', content: 'alert', contact: 'alert' },
};

/** Decides by the rules above. `random` is at least 0 and below 1. */
export function decide(failure: Failure, claim: Claim, random: () => number): DeliveryResult {
  const refusal = failure.kind === 'refused' ? failure.refusal : undefined;
  const retryAfterMs = failure.kind === 'throttled' ? failure.retryAfterMs : undefined;
  const outcome = failure.kind === 'refused' ? failure.refusal.reason : failure.kind;
  const rule = rules[outcome][toColumn(claim)];
  if (rule === 'unconfirmed') return { state: 'unconfirmed' };
  if (rule === 'reject') {
    if (claim.kind !== 'application') return { state: 'rejected', outcome };
    const errors = toFieldErrors(refusal);
    if (errors.length === 0) return retryLater(claim, { outcome, refusal }, random);
    if (countUncertain(claim) === 0) return { state: 'rejected', errors, outcome };
    return { state: 'held', reason: 'uncertain', isUncertain: false, outcome };
  }
  const isUncertain = rule === 'retry-uncertain' || rule === 'alert-uncertain';
  if (rule === 'alert' || rule === 'alert-uncertain') {
    return retryLater(claim, { outcome, isUncertain, refusal }, random);
  }
  return retryLater(claim, { outcome, isUncertain, retryAfterMs }, random);
}

function toColumn({ kind }: Claim): keyof Rules<FailureCode> {
  return kind === 'application' || kind === 'contact' ? kind : 'content';
}

/** Empty unless the refusal names a field that the applicant entered. */
function toFieldErrors(refusal: Refusal | undefined): readonly FieldError[] {
  const pointer = refusal?.field === undefined ? undefined : toApplicationPointer(refusal.field);
  if (pointer === undefined) return [];
  return [{ pointer, code: refusal?.reason === 'missing-field' ? 'required' : 'rejected' }];
}

/** A document or bank report is sent this often if its outcome stays unknown. */
export const maxUncertainSends = 3;
/** From the first attempt. A failure that lasts longer needs an operator. */
const deadlineMs = 72 * 60 * 60 * 1000;

export interface Retry {
  /** Code for the operator. */
  readonly outcome: string;
  /** The attempt may have been processed. Default false. */
  readonly isUncertain?: boolean;
  readonly retryAfterMs?: number | undefined;
  /** The log reports it. */
  readonly refusal?: Refusal | undefined;
}

/** The row waits, or is held if it was sent as often or for as long as allowed. */
export function retryLater(
  claim: Claim,
  { outcome, isUncertain = false, retryAfterMs, refusal }: Retry,
  random: () => number,
): DeliveryResult {
  const isUncertainContent = isUncertain && toColumn(claim) === 'content';
  if (isUncertainContent && countUncertain(claim) + 1 >= maxUncertainSends) {
    return { state: 'held', reason: 'uncertain', isUncertain, outcome };
  }
  const delayMs = isUncertainContent
    ? toUncertainDelayMs(countUncertain(claim), random)
    : toBackoffMs(getProgress(claim).attempts, retryAfterMs, random);
  const nextAttemptAt = claim.claimedAt + delayMs;
  const { firstAttemptAt = nextAttemptAt } = getProgress(claim);
  if (nextAttemptAt > firstAttemptAt + deadlineMs) {
    return { state: 'held', reason: 'deadline', isUncertain, outcome };
  }
  const isRefused = refusal !== undefined;
  return { state: 'waiting', delayMs, isUncertain, isRefused, outcome, refusal };
}

export function getProgress(claim: Claim): DeliveryProgress {
  return claim.kind === 'application' ? claim.application : claim.attachment;
}

/** Uncertain attempts since an operator's latest retry. */
export function countUncertain(claim: Claim): number {
  const { uncertainAttempts, clearedAttempts } = getProgress(claim);
  return uncertainAttempts - clearedAttempts;
}

/** Jitter may be near zero. This keeps a failing service from being called in a tight loop. */
const minBackoffMs = 1_000;
const firstBackoffMs = 2_000;
const maxBackoffMs = 15 * 60 * 1000;
const maxRetryAfterMs = 60 * 60 * 1000;

/** Exponential backoff with full jitter: at most 4 s after the first attempt, 15 minutes from the ninth. */
function toBackoffMs(attempts: number, retryAfterMs = 0, random: () => number): number {
  const ceilingMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempts, 20));
  const backoffMs = Math.max(minBackoffMs, Math.round(random() * ceilingMs));
  return Math.max(backoffMs, Math.min(retryAfterMs, maxRetryAfterMs));
}

/** About 1 minute after the first uncertain attempt, then about 5: long enough for a gateway to recover. */
function toUncertainDelayMs(uncertainAttempts: number, random: () => number): number {
  const delayMs = uncertainAttempts === 0 ? 60_000 : 5 * 60_000;
  return Math.round(delayMs * (0.75 + random() / 2));
}
