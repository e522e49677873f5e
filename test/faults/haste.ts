// Makes a BFF impatient: the same order of things with shorter leases, pauses and limits.

import type { Transport } from '../../bff/funding-service/transport.ts';
import type { Journal } from '../../bff/journal/journal.ts';

/** Longer than a call may take, as in life. */
const leaseMs = 2_000;
const limits = { headersMs: 800, bodyMs: 800, totalMs: 1_500 } as const;
/** A pause of a minute takes a second. */
const factor = 60;

export function withHaste(journal: Journal): Journal {
  return {
    ...journal,
    claimDue: (kind, _leaseMs, id) => journal.claimDue(kind, leaseMs, id),
    extendLease: (claim) => journal.extendLease(claim, leaseMs),
    settle: (claim, settlement) =>
      journal.settle(
        claim,
        settlement.state === 'waiting'
          ? { ...settlement, pauseMs: settlement.pauseMs / factor }
          : settlement,
      ),
    changeLogin: (credentials, change) =>
      journal.changeLogin(credentials, (state, now) => {
        const changed = change(state, now);
        const { state: next, answer } = changed;
        if (!next || next === state) return changed;
        const until = now + Math.round((next.until - now) / factor);
        return { state: { ...next, until }, answer };
      }),
  };
}

export function withShortLimits(transport: Transport): Transport {
  return (request) => transport({ ...request, timeouts: limits });
}
