// Where limits are counted: in this process, or in PostgreSQL for all processes that share a journal there.

import { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterAbstract,
  type RateLimiterRes,
} from 'rate-limiter-flexible';

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
/** The table that version 2 of the journal's schema makes. */
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
 * @param url of the journal, which has to be open: that is what makes the table.
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
