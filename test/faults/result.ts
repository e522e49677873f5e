// The result of a campaign, with the figures of the report table.

import type { Evidence, Violation } from './checker.ts';

export interface CampaignResult {
  /** Number of kills, cells, or restarts. */
  readonly runs: number;
  /** Applications that the BFF acknowledged to the applicant. */
  readonly acknowledged: number;
  /** Acknowledged applications that are neither at the funding service nor reported to the operator. */
  readonly lost: number;
  /** IDs or applicants that the funding service accepted twice. */
  readonly twice: number;
  /** Reported as rejected, but at the funding service. */
  readonly falselyRejected: number;
  readonly violations: readonly Violation[];
}

/** Returns all figures except the number of runs. */
export function toResult(
  { history }: Evidence,
  violations: readonly Violation[],
): Omit<CampaignResult, 'runs'> {
  const acknowledged = new Set(
    history.calls
      .filter(({ action, outcome }) => action === 'submit' && outcome === 'ok')
      .map(({ reference }) => reference),
  );
  const count = (invariant: Violation['invariant']) =>
    violations.filter((violation) => violation.invariant === invariant).length;
  return {
    acknowledged: acknowledged.size,
    lost: count('I1'),
    twice: count('I2'),
    falselyRejected: count('I3'),
    violations,
  };
}
