// Makes a BFF impatient: the same order of things with shorter leases, pauses and limits.

import type { Transport } from '../../bff/funding-service/transport.ts';
import type { Store } from '../../bff/store/store.ts';

/** Longer than a call may take, as in life. */
const leaseMs = 2_000;
const limits = { headersMs: 800, bodyMs: 800, totalMs: 1_500 } as const;
/** A pause of a minute takes a second. */
const factor = 60;

export function withHaste(store: Store): Store {
  return {
    ...store,
    claimDue: (kind, _leaseMs, id) => store.claimDue(kind, leaseMs, id),
    extendLease: (claim) => store.extendLease(claim, leaseMs),
    recordResult: (claim, result) =>
      store.recordResult(
        claim,
        result.state === 'waiting' ? { ...result, delayMs: result.delayMs / factor } : result,
      ),
  };
}

export function withShortLimits(transport: Transport): Transport {
  return (request) => transport({ ...request, timeouts: limits });
}
