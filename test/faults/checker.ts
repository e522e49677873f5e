// Holds what applicants were told against what the funding service holds and how the store's rows went, and finds
// everything that should never be.

import type { FinalStore } from './audit.ts';
import { findLostAttachments, findMisdirected, findSuperfluousCopies } from './check-children.ts';
import {
  findBrokenPromises,
  findDoubled,
  findFalseRejections,
  findLostApplications,
} from './check-applications.ts';
import { findIllegalTransitions, findSentAfterErasure } from './check-store.ts';
import type { History } from './history.ts';
import type { Ledger } from './ledger.ts';

/**
 * - `I1` every acknowledged application is at the service exactly once by its ID, or in a named state an operator is told of;
 *   so is everything acknowledged that belongs to it.
 * - `I2` no ID is accepted twice or sent with two bodies, no applicant has two IDs.
 * - `I3` nothing that was rejected is at the service.
 * - `I4` of a document or report the service has at most one copy more than attempts ended in doubt.
 * - `I5` children go out with their own parent's ApplicationID only.
 * - `I6` nothing is sent after it was erased.
 * - `I7` states move along the diagram only, and a claim that was taken over writes nothing.
 * - `I8` an idempotency key always gets the same answer.
 */
export const invariants = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8'] as const;
export type Invariant = (typeof invariants)[number];

export interface Violation {
  readonly invariant: Invariant;
  /** What is wrong, and with which reference or applicant. */
  readonly what: string;
}

export interface Evidence extends FinalStore {
  readonly history: History;
  readonly ledger: Ledger;
  /** References of what the store tells the operator. */
  readonly alarms: ReadonlySet<string>;
}

/** Empty when all is well. To be asked once nothing moves any more. */
export function findViolations(evidence: Evidence): readonly Violation[] {
  return [
    ...findLostApplications(evidence),
    ...findLostAttachments(evidence),
    ...findDoubled(evidence),
    ...findFalseRejections(evidence),
    ...findSuperfluousCopies(evidence),
    ...findMisdirected(evidence),
    ...findSentAfterErasure(evidence),
    ...findIllegalTransitions(evidence),
    ...findBrokenPromises(evidence),
  ];
}
