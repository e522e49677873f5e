// What the browser is told when the funding service did not do what was asked right away.

import { AppError } from '../app-error.ts';
import type { Outcome, RejectionReason } from '../funding-service/funding-service.ts';

/**
 * The value of an accepted outcome. A definite refusal is `refusedCode`; everything that may pass, or that only the operator
 * can mend, is `service-unavailable`: the applicant can do nothing but try later, and learns nothing about our credentials.
 */
export function requireAccepted<Value>(
  outcome: Outcome<Value>,
  refusedCode: 'service-refused' | 'contact-refused',
): Value {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.value;
    case 'rejected':
      throw new AppError(
        operatorsFaults.has(outcome.rejection.reason) ? 'service-unavailable' : refusedCode,
      );
    case 'throttled':
      throw new AppError('service-unavailable', {
        retryAfterSeconds: Math.ceil((outcome.retryAfterMs ?? 5_000) / 1000),
      });
    case 'authentication':
    case 'not-sent':
    case 'unknown':
      throw new AppError('service-unavailable');
  }
}

/** Refusals of how we ask, which only the configuration can mend. */
const operatorsFaults: ReadonlySet<RejectionReason> = new Set<RejectionReason>([
  'partner-headers-missing',
  'request-malformed',
]);
