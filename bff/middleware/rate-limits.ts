// How often one address and one session may ask: enough for any person, and for many people behind one address.

import { createHmac } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../logging/log.ts';
import { createRateLimitedLog, type RateLimitedLog } from '../logging/rate-limited-log.ts';
import { deriveKey } from '../store/encryption.ts';
import type { ClientAddresses, ClientAddressEvent, FindClientAddress } from './client-address.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { BffEnv } from './context.ts';
import type { Counters, RefusalEvent } from './counters.ts';
import { LoggedRefusal } from './errors.ts';

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
  readonly findRateLimitAddress: FindClientAddress;
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
  countApplication(c: Context<BffEnv>): Promise<Refund>;
  /** An upload that has a place; one that waits for it is not counted, or waiting would use up what it waits for. */
  countUpload(requestId: string, sessionId: string): Promise<void>;
}

/** Takes a count back, of what was not kept after all. */
export type Refund = () => Promise<void>;

const nothingCounted: Refund = async () => undefined;

const minute = 60;
const hour = 60 * minute;

/** OWASP API Security Top 10 2023, API4 and API6; ASVS 5.0, 2.4.1. */
export function createLimits(options: LimitsOptions): Limits {
  const { settings, findRateLimitAddress } = options;

  function create(
    name: LimitName,
    points: number,
    windowSeconds: number,
    { isGivenBack = false, store = options.store } = {},
  ) {
    if (points === 0) return async () => nothingCounted;
    const limiter = store.createLimiter({ name, points, windowSeconds, isGivenBack });
    return async function count(requestId: string, key: string | undefined): Promise<Refund> {
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
        throw new LoggedRefusal('too-many-requests', { retryAfterSeconds });
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
    const address = findRateLimitAddress(c);
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

/** So many within a window that begins with the first of them; the library's windows are fixed, so twice as many can pass where two meet. */
export interface LimitOptions {
  readonly name: string;
  readonly points: number;
  readonly windowSeconds: number;
  /** Whether points are given back (`reward`). Such a limit asks the table also about keys that were refused. Default false. */
  readonly isGivenBack?: boolean;
}

export interface LimitStore {
  createLimiter(options: LimitOptions): Pick<RateLimiterAbstract, 'consume' | 'reward'>;
  /** To be called once no request is under way. */
  close(): Promise<void>;
}

/** Of one limit. Somebody with more addresses than this loses nothing by being forgotten. */
const maxKeys = 50_000;
/** The table that version 2 of the store's schema makes. */
const tableName = 'rate_limit';
const maxConnections = 4;
/** A count is not worth waiting for: past this the process counts by itself. */
const patienceMs = 1_000;
const sweepMs = 5 * 60_000;

/** @param keys how many keys of one limit are remembered; default 50,000. */
export function createMemoryLimits(keys: number = maxKeys): LimitStore {
  return {
    createLimiter: (options) => new BoundedMemory(options, keys),
    close: async () => undefined,
  };
}

/**
 * Counts of all processes in one table. While it cannot be reached each process counts by itself, and so allows as much as
 * all together should; whoever is past a limit is turned away without asking it, unless points of that limit are given back.
 *
 * @param url of the store, which has to be open: that is what makes the table.
 */
export function createPostgresLimits(url: string): LimitStore {
  const pool = new Pool({
    connectionString: url,
    application_name: 'funding-application limits',
    max: maxConnections,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    statement_timeout: patienceMs,
    async onConnect(client) {
      // A count that is lost with the server is no loss.
      await client.query('set synchronous_commit = off');
    },
  });
  // The next count tells; without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const sweep = setInterval(() => void removeExpired(pool), sweepMs).unref();

  return {
    createLimiter: (options) =>
      new RateLimiterPostgres({
        keyPrefix: options.name,
        points: options.points,
        duration: options.windowSeconds,
        storeClient: pool,
        storeType: 'pool',
        tableName,
        tableCreated: true,
        // One sweep for the table that all limits share.
        clearExpiredByTimeout: false,
        ...(options.isGivenBack ? {} : { inMemoryBlockOnConsumed: options.points + 1 }),
        insuranceLimiter: new BoundedMemory(options, maxKeys),
      }),
    async close() {
      clearInterval(sweep);
      await pool.end();
    },
  };
}

/** The library's own keeps a record and a timer for every key, however many there are. */
class BoundedMemory extends RateLimiterMemory {
  readonly #maxKeys: number;
  /** The one that was used longest ago comes first. */
  readonly #keys = new Set<string | number>();

  constructor({ name, points, windowSeconds }: LimitOptions, keys: number) {
    super({ keyPrefix: name, points, duration: windowSeconds });
    this.#maxKeys = keys;
  }

  override consume(key: string | number, points?: number): Promise<RateLimiterRes> {
    const counted = super.consume(key, points);
    // Counted by now: the library works without waiting, and a promise is only how it answers.
    this.#remember(key);
    return counted;
  }

  #remember(key: string | number): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size <= this.#maxKeys || oldest === undefined) return;
    this.#keys.delete(oldest);
    void this.delete(oldest);
  }
}

async function removeExpired(pool: Pool): Promise<void> {
  try {
    await pool.query(`delete from ${tableName} where expire < $1`, [Date.now() - sweepMs]);
  } catch {
    // The next sweep comes in a few minutes, and what is expired counts for nothing.
  }
}

const hourMs = 60 * 60_000;

export interface ThrottleOptions {
  readonly config: Config;
  readonly store: LimitStore;
  readonly addresses: ClientAddresses;
  readonly counters: Pick<Counters, 'countRateLimit'>;
  readonly log: Log<ClientAddressEvent>;
  readonly logRateLimited: RateLimitedLog<RefusalEvent>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export interface RateLimits extends Omit<Limits, 'byAddress'> {
  /** To stand behind the origin gate, so that a page may read the refusal, and before the session gate, which costs more. */
  readonly beforeSession: readonly MiddlewareHandler<BffEnv>[];
  isBusy(): boolean;
  /** Counts and tells what is refused elsewhere for a limit; to be thrown then: a `CountedRefusal`. */
  reportRateLimit(requestId: string, limit: LimitName): void;
}

export function createRateLimits(options: ThrottleOptions): RateLimits {
  const { config, store, addresses, counters, log, logRateLimited, clock } = options;
  const { settings } = config;

  function reportRateLimit(requestId: string, limit: LimitName): void {
    counters.countRateLimit(limit);
    logRateLimited(`rate-limited ${limit}`, (refused) => ({
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
    findRateLimitAddress: addresses.findRateLimitAddress,
    onRefusal: reportRateLimit,
  });
  const inFlight = createConcurrencyLimit(settings.limits.requestsAtOnce, (requestId) =>
    reportRateLimit(requestId, 'requests-at-once'),
  );
  return {
    ...limits,
    beforeSession: [watchAddresses(addresses, log, clock), inFlight.middleware, limits.byAddress],
    isBusy: inFlight.isBusy,
    reportRateLimit,
  };
}

/** Where nobody vouches for the applicants' addresses they may all share one, and its limits with it. */
function watchAddresses(
  { findAddressProblem }: ClientAddresses,
  log: Log<ClientAddressEvent>,
  clock: () => number,
): MiddlewareHandler<BffEnv> {
  const logHourly = createRateLimitedLog(log, clock, hourMs);
  return async function watchAddresses(c, next) {
    const reason = findAddressProblem(c);
    if (reason !== undefined) {
      const requestId = c.get('requestId');
      logHourly(reason, () => ({ event: 'client-address-doubtful', requestId, reason }));
    }
    await next();
  };
}
