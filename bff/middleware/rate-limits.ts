// Rate limits per IP address and per session, counted in memory or, for several processes, in PostgreSQL.

import { createHmac } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Environment } from '../../shared/api/configuration.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import type { Config } from '../config/config.ts';
import type { RateLimitedLog } from '../logging/rate-limited-log.ts';
import { deriveKey } from '../store/encryption.ts';
import type { FindClientAddress } from './client-address.ts';
import type { BffEnv } from './context.ts';
import type { Counters } from './counters.ts';
import { LoggedRefusal } from './errors.ts';

/** `…-at-once` are the concurrency limit and the semaphore for uploads, which report their refusals here. */
export const limitNames = [
  'requests-by-address',
  'widget-requests-by-address',
  'sessions-by-address',
  'draft-keys-by-address',
  'applications-by-address',
  'requests-by-session',
  'applications-by-session',
  'uploads-by-session',
  'handoffs-by-session',
  'handoff-claims-by-address',
  'handoff-codes-by-address',
  'requests-at-once',
  'uploads-at-once-by-session',
  'uploads-at-once-by-address',
  'uploads-at-once',
] as const;

type LimitName = (typeof limitNames)[number];

/** Logged at most once per minute for each limit. `refused` is the number of refusals since the previous event. */
export interface RateLimitEvent {
  readonly event: 'rate-limited';
  readonly requestId: string;
  readonly limit: LimitName;
  readonly refused: number;
}

interface RateLimitsOptions {
  readonly config: Pick<Config, 'settings' | 'dataKeys' | 'environment'>;
  readonly limitStore: LimitStore;
  readonly findRateLimitAddress: FindClientAddress;
  readonly counters: Pick<Counters, 'countRateLimit'>;
  readonly logRateLimited: RateLimitedLog<RateLimitEvent>;
}

/**
 * Each limit throws `too-many-requests` when it is exceeded (OWASP API Security Top 10 2023, API4 and API6; ASVS 5.0, 2.4.1).
 * Requests without an address, which occur only without a server, as in tests, are not counted by address.
 */
export interface RateLimits {
  readonly byAddress: MiddlewareHandler<BffEnv>;
  readonly widgetByAddress: MiddlewareHandler<BffEnv>;
  readonly bySession: MiddlewareHandler<BffEnv>;
  /** Counts a new session. */
  readonly countSession: (c: Context<BffEnv>) => Promise<unknown>;
  /** Counts a new draft key. A browser that keeps answers on the device needs one for each application. */
  readonly countDraftKey: (c: Context<BffEnv>) => Promise<unknown>;
  /** Counts a new application. Call the refund if the store does not keep the application. */
  readonly countApplication: (c: Context<BffEnv>) => Promise<Refund>;
  /** Counts an upload. Call it after the upload got its semaphore, so that waiting for the semaphore costs nothing. */
  readonly countUpload: (c: Context<BffEnv>) => Promise<unknown>;
  /** Counts a new handoff. */
  readonly countHandoff: (c: Context<BffEnv>) => Promise<unknown>;
  /** Counts the claim of a handoff. */
  readonly countHandoffClaim: (c: Context<BffEnv>) => Promise<unknown>;
  /** Counts a typed code. Call the refund if the code was right. */
  readonly countHandoffCode: (c: Context<BffEnv>) => Promise<Refund>;
  /** Counts and logs a request that another limit refused. The caller throws a `LoggedRefusal`. */
  readonly reportRateLimit: (requestId: string, limit: LimitName) => void;
}

/** Takes a count back. */
type Refund = () => Promise<unknown>;

const noRefund: Refund = async () => undefined;

/** See the setting `limits.applicationsPerHourPerAddress`. */
const defaultApplications: Readonly<Record<Environment, number>> = {
  sandbox: 0,
  staging: 60,
  production: 60,
};

/** Seconds. */
const minute = 60;
const hour = 60 * minute;

export function createRateLimits(options: RateLimitsOptions): RateLimits {
  const { config, limitStore, findRateLimitAddress, counters, logRateLimited } = options;
  const max = config.settings.limits;
  // All processes on one store need the same key.
  const addressKey = deriveKey(config, 'limits by address');

  function reportRateLimit(requestId: string, limit: LimitName): void {
    const event = 'rate-limited';
    counters.countRateLimit(limit);
    logRateLimited(`${event} ${limit}`, (refused) => ({ event, requestId, limit, refused }));
  }

  /**
   * Limits whose name ends in `-by-session` count by session, and the others by address. Addresses are personal data, so the
   * limits store only a keyed hash.
   */
  function toKey(c: Context<BffEnv>, name: LimitName): string | undefined {
    // Routes that need no session have none.
    const session: BffEnv['Variables']['session'] | undefined = c.get('session');
    if (name.endsWith('-by-session')) return session?.id;
    const address = findRateLimitAddress(c);
    if (address === undefined) return undefined;
    return createHmac('sha256', addressKey).update(address).digest('base64url').slice(0, 22);
  }

  /** @param points 0 turns the limit off. */
  function limit(
    name: LimitName,
    points: number,
    windowSeconds: number,
    { isRefundable = false, store = limitStore } = {},
  ): (c: Context<BffEnv>) => Promise<Refund> {
    if (points === 0) return async () => noRefund;
    const limiter = store.createLimiter({ name, points, windowSeconds, isRefundable });
    return async function count(c) {
      const key = toKey(c, name);
      if (key === undefined) return noRefund;
      try {
        await limiter.consume(key);
        return () => limiter.reward(key);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        // The library counts refused requests too. Without this refund, they would use up the points that are refunded.
        if (isRefundable) await limiter.reward(key);
        reportRateLimit(c.get('requestId'), name);
        const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw new LoggedRefusal('too-many-requests', { retryAfterSeconds });
      }
    };
  }

  const refundable = { isRefundable: true };
  const countByAddress = limit(
    'applications-by-address',
    max.applicationsPerHourPerAddress ?? defaultApplications[config.environment],
    hour,
    refundable,
  );
  const countBySession = limit(
    'applications-by-session',
    max.applicationsPerHourPerSession,
    hour,
    refundable,
  );

  return {
    byAddress: toMiddleware(limit('requests-by-address', max.requestsPerMinutePerAddress, minute)),
    // Counted per process, because loading a file of the element must not cost a database write.
    widgetByAddress: toMiddleware(
      limit('widget-requests-by-address', max.widgetRequestsPerMinutePerAddress, minute, {
        store: createMemoryLimits(),
      }),
    ),
    bySession: toMiddleware(limit('requests-by-session', max.requestsPerMinutePerSession, minute)),
    countSession: limit('sessions-by-address', max.sessionsPerMinutePerAddress, minute),
    countDraftKey: limit('draft-keys-by-address', max.sessionsPerMinutePerAddress, minute),
    countUpload: limit('uploads-by-session', max.uploadsPerHourPerSession, hour),
    countHandoff: limit('handoffs-by-session', max.handoffsPerHourPerSession, hour),
    countHandoffClaim: limit('handoff-claims-by-address', max.handoffClaimsPerHourPerAddress, hour),
    countHandoffCode: limit(
      'handoff-codes-by-address',
      max.handoffCodesPerHourPerAddress,
      hour,
      refundable,
    ),
    async countApplication(c) {
      const refundAddress = await countByAddress(c);
      try {
        const refundSession = await countBySession(c);
        return () => Promise.all([refundAddress(), refundSession()]);
      } catch (error) {
        await refundAddress();
        throw error;
      }
    },
    reportRateLimit,
  };
}

function toMiddleware(count: (c: Context<BffEnv>) => Promise<unknown>): MiddlewareHandler<BffEnv> {
  return async function rateLimit(c, next) {
    await count(c);
    await next();
  };
}

interface LimiterOptions {
  readonly name: string;
  /** Maximum per window. The library's windows are fixed: across the border of two windows, twice as many can pass. */
  readonly points: number;
  readonly windowSeconds: number;
  /** True if the caller takes counts back (`reward`). Defaults to false. */
  readonly isRefundable?: boolean;
}

/** Where limits are counted. */
export interface LimitStore {
  createLimiter(options: LimiterOptions): Pick<RateLimiterAbstract, 'consume' | 'reward'>;
  /** Call it after the last request. */
  close(): Promise<void>;
}

const defaultMaxKeys = 50_000;

/** @param maxKeys per limiter; the least recently used keys are evicted. */
export function createMemoryLimits(maxKeys: number = defaultMaxKeys): LimitStore {
  return {
    createLimiter: (options) => new BoundedRateLimiterMemory(options, maxKeys),
    close: async () => undefined,
  };
}

const defaultMaxConnections = 4;
/** Requests wait at most this long for a count. */
const queryTimeoutMs = 1_000;

/**
 * Counts for all processes in one table. While the database is unreachable, each process counts in its own memory.
 *
 * @param url the store's database. Open the store first, because it creates the table.
 */
export function createPostgresLimits(
  url: string,
  maxConnections: number = defaultMaxConnections,
): LimitStore {
  const pool = new Pool({
    connectionString: url,
    application_name: 'funding-application limits',
    max: maxConnections,
    connectionTimeoutMillis: queryTimeoutMs,
    query_timeout: queryTimeoutMs,
    statement_timeout: queryTimeoutMs,
    async onConnect(client) {
      // A crash of the database may lose counts.
      await client.query('set synchronous_commit = off');
    },
  });
  // Without a listener, an error on an idle connection ends the process. The next query reports the problem.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  return {
    createLimiter: (options) =>
      new RateLimiterPostgres({
        keyPrefix: options.name,
        points: options.points,
        duration: options.windowSeconds,
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limit',
        tableCreated: true,
        // Refuses a key that exceeded its limit without a query. A refund has to reach the key, so it needs the query.
        ...(options.isRefundable ? {} : { inMemoryBlockOnConsumed: options.points + 1 }),
        insuranceLimiter: new BoundedRateLimiterMemory(options, defaultMaxKeys),
      }),
    close: () => pool.end(),
  };
}

/** The library's memory limiter keeps a record and a timer for every key, without a maximum (CWE-770). */
class BoundedRateLimiterMemory extends RateLimiterMemory {
  readonly #maxKeys: number;
  /** Least recently used first. */
  readonly #keys = new Set<string | number>();

  constructor({ name, points, windowSeconds }: LimiterOptions, maxKeys: number) {
    super({ keyPrefix: name, points, duration: windowSeconds });
    this.#maxKeys = maxKeys;
  }

  override async consume(key: string | number, points?: number): Promise<RateLimiterRes> {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > this.#maxKeys && oldest !== undefined) {
      this.#keys.delete(oldest);
      await this.delete(oldest);
    }
    return super.consume(key, points);
  }
}

const retryAfterSeconds = 5;
/** Uploads can take minutes. The semaphore for uploads limits them instead. */
const uploadPaths: ReadonlySet<string> = new Set([apiPaths.documents, apiPaths.assetReport]);

/** The share of one request in the limit. */
export interface Permit {
  /** Gives the permit back, for example while the request waits for its body. */
  release(): void;
  /** Throws `too-busy` if the limit is reached. */
  acquire(): void;
}

export interface ConcurrencyLimit {
  /** Holds a permit from here to the response. */
  readonly middleware: MiddlewareHandler<BffEnv>;
  /** True while more than half of the permits are in use. Requests then do not wait for the funding service. */
  isBusy(): boolean;
}

/** @param maxRequests 0 turns the limit off. */
export function createConcurrencyLimit(
  maxRequests: number,
  onRefusal: (requestId: string) => void,
): ConcurrencyLimit {
  const held = new Set<Permit>();

  function createPermit(requestId: string): Permit {
    const permit: Permit = {
      acquire() {
        if (maxRequests > 0 && held.size >= maxRequests) {
          onRefusal(requestId);
          throw new LoggedRefusal('too-busy', { retryAfterSeconds });
        }
        held.add(permit);
      },
      release: () => void held.delete(permit),
    };
    return permit;
  }

  return {
    async middleware(c, next) {
      if (c.req.method === 'POST' && uploadPaths.has(c.req.path)) return next();
      const permit = createPermit(c.get('requestId'));
      permit.acquire();
      c.set('permit', permit);
      try {
        await next();
      } finally {
        permit.release();
      }
    },
    isBusy: () => maxRequests > 0 && held.size > maxRequests / 2,
  };
}
