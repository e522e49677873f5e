// What becomes of a row after an attempt; decided by operation and by where the attempt broke.

import type { FieldError } from '../../shared/application/field-errors.ts';
import type {
  LeadCreated,
  Outcome,
  Rejection,
  RejectionReason,
} from '../funding-service/funding-service.ts';
import { toApplicationPointer } from '../funding-service/lead-fields.ts';
import type { ApplicationRow, ChildRow } from './journal.ts';

/** How often a document or report is sent when nobody can say whether it arrived; each time may leave another copy. */
export const maxUncertainSends = 3;

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
  | { readonly kind: 'unconfirmed' }
  | Retry;

export type ChildDecision =
  { readonly kind: 'accepted'; readonly serviceId: string } | { readonly kind: 'rejected' } | Retry;

/**
 * Create Lead is never given up for an unknown outcome, because a lead may exist: it is sent again with the same ID and the
 * same bytes. A duplicate then proves that it exists, but not under which ApplicationID.
 */
export function decideApplication(
  outcome: Outcome<LeadCreated>,
  { uncertainAttempts }: Pick<ApplicationRow, 'uncertainAttempts'>,
): ApplicationDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted', lead: outcome.value };
  if (outcome.kind !== 'rejected') return toRetry(outcome);
  const { rejection } = outcome;
  const errors = toErrors(rejection);
  switch (rejection.reason) {
    case 'duplicate-id':
      return { kind: 'unconfirmed' };
    case 'partner-headers-missing':
    case 'request-malformed':
      return toFault(rejection);
    case 'missing-field':
      return errors.length === 0 ? toFault(rejection) : { kind: 'rejected', errors };
    default:
      // A field by name that no applicant fills in: sending other answers would not help.
      if (rejection.field !== undefined && errors.length === 0) return toFault(rejection);
      // "Failed" must never be said of a lead that may exist, unless the service names the field that stands in its way.
      if (uncertainAttempts > 0 && errors.length === 0) return { kind: 'unconfirmed' };
      return { kind: 'rejected', errors };
  }
}

export function decideChild(
  outcome: Outcome<string>,
  { uncertainAttempts }: Pick<ChildRow, 'uncertainAttempts'>,
): ChildDecision {
  if (outcome.kind === 'accepted') return { kind: 'accepted', serviceId: outcome.value };
  if (outcome.kind === 'rejected' && ourFaults.has(outcome.rejection.reason)) {
    return toFault(outcome.rejection);
  }
  const isProcessingFailure =
    outcome.kind === 'rejected' && outcome.rejection.reason === 'processing-failed';
  if (outcome.kind === 'rejected' && !isProcessingFailure) return { kind: 'rejected' };
  if (outcome.kind !== 'unknown' && outcome.kind !== 'rejected') return toRetry(outcome);
  return uncertainAttempts + 1 >= maxUncertainSends
    ? { kind: 'rejected' }
    : { kind: 'retry', isUncertain: true };
}

/** Refusals of a document or report that no other document or report would mend; an id may also be late to be found. */
const ourFaults: ReadonlySet<RejectionReason> = new Set<RejectionReason>([
  'partner-headers-missing',
  'request-malformed',
  'missing-field',
  'application-id-missing',
  'application-not-found',
  'asset-report-missing',
  'content-not-base64',
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
