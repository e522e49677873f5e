// What the browser is told when the funding service did not answer a question as it should.

import { AppError } from '../app-error.ts';
import type { Outcome, RejectionReason } from '../funding-service/funding-service.ts';

/**
 * The value of an accepted outcome. A definite refusal is `service-refused`; everything that may pass, or that only the
 * operator can mend, is `service-unavailable`: the applicant can do nothing but try later, and learns nothing about our
 * credentials.
 */
export function requireAccepted<Value>(outcome: Outcome<Value>): Value {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.value;
    case 'rejected':
      throw new AppError(
        operatorsFaults.has(outcome.rejection.reason) ? 'service-unavailable' : 'service-refused',
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
