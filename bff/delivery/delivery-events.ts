// What the delivery tells the operator's log: a closed list of events without personal data.

import { scanFailures, type ScanFailure } from '../documents/clamd.ts';
import type { Refusal } from '../funding-service/failure-texts.ts';
import { infectedOutcome, toProgress, type DeliveryResult } from './retry-policy.ts';
import type { AttemptResult, Claim, DeliveryKind, HeldReason } from '../store/store.ts';

export type DeliveryEvent =
  | {
      readonly event: 'delivery-recorded';
      readonly kind: DeliveryKind;
      readonly reference: string;
      readonly state: AttemptResult['state'];
      readonly attempts: number;
    }
  /** A lead may exist under an ApplicationID we do not know; somebody has to find out. */
  | {
      readonly event: 'lead-unconfirmed';
      readonly reference: string;
      /** False: the ID was refused as used although no attempt was left in doubt, as after restoring an old store. */
      readonly wasExpected: boolean;
    }
  /**
   * The funding service refused a value that the applicant gave, by a documented text. The applicant is told; the content
   * stays for `retention.rejectedDays`.
   */
  | {
      readonly event: 'delivery-rejected';
      readonly kind: DeliveryKind;
      readonly reference: string;
      readonly reason: string;
      /** JSON Pointers into the application. */
      readonly fields?: readonly string[];
    }
  /** The funding service refused the row for a reason that is not the applicant's. The row waits and is tried again. */
  | {
      readonly event: 'delivery-refused';
      readonly kind: DeliveryKind;
      readonly reference: string;
      readonly reason: Refusal['reason'];
      /** The service's own name of a field. */
      readonly field?: string | undefined;
    }
  /** The virus scanner refused a document: nothing of it was sent. */
  | { readonly event: 'document-infected'; readonly reference: string }
  /** Nobody could say whether a document is clean: it waits, and nothing of it was sent. */
  | {
      readonly event: 'document-unscanned';
      readonly reference: string;
      readonly reason: ScanFailure;
    }
  /** Given up until an operator looks at it; everything of it is kept. */
  | {
      readonly event: 'delivery-held';
      readonly kind: DeliveryKind;
      readonly reference: string;
      readonly reason: HeldReason;
      readonly attempts: number;
      /** How the latest attempt ended; a code such as `unknown` or `partner-headers-missing`. */
      readonly outcome?: string | undefined;
    }
  /** It has arrived, after attempts that may have arrived as well. */
  | {
      readonly event: 'possible-duplicate';
      readonly kind: 'document' | 'bank-report';
      readonly reference: string;
      /** How many the service has at most. */
      readonly copies: number;
    }
  /** A row was due that cannot be read: it is held now. */
  | {
      readonly event: 'row-unreadable';
      readonly kind: DeliveryKind;
      /** Of the row itself; an application's is its reference. */
      readonly id: string;
    }
  /** The service's tracking address is none we would show. */
  | { readonly event: 'tracking-url-refused'; readonly reference: string }
  /** An attempt threw: a fault of ours. */
  | {
      readonly event: 'delivery-broken';
      readonly kind: DeliveryKind;
      readonly reference: string;
      readonly error: unknown;
    }
  /** The store cannot be read or written. */
  | { readonly event: 'delivery-stalled'; readonly error: unknown };

/** Tells how an attempt ended, once that is recorded. */
export function reportResult(
  claim: Claim,
  result: DeliveryResult,
  onEvent: (event: DeliveryEvent) => void,
): void {
  const { attempts } = toProgress(claim);
  const subject = toSubject(claim);
  const { reference } = subject;
  onEvent({ event: 'delivery-recorded', ...subject, state: result.state, attempts });
  switch (result.state) {
    case 'accepted':
      if (result.isTrackingUrlRefused) onEvent({ event: 'tracking-url-refused', reference });
      reportCopies(claim, onEvent);
      return;
    case 'waiting':
      if (result.refusal) {
        const { reason, field } = result.refusal;
        onEvent({ event: 'delivery-refused', ...subject, reason, field });
      }
      reportScan(result.outcome, reference, onEvent);
      return;
    case 'held': {
      const { reason, outcome } = result;
      reportScan(outcome, reference, onEvent);
      onEvent({ event: 'delivery-held', ...subject, reason, attempts, outcome });
      return;
    }
    case 'unconfirmed': {
      const wasExpected = claim.application.uncertainAttempts > 0;
      onEvent({ event: 'lead-unconfirmed', reference, wasExpected });
      return;
    }
    case 'rejected': {
      const { outcome = 'rejected', errors = [] } = result;
      if (outcome === infectedOutcome) {
        onEvent({ event: 'document-infected', reference });
        return;
      }
      const fields = errors.map(({ pointer }) => pointer);
      onEvent({
        event: 'delivery-rejected',
        ...subject,
        reason: outcome,
        ...(fields.length > 0 ? { fields } : {}),
      });
    }
  }
}

function reportScan(
  outcome: string | undefined,
  reference: string,
  onEvent: (event: DeliveryEvent) => void,
): void {
  const reason = scanFailures.find((failure) => failure === outcome);
  if (reason) onEvent({ event: 'document-unscanned', reference, reason });
}

/** What an event is about; a child is named by its application. */
export function toSubject(claim: Claim): {
  readonly kind: DeliveryKind;
  readonly reference: string;
} {
  return { kind: claim.kind, reference: claim.application.id };
}

function reportCopies(claim: Claim, onEvent: (event: DeliveryEvent) => void): void {
  if (claim.kind !== 'document' && claim.kind !== 'bank-report') return;
  const { uncertainAttempts } = claim.attachment;
  if (uncertainAttempts === 0) return;
  const { kind, application } = claim;
  onEvent({
    event: 'possible-duplicate',
    kind,
    reference: application.id,
    copies: uncertainAttempts + 1,
  });
}
