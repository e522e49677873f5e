// How often one address and one session may ask: enough for any person, and for many people behind one address.

import { createHmac, hkdfSync } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { apiPaths } from '../../shared/api/paths.ts';
import type { Settings } from '../settings.ts';
import type { FindClientAddress } from './client-address.ts';
import type { BffEnv } from './context.ts';
import { LimitError } from './limit-error.ts';
import type { LimitStore } from './limit-store.ts';

/** `requests-at-once` is a limit of the whole process (`in-flight.ts`); the others are counted here. */
export const limitNames = [
  'requests-by-address',
  'sessions-by-address',
  'applications-by-address',
  'requests-by-session',
  'applications-by-session',
  'uploads-by-session',
  'requests-at-once',
] as const;

export type LimitName = (typeof limitNames)[number];

export interface LimitsOptions {
  readonly settings: Settings['limits'];
  readonly store: LimitStore;
  /** The same in all processes that share a store, 32 bytes: with it addresses become keys that say nothing about them. */
  readonly key: Uint8Array;
  readonly findCountedAddress: FindClientAddress;
  readonly onRefusal: (requestId: string, limit: LimitName) => void;
}

/** Each throws `too-many-requests`. By address nothing is counted where the address is unknown: without a server, as in tests. */
export interface Limits {
  /** Any request. */
  readonly byAddress: MiddlewareHandler<BffEnv>;
  /** Any request with a session; an upload has a limit of its own. */
  readonly bySession: MiddlewareHandler<BffEnv>;
  /** A session that is about to begin; not one that is resumed. */
  countSession(c: Context<BffEnv>): Promise<void>;
  /** An application that is about to be kept; not one that is sent again under its key. */
  countApplication(c: Context<BffEnv>): Promise<void>;
}

const minute = 60;
const hour = 60 * minute;

/** OWASP API Security Top 10 2023, API4 and API6; ASVS 5.0, 2.4.1. */
export function createLimits(options: LimitsOptions): Limits {
  const { settings, findCountedAddress } = options;
  const addressKey = Buffer.from(hkdfSync('sha256', options.key, '', 'limits by address', 32));

  function create(name: LimitName, points: number, windowSeconds: number) {
    if (points === 0) return async () => undefined;
    const limiter = options.store.createLimiter({ name, points, windowSeconds });
    return async function count(c: Context<BffEnv>, key: string | undefined): Promise<void> {
      if (key === undefined) return;
      try {
        await limiter.consume(key);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        options.onRefusal(c.get('requestId'), name);
        throw new LimitError(
          'too-many-requests',
          Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
        );
      }
    };
  }

  const requestsByAddress = create(
    'requests-by-address',
    settings.requestsPerMinutePerAddress,
    minute,
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
  );
  const uploadsBySession = create('uploads-by-session', settings.uploadsPerHourPerSession, hour);

  function toAddressKey(c: Context<BffEnv>): string | undefined {
    const address = findCountedAddress(c);
    if (address === undefined) return undefined;
    return createHmac('sha256', addressKey).update(address).digest('base64url').slice(0, 22);
  }

  return {
    async byAddress(c, next) {
      await requestsByAddress(c, toAddressKey(c));
      await next();
    },
    async bySession(c, next) {
      // None where the route needs none.
      const session: BffEnv['Variables']['session'] | undefined = c.get('session');
      const count = isUpload(c) ? uploadsBySession : requestsBySession;
      await count(c, session?.row.id);
      await next();
    },
    countSession: (c) => sessionsByAddress(c, toAddressKey(c)),
    async countApplication(c) {
      await applicationsByAddress(c, toAddressKey(c));
      await applicationsBySession(c, c.get('session').row.id);
    },
  };
}

/** Uploads last as long as a line is slow, and are counted by themselves wherever something is counted. */
export function isUpload(c: Context<BffEnv>): boolean {
  return c.req.method === 'POST' && c.req.path === apiPaths.documents;
}
