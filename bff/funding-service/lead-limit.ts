// The number of leads that may be sent at once. It follows the funding service: additive increase, multiplicative decrease.

import type { Outcome } from './funding-service.ts';

/** How one request ended. */
interface EndedCall {
  readonly outcome: Outcome<unknown>;
  /** HTTP status of the response, if there was one. */
  readonly status?: number;
  /** A short code if the connection failed. */
  readonly failure?: string;
}

/**
 * Counts calls, and does not delay them: who sends them asks for the limit. It starts at `max`. After as many handled calls as the
 * limit, it grows by one. After an overloaded call, it is half the number of calls that were in progress.
 *
 * @param onReduced receives the new limit.
 */
export function createLeadLimit(max: number, onReduced: (limit: number) => void) {
  let limit = max;
  let inProgress = 0;
  /** Handled calls since the limit changed. */
  let handled = 0;
  /** A call that began before the last reduction says nothing about the limit since then. */
  let reductions = 0;

  function reduce(): void {
    limit = Math.max(1, Math.floor(Math.min(limit, inProgress) / 2));
    handled = 0;
    reductions += 1;
    onReduced(limit);
  }

  function countHandled(): void {
    handled += 1;
    if (handled < limit) return;
    handled = 0;
    limit = Math.min(max, limit + 1);
  }

  return {
    current: () => limit,

    /** Returns and throws what `send` returns and throws. */
    async observe<Ended extends EndedCall>(send: () => Promise<Ended>): Promise<Ended> {
      const reductionsBefore = reductions;
      inProgress += 1;
      try {
        const ended = await send();
        if (reductions === reductionsBefore) {
          if (isHandled(ended)) countHandled();
          // A single call was not too many: the funding service limits something else, or is down.
          if (isOverloaded(ended) && inProgress > 1) reduce();
        }
        return ended;
      } finally {
        inProgress -= 1;
      }
    },
  };
}

/** The funding service processed the call. */
function isHandled({ outcome }: EndedCall): boolean {
  return outcome.kind === 'accepted' || outcome.kind === 'refused';
}

/** The funding service asked for fewer calls, or took too long. A broken connection shows an outage instead. */
function isOverloaded({ outcome, status = 0, failure = '' }: EndedCall): boolean {
  const hasFailed = overloadedStatuses.has(status) || timeoutFailures.has(failure);
  return outcome.kind === 'throttled' || (outcome.kind === 'unknown' && hasFailed);
}

/** Service Unavailable and Gateway Timeout (RFC 9110 sections 15.6.4 and 15.6.5). */
const overloadedStatuses: ReadonlySet<number> = new Set([503, 504]);
const timeoutFailures: ReadonlySet<string> = new Set([
  'TimeoutError',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
