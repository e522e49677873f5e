// The applicants' requests and responses, in order. The checker compares this history with the ledger of the service.

import { createHash } from 'node:crypto';

export type Action = 'submit' | 'upload' | 'report' | 'contact' | 'poll';

/**
 * Terms of Jepsen. `ok`: a success response. `fail`: a refusal, so the BFF stored nothing. `info`: no response, or a
 * response that leaves open whether the BFF stored the content.
 */
export type CallOutcome = 'ok' | 'fail' | 'info';

export interface ClientCall {
  /** Business name, unique per applicant. */
  readonly applicant: string;
  readonly action: Action;
  /** Idempotency key of a submission. */
  readonly key?: string | undefined;
  /** SHA-256 of the submitted content: the request body, the file, or the bank report. */
  readonly content?: string | undefined;
  /** Milliseconds of `performance.now()` in the process that keeps the history. */
  readonly invokedAt: number;
  readonly endedAt: number;
  readonly outcome: CallOutcome;
  readonly status?: number | undefined;
  /** Reference of the application, when the response contains one. */
  readonly reference?: string | undefined;
  /** `status` of the response, for example `accepted`, or the `code` of a refusal. */
  readonly responseStatus?: string | undefined;
}

/** An erasure by the operator, recorded after the store confirmed it. */
export interface Erasure {
  readonly reference: string;
  readonly at: number;
}

export interface History {
  readonly calls: ClientCall[];
  readonly erasures: Erasure[];
}

export function createHistory(): History {
  return { calls: [], erasures: [] };
}

export function hashContent(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Classifies a response by its HTTP status. */
export function toCallOutcome(status: number): CallOutcome {
  if (status >= 200 && status < 300) return 'ok';
  return status < 500 ? 'fail' : 'info';
}
