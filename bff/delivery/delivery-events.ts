// The events that the delivery reports to the log, and the events of a recorded result.

import { scanFailures, type ScanFailure } from '../documents/clamd.ts';
import type { RefusalReason } from '../funding-service/failure-texts.ts';
import type { AttemptResult, Claim, DeliveryKind, HeldReason } from '../store/store.ts';
import { infectedOutcome } from './attempt.ts';
import { type DeliveryResult, getProgress } from './retry-policy.ts';

/** The row that an event is about. An attachment has the reference of its application. */
interface Subject {
  readonly kind: DeliveryKind;
  readonly reference: string;
}

/** Events have no personal data and no texts of the funding service. */
export type DeliveryEvent =
  | (Subject & {
      readonly event: 'delivery-recorded';
      readonly state: AttemptResult['state'];
      readonly attempts: number;
    })
  /** A lead may exist under an unknown ApplicationID. An operator must find it. */
  | {
      readonly event: 'application-unconfirmed';
      readonly reference: string;
      /** False if no earlier attempt was uncertain, for example after an old store was restored. */
      readonly wasExpected: boolean;
    }
  /** The funding service refused a value that the applicant entered. The content is kept for `retention.rejectedDays`. */
  | (Subject & {
      readonly event: 'delivery-rejected';
      readonly reason: string;
      /** JSON Pointers into the application. */
      readonly fields?: readonly string[];
    })
  /** The funding service refused the row for a reason that an operator must fix. The row is sent again. */
  | (Subject & {
      readonly event: 'delivery-refused';
      readonly reason: RefusalReason;
      /** The lead field that the funding service named. */
      readonly field?: string | undefined;
    })
  /** The virus scanner found malware in a document. It was not sent. */
  | { readonly event: 'document-infected'; readonly reference: string }
  /** The virus scanner could not scan a document. It waits. */
  | {
      readonly event: 'document-unscanned';
      readonly reference: string;
      readonly reason: ScanFailure;
    }
  /** The row waits for an operator. Its content is kept. */
  | (Subject & {
      readonly event: 'delivery-held';
      readonly reason: HeldReason;
      readonly attempts: number;
      /** Code of the latest outcome, such as `unknown` or `partner-headers-missing`. */
      readonly outcome?: string | undefined;
    })
  /** The row arrived after uncertain attempts that may have arrived too. */
  | {
      readonly event: 'possible-duplicate';
      readonly kind: 'document' | 'bank-report';
      readonly reference: string;
      /** Maximum number of copies. */
      readonly copies: number;
    }
  /** A due row has invalid values. It is held now. */
  | {
      readonly event: 'row-unreadable';
      readonly kind: DeliveryKind;
      /** Id of the row. The id of an application is its reference. */
      readonly id: string;
    }
  /** The tracking URL of the funding service is not safe to show. */
  | { readonly event: 'tracking-url-refused'; readonly reference: string }
  /** An attempt threw because of an error on our side. The row is sent again. */
  | (Subject & { readonly event: 'delivery-broken'; readonly error: unknown })
  /** The store cannot be read or written. */
  | { readonly event: 'delivery-stalled'; readonly error: unknown };

/** Reports a recorded result. */
export function reportResult(
  claim: Claim,
  result: DeliveryResult,
  onEvent: (event: DeliveryEvent) => void,
): void {
  const { attempts, uncertainAttempts } = getProgress(claim);
  const subject = toSubject(claim);
  const { reference } = subject;
  const { state } = result;
  onEvent({ event: 'delivery-recorded', ...subject, state, attempts });
  switch (state) {
    case 'accepted':
      if (result.isTrackingUrlRefused) onEvent({ event: 'tracking-url-refused', reference });
      if (uncertainAttempts > 0 && (claim.kind === 'document' || claim.kind === 'bank-report')) {
        const copies = uncertainAttempts + 1;
        onEvent({ event: 'possible-duplicate', kind: claim.kind, reference, copies });
      }
      return;
    case 'waiting': {
      const { refusal, outcome } = result;
      if (refusal) {
        const { reason, field } = refusal;
        onEvent({ event: 'delivery-refused', ...subject, reason, field });
      }
      reportScanFailure(outcome, reference, onEvent);
      return;
    }
    case 'held': {
      const { reason, outcome } = result;
      reportScanFailure(outcome, reference, onEvent);
      onEvent({ event: 'delivery-held', ...subject, reason, attempts, outcome });
      return;
    }
    case 'unconfirmed':
      onEvent({ event: 'application-unconfirmed', reference, wasExpected: uncertainAttempts > 0 });
      return;
    case 'rejected': {
      const { outcome: reason = 'rejected', errors = [] } = result;
      if (reason === infectedOutcome) {
        onEvent({ event: 'document-infected', reference });
        return;
      }
      const fields = errors.map(({ pointer }) => pointer);
      onEvent({
        event: 'delivery-rejected',
        ...subject,
        reason,
        ...(fields.length > 0 ? { fields } : {}),
      });
    }
  }
}

function reportScanFailure(
  outcome: string | undefined,
  reference: string,
  onEvent: (event: DeliveryEvent) => void,
): void {
  const reason = scanFailures.find((failure) => failure === outcome);
  if (reason) onEvent({ event: 'document-unscanned', reference, reason });
}

export function toSubject(claim: Claim): Subject {
  return { kind: claim.kind, reference: claim.application.id };
}
