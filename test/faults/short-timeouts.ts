// Shortens the leases, delays, and timeouts of a BFF for campaigns.

import type { Transport } from '../../bff/funding-service/transport.ts';
import type { Store } from '../../bff/store/store.ts';

/** Longer than the timeout of a call, as in production. */
const leaseMs = 2_000;
const limits = { headersMs: 800, bodyMs: 800, totalMs: 1_500 } as const;
/** A delay of one minute becomes one second. */
const factor = 60;

export function withShortDelays(store: Store): Store {
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

export function withShortTimeouts(transport: Transport): Transport {
  return (request) => transport({ ...request, timeouts: limits });
}
