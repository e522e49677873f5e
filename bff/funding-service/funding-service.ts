// The funding service as the rest of the BFF sees it: its operations, the outcomes of a call, and the events for the log.

import type { Offer } from '../../shared/api/offers.ts';
import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import { isUnknownApplication, type Refusal, type RefusalReason } from './failure-texts.ts';

/**
 * How one call ended:
 * - `accepted`: the response proves success.
 * - `refused`: the response is a definite refusal. Nothing was processed, except perhaps with `processing-failed`.
 * - `authentication`: the credentials or the token were refused, also after one renewal. Nothing was processed.
 * - `throttled`: the funding service asked for fewer calls. Nothing was processed.
 * - `not-sent`: the connection failed before anything was written. Nothing was processed.
 * - `unknown`: the request was sent at least in part, and no conclusive response came back. It may have been processed.
 */
export type Outcome<Value> =
  | { readonly kind: 'accepted'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'authentication' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'unknown' };

export interface LeadCreated {
  readonly applicationId: string;
  /** Not checked yet. */
  readonly trackingUrl: string | undefined;
}

export interface PreApproval {
  readonly status: 'qualified' | 'not-qualified';
  readonly offers: readonly Offer[];
  readonly referenceId: string | undefined;
  readonly trackingUrl: string | undefined;
}

export interface FileUpload {
  /** Without extension. */
  readonly name: string;
  /** Without dot. */
  readonly extension: string;
  /** The category as the funding service spells it. */
  readonly category: string;
  /** Exact length of `content`. */
  readonly bytes: number;
  /**
   * Called for each attempt. Every chunk except the last has a length that is a multiple of three, and is valid until the next
   * one is requested.
   */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/**
 * Says if an operation can be called now:
 * - `ready`: yes.
 * - `half-open`: the circuit breaker allows one trial call.
 * - `unavailable`: a call would end as `not-sent`. `retryAfterMs` is undefined while the trial call is in progress.
 */
export type Readiness =
  | { readonly kind: 'ready' | 'half-open' }
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number | undefined };

export interface FundingService {
  /** Sends nothing. */
  readiness(operation: PartnerOperation): Readiness;
  /** Maximum concurrent calls of `createLead` that the funding service can handle at present. A further call is sent all the same. */
  maxConcurrentLeads(): number;
  /** Sends `leadJson` byte for byte, so that all attempts of one application are identical. `referenceId` is the lead's `ID`. */
  createLead(leadJson: string, referenceId: string): Promise<Outcome<LeadCreated>>;
  getPreApprovalOffer(applicationId: string): Promise<Outcome<PreApproval>>;
  /** The value is empty. */
  contactUser(applicationId: string): Promise<Outcome<string>>;
  /** Embeds `reportJson` in the request unchanged. The value is the assetReportId. */
  submitAssetReport(applicationId: string, reportJson: string): Promise<Outcome<string>>;
  /** The value is the DocumentId. */
  uploadFile(applicationId: string, file: FileUpload): Promise<Outcome<string>>;
}

/**
 * - `verified`: the funding service has the application under our reference.
 * - `refuted`: it has no such application, or has it under another reference.
 * - `unanswered`: the call failed. A later call may succeed.
 */
export type ReferenceCheck = 'verified' | 'refuted' | 'unanswered';

/**
 * Checks whether an ApplicationID belongs to our reference. Get Pre-Approval Offer returns the reference and changes
 * nothing (spec, operation 3).
 */
export async function verifyReference(
  fundingService: Pick<FundingService, 'getPreApprovalOffer'>,
  applicationId: string,
  referenceId: string,
): Promise<ReferenceCheck> {
  const outcome = await fundingService.getPreApprovalOffer(applicationId);
  if (outcome.kind === 'accepted') {
    const { referenceId: echoed } = outcome.value;
    return echoed !== undefined && isSameReference(echoed, referenceId) ? 'verified' : 'refuted';
  }
  if (outcome.kind !== 'refused') return 'unanswered';
  return isUnknownApplication(outcome.refusal.reason) ? 'refuted' : 'unanswered';
}

/** Compares two references without regard to case: they are UUIDs (RFC 9562 section 4). */
export function isSameReference(first: string, second: string): boolean {
  return first.toLowerCase() === second.toLowerCase();
}

/** Environment variables that the log names as the likely cause of a failure. */
export type FundingSetting = `FUNDING_${string}`;

/** The credential that the token operation refused, as far as its response tells. */
export type LoginRefusal =
  'client-id' | 'client-secret' | 'client' | 'username-or-password' | 'grant' | 'unrecognized';

interface SettingsToCheck {
  /** The most likely cause comes first. */
  readonly settings: readonly FundingSetting[];
}

export type FundingServiceEvent =
  /** `token-unchanged`: a login returned the same token that an operation had refused. */
  | { readonly event: 'token-renewed' | 'token-unchanged' }
  | (SettingsToCheck & { readonly event: 'login-refused'; readonly refusal: LoginRefusal })
  /** The response at FUNDING_AUTH_URL is not one of the token operation. */
  | (SettingsToCheck & { readonly event: 'login-response-unreadable'; readonly status: number })
  | { readonly event: 'login-throttled'; readonly status: number }
  /** `failure`: a short code such as `ECONNREFUSED` or `HTTP_503`. */
  | { readonly event: 'login-unreachable'; readonly failure: string }
  /** The BFF does not log in again before `delayMs`, because accounts lock after repeated refusals. */
  | { readonly event: 'login-paused'; readonly delayMs: number }
  /**
   * `renewed-token-refused`: an operation refused a new token. Some operations report wrong partner headers with the same
   * text (spec, "Authentication" 5), so `settings` includes those variables.
   */
  | (SettingsToCheck & {
      readonly event: 'renewed-token-refused' | 'partner-headers-refused';
      readonly operation: PartnerOperation;
    })
  /** The token response named another host than FUNDING_BASE_URL. The BFF never calls that host. */
  | (SettingsToCheck & { readonly event: 'instance-url-ignored' })
  /** The circuit breaker of an operation opened after repeated failures, or closed after a successful trial call. */
  | { readonly event: 'breaker-opened' | 'breaker-closed'; readonly operation: PartnerOperation }
  /** The funding service was overloaded, and this process sends at most `limit` leads at once. The limit grows again by itself. */
  | { readonly event: 'lead-limit-reduced'; readonly limit: number }
  /** One call of an operation, with its renewal of the token if there was one. */
  | {
      readonly event: 'call-ended';
      readonly operation: PartnerOperation;
      readonly outcome: Outcome<unknown>['kind'];
      readonly durationMs: number;
      /** HTTP status of the last response. */
      readonly status?: number;
      readonly reason?: RefusalReason | undefined;
      /** A short code if the connection failed, such as `UND_ERR_SOCKET`. */
      readonly failure?: string;
    };

/** The parts of the client share a clock (epoch milliseconds) and a log. */
export interface ClientContext {
  readonly clock: () => number;
  readonly onEvent: (event: FundingServiceEvent) => void;
}
