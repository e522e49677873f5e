// What the store promises: everything an applicant gave, safe on disk before anyone is told so.

import type { FieldError } from '../../shared/application/field-errors.ts';
import type { Refusal } from '../funding-service/funding-service.ts';

/** The right to deliver one row while its lease lasts; what is recorded with a claim that was taken over is ignored. */
export type Claim =
  | {
      readonly kind: 'application';
      readonly fence: number;
      /** By the store's clock, as is the row's `firstAttemptAt`. */
      readonly claimedAt: number;
      readonly application: ApplicationRow;
    }
  | {
      readonly kind: AttachmentKind;
      readonly fence: number;
      readonly claimedAt: number;
      readonly application: ApplicationRow;
      readonly attachment: AttachmentRow;
    };

/** A row that was due and cannot be read; it is `held` from now on, so that it never stands before the others. */
export interface UnreadableRow {
  readonly kind: 'unreadable';
  readonly of: DeliveryKind;
  readonly id: string;
}

export type AttemptResult =
  | {
      readonly state: 'accepted';
      readonly serviceId: string;
      readonly encryptedTrackingUrl?: Uint8Array | undefined;
      /** The tracking address is none we would show; told to the operator, not kept. */
      readonly isTrackingUrlRefused?: boolean;
    }
  | {
      readonly state: 'rejected';
      readonly errors?: readonly FieldError[];
      readonly outcome?: string | undefined;
    }
  /** `isUncertain`: the attempt may have been processed. `fault`: what the service refused and an operator has to mend; not kept. */
  | {
      readonly state: 'waiting';
      readonly delayMs: number;
      readonly isUncertain: boolean;
      readonly outcome?: string | undefined;
      readonly fault?: Refusal | undefined;
    }
  /** Applications only. */
  | { readonly state: 'unconfirmed' }
  | {
      readonly state: 'held';
      readonly reason: HeldReason;
      readonly isUncertain: boolean;
      readonly outcome?: string | undefined;
    };

/** Whether an earlier application holds what is being filed now. */
export type IsSameApplication = (earlier: ApplicationRow) => boolean;

export interface SessionStore {
  addSession(session: SessionRow): Promise<void>;
  findSession(id: string): Promise<SessionRow | undefined>;
  endSession(id: string, at: number): Promise<void>;
}

export interface ApplicationStore {
  /**
   * Adds the application with its consents, unless `takeApplicationByKey` finds one, or this session has an application
   * that is not rejected: then that one is answered and nothing is added.
   */
  addApplication(
    application: NewApplication,
    consents: readonly ConsentRow[],
    isSame?: IsSameApplication,
  ): Promise<
    | { readonly kind: 'added'; readonly application: ApplicationRow }
    | { readonly kind: 'same-key' | 'other-live'; readonly application: ApplicationRow }
  >;
  findApplication(id: string): Promise<ApplicationRow | undefined>;
  /**
   * The application that this session filed under the key. Else one that was filed under it in another session of the same
   * origin and `isSame`, because that session may have ended before its browser heard the answer: it moves to this
   * session, unless this one has an application that is not rejected.
   */
  findOrMoveApplication(
    sessionId: string,
    idempotencyKey: string,
    isSame: IsSameApplication,
  ): Promise<ApplicationRow | undefined>;
  /** The session's application that is not rejected; else the one added last. Erased ones are never found. */
  findCurrentApplication(sessionId: string): Promise<ApplicationRow | undefined>;
  listConsents(applicationId: string): Promise<readonly ConsentRow[]>;
}

export interface AttachmentStore {
  /**
   * Begins a child, unless the application was refused or erased meanwhile, or has `limit` or more of its kind, incomplete
   * ones included and rejected ones not.
   */
  beginAttachment(
    attachment: NewAttachment,
    limit: number,
  ): Promise<'begun' | 'limit-reached' | 'closed'>;
  /** Adds piece `number`, counted from 0; false when the child was dropped meanwhile. */
  addChunk(attachmentId: string, number: number, encrypted: Uint8Array): Promise<boolean>;
  readChunk(attachmentId: string, number: number): Promise<Uint8Array | undefined>;
  /**
   * Makes a child ready to be sent. When the application has the same one already (and it is not rejected), or `limit`
   * others, or others that leave too little of `maxTotalBytes`, the new one is dropped with its pieces. `dropped`: that had
   * happened before.
   */
  completeAttachment(
    attachmentId: string,
    completed: CompletedAttachment,
  ): Promise<
    | { readonly kind: 'added' | 'same'; readonly attachment: AttachmentRow }
    | { readonly kind: 'limit-reached' | 'space-exhausted' | 'dropped' }
  >;
  /** Drops an incomplete child and its pieces, a few at a time, so that nothing else waits long. */
  discardAttachment(attachmentId: string): Promise<void>;
  /**
   * Adds a wish to be contacted, ready to be sent, with the consent that was given for it. `pending`: one is still on its
   * way, and only the consent was added. `closed`: the application was refused or erased; nothing was added.
   */
  addContactRequest(
    contact: Pick<NewAttachment, 'id' | 'applicationId' | 'createdAt'>,
    consent: ConsentRow,
  ): Promise<
    | { readonly kind: 'added' | 'pending'; readonly attachment: AttachmentRow }
    | { readonly kind: 'closed' }
  >;
  findAttachment(id: string): Promise<AttachmentRow | undefined>;
  /** Complete children in the order of their numbers. */
  listAttachments(applicationId: string, kind: AttachmentKind): Promise<readonly AttachmentRow[]>;
}

/** Leases and pauses are counted by the store's own clock, which several processes share. */
export interface ClaimStore {
  /** Whether other processes deliver from this store too. */
  readonly isShared: boolean;
  /**
   * Takes over what an ended process left behind, where no other process can be at it: rows found `sending` may be claimed
   * at once (after several interruptions in a row, a little later), incomplete children are dropped.
   */
  recover(): Promise<void>;
  /**
   * Claims the next row of the kind that is due: new, waiting with its pause over, or found `sending` with its lease over,
   * which counts as an uncertain attempt. A row whose time lies further ahead than any pause is due as well: the clock was
   * set back. What was never tried comes first. Children only of accepted applications, and of one kind only one at a time for
   * each application (where several processes claim in the same moment, as many as these).
   *
   * @param id claims this row only, if it is due.
   */
  claimDue(
    kind: DeliveryKind,
    leaseMs: number,
    id?: string,
  ): Promise<Claim | UnreadableRow | undefined>;
  extendLease(claim: Claim, leaseMs: number): Promise<void>;
  /**
   * Records how an attempt ended; false when the claim was taken over. `accepted` is taken all the same while nothing else is
   * decided, because it stays true after another worker has claimed the row. Recording it twice does no harm. `accepted` erases the lead or the pieces that
   * were sent. `rejected` keeps them for the grace time of `purge`; a rejected application rejects its attachments too.
   */
  recordResult(claim: Claim, result: AttemptResult): Promise<boolean>;
  /** Milliseconds until the next row of one of the kinds becomes due, 0 or less when one is; `undefined` when none waits. */
  findNextDueMs(kinds: readonly DeliveryKind[]): Promise<number | undefined>;
}

/** What an operator asks and orders. */
export interface OperatorStore {
  countStates(): Promise<readonly StateCount[]>;
  /** Applications and attachments that are held, unconfirmed or refused, oldest first; at most `limit` of each sort. */
  listRowsNeedingOperator(limit: number): Promise<
    readonly {
      readonly kind: DeliveryKind;
      readonly state: string;
      readonly reference: string;
      readonly since: number;
      readonly heldReason: string | undefined;
      readonly lastOutcome: string | undefined;
    }[]
  >;
  /**
   * How many rows of a kind wait because the funding service refuses them (a text we do not know, our headers, an address
   * that is not there), and since when the oldest is refused. Kinds without such rows are left out.
   */
  countRefused(): Promise<readonly StateCount[]>;
  /**
   * The reference behind a row of the kind that came in at this time and is still to be delivered: received, being sent
   * or waiting; of several any one.
   *
   * @param since epoch milliseconds.
   */
  findWaitingReference(kind: DeliveryKind, since: number): Promise<string | undefined>;
  /**
   * Makes an application's held rows, and those that wait, due at once, with 72 hours before them again. What is sent
   * uncertainly counts anew. Answers how many rows.
   */
  retry(applicationId: string): Promise<number>;
  /**
   * Sends again what was rejected and still has its content: the application with its attachments, or a single attachment of
   * an accepted application. `superseded`: the applicant has another application in the same session, `by` its reference;
   * nothing was changed, since sending both would create two leads.
   */
  retryRejected(
    applicationId: string,
  ): Promise<
    | { readonly kind: 'retried'; readonly rows: number }
    | { readonly kind: 'superseded'; readonly by: string }
  >;
  /** As `retry`, for every row that is held. */
  retryHeld(): Promise<number>;
  /**
   * Records the ApplicationID of an application that may exist at the service: one that is unconfirmed, held or waiting, and
   * not being sent just now. False when it is in none of these states. Its lead is erased, its children go out.
   */
  resolve(applicationId: string, serviceId: string): Promise<boolean>;
  /**
   * Erases everything personal of one application, whatever its state, and ends what was not delivered. `sending`: refused
   * while one of its rows is being sent.
   */
  erase(applicationId: string): Promise<'erased' | 'sending' | 'not-found'>;
  /** Each data key that wraps applications; erased ones have no key any more. */
  listDataKeyUse(): Promise<readonly DataKeyUse[]>;
  /** The next wrapped keys, at most `limit`, that are wrapped by another data key than this. */
  listKeysToRewrap(keyId: string, limit: number): Promise<readonly ApplicationKey[]>;
  /** Puts a key in the place of the one it was made from; false when that one is gone. */
  replaceKey(applicationId: string, from: WrappedKey, to: WrappedKey): Promise<boolean>;
}

/** How long things are kept; each counted from the moment the row says. */
export interface RetentionPolicy {
  /** File names and tracking addresses of what is finished. */
  readonly recordMs: number;
  /** Applications the service never confirmed, from their receipt. */
  readonly undeliveredMs: number;
  /** The content of what was rejected, from the rejection on. */
  readonly rejectedMs: number;
  /** Consents and the tombstones of applications, from their receipt. */
  readonly evidenceMs: number;
  /** Pieces of uploads that broke off without a word, and sessions without an application. */
  readonly abandonedMs: number;
}

export interface PurgeResult {
  /** Applications that were erased although the service never confirmed them. */
  readonly undelivered: readonly string[];
  /** Rows of any table that are gone or emptied. */
  readonly rows: number;
}

export interface RetentionStore {
  /** Erases what the policy no longer allows; safe to run in several processes at once. */
  purge(policy: RetentionPolicy): Promise<PurgeResult>;
  /**
   * Overwrites on the disk what was erased since the last time, as far as the engine can; false when another process reads
   * just now, and it has to be asked again.
   */
  scrub(): Promise<boolean>;
}

/** What a store knows about itself. */
export interface StoreIdentity {
  /** A UUID, written once when the store was created. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Since the store was created, also those whose rows were deleted since. On PostgreSQL it may be a little too high. */
  readonly applicationsReceived: number;
}

/** Every promise that resolves means: committed, and on the disk. Nothing here is ever held open across two calls. */
export interface Store
  extends
    SessionStore,
    ApplicationStore,
    AttachmentStore,
    ClaimStore,
    OperatorStore,
    RetentionStore {
  /** True when this opening created the store. */
  readonly isNew: boolean;
  readIdentity(): Promise<StoreIdentity>;
  /** Proves that something can be committed, with room to spare. */
  check(): Promise<void>;
  close(): Promise<void>;
}

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
export const attachmentStates = [
  'receiving',
  'received',
  'sending',
  'waiting',
  'accepted',
  'rejected',
  'held',
  'erased',
] as const;
export type AttachmentState = (typeof attachmentStates)[number];

/** `contact` asks the service to lift a "Do Not Contact" mark; it has no content. */
export const attachmentKinds = ['document', 'asset-report', 'contact'] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

/** What is claimed and sent by itself: each kind is one operation of the service. */
export const deliveryKinds = ['application', ...attachmentKinds] as const;
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
export interface ApplicationKey {
  readonly applicationId: string;
  readonly key: WrappedKey;
}

/** How much is under one data key. */
export interface DataKeyUse {
  readonly keyId: string;
  /** How many applications the data key wraps. */
  readonly count: number;
  /** The oldest and the newest of them, in this order; one when there is one only. */
  readonly samples: readonly ApplicationKey[];
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
  readonly encryptedLead: Uint8Array;
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

export interface ApplicationRow extends Omit<NewApplication, 'encryptedLead'>, DeliveryProgress {
  readonly state: ApplicationState;
  /** Absent once it was accepted or erased, and after the grace time of a rejection (`retention.rejectedDays`). */
  readonly encryptedLead: Uint8Array | undefined;
  /** The service's ApplicationID; only when accepted. */
  readonly serviceId: string | undefined;
  readonly encryptedTrackingUrl: Uint8Array | undefined;
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
  readonly encryptedAddress: Uint8Array | undefined;
}

export interface NewAttachment {
  readonly id: string;
  readonly applicationId: string;
  readonly kind: AttachmentKind;
  /** Id of a document category; else empty. */
  readonly category: string;
  readonly createdAt: number;
}

export interface AttachmentRow extends NewAttachment, DeliveryProgress {
  readonly state: AttachmentState;
  /** What a document is called and is (`sealed-name.ts`). Absent before it is complete, and once that is no longer kept. */
  readonly encryptedName: Uint8Array | undefined;
  /** Counts the children of one kind from 1, in the order they became complete; 0 before. */
  readonly number: number;
  readonly bytes: number;
  /** The service's DocumentId or assetReportId; only when accepted. */
  readonly serviceId: string | undefined;
  readonly finishedAt: number | undefined;
}

export interface CompletedAttachment {
  /** Keyed hash of everything that makes two children the same. */
  readonly fingerprint: string;
  readonly bytes: number;
  /** Of a document; default none. */
  readonly encryptedName?: Uint8Array | undefined;
  /** How many of its kind one application may have. */
  readonly limit: number;
  /** How many bytes all of its kind may have together; default no matter how many. */
  readonly maxTotalBytes?: number | undefined;
}

/** How many rows of a kind are in a state, and since when the oldest of them is here. One broken row hides no other. */
export interface StateCount {
  /** A kind that cannot be read counts as an application. */
  readonly kind: DeliveryKind;
  readonly state: ApplicationState | AttachmentState | 'unreadable';
  readonly count: number;
  readonly oldestAt: number;
}
