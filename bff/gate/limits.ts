// How often one address and one session may ask: enough for any person, and for many people behind one address.

import { createHmac } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../settings.ts';
import type { FindClientAddress } from './client-address.ts';
import type { BffEnv } from './context.ts';
import { CountedRefusal } from './counted-refusal.ts';
import { createMemoryLimits, type LimitStore } from './limit-store.ts';

/** What is limited `at once` is so in one process (`in-flight.ts`, `upload-places.ts`); the others are counted here. */
export const limitNames = [
  'requests-by-address',
  'widget-requests-by-address',
  'sessions-by-address',
  'applications-by-address',
  'requests-by-session',
  'applications-by-session',
  'uploads-by-session',
  'requests-at-once',
  'uploads-at-once-by-session',
  'uploads-at-once-by-address',
  'uploads-at-once',
] as const;

export type LimitName = (typeof limitNames)[number];

export interface LimitsOptions {
  readonly settings: Settings['limits'];
  readonly store: LimitStore;
  /** The same in all processes that share a store, 32 bytes: with it addresses become keys that say nothing about them. */
  readonly addressKey: Uint8Array;
  readonly findCountedAddress: FindClientAddress;
  readonly onRefusal: (requestId: string, limit: LimitName) => void;
}

/** Each throws `too-many-requests`. By address nothing is counted where the address is unknown: without a server, as in tests. */
export interface Limits {
  /** Any request. */
  readonly byAddress: MiddlewareHandler<BffEnv>;
  /** Any request for a file of the widget. */
  readonly widgetByAddress: MiddlewareHandler<BffEnv>;
  /** Any request with a session. */
  readonly bySession: MiddlewareHandler<BffEnv>;
  /** A session that is about to begin; not one that is resumed. */
  countSession(c: Context<BffEnv>): Promise<void>;
  /** An application that is about to be kept; not one that is sent again under its key. */
  countApplication(c: Context<BffEnv>): Promise<GiveBack>;
  /** An upload that has a place; one that waits for it is not counted, or waiting would use up what it waits for. */
  countUpload(requestId: string, sessionId: string): Promise<void>;
}

/** Takes a count back, of what was not kept after all. */
export type GiveBack = () => Promise<void>;

const nothingCounted: GiveBack = async () => undefined;

const minute = 60;
const hour = 60 * minute;

/** OWASP API Security Top 10 2023, API4 and API6; ASVS 5.0, 2.4.1. */
export function createLimits(options: LimitsOptions): Limits {
  const { settings, findCountedAddress } = options;

  function create(
    name: LimitName,
    points: number,
    windowSeconds: number,
    { isGivenBack = false, store = options.store } = {},
  ) {
    if (points === 0) return async () => nothingCounted;
    const limiter = store.createLimiter({ name, points, windowSeconds, isGivenBack });
    return async function count(requestId: string, key: string | undefined): Promise<GiveBack> {
      if (key === undefined) return nothingCounted;
      try {
        await limiter.consume(key);
        return async () => void (await limiter.reward(key));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        // Refusals are counted as well, and would keep places that are given back from being free.
        if (isGivenBack) await limiter.reward(key);
        options.onRefusal(requestId, name);
        const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw new CountedRefusal('too-many-requests', { retryAfterSeconds });
      }
    };
  }

  const requestsByAddress = create(
    'requests-by-address',
    settings.requestsPerMinutePerAddress,
    minute,
  );
  // Counted in each process by itself: a file of the widget must not cost the database a write.
  const widgetRequestsByAddress = create(
    'widget-requests-by-address',
    settings.widgetRequestsPerMinutePerAddress,
    minute,
    { store: createMemoryLimits() },
  );
  const sessionsByAddress = create(
    'sessions-by-address',
    settings.sessionsPerMinutePerAddress,
    minute,
  );
  const applicationsByAddress = create(
    'applications-by-address',
    settings.applicationsPerHourPerAddress,
    hour,
    { isGivenBack: true },
  );
  const requestsBySession = create(
    'requests-by-session',
    settings.requestsPerMinutePerSession,
    minute,
  );
  const applicationsBySession = create(
    'applications-by-session',
    settings.applicationsPerHourPerSession,
    hour,
    { isGivenBack: true },
  );
  const uploadsBySession = create('uploads-by-session', settings.uploadsPerHourPerSession, hour);

  function toAddressKey(c: Context<BffEnv>): string | undefined {
    const address = findCountedAddress(c);
    if (address === undefined) return undefined;
    return createHmac('sha256', options.addressKey)
      .update(address)
      .digest('base64url')
      .slice(0, 22);
  }

  return {
    async byAddress(c, next) {
      await requestsByAddress(c.get('requestId'), toAddressKey(c));
      await next();
    },
    async widgetByAddress(c, next) {
      await widgetRequestsByAddress(c.get('requestId'), toAddressKey(c));
      await next();
    },
    async bySession(c, next) {
      // None where the route needs none.
      const session: BffEnv['Variables']['session'] | undefined = c.get('session');
      await requestsBySession(c.get('requestId'), session?.row.id);
      await next();
    },
    async countSession(c) {
      await sessionsByAddress(c.get('requestId'), toAddressKey(c));
    },
    async countApplication(c) {
      const requestId = c.get('requestId');
      const giveBackToAddress = await applicationsByAddress(requestId, toAddressKey(c));
      try {
        const giveBackToSession = await applicationsBySession(requestId, c.get('session').row.id);
        return async () => void (await Promise.all([giveBackToAddress(), giveBackToSession()]));
      } catch (error) {
        await giveBackToAddress();
        throw error;
      }
    },
    async countUpload(requestId, sessionId) {
      await uploadsBySession(requestId, sessionId);
    },
  };
}
