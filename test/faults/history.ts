// What the applicants did and were told, in order: one of the two histories that the checker holds against each other.

import { createHash } from 'node:crypto';

export type Action = 'submit' | 'upload' | 'report' | 'contact' | 'poll';

/**
 * `ok`: answered with success. `fail`: answered with a refusal, so nothing was taken. `info`: no answer, or one that
 * leaves open whether anything was taken (Jepsen's word).
 */
export type CallOutcome = 'ok' | 'fail' | 'info';

export interface ClientCall {
  /** The business's name, which no two applicants share. */
  readonly applicant: string;
  readonly action: Action;
  /** Idempotency key of a submission. */
  readonly key?: string | undefined;
  /** SHA-256 of what was given: the body as sent, the file, the report. */
  readonly content?: string | undefined;
  /** Milliseconds of `performance.now()` in the process that keeps the history. */
  readonly invokedAt: number;
  readonly endedAt: number;
  readonly outcome: CallOutcome;
  readonly status?: number | undefined;
  /** Of the application, where the answer names one. */
  readonly reference?: string | undefined;
  /** `status` of the answer, for example `accepted`; a problem's code when it was refused. */
  readonly told?: string | undefined;
}

/** An operator's order, once the store has said that it is done. */
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

/** What an answer's status says about whether anything was taken. */
export function toCallOutcome(status: number): CallOutcome {
  if (status >= 200 && status < 300) return 'ok';
  return status < 500 ? 'fail' : 'info';
}
