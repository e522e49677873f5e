// Puts the limits together: by address, by session and of the process, with what is counted and told of them.

import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import { deriveKey } from '../derive-key.ts';
import type { Log } from '../log.ts';
import type { ClientAddresses } from './client-address.ts';
import type { BffEnv } from './context.ts';
import { createInFlight } from './in-flight.ts';
import type { LimitStore } from './limit-store.ts';
import { createLimits, type LimitName, type Limits } from './limits.ts';
import { createRareLog, type LogRarely } from './rarely.ts';
import type { RefusalCounters } from './refusal-counters.ts';

const hourMs = 60 * 60_000;

export interface ThrottleOptions {
  readonly config: Config;
  readonly store: LimitStore;
  readonly addresses: ClientAddresses;
  readonly refusals: Pick<RefusalCounters, 'countLimited'>;
  readonly log: Log;
  readonly logRarely: LogRarely;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export interface Throttle extends Omit<Limits, 'byAddress'> {
  /** To stand behind the origin gate, so that a page may read the refusal, and before the session gate, which costs more. */
  readonly beforeSession: readonly MiddlewareHandler<BffEnv>[];
  isCrowded(): boolean;
  /** Counts and tells what is refused elsewhere for a limit; to be thrown then: a `CountedRefusal`. */
  noteRefusal(requestId: string, limit: LimitName): void;
}

export function createThrottle(options: ThrottleOptions): Throttle {
  const { config, store, addresses, refusals, log, logRarely, clock } = options;
  const { settings } = config;

  function noteRefusal(requestId: string, limit: LimitName): void {
    refusals.countLimited(limit);
    logRarely(`rate-limited ${limit}`, (refused) => ({
      event: 'rate-limited',
      requestId,
      limit,
      refused,
    }));
  }

  const limits = createLimits({
    settings: settings.limits,
    store,
    addressKey: deriveKey(config, 'limits by address'),
    findCountedAddress: addresses.findCounted,
    onRefusal: noteRefusal,
  });
  const inFlight = createInFlight(settings.limits.requestsAtOnce, (requestId) =>
    noteRefusal(requestId, 'requests-at-once'),
  );
  return {
    ...limits,
    beforeSession: [watchAddresses(addresses, log, clock), inFlight.middleware, limits.byAddress],
    isCrowded: inFlight.isCrowded,
    noteRefusal,
  };
}

/** Where nobody vouches for the applicants' addresses they may all share one, and its limits with it. */
function watchAddresses(
  { findDoubt }: ClientAddresses,
  log: Log,
  clock: () => number,
): MiddlewareHandler<BffEnv> {
  const logHourly = createRareLog(log, clock, hourMs);
  return async function watchAddresses(c, next) {
    const reason = findDoubt(c);
    if (reason !== undefined) {
      const requestId = c.get('requestId');
      logHourly(reason, () => ({ event: 'client-address-doubtful', requestId, reason }));
    }
    await next();
  };
}
