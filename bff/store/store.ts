// The storage contract: the rows, their states, and the operations. Rows are validated like any other input.

import * as z from 'zod/mini';
import { type FieldError, fieldErrorSchema } from '../../shared/application/field-errors.ts';
import type { Settings } from '../config/settings.ts';
import { compileSchema } from '../runtime/compile-schema.ts';
import { tryParseJson } from '../runtime/json.ts';
import type { ContentFiles } from './content-files.ts';

/**
 * The states of a row.
 *
 * - `receiving` (attachments): the upload is not complete.
 * - `received`: stored, never sent. Attachments wait until their application is accepted.
 * - `sending`: a worker has a lease on the row.
 * - `waiting`: an attempt failed, and the row is sent again after a delay.
 * - `accepted`: the funding service has the row, and its id there is known.
 * - `rejected`: the funding service refused a value that the applicant can correct.
 * - `unconfirmed` (applications): the funding service has the application, and its ApplicationID is unknown.
 * - `held`: needs an operator before it continues.
 * - `erased`: the content was erased before the funding service accepted the row.
 */
const deliveryStates = ['received', 'sending', 'waiting', 'accepted', 'rejected'] as const;
export const applicationStates = [...deliveryStates, 'unconfirmed', 'held', 'erased'] as const;
export const attachmentStates = ['receiving', ...deliveryStates, 'held', 'erased'] as const;

/** `contact` is a contact request (Contact User). It has no content. */
export const attachmentKinds = ['document', 'bank-report', 'contact'] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

/** Each kind is sent by one operation of the funding service. */
export const deliveryKinds = ['application', ...attachmentKinds] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/**
 * - `deadline`: 72 hours of attempts have passed.
 * - `uncertain`: it is unknown whether the row arrived. A document or bank report was sent as often as allowed, or an
 *   application was refused although an earlier attempt may have created its lead.
 * - `interrupted`: the process ended during several attempts in a row.
 * - `unreadable`: the row has invalid values.
 */
const heldReasons = ['deadline', 'uncertain', 'interrupted', 'unreadable'] as const;
export type HeldReason = (typeof heldReasons)[number];

export const blob: z.ZodMiniType<Uint8Array> = z.instanceof(Uint8Array);

/** A column that may be null, which becomes `undefined`. */
function optional<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.pipe(
    z.nullable(schema),
    z.transform((value) => value ?? undefined),
  );
}

/** A column that is 0 or 1. */
const flag = z.pipe(
  z.int(),
  z.transform((value) => value === 1),
);

/** The schemas name columns in camelCase. */
export const sessionSchema = z.object({
  /** Hash of the session id. */
  id: z.string(),
  /** Origin of the page that began the session. */
  origin: z.string(),
  createdAt: z.int(),
  endedAt: optional(z.int()),
  /** `upload`: a phone session, which can only upload documents for the application of its handoff. */
  scope: z.enum(['application', 'upload']),
});
export type SessionRow = Readonly<z.infer<typeof sessionSchema>>;
/** A session that the store may not have yet. An anonymous session has no row, so that starting one writes nothing. */
export type NewSession = Pick<SessionRow, 'id' | 'origin' | 'createdAt'>;

/** The key of one application, wrapped by a data key. */
export interface WrappedKey {
  /** Id of the data key in DATA_KEYS. */
  readonly keyId: string;
  /** Empty once the application is erased: nothing can be decrypted any more. */
  readonly bytes: Uint8Array;
}

export const progressSchema = z.object({
  attempts: z.int(),
  /** Attempts whose outcome is unknown. */
  uncertainAttempts: z.int(),
  /** Uncertain attempts before an operator's latest retry. Retry decisions count only later ones. */
  clearedAttempts: z.int(),
  /** Latest attempts in a row that ended with the process. */
  interruptions: z.int(),
  /** Start of the 72 hours of attempts. An operator's retry resets it. */
  firstAttemptAt: optional(z.int()),
  /** Code of the latest recorded outcome, such as `unknown` or `partner-headers-missing`. */
  lastOutcome: optional(z.string()),
  heldReason: optional(z.enum(heldReasons)),
  /** Since when the funding service refuses the row for a reason that an operator must fix. Set only while the row waits. */
  refusedSince: optional(z.int()),
});
/** The state of the delivery of a row. */
export type DeliveryProgress = Readonly<z.infer<typeof progressSchema>>;

export const applicationSchema = z.pipe(
  compileSchema(
    z.object({
      ...progressSchema.shape,
      /** UUIDv7. The ID of the lead, and the reference that the applicant sees. */
      id: z.string(),
      sessionId: z.string(),
      idempotencyKey: z.string(),
      /** Keyed hash of the canonical request body. */
      fingerprint: z.string(),
      state: z.enum(applicationStates),
      keyId: z.string(),
      wrappedKey: blob,
      /**
       * The JSON of Create Lead, byte for byte as it is sent. Absent once the application is accepted or erased, or
       * `retention.rejectedDays` after a rejection.
       */
      encryptedLead: optional(blob),
      receivedAt: z.int(),
      /** The campaign of the lead, if the settings name it. For events. */
      campaignId: optional(z.string()),
      /** The masked name of the business, which a phone shows in a handoff. Absent once no session can use it. */
      encryptedBusinessName: optional(blob),
      /** ApplicationID of an accepted application. */
      serviceId: optional(z.string()),
      encryptedTrackingUrl: optional(blob),
      /** Fields that the funding service refused. Empty unless rejected. */
      errors: z.pipe(z.pipe(z.string(), z.transform(tryParseJson)), z.array(fieldErrorSchema)),
      /** When the application was accepted, rejected, or erased. */
      finishedAt: optional(z.int()),
      /** When all personal data was erased. */
      erasedAt: optional(z.int()),
    }),
  ),
  z.transform(({ keyId, wrappedKey, ...row }) => ({ ...row, key: { keyId, bytes: wrappedKey } })),
);
export type ApplicationRow = Readonly<z.infer<typeof applicationSchema>>;
export type NewApplication = Pick<
  ApplicationRow,
  'id' | 'idempotencyKey' | 'fingerprint' | 'key' | 'receivedAt'
> & {
  /** Added together with its first application. */
  readonly session: NewSession;
  readonly encryptedLead: Uint8Array;
  readonly encryptedBusinessName?: Uint8Array | undefined;
  readonly campaignId?: string | undefined;
};

/** Evidence of a consent. */
export const consentSchema = z.object({
  id: z.string(),
  applicationId: z.string(),
  consentId: z.string(),
  version: z.string(),
  /** The text that the applicant saw: label, empty line, full text. */
  text: z.string(),
  /** SHA-256 of `text`, hexadecimal. */
  textHash: z.string(),
  /** Language of the form. */
  locale: z.string(),
  givenAt: z.int(),
  /** IP address of the applicant. */
  encryptedAddress: optional(blob),
});
export type ConsentRow = Readonly<z.infer<typeof consentSchema>>;

export const attachmentSchema = z.object({
  ...progressSchema.shape,
  id: z.string(),
  applicationId: z.string(),
  kind: z.enum(attachmentKinds),
  /** Id of a document category. Empty for other kinds. */
  category: z.string(),
  /** False while a document has a default category, because the applicant has not chosen one. */
  isCategoryChosen: flag,
  createdAt: z.int(),
  state: z.enum(attachmentStates),
  /** Name of a complete document, until `retention.recordDays` have passed. */
  encryptedName: optional(blob),
  /** Number among the complete attachments of its kind, from 1. 0 before the attachment is complete. */
  number: z.int(),
  bytes: z.int(),
  /** The earliest delivery, by the clock of the store. Until then, the applicant can change or remove a document. */
  releaseAt: optional(z.int()),
  /** DocumentId or assetReportId of an accepted attachment. */
  serviceId: optional(z.string()),
  /** The handoff whose phone sent it. */
  handoffId: optional(z.string()),
  /** When the attachment was accepted, rejected, or erased. */
  finishedAt: optional(z.int()),
});
export type AttachmentRow = Readonly<z.infer<typeof attachmentSchema>>;
export type NewAttachment = Pick<
  AttachmentRow,
  'id' | 'applicationId' | 'kind' | 'category' | 'createdAt'
> & { readonly handoffId?: string | undefined };

export const handoffSchema = z.object({
  id: z.string(),
  applicationId: z.string(),
  /** The session of the desktop. */
  sessionId: z.string(),
  /** See `HandoffState`. The store does not record that time has ended a handoff: see `toHandoffState`. */
  state: z.enum([
    'waiting',
    'claimed',
    'connected',
    'wrong-number',
    'declined',
    'revoked',
    'ended',
  ]),
  /** Two digits. The desktop shows it. */
  number: z.string(),
  /** The numbers from which the phone picks, in the order in which it shows them. */
  choices: z.pipe(z.pipe(z.string(), z.transform(tryParseJson)), z.array(z.string())),
  /** When the current state ends by itself. */
  expiresAt: z.int(),
  /** When the handoff ends at the latest. */
  endsAt: z.int(),
  /** The session of the phone. Set once a phone has claimed the handoff. */
  phoneSessionId: optional(z.string()),
});
export type HandoffRow = Readonly<z.infer<typeof handoffSchema>>;
export type NewHandoff = Pick<
  HandoffRow,
  'id' | 'applicationId' | 'sessionId' | 'number' | 'choices' | 'endsAt'
> & { readonly tokenHash: string; readonly codeHash: string };
/** The hash of the token or of the code, which a phone sends to claim a handoff. */
export type HandoffSecret = { readonly tokenHash: string } | { readonly codeHash: string };

export interface CompletedAttachment {
  /** Keyed hash. Two attachments of an application with the same fingerprint are the same attachment. */
  readonly fingerprint: string;
  readonly bytes: number;
  readonly encryptedName?: Uint8Array | undefined;
  /** Maximum attachments of this kind per application. */
  readonly limit: number;
  /** Maximum bytes of all attachments of this kind per application. Default: unlimited. */
  readonly maxTotalBytes?: number | undefined;
  /** Milliseconds until the earliest delivery. Default 0. */
  readonly holdMs?: number | undefined;
  /** False if the category is a default. Default true. */
  readonly isCategoryChosen?: boolean | undefined;
}

/** `sent`: the attachment was sent before, or is being sent, so the request had no effect. */
export type AttachmentChange =
  | { readonly kind: 'changed'; readonly attachment: AttachmentRow }
  | { readonly kind: 'sent' | 'not-found' };

/** A lease on one row. Results that are recorded with a stale fencing token are ignored. */
export type Claim =
  | (Lease & { readonly kind: 'application' })
  | (Lease & { readonly kind: AttachmentKind; readonly attachment: AttachmentRow });

interface Lease {
  readonly fencingToken: number;
  /** By the clock of the store, like the row's `firstAttemptAt`. */
  readonly claimedAt: number;
  readonly application: ApplicationRow;
}

/** A due row that has invalid values. The store has set it to `held`, so that it blocks no other row. */
interface UnreadableRow {
  readonly kind: 'unreadable';
  readonly deliveryKind: DeliveryKind;
  readonly id: string;
}

/** The result of a delivery attempt. `outcome` is a code for the operator; it becomes the row's `lastOutcome`. */
export type AttemptResult =
  | {
      readonly state: 'accepted';
      readonly serviceId: string;
      readonly encryptedTrackingUrl?: Uint8Array | undefined;
    }
  | {
      readonly state: 'rejected';
      readonly errors?: readonly FieldError[];
      readonly outcome?: string | undefined;
    }
  | {
      readonly state: 'waiting';
      /** Time until the next attempt. */
      readonly delayMs: number;
      /** True when the funding service may have processed the attempt. */
      readonly isUncertain: boolean;
      /** True when the funding service refused the row for a reason that an operator must fix. Default false. */
      readonly isRefused?: boolean;
      readonly outcome?: string | undefined;
    }
  /** Applications only. */
  | { readonly state: 'unconfirmed' }
  | {
      readonly state: 'held';
      readonly reason: HeldReason;
      readonly isUncertain: boolean;
      readonly outcome?: string | undefined;
    };

/** Decides whether an application of another session is the one that is submitted again. */
export type IsSameApplication = (earlier: ApplicationRow) => boolean;

/** The application that was added, or the one that exists. */
export interface AddedApplication {
  readonly kind: 'added' | 'same-key' | 'other-active';
  readonly application: ApplicationRow;
  /** The lease on an added row. */
  readonly claim?: Claim | undefined;
}

/** An application is active while it is neither rejected nor erased. A session has at most one active application. */
export interface ApplicationStore {
  /**
   * Finds a session with its current application: the active one, else the latest rejected one. An anonymous session, which has
   * submitted nothing, is not in the store.
   */
  findSession(
    id: string,
  ): Promise<(SessionRow & { readonly application: ApplicationRow | undefined }) | undefined>;
  /** Also revokes the handoffs of the session. Adds an anonymous session, so that no copy of its cookie can be used any more. */
  endSession(session: NewSession, at: number): Promise<void>;
  /**
   * Adds the application, its session, and its consents. Adds nothing and returns the existing application when
   * `findOrMoveApplication` finds one (`same-key`), or when the session has an active one (`other-active`).
   *
   * @param isSame Default: never.
   * @param leaseMs Adds the row in state `sending`, with a lease of this length. The caller must send it. Default: the row is
   * `received`, and due.
   */
  addApplication(
    application: NewApplication,
    consents: readonly ConsentRow[],
    isSame?: IsSameApplication,
    leaseMs?: number,
  ): Promise<AddedApplication>;
  findApplication(id: string): Promise<ApplicationRow | undefined>;
  /**
   * Finds the session's application with this idempotency key. If the session has none, and no active application, moves a
   * matching application (`isSame`) with this key from another session of the same origin to this session: that session may
   * have ended before the browser received the response.
   */
  findOrMoveApplication(
    session: NewSession,
    idempotencyKey: string,
    isSame: IsSameApplication,
  ): Promise<ApplicationRow | undefined>;
  listConsents(applicationId: string): Promise<readonly ConsentRow[]>;
}

export interface AttachmentStore {
  /**
   * Adds an incomplete attachment.
   *
   * - `closed`: the application was rejected or erased meanwhile.
   * - `limit-reached`: the application has `limit` attachments of this kind. Incomplete ones count, rejected ones do not.
   */
  beginAttachment(
    attachment: NewAttachment,
    limit: number,
  ): Promise<'begun' | 'limit-reached' | 'closed'>;
  /** @param number From 0. @returns false when the attachment was discarded meanwhile. */
  addChunk(attachmentId: string, number: number, encrypted: Uint8Array): Promise<boolean>;
  readChunk(attachmentId: string, number: number): Promise<Uint8Array | undefined>;
  /** Undefined: the content of attachments is in rows only. */
  readonly contentFiles: ContentFiles | undefined;
  /**
   * Makes an attachment ready for delivery, or discards it with its chunks.
   *
   * - `same`: the application has the same attachment already, not rejected or erased. That one is returned.
   * - `limit-reached`, `size-limit-reached`: see `CompletedAttachment`.
   * - `discarded`: the attachment was discarded before.
   */
  completeAttachment(
    attachmentId: string,
    completed: CompletedAttachment,
  ): Promise<
    | { readonly kind: 'added' | 'same'; readonly attachment: AttachmentRow }
    | { readonly kind: 'limit-reached' | 'size-limit-reached' | 'discarded' }
  >;
  /**
   * Sets the category of a document that was never sent, and postpones its earliest delivery to `holdMs` from now.
   *
   * @param number counts the documents of the application from 1.
   * @param handoffId finds only documents that the phone of this handoff sent.
   */
  changeCategory(
    applicationId: string,
    number: number,
    category: string,
    holdMs: number,
    handoffId?: string,
  ): Promise<AttachmentChange>;
  /**
   * Erases a document that was never sent: its content and its name. The row stays as `erased`, so that no other document gets
   * its number. Erasing it again has no further effect.
   *
   * @param handoffId finds only documents that the phone of this handoff sent.
   */
  withdrawDocument(
    applicationId: string,
    number: number,
    handoffId?: string,
  ): Promise<AttachmentChange>;
  /** Deletes an incomplete attachment and its chunks, in small transactions. */
  discardAttachment(attachmentId: string): Promise<void>;
  /**
   * Adds a contact request, ready for delivery, and its consent.
   *
   * - `pending`: an earlier contact request is not delivered yet. Only the consent was added.
   * - `closed`: the application was rejected or erased. Nothing was added.
   */
  addContactRequest(
    request: Pick<NewAttachment, 'id' | 'applicationId' | 'createdAt'>,
    consent: ConsentRow,
  ): Promise<
    | { readonly kind: 'added' | 'pending'; readonly attachment: AttachmentRow }
    | { readonly kind: 'closed' }
  >;
  findAttachment(id: string): Promise<AttachmentRow | undefined>;
  /** Complete attachments, ordered by number. */
  listAttachments(applicationId: string, kind: AttachmentKind): Promise<readonly AttachmentRow[]>;
}

/** The times are those of the caller, in epoch milliseconds. */
export interface HandoffStore {
  /**
   * Adds a handoff, and revokes earlier ones of the application.
   *
   * @returns `undefined` if the application was rejected or erased.
   */
  addHandoff(handoff: NewHandoff, at: number): Promise<HandoffRow | undefined>;
  /** Finds the latest handoff of an application, in any state. */
  findLatestHandoff(applicationId: string): Promise<HandoffRow | undefined>;
  /** Finds the handoff that a phone session belongs to, in any state. */
  findPhoneHandoff(phoneSessionId: string): Promise<HandoffRow | undefined>;
  /**
   * Claims a waiting handoff, and adds the phone session. Of several concurrent claims, one succeeds. Otherwise nothing changes.
   *
   * @param phoneSession `createdAt` is the time of the claim.
   */
  claimHandoff(
    secret: HandoffSecret,
    phoneSession: NewSession,
  ): Promise<{ readonly isClaimed: boolean; readonly handoff: HandoffRow | undefined }>;
  /** Connects a claimed handoff, or ends it if the number is wrong. Returns the handoff, unchanged if it is not claimed. */
  confirmHandoff(id: string, number: string, at: number): Promise<HandoffRow | undefined>;
  /** Restarts the idle time of a connected handoff. */
  extendHandoff(handoff: HandoffRow, at: number): Promise<HandoffRow>;
  /** @returns false when the handoff had ended before. */
  endHandoff(id: string, state: 'declined' | 'revoked' | 'ended'): Promise<boolean>;
}

/** Leases and delays use the clock of the store, because the clocks of several machines differ. */
export interface ClaimStore {
  /** True when several processes can use the store. */
  readonly isShared: boolean;
  /**
   * Releases the rows of an earlier process, unless the store is shared: rows in state `sending` become due at once (after
   * several interruptions in a row: a little later), incomplete attachments are deleted, and events are sent again.
   */
  recover(): Promise<void>;
  /**
   * Takes a lease on the next due row of the kind: a new row, a waiting row whose delay is over, or a row in state `sending`
   * whose lease expired (which counts as an uncertain attempt). New rows come first. A row that is due later than any delay
   * allows is due as well, because the clock was set back.
   *
   * Attachments become due once their application is accepted, and one attachment of a kind per application is sent at a time
   * (processes that claim at the same moment can exceed this).
   *
   * @param id Claims only this row, if it is due.
   */
  claimDue(
    kind: DeliveryKind,
    leaseMs: number,
    id?: string,
  ): Promise<Claim | UnreadableRow | undefined>;
  /** @returns false when the row has a result, or another worker owns it. */
  extendLease(claim: Claim, leaseMs: number): Promise<boolean>;
  /**
   * Records the result of an attempt. Recording a result twice has no further effect.
   *
   * `accepted` erases the content that was sent. It is recorded even with a stale fencing token while the row is not
   * finished, because the acceptance stays true. `rejected` keeps the content for
   * `retention.rejectedDays`, and rejects the attachments of an application as well.
   *
   * @returns false when the result was ignored, because another worker owns the row.
   */
  recordResult(claim: Claim, result: AttemptResult): Promise<boolean>;
  /** Milliseconds until the next row of these kinds is due (0 or less: now); `undefined` when no row waits. */
  findNextDueMs(kinds: readonly DeliveryKind[]): Promise<number | undefined>;
}

export const stateCountSchema = z.object({
  /** An invalid kind counts as `application`. */
  // oxlint-disable-next-line promise/valid-params -- `z.catch` belongs to the schema, not to a promise.
  kind: z.catch(z.enum(deliveryKinds), 'application'),
  /** `unreadable`: the state is invalid. Such rows are counted, because they must not hide the others. */
  // oxlint-disable-next-line promise/valid-params -- `z.catch` belongs to the schema, not to a promise.
  state: z.catch(z.enum([...applicationStates, ...attachmentStates, 'unreadable']), 'unreadable'),
  count: z.int(),
  /** When the oldest of these rows was received. `undefined` for finished rows. */
  oldestAt: optional(z.int()),
});
/** Rows of one kind in one state. */
export type StateCount = Readonly<z.infer<typeof stateCountSchema>>;

export const applicationKeySchema = z.pipe(
  z.object({ id: z.string(), keyId: z.string(), wrappedKey: blob }),
  z.transform(({ id, keyId, wrappedKey }) => ({
    applicationId: id,
    key: { keyId, bytes: wrappedKey },
  })),
);
/** The key of an application, with the application's id. */
export type ApplicationKey = Readonly<z.infer<typeof applicationKeySchema>>;

/** The oldest or the newest application whose key one data key wraps. */
export interface DataKeySample extends ApplicationKey {
  /** Applications whose keys the data key wraps. */
  readonly count: number;
}

/** A row that is held, unconfirmed, or refused. */
export const rowNeedingOperatorSchema = z.object({
  kind: z.enum(deliveryKinds),
  state: z.string(),
  reference: z.string(),
  /** When the row was received. */
  since: z.int(),
  heldReason: optional(z.string()),
  lastOutcome: optional(z.string()),
});
export type RowNeedingOperator = Readonly<z.infer<typeof rowNeedingOperatorSchema>>;

export const referenceMatchSchema = z.object({
  reference: z.string(),
  receivedAt: z.int(),
  state: z.string(),
});
/** An application with a certain short reference. */
export type ReferenceMatch = Readonly<z.infer<typeof referenceMatchSchema>>;

/** Queries and commands for operators. */
export interface OperatorStore {
  /** All applications with a short reference such as `7K4-92M`, oldest first. Usually one. */
  findReferences(shortReference: string): Promise<readonly ReferenceMatch[]>;
  countStates(): Promise<readonly StateCount[]>;
  /** Waiting rows that the funding service refuses (`refusedSince`). `oldestAt` is the earliest `refusedSince`. */
  countRefused(): Promise<readonly StateCount[]>;
  /** Rows that are held, unconfirmed, or refused: at most `limit` of each, oldest first. */
  listRowsNeedingOperator(limit: number): Promise<readonly RowNeedingOperator[]>;
  /** The reference of an undelivered row (`received`, `sending` or `waiting`) of the kind that was received at `receivedAt`. */
  findWaitingReference(kind: DeliveryKind, receivedAt: number): Promise<string | undefined>;
  /**
   * Makes the held and waiting rows of an application due at once, for another 72 hours. Uncertain attempts so far no longer
   * count against the limit.
   *
   * @returns the number of rows.
   */
  retry(applicationId: string): Promise<number>;
  /** Does the same for all held rows. */
  retryHeld(): Promise<number>;
  /**
   * Sends rejected rows again that still have their content: the application with its attachments, or attachments of an
   * accepted application. `superseded`: the session has another active application, `by` its reference. Nothing was changed,
   * because sending both would create two leads.
   */
  retryRejected(
    applicationId: string,
  ): Promise<
    | { readonly kind: 'retried'; readonly rows: number }
    | { readonly kind: 'superseded'; readonly by: string }
  >;
  /**
   * Accepts an application that an operator found at the funding service, and erases its lead.
   *
   * @returns false unless the application is unconfirmed, held, or waiting.
   */
  resolve(applicationId: string, serviceId: string): Promise<boolean>;
  /**
   * Accepts an attachment that an operator found at the funding service, and erases its content.
   *
   * @param serviceId DocumentId or assetReportId, or empty if it is unknown.
   * @returns false unless the application has such an attachment, and it is held or waiting.
   */
  resolveAttachment(
    applicationId: string,
    kind: AttachmentKind,
    number: number,
    serviceId: string,
  ): Promise<boolean>;
  /**
   * Erases all personal data of an application in any state, and cancels what was not delivered. `sending`: nothing was
   * erased, because one of the rows is being sent.
   */
  erase(applicationId: string): Promise<'erased' | 'sending' | 'not-found'>;
  /** The oldest and the newest application of each data key in use, oldest first. Erased applications have no key. */
  listDataKeySamples(): Promise<readonly DataKeySample[]>;
  /** Keys that another data key than `keyId` wraps, oldest first. */
  listKeysToRewrap(keyId: string, limit: number): Promise<readonly ApplicationKey[]>;
  /** @returns false when the application's key is no longer `from`. */
  replaceKey(applicationId: string, from: WrappedKey, to: WrappedKey): Promise<boolean>;
}

/** The receivers of events: WEBHOOK_URL, and the hook `onStatus`. */
export const eventConsumers = ['webhook', 'hook'] as const;
export type EventConsumer = (typeof eventConsumers)[number];

/** A consumer as one process knows it. */
export interface EventReceiver {
  readonly name: EventConsumer;
  /** Identifies the address. Processes with another WEBHOOK_URL have another target. */
  readonly target: string;
}

/** The states of an application or of an attachment that are events. */
const eventStatuses = [
  'received',
  'accepted',
  'rejected',
  'unconfirmed',
  'held',
  'erased',
] as const;

export const eventSchema = z.object({
  applicationId: z.string(),
  /** Counts the events of an application for this consumer, from 1. */
  sequence: z.int(),
  id: z.string(),
  kind: z.enum(deliveryKinds),
  status: z.enum(eventStatuses),
  /** The reason of a held row, or the code of a rejection. */
  reason: optional(z.string()),
  /** Fields that the funding service refused. */
  errors: z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text) => (text === null ? [] : tryParseJson(text))),
    ),
    z.array(fieldErrorSchema),
  ),
  /** ApplicationID, DocumentId, or assetReportId. */
  serviceId: optional(z.string()),
  /** Number of an attachment among those of its kind. 0 for an application. */
  number: z.int(),
  /** Id of a document category, or empty. */
  category: z.string(),
  campaignId: optional(z.string()),
  /** By the clock of the database. */
  happenedAt: z.int(),
});
/** A change of an application or of one of its attachments, for the partner's systems. It has no personal data. */
export type EventRow = Readonly<z.infer<typeof eventSchema>>;

/** The right to send one event. Results with a stale fencing token are ignored. */
export interface EventClaim {
  readonly consumer: EventConsumer;
  readonly event: EventRow;
  readonly fencingToken: number;
  /** Attempts for this event, including this one. One that ended with its process does not count. */
  readonly attempts: number;
  readonly firstAttemptAt: number;
  readonly claimedAt: number;
}

export const eventCountSchema = z.object({
  consumer: z.enum(eventConsumers),
  /** Applications with events that are not sent. At most 10,000. */
  pending: z.int(),
  /** When the oldest event that is not sent happened. */
  pendingSince: optional(z.int()),
  /** Events that were given up. */
  givenUp: z.int(),
  givenUpSince: optional(z.int()),
  /** Since when nothing is sent to the latest target, because it answered 410. */
  stoppedAt: optional(z.int()),
});
export type EventCount = Readonly<z.infer<typeof eventCountSchema>>;

export const givenUpEventSchema = z.extend(eventSchema, {
  consumer: z.enum(eventConsumers),
  givenUpAt: z.int(),
});
export type GivenUpEvent = Readonly<z.infer<typeof givenUpEventSchema>>;

export const listedEventSchema = z.extend(eventSchema, {
  consumer: z.enum(eventConsumers),
  /** `dismissed`: by an operator, or because the consumer was added again after the event. */
  state: z.enum(['sent', 'sending', 'waiting', 'given-up', 'dismissed']),
  failedAttempts: z.int(),
  /** Of the latest failed attempt. */
  lastOutcome: optional(z.string()),
  /** When a waiting event is sent. 0: at once. Absent while the application has an earlier event that is not sent. */
  nextAt: optional(z.int()),
});
/** An event, and how far its delivery is. */
export type ListedEvent = Readonly<z.infer<typeof listedEventSchema>>;

/**
 * Events of the applications, for each consumer. The store records an event in the transaction of the change, if there is a consumer
 * at that time. An application's events are sent one after the other. They are deleted with their application.
 */
export interface EventStore {
  /**
   * Adds the consumers of this process. From then on, the store records events for them. Removes others: on SQLite at once, on
   * PostgreSQL after no process had them for three days. Call it at the start, and every hour.
   */
  registerEventConsumers(consumers: readonly EventReceiver[]): Promise<void>;
  /**
   * Takes a lease on the next event that is due. An event is due after the one before it of the same application was sent or given
   * up, and after its own delay.
   */
  claimEvent(receiver: EventReceiver, leaseMs: number): Promise<EventClaim | undefined>;
  /** @returns false when another worker owns the event. The same is true of the other results. */
  recordEventSent(claim: EventClaim): Promise<boolean>;
  /** The event is sent again after the delay. */
  recordEventFailed(claim: EventClaim, outcome: string, delayMs: number): Promise<boolean>;
  /** The next event of the application is due at once. An operator can send this one again. */
  recordEventGivenUp(claim: EventClaim, outcome: string): Promise<boolean>;
  /**
   * Sends nothing more to this target until `retryEvents`. Other targets of the consumer get its events, which are still recorded.
   */
  stopEventReceiver(receiver: EventReceiver): Promise<void>;
  /**
   * Records and sends no more events for the consumer, until a process registers it again.
   *
   * @returns false if there is no such consumer.
   */
  removeEventConsumer(consumer: EventConsumer): Promise<boolean>;
  /** Milliseconds until the next event is due (0 or less: now); `undefined` if none waits or the receiver is stopped. */
  findNextEventMs(receiver: EventReceiver): Promise<number | undefined>;
  /** One entry for each consumer. */
  countEvents(): Promise<readonly EventCount[]>;
  /** All events of an application, in their order for each consumer. */
  listEvents(applicationId: string): Promise<readonly ListedEvent[]>;
  /** The events that are sent next, of those applications where an attempt has failed. The one that waits longest is first. */
  listFailingEvents(limit: number): Promise<readonly ListedEvent[]>;
  /** The events that were given up, oldest first. */
  listGivenUpEvents(limit: number): Promise<readonly GivenUpEvent[]>;
  /**
   * Makes all events due at once that are pending or were given up, and continues consumers that were stopped. The later events of
   * the same application are sent again too, so that they arrive in order.
   *
   * @param since also events that were sent, from this time on (epoch milliseconds).
   * @param fromSequence also events that were sent, from this number on. Use it with `applicationId`.
   * @returns the number of events.
   */
  retryEvents(which: {
    readonly applicationId?: string | undefined;
    readonly since?: number | undefined;
    readonly fromSequence?: number | undefined;
  }): Promise<number>;
  /**
   * Dismisses the events that were given up: they are not sent, unless `retryEvents` sends them with others of their application.
   *
   * @param applicationId Default: those of all applications.
   * @returns the number of events.
   */
  dismissGivenUpEvents(applicationId?: string): Promise<number>;
}

export interface PurgeResult {
  /** References of applications of which something was erased undelivered. */
  readonly undelivered: readonly string[];
  /** Rows that were deleted or emptied. */
  readonly rows: number;
}

export interface RetentionStore {
  /** Erases data that is older than the settings allow. Several processes may run it at once. */
  purge(retention: Settings['retention']): Promise<PurgeResult>;
  /**
   * Removes erased data from the disk, as far as the database can.
   *
   * @returns false when a reader prevented it, and it must run again.
   */
  scrub(): Promise<boolean>;
}

export const storeIdentitySchema = z.object({
  /** UUID that is created with the store. */
  id: z.string(),
  createdAt: z.int(),
  /** Applications since the store was created, including deleted ones. On PostgreSQL it may be slightly too high. */
  applicationsReceived: z.int(),
});
export type StoreIdentity = Readonly<z.infer<typeof storeIdentitySchema>>;

/**
 * All times are epoch milliseconds. When a promise resolves, the change is committed and on disk. No transaction stays open
 * between two calls.
 */
export interface Store
  extends
    ApplicationStore,
    AttachmentStore,
    HandoffStore,
    ClaimStore,
    EventStore,
    OperatorStore,
    RetentionStore {
  /** True when opening the store created it. */
  readonly isNew: boolean;
  readIdentity(): Promise<StoreIdentity>;
  /** Throws when the store cannot commit, or the disk is nearly full. */
  check(): Promise<void>;
  close(): Promise<void>;
}
