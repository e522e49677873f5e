// What the delivery tells the operator's log: a closed list of events without personal data.

import type { Rejection } from '../funding-service/funding-service.ts';
import type { ChildKind, Claim, Settlement } from './journal.ts';

export type DeliveryEvent =
  | {
      readonly event: 'delivery-recorded';
      readonly kind: Claim['kind'];
      readonly reference: string;
      readonly state: Settlement['state'];
      readonly attempts: number;
    }
  /** A lead may exist under an ApplicationID we do not know; somebody has to find out. */
  | {
      readonly event: 'lead-unconfirmed';
      readonly reference: string;
      /** False: the ID was refused as used although no attempt was left in doubt, as after restoring an old journal. */
      readonly wasExpected: boolean;
    }
  /** The service refused something that is ours to mend, not the applicant's; the row waits and is tried again. */
  | {
      readonly event: 'delivery-refused';
      readonly kind: Claim['kind'];
      readonly reference: string;
      readonly reason: Rejection['reason'];
      /** The service's own name of a field. */
      readonly field?: string | undefined;
    }
  /** Sent as often as may be without anybody knowing whether it arrived; it is kept, and waits for an operator. */
  | {
      readonly event: 'child-held';
      readonly kind: ChildKind;
      readonly reference: string;
      readonly attempts: number;
    }
  /** The service's tracking address is none we would show. */
  | { readonly event: 'tracking-url-refused'; readonly reference: string }
  /** An attempt threw: a fault of ours. */
  | {
      readonly event: 'delivery-broken';
      readonly kind: Claim['kind'];
      readonly reference: string;
      readonly error: unknown;
    }
  /** The journal cannot be read or written. */
  | { readonly event: 'delivery-stalled'; readonly error: unknown };

/** Tells how an attempt ended, once that is recorded. */
export function reportSettlement(
  claim: Claim,
  settlement: Settlement,
  onEvent: (event: DeliveryEvent) => void,
): void {
  const { attempts } = claim.kind === 'application' ? claim.application : claim.child;
  const subject = toSubject(claim);
  onEvent({ event: 'delivery-recorded', ...subject, state: settlement.state, attempts });
  if (settlement.state === 'waiting' && settlement.fault) {
    const { reason, field } = settlement.fault;
    onEvent({ event: 'delivery-refused', ...subject, reason, field });
  }
  if (settlement.state === 'accepted' && settlement.isTrackingUrlRefused) {
    onEvent({ event: 'tracking-url-refused', reference: subject.reference });
  }
  if (settlement.state === 'held' && claim.kind !== 'application') {
    onEvent({ event: 'child-held', ...subject, kind: claim.kind, attempts });
  }
  if (settlement.state === 'unconfirmed') {
    const wasExpected = claim.application.uncertainAttempts > 0;
    onEvent({ event: 'lead-unconfirmed', reference: subject.reference, wasExpected });
  }
}

/** What an event is about; a document or report is named by its application. */
export function toSubject(claim: Claim): {
  readonly kind: Claim['kind'];
  readonly reference: string;
} {
  return { kind: claim.kind, reference: claim.application.id };
}
