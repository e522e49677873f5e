// What a campaign comes to, in the figures that the table shows.

import type { Evidence, Violation } from './checker.ts';

export interface CampaignResult {
  /** Kills, cells or restarts, whatever the campaign counts. */
  readonly runs: number;
  /** Applications whose receipt was told to their applicant. */
  readonly acknowledged: number;
  /** Of these, neither at the service nor in a state that an operator is told of. */
  readonly lost: number;
  /** IDs or applicants the service has taken twice. */
  readonly twice: number;
  /** Called rejected, and at the service. */
  readonly falselyRejected: number;
  readonly violations: readonly Violation[];
}

/** All but the number of runs. */
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
