// What becomes of a row after an attempt; decided by operation and by where the attempt broke.

import type { FieldError } from '../../shared/application/field-errors.ts';
import type { LeadCreated, Outcome, Rejection } from '../funding-service/funding-service.ts';
import { toApplicationPointer } from '../funding-service/lead-fields.ts';
import type { ApplicationRow, ChildRow } from './journal.ts';

/** How often a document or report is sent when nobody can say whether it arrived; each time may leave another copy. */
export const maxUncertainSends = 3;

export type Retry = {
  readonly kind: 'retry';
  readonly isUncertain: boolean;
  readonly retryAfterMs?: number | undefined;
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
    case 'missing-field':
      return { kind: 'rejected', errors };
    case 'duplicate-id':
      return { kind: 'unconfirmed' };
    case 'partner-headers-missing':
      return { kind: 'retry', isUncertain: false };
    default:
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
  if (outcome.kind === 'rejected' && outcome.rejection.reason === 'partner-headers-missing') {
    return { kind: 'retry', isUncertain: false };
  }
  const isProcessingFailure =
    outcome.kind === 'rejected' && outcome.rejection.reason === 'processing-failed';
  if (outcome.kind === 'rejected' && !isProcessingFailure) return { kind: 'rejected' };
  if (outcome.kind !== 'unknown' && outcome.kind !== 'rejected') return toRetry(outcome);
  return uncertainAttempts + 1 >= maxUncertainSends
    ? { kind: 'rejected' }
    : { kind: 'retry', isUncertain: true };
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
