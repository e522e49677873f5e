// What the journal keeps and promises: everything an applicant gave, safe on disk before anyone is told so.

import type { FieldError } from '../../shared/application/field-errors.ts';
import type { Rejection } from '../funding-service/funding-service.ts';

/**
 * `received` → `sending` → `accepted`, `rejected`, `waiting` (to be sent again) or `unconfirmed` (the service may have
 * it, but its id is unknown).
 */
export const applicationStates = [
  'received',
  'sending',
  'waiting',
  'accepted',
  'rejected',
  'unconfirmed',
] as const;
export type ApplicationState = (typeof applicationStates)[number];

/**
 * As an application; `receiving`: its pieces are still coming in; `held`: sent as often as may be without anybody knowing
 * whether it arrived, kept whole for an operator. A child is sent only once its application is accepted.
 */
export const childStates = [
  'receiving',
  'received',
  'sending',
  'waiting',
  'accepted',
  'rejected',
  'held',
] as const;
export type ChildState = (typeof childStates)[number];

export const childKinds = ['document', 'asset-report'] as const;
export type ChildKind = (typeof childKinds)[number];

/** All times are epoch milliseconds; everything named `sealed…` is ciphertext under the application's own key. */
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
  readonly bytes: Uint8Array;
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

export interface ApplicationRow extends Omit<NewApplication, 'sealedLead'> {
  readonly state: ApplicationState;
  /** Absent once it was accepted or rejected. */
  readonly sealedLead: Uint8Array | undefined;
  readonly attempts: number;
  /** Attempts whose outcome is unknown. */
  readonly uncertainAttempts: number;
  /** The service's ApplicationID; only when accepted. */
  readonly serviceId: string | undefined;
  readonly sealedTrackingUrl: Uint8Array | undefined;
  /** What the service refused; only when rejected. */
  readonly errors: readonly FieldError[];
}

/** Evidence of a consent. The text is the partner's and not personal; the address is. */
export interface ConsentRow {
  readonly id: string;
  readonly applicationId: string;
  readonly consentId: string;
  readonly version: string;
  readonly text: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly textHash: string;
  readonly givenAt: number;
  readonly sealedAddress: Uint8Array | undefined;
}

export interface NewChild {
  readonly id: string;
  readonly applicationId: string;
  readonly kind: ChildKind;
  /** Id of a document category; empty for an asset report. */
  readonly category: string;
  /** File name and extension of a document. */
  readonly sealedName: Uint8Array | undefined;
  readonly createdAt: number;
}

export interface ChildRow extends NewChild {
  readonly state: ChildState;
  /** Counts the children of one kind from 1, in the order they became complete; 0 before. */
  readonly number: number;
  readonly bytes: number;
  readonly attempts: number;
  readonly uncertainAttempts: number;
  /** The service's DocumentId or assetReportId; only when accepted. */
  readonly serviceId: string | undefined;
}

export interface CompletedChild {
  /** Keyed hash of everything that makes two children the same. */
  readonly fingerprint: string;
  readonly bytes: number;
  /** How many of its kind one application may have. */
  readonly limit: number;
}

/** The right to deliver one row until `leaseUntil`; what is recorded with a claim that was taken over is ignored. */
export type Claim =
  | { readonly kind: 'application'; readonly fence: number; readonly application: ApplicationRow }
  | {
      readonly kind: ChildKind;
      readonly fence: number;
      readonly application: ApplicationRow;
      readonly child: ChildRow;
    };

export type Settlement =
  | {
      readonly state: 'accepted';
      readonly serviceId: string;
      readonly sealedTrackingUrl?: Uint8Array | undefined;
      /** The tracking address is none we would show; told to the operator, not kept. */
      readonly isTrackingUrlRefused?: boolean;
    }
  | { readonly state: 'rejected'; readonly errors?: readonly FieldError[] }
  /** `isUncertain`: the attempt may have been processed. `fault`: what the service refused and an operator has to mend; not kept. */
  | {
      readonly state: 'waiting';
      readonly nextAt: number;
      readonly isUncertain: boolean;
      readonly fault?: Rejection | undefined;
    }
  /** Applications only. */
  | { readonly state: 'unconfirmed' }
  /** Documents and reports only. */
  | { readonly state: 'held' };

/** Whether an earlier application holds what is being filed now. */
export type IsSameApplication = (earlier: ApplicationRow) => boolean;

/** Every promise that resolves means: committed, and on the disk. Nothing here is ever held open across two calls. */
export interface Journal {
  addSession(session: SessionRow): Promise<void>;
  findSession(id: string): Promise<SessionRow | undefined>;
  endSession(id: string, at: number): Promise<void>;

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
  takeApplicationByKey(
    sessionId: string,
    idempotencyKey: string,
    isSame: IsSameApplication,
  ): Promise<ApplicationRow | undefined>;
  /** The session's application that is not rejected; else the one added last. */
  findCurrentApplication(sessionId: string): Promise<ApplicationRow | undefined>;

  addConsent(consent: ConsentRow): Promise<void>;
  listConsents(applicationId: string): Promise<readonly ConsentRow[]>;

  /** Begins a child, unless the application has `limit` or more of its kind, incomplete ones included and rejected ones not. */
  beginChild(child: NewChild, limit: number): Promise<boolean>;
  /** Adds piece `number`, counted from 0; false when the child was dropped meanwhile. */
  addChunk(childId: string, number: number, sealed: Uint8Array): Promise<boolean>;
  readChunk(childId: string, number: number): Promise<Uint8Array | undefined>;
  /**
   * Makes a child ready to be sent. When the application has the same one already (and it is not rejected), or `limit`
   * others, the new one is dropped with its pieces. `dropped`: that had happened before.
   */
  completeChild(
    childId: string,
    completed: CompletedChild,
  ): Promise<
    | { readonly kind: 'added' | 'same'; readonly child: ChildRow }
    | { readonly kind: 'limit-reached' }
    | { readonly kind: 'dropped' }
  >;
  /** Drops an incomplete child and its pieces. */
  discardChild(childId: string): Promise<void>;
  findChild(id: string): Promise<ChildRow | undefined>;
  /** Complete children in the order of their numbers. */
  listChildren(applicationId: string, kind: ChildKind): Promise<readonly ChildRow[]>;

  /**
   * Takes over what an ended process left behind: rows found `sending` may be claimed at once (their outcome is unknown),
   * incomplete children are dropped. To be called while no other process delivers from this journal.
   */
  recover(): Promise<void>;
  /**
   * Claims the next row that is due: new, waiting until `now`, or found `sending` with its lease over, which counts as an
   * uncertain attempt. A row whose time lies further ahead than any pause is due as well: the clock was set back. Children
   * only of accepted applications.
   */
  claimDue(now: number, leaseUntil: number): Promise<Claim | undefined>;
  extendLease(claim: Claim, leaseUntil: number): Promise<void>;
  /**
   * Records how an attempt ended; false when the claim was taken over. `accepted` and `rejected` erase the lead or the
   * pieces that were sent; a rejected application takes its children with it.
   */
  settle(claim: Claim, settlement: Settlement): Promise<boolean>;
  /** When the next row becomes due; `undefined` when none is waiting. */
  findNextDue(): Promise<number | undefined>;

  /** Proves that something can be committed. */
  check(): Promise<void>;
  close(): Promise<void>;
}
