// Compares the history of the applicants, the data of the funding service, and the rows of the store, and reports every
// violated invariant.

import type { FinalStore } from './audit.ts';
import { findLostAttachments, findMisdirected, findExcessCopies } from './check-attachments.ts';
import {
  findChangedResponses,
  findDuplicates,
  findFalseRejections,
  findLostApplications,
} from './check-applications.ts';
import { findIllegalTransitions, findSentAfterErasure } from './check-store.ts';
import type { History } from './history.ts';
import type { Ledger } from './ledger.ts';

/**
 * - `I1` Every acknowledged application is at the funding service exactly once, or in a state that is reported to the operator.
 *   The same holds for its attachments.
 * - `I2` No ID is accepted twice or sent with two bodies. No applicant has two IDs.
 * - `I3` No rejected application is at the funding service.
 * - `I4` The funding service has at most one more copy of a document or bank report than attempts with an unknown outcome.
 * - `I5` Attachments are sent only with the ApplicationID of their own application.
 * - `I6` Nothing is sent after it was erased.
 * - `I7` States follow the diagram, and a claim that was taken over writes nothing.
 * - `I8` An idempotency key always gets the same response.
 */
export const invariants = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8'] as const;
export type Invariant = (typeof invariants)[number];

export interface Violation {
  readonly invariant: Invariant;
  /** Description of the violation, with the reference or the applicant. */
  readonly description: string;
}

export interface Evidence extends FinalStore {
  readonly history: History;
  readonly ledger: Ledger;
  /** References of the rows that the store reports to the operator. */
  readonly alarms: ReadonlySet<string>;
}

/** Returns an empty list when no invariant is violated. Call it when no delivery is in progress. */
export function findViolations(evidence: Evidence): readonly Violation[] {
  return [
    ...findLostApplications(evidence),
    ...findLostAttachments(evidence),
    ...findDuplicates(evidence),
    ...findFalseRejections(evidence),
    ...findExcessCopies(evidence),
    ...findMisdirected(evidence),
    ...findSentAfterErasure(evidence),
    ...findIllegalTransitions(evidence),
    ...findChangedResponses(evidence),
  ];
}
