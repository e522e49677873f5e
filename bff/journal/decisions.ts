// What becomes of a row after an attempt; decided by operation and by where the attempt broke.

import type { FieldError } from '../../shared/application/field-errors.ts';
import type {
  LeadCreated,
  Outcome,
  Rejection,
  RejectionReason,
} from '../funding-service/funding-service.ts';
import { toApplicationPointer } from '../funding-service/lead-fields.ts';
import type { ApplicationRow, ChildRow } from './records.ts';

/** How often a document or report is sent when nobody can say whether it arrived; each time may leave another copy. */
export const maxUncertainSends = 3;

/** Recorded of a document that the virus scanner refused; none of the service's own codes. */
export const infectedOutcome = 'infected';

export type Retry = {
  readonly kind: 'retry';
  readonly isUncertain: boolean;
  readonly retryAfterMs?: number | undefined;
  /** Why the service refused what is ours to mend: the operator is told, and the row waits meanwhile. */
  readonly fault?: Rejection | undefined;
};

export type ApplicationDecision =
  | { readonly kind: 'accepted'; readonly lead: LeadCreated }
  | { readonly kind: 'rejected'; readonly errors: readonly FieldError[] }
  /** `candidateId`: what may be its ApplicationID, to be proved. */
  | { readonly kind: 'unconfirmed'; readonly candidateId?: string | undefined }
  | Retry;

export type ContactDecision = { readonly kind: 'accepted' } | { readonly kind: 'rejected' } | Retry;

export type ContentDecision =
  | { readonly kind: 'accepted'; readonly serviceId: string }
  | { readonly kind: 'rejected' }
  /** It was sent as often as may be without anybody knowing whether it arrived. */
  | { readonly kind: 'held' }
  | Retry;

/**
 * Create Lead is never given up for an unknown outcome, because a lead may exist: it is sent again with the same ID and the
 * same bytes. A duplicate then proves that it exists, but not under which ApplicationID. Only a value the service calls
 * missing or wrong is the applicant's to mend; every other refusal waits for the operator.
 */
export function decideApplication(
  outcome: Outcome<LeadCreated>,
  { uncertainAttempts }: Pick<ApplicationRow, 'uncertainAttempts'>,
): ApplicationDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted', lead: outcome.value };
  if (outcome.kind !== 'rejected') return toRetry(outcome);
  const { rejection } = outcome;
  const { reason, field, candidateId } = rejection;
  const errors = toErrors(rejection);
  if (reason === 'duplicate-id') return { kind: 'unconfirmed', candidateId };
  if (reason !== 'missing-field' && reason !== 'invalid-field') return toFault(rejection);
  if (errors.length > 0) return { kind: 'rejected', errors };
  // A field that no applicant fills in: sending other answers would not help.
  if (reason === 'missing-field' || field !== undefined) return toFault(rejection);
  // "Failed" must never be said of a lead that may exist, unless the service names the field that stands in its way.
  return uncertainAttempts > 0 ? { kind: 'unconfirmed' } : { kind: 'rejected', errors };
}

/**
 * A document or report is rejected only where another one could mend it. One that may have arrived is sent again a few
 * times, because each time may leave another copy; then it is held for an operator, and never thrown away.
 */
export function decideContent(
  outcome: Outcome<string>,
  child: Pick<ChildRow, 'uncertainAttempts' | 'clearedAttempts'>,
): ContentDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted', serviceId: outcome.value };
  if (outcome.kind === 'rejected' && outcome.rejection.reason !== 'processing-failed') {
    const { rejection } = outcome;
    return applicantsFaults.has(rejection.reason) ? { kind: 'rejected' } : toFault(rejection);
  }
  if (outcome.kind !== 'unknown' && outcome.kind !== 'rejected') return toRetry(outcome);
  return countUncertain(child) + 1 >= maxUncertainSends
    ? { kind: 'held' }
    : { kind: 'retry', isUncertain: true };
}

/**
 * Contact User may be repeated safely (spec, operation 4), so it is asked until there is an answer:
 *
 * | Outcome                                            | Decision                                                  |
 * | -------------------------------------------------- | --------------------------------------------------------- |
 * | accepted                                           | accepted                                                  |
 * | not sent, authentication, throttled                | retry                                                     |
 * | unknown, `processing-failed`                       | retry, uncertain, as often as it takes                    |
 * | `unrecognised`: a text that is none of the below   | rejected: the service's own decision about this applicant |
 * | any reason we know (ApplicationID, headers, form…) | retry with a fault, since none of them is the applicant's |
 *
 * The specification shows every text with which it refuses how we ask, so one it does not show is about the applicant.
 */
export function decideContact(outcome: Outcome<unknown>): ContactDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted' };
  if (outcome.kind !== 'rejected') return toRetry(outcome);
  const { rejection } = outcome;
  if (rejection.reason === 'processing-failed') return { kind: 'retry', isUncertain: true };
  return rejection.reason === 'unrecognised' ? { kind: 'rejected' } : toFault(rejection);
}

/** Sends that may each have left a copy, since an operator last looked. */
export function countUncertain({
  uncertainAttempts,
  clearedAttempts,
}: Pick<ChildRow, 'uncertainAttempts' | 'clearedAttempts'>): number {
  return uncertainAttempts - clearedAttempts;
}

/** How an attempt ended, as a code for the operator: a refusal by its reason, all else by its kind. */
export function toOutcomeCode(outcome: Outcome<unknown>): string {
  return outcome.kind === 'rejected' ? outcome.rejection.reason : outcome.kind;
}

/** Refusals of a document or report that another document or report would mend. */
const applicantsFaults: ReadonlySet<RejectionReason> = new Set<RejectionReason>([
  'asset-report-invalid',
  'category-not-allowed',
  'invalid-field',
  'too-large',
]);

function toFault(fault: Rejection): Retry {
  return { kind: 'retry', isUncertain: false, fault };
}

function toRetry(outcome: Exclude<Outcome<unknown>, { kind: 'accepted' | 'rejected' }>): Retry {
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

function toErrors({ reason, field }: Rejection): readonly FieldError[] {
  const pointer = field === undefined ? undefined : toApplicationPointer(field);
  if (pointer === undefined) return [];
  return [{ pointer, code: reason === 'missing-field' ? 'required' : 'rejected' }];
}
