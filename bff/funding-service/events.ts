// What the funding-service folder tells the operator's log: a closed list of events without secrets or upstream texts.

import type { Operation, Outcome, RejectionReason } from './funding-service.ts';

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
  'client-id' | 'client-secret' | 'client' | 'username-or-password' | 'grant' | 'unrecognised';

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
  /** `failure` is a short code, for example `ECONNREFUSED` or `HTTP_503`; `OTHER_LOGIN`: another process logs in and does not finish. */
  | { readonly event: 'login-unreachable'; readonly failure: string }
  /** No login is tried before `delayMs` have passed, because accounts lock after repeated refusals; another process may have had them. */
  | { readonly event: 'login-paused'; readonly delayMs: number }
  /** The journal, through which processes share their pauses, is away: each counts for itself until it is back. */
  | { readonly event: 'login-pause-unshared' }
  /** The renewed token is the one that was refused before. */
  | { readonly event: 'token-unchanged' }
  /**
   * An operation refused a token we had just been given. Some refuse wrong partner headers with the same text (spec,
   * "Authentication" 5), so those settings are named as well.
   */
  | {
      readonly event: 'renewed-token-refused';
      readonly operation: Operation;
      readonly settings: readonly FundingSetting[];
    }
  /** The token's answer named another host than FUNDING_BASE_URL; it is never followed. */
  | { readonly event: 'instance-url-ignored'; readonly settings: readonly FundingSetting[] }
  | {
      readonly event: 'partner-headers-refused';
      readonly operation: Operation;
      readonly settings: readonly FundingSetting[];
    }
  /** The operation failed again and again, and is only probed from now on. */
  | { readonly event: 'breaker-opened'; readonly operation: Operation }
  /** A probe was answered: the operation is called as usual again. */
  | { readonly event: 'breaker-closed'; readonly operation: Operation }
  /** One attempt of an operation, after a possible renewal of the token. One that was not made, because the operation is paused, has none. */
  | {
      readonly event: 'attempt-ended';
      readonly operation: Operation;
      readonly outcome: Outcome<unknown>['kind'];
      readonly durationMs: number;
      /** HTTP status of the last answer, when there was one. */
      readonly status?: number;
      readonly reason?: RejectionReason;
      /** A short code when the connection broke, for example `UND_ERR_SOCKET`. */
      readonly failure?: string;
    };

export type OnFundingServiceEvent = (event: FundingServiceEvent) => void;
