// The five partner operations of the funding service as the rest of the BFF sees them, and how an attempt can end.

import type { PartnerOperation } from '../../shared/funding-service/operations.ts';

/**
 * How one attempt ended, decided by where it broke:
 * - `accepted`: the answer carries what proves success.
 * - `rejected`: a definite refusal, read from the body or a status that leaves no doubt; nothing was processed, except
 *   perhaps by `processing-failed`. Whether trying again helps depends on its reason.
 * - `authentication`: our credentials or token were refused, also after one renewal; nothing was processed.
 * - `throttled`: the service asked us to wait; nothing was processed.
 * - `not-sent`: the connection failed before anything was written; nothing was processed.
 * - `unknown`: something was written and no conclusive answer came back; it may have been processed.
 */
export type Outcome<Value> =
  | { readonly kind: 'accepted'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'authentication' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'unknown' };

export const refusalReasons = [
  'missing-field',
  'invalid-field',
  'duplicate-id',
  'application-id-missing',
  'application-id-invalid',
  'application-not-found',
  'partner-headers-missing',
  'request-malformed',
  'asset-report-missing',
  'asset-report-invalid',
  'processing-failed',
  'category-not-allowed',
  'content-not-base64',
  'too-large',
  'unrecognized',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** The service's text itself stays behind: it may echo values. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** The service's own name of a field, as far as its text gives one, e.g. `AnnualRevenue`. */
  readonly field?: string;
  /** With `duplicate-id`: what may be the ApplicationID of the earlier lead. Worth nothing before `proveReference` proved it. */
  readonly candidateId?: string;
}

export interface LeadCreated {
  readonly applicationId: string;
  /** As the service sent it; not yet checked. */
  readonly trackingUrl: string | undefined;
}

export interface PreApproval {
  readonly status: 'qualified' | 'not-qualified';
  readonly offers: readonly PreApprovalOfferRead[];
  readonly referenceId: string | undefined;
  readonly trackingUrl: string | undefined;
}

/** An offer read tolerantly: a figure that is absent, null or no number is `null`; numeric text is a number. */
export interface PreApprovalOfferRead {
  readonly id: string;
  readonly product: string | null;
  readonly amount: number | null;
  readonly termMonths: number | null;
  readonly paymentFrequency: string | null;
  readonly paymentAmount: number | null;
  readonly monthlyRate: number | null;
  readonly aprLow: number | null;
  readonly aprHigh: number | null;
  readonly feeLow: number | null;
  readonly feeHigh: number | null;
  readonly disclosures: string | null;
  readonly totalCost: number | null;
  readonly centsOnTheDollar: number | null;
  readonly totalInterest: number | null;
}

export interface OutgoingFile {
  /** Without extension. */
  readonly name: string;
  /** Without dot. */
  readonly extension: string;
  /** The category in the service's own spelling. */
  readonly category: string;
  /** Exact length of `content`. */
  readonly bytes: number;
  /** Pieces whose lengths are multiples of three, except the last; opened anew for each attempt. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/**
 * Whether an operation may be called now:
 * - `ready`: as often as one likes.
 * - `probe`: the service failed again and again; one call may be made to see whether it is back.
 * - `paused`: not yet. `forMs`: how long; `undefined` while a probe is under way, whose end decides.
 */
export type Readiness =
  | { readonly kind: 'ready' | 'probe' }
  | { readonly kind: 'paused'; readonly forMs: number | undefined };

export interface FundingService {
  /** Asks nobody; an operation called all the same while it is paused ends as `not-sent`. */
  readiness(operation: PartnerOperation): Readiness;
  /** `leadJson` is sent byte for byte, so that every attempt for one application is identical. `referenceId` is its `ID`. */
  createLead(leadJson: string, referenceId: string): Promise<Outcome<LeadCreated>>;
  getPreApprovalOffer(applicationId: string): Promise<Outcome<PreApproval>>;
  contactUser(applicationId: string): Promise<Outcome<undefined>>;
  /** `reportJson` is the report as it was given; it is embedded unchanged. */
  submitAssetReport(
    applicationId: string,
    reportJson: string,
  ): Promise<Outcome<{ readonly assetReportId: string }>>;
  uploadFile(
    applicationId: string,
    file: OutgoingFile,
  ): Promise<Outcome<{ readonly documentId: string }>>;
}

/** A setting an operator can mend, by the name it has in the environment. */
export type FundingSetting =
  | 'FUNDING_AUTH_URL'
  | 'FUNDING_BASE_URL'
  | 'FUNDING_CLIENT_ID'
  | 'FUNDING_CLIENT_SECRET'
  | 'FUNDING_USERNAME'
  | 'FUNDING_PASSWORD'
  | 'FUNDING_PARTNER_ID'
  | 'FUNDING_PARTNER_NAME';

/** What the token operation objected to, as far as its answer tells. */
export type LoginRefusal =
  'client-id' | 'client-secret' | 'client' | 'username-or-password' | 'grant' | 'unrecognized';

export type FundingServiceEvent =
  | { readonly event: 'token-renewed' }
  /** The token address refused the credentials; `settings` are the ones to look at, likeliest first. */
  | {
      readonly event: 'login-refused';
      readonly refusal: LoginRefusal;
      readonly settings: readonly FundingSetting[];
    }
  /** Something answers at the token address that is not the token operation. */
  | {
      readonly event: 'login-answer-unreadable';
      readonly status: number;
      readonly settings: readonly FundingSetting[];
    }
  | { readonly event: 'login-throttled'; readonly status: number }
  /** `failure` is a short code, for example `ECONNREFUSED` or `HTTP_503`. */
  | { readonly event: 'login-unreachable'; readonly failure: string }
  /** No login is tried before `delayMs` have passed, because accounts lock after repeated refusals. */
  | { readonly event: 'login-paused'; readonly delayMs: number }
  /** The renewed token is the one that was refused before. */
  | { readonly event: 'token-unchanged' }
  /**
   * An operation refused a token we had just been given. Some refuse wrong partner headers with the same text (spec,
   * "Authentication" 5), so those settings are named as well.
   */
  | {
      readonly event: 'renewed-token-refused';
      readonly operation: PartnerOperation;
      readonly settings: readonly FundingSetting[];
    }
  /** The token's answer named another host than FUNDING_BASE_URL; it is never followed. */
  | { readonly event: 'instance-url-ignored'; readonly settings: readonly FundingSetting[] }
  | {
      readonly event: 'partner-headers-refused';
      readonly operation: PartnerOperation;
      readonly settings: readonly FundingSetting[];
    }
  /** The operation failed again and again, and is only probed from now on. */
  | { readonly event: 'breaker-opened'; readonly operation: PartnerOperation }
  /** A probe was answered: the operation is called as usual again. */
  | { readonly event: 'breaker-closed'; readonly operation: PartnerOperation }
  /** One attempt of an operation, after a possible renewal of the token. One that was not made, because the operation is paused, has none. */
  | {
      readonly event: 'attempt-ended';
      readonly operation: PartnerOperation;
      readonly outcome: Outcome<unknown>['kind'];
      readonly durationMs: number;
      /** HTTP status of the last answer, when there was one. */
      readonly status?: number;
      readonly reason?: RefusalReason;
      /** A short code when the connection broke, for example `UND_ERR_SOCKET`. */
      readonly failure?: string;
    };

export type OnFundingServiceEvent = (event: FundingServiceEvent) => void;
