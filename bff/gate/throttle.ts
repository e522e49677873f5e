// Puts the limits together: by address, by session and of the process, with what is counted and told of them.

import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { ClientAddresses } from './client-address.ts';
import type { BffEnv } from './context.ts';
import { createInFlight } from './in-flight.ts';
import type { LimitStore } from './limit-store.ts';
import { createLimits, type LimitName, type Limits } from './limits.ts';
import { createRarely } from './rarely.ts';
import type { RefusalCounters } from './refusal-counters.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export interface ThrottleOptions {
  readonly config: Config;
  readonly store: LimitStore;
  readonly addresses: ClientAddresses;
  readonly refusals: Pick<RefusalCounters, 'countLimited'>;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export interface Throttle extends Pick<Limits, 'bySession' | 'countSession' | 'countApplication'> {
  /** To stand behind the origin gate, so that a page may read the refusal, and before the session gate, which costs more. */
  readonly beforeSession: readonly MiddlewareHandler<BffEnv>[];
  isCrowded(): boolean;
}

export function createThrottle(options: ThrottleOptions): Throttle {
  const { config, store, addresses, refusals, log, clock } = options;
  const { settings, dataKeys, dataKeyId } = config;
  const isLimitDue = createRarely<LimitName>(clock, minuteMs);

  function noteRefusal(requestId: string, limit: LimitName): void {
    refusals.countLimited(limit);
    const refused = isLimitDue(limit);
    if (refused !== undefined) log({ event: 'rate-limited', requestId, limit, refused });
  }

  const limits = createLimits({
    settings: settings.limits,
    store,
    key: Buffer.from(dataKeys[dataKeyId] ?? '', 'base64'),
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
  };
}

/** Where nobody vouches for the applicants' addresses they may all share one, and its limits with it. */
function watchAddresses(
  { findDoubt }: ClientAddresses,
  log: Log,
  clock: () => number,
): MiddlewareHandler<BffEnv> {
  const isDoubtDue = createRarely(clock, hourMs);
  return async function watchAddresses(c, next) {
    const reason = findDoubt(c);
    if (reason !== undefined && isDoubtDue(reason) !== undefined) {
      log({ event: 'client-address-doubtful', requestId: c.get('requestId'), reason });
    }
    await next();
  };
}
