// What the journal's rows say, in the words of the program. All times are epoch milliseconds; everything named `sealed…` is
// ciphertext under the application's own key.

import type { FieldError } from '../../shared/application/field-errors.ts';

/**
 * `received` → `sending` → `accepted`, `rejected`, `waiting` (to be sent again), `unconfirmed` (the service may have it, but
 * its id is unknown) or `held` (given up until an operator looks at it). `erased`: its content was erased before the
 * service had confirmed it.
 */
export const applicationStates = [
  'received',
  'sending',
  'waiting',
  'accepted',
  'rejected',
  'unconfirmed',
  'held',
  'erased',
] as const;
export type ApplicationState = (typeof applicationStates)[number];

/** As an application; `receiving`: its pieces are still coming in. A child is sent only once its application is accepted. */
export const childStates = [
  'receiving',
  'received',
  'sending',
  'waiting',
  'accepted',
  'rejected',
  'held',
  'erased',
] as const;
export type ChildState = (typeof childStates)[number];

/** `contact` asks the service to lift a "Do Not Contact" mark; it has no content. */
export const childKinds = ['document', 'asset-report', 'contact'] as const;
export type ChildKind = (typeof childKinds)[number];

/** What is claimed and sent by itself: each kind is one operation of the service. */
export const deliveryKinds = ['application', ...childKinds] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/**
 * `deadline`: 72 hours of attempts are over. `uncertain`: nobody knows whether it arrived. A document or report was sent as
 * often as allowed; an application was refused although an earlier attempt may have created its lead.
 * `interrupted`: the process ended again and again while it was being sent. `unreadable`: its row cannot be read.
 */
export const heldReasons = ['deadline', 'uncertain', 'interrupted', 'unreadable'] as const;
export type HeldReason = (typeof heldReasons)[number];

export interface SessionRow {
  /** Hash of the session's id. */
  readonly id: string;
  /** Of the page that began it. */
  readonly origin: string;
  readonly createdAt: number;
  readonly endedAt: number | undefined;
}

/** An application's own key, wrapped by the data key of that id. */
export interface WrappedKey {
  readonly keyId: string;
  /** Empty once the application was erased: what it had sealed cannot be opened any more. */
  readonly bytes: Uint8Array;
}

/** The key of the application of that id. */
export interface KeptKey {
  readonly applicationId: string;
  readonly key: WrappedKey;
}

/** How much is under one data key. */
export interface KeyUse {
  readonly keyId: string;
  /** How many applications the data key wraps. */
  readonly count: number;
  /** The oldest and the newest of them, in this order; one when there is one only. */
  readonly samples: readonly KeptKey[];
}

export interface NewApplication {
  /** UUIDv7; the lead's ID and the applicant's reference. */
  readonly id: string;
  readonly sessionId: string;
  readonly idempotencyKey: string;
  /** Keyed hash of the request's canonical body. */
  readonly fingerprint: string;
  readonly key: WrappedKey;
  /** The lead exactly as it will be sent. */
  readonly sealedLead: Uint8Array;
  readonly receivedAt: number;
}

/** How far the delivery of a row has come. */
export interface DeliveryProgress {
  readonly attempts: number;
  /** Attempts whose outcome is unknown. */
  readonly uncertainAttempts: number;
  /** Uncertain attempts an operator has looked into. Decisions count only those after them. */
  readonly clearedAttempts: number;
  /** Attempts in a row that ended with the process. */
  readonly interruptions: number;
  /** Since when it is tried; anew after an operator's `retry`. */
  readonly firstAttemptAt: number | undefined;
  /** How the latest recorded attempt ended; a code such as `unknown` or `partner-headers-missing`. */
  readonly lastOutcome: string | undefined;
  readonly heldReason: HeldReason | undefined;
  /** Since when the funding service refuses the row for a reason that an operator has to look into; only while it waits. */
  readonly refusedSince: number | undefined;
}

export interface ApplicationRow extends Omit<NewApplication, 'sealedLead'>, DeliveryProgress {
  readonly state: ApplicationState;
  /** Absent once it was accepted or erased, and after the grace time of a rejection (`retention.rejectedDays`). */
  readonly sealedLead: Uint8Array | undefined;
  /** The service's ApplicationID; only when accepted. */
  readonly serviceId: string | undefined;
  readonly sealedTrackingUrl: Uint8Array | undefined;
  /** What the service refused; only when rejected. */
  readonly errors: readonly FieldError[];
  /** When it was accepted, rejected or erased. */
  readonly finishedAt: number | undefined;
  /** When everything personal was erased. */
  readonly erasedAt: number | undefined;
}

/** Evidence of a consent. The text is the partner's and not personal; the address is. */
export interface ConsentRow {
  readonly id: string;
  readonly applicationId: string;
  readonly consentId: string;
  readonly version: string;
  /** As it was read: the words beside the box, an empty line, the full text. */
  readonly text: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly textHash: string;
  /** The language the form was in; records of earlier versions do not say. */
  readonly locale: string | undefined;
  readonly givenAt: number;
  readonly sealedAddress: Uint8Array | undefined;
}

export interface NewChild {
  readonly id: string;
  readonly applicationId: string;
  readonly kind: ChildKind;
  /** Id of a document category; else empty. */
  readonly category: string;
  readonly createdAt: number;
}

export interface ChildRow extends NewChild, DeliveryProgress {
  readonly state: ChildState;
  /** What a document is called and is (`sealed-name.ts`). Absent before it is complete, and once that is no longer kept. */
  readonly sealedName: Uint8Array | undefined;
  /** Counts the children of one kind from 1, in the order they became complete; 0 before. */
  readonly number: number;
  readonly bytes: number;
  /** The service's DocumentId or assetReportId; only when accepted. */
  readonly serviceId: string | undefined;
  readonly finishedAt: number | undefined;
}

export interface CompletedChild {
  /** Keyed hash of everything that makes two children the same. */
  readonly fingerprint: string;
  readonly bytes: number;
  /** Of a document; default none. */
  readonly sealedName?: Uint8Array | undefined;
  /** How many of its kind one application may have. */
  readonly limit: number;
  /** How many bytes all of its kind may have together; default no matter how many. */
  readonly maxTotalBytes?: number | undefined;
}

/** How many rows of a kind are in a state, and since when the oldest of them is here. One broken row hides no other. */
export interface StateCount {
  /** A kind that cannot be read counts as an application. */
  readonly kind: DeliveryKind;
  readonly state: ApplicationState | ChildState | 'unreadable';
  readonly count: number;
  readonly oldestAt: number;
}
