// The store's statements on PostgreSQL, for a BFF that runs as several processes.

import {
  Client,
  DatabaseError,
  Pool,
  types,
  type ClientConfig,
  type PoolClient,
  type PoolConfig,
} from 'pg';
import {
  StoreError,
  toOpeningError,
  type Database,
  type OpenOptions,
  type Rows,
  type Statement,
  type Value,
  type Transaction,
} from './database.ts';
import { postgresDialect, prepareStore } from './schema.ts';

const connectTimeoutMs = 5_000;
/** A statement that waits longer than this waits for something broken. */
const statementTimeoutMs = 30_000;
/** What holds a lock holds it for milliseconds, unless it is broken; ten that wait would keep everybody else out. */
const lockTimeoutMs = 5_000;
const maxConnections = 10;
const migrationLock = 'funding-application/schema';

/** The same throughout a statement, which lets it use an index. */
const databaseClock = '(extract(epoch from statement_timestamp()) * 1000)::bigint';

/**
 * @param url as `pg` takes it, for example `postgres://user:password@host/database?sslmode=verify-full`. The user must be
 * allowed to create tables in the schema that comes first in its search path.
 *
 * Throws what `pg` throws when the server cannot be reached or used.
 */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Database> {
  const { clock } = options;
  const pool = new Pool({ ...poolOptions, connectionString: url });
  // A connection that breaks is told by its next statement, or replaced; without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function run(client: Pool | PoolClient, statement: Statement): Promise<Rows> {
    const { text, values } = toPostgres(statement, clock);
    return (await guard(client.query({ text, values }))).rows;
  }

  function transaction<Result>(
    work: () => Transaction<Result>,
    locks: readonly string[] = [],
  ): Promise<Result> {
    return inTransaction(pool, async (client) => {
      for (const lock of locks) {
        await guard(client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]));
      }
      const steps = work();
      let step = steps.next([]);
      while (!step.done) step = steps.next(await run(client, step.value));
      return step.value;
    });
  }

  let isNew: boolean;
  try {
    ({ isNew } = await transaction(() => prepareStore(postgresDialect, options), [migrationLock]));
  } catch (error) {
    await pool.end();
    throw toOpeningError(error);
  }

  return {
    isShared: true,
    skipLocked: 'for update skip locked',
    forUpdate: 'for update',
    // PostgreSQL skips numbers: after a rollback, and up to 32 after a crash of the server.
    lastApplicationNumber:
      '(select case when is_called then last_value else 0 end from application_seq_seq)',
    isNew,
    all: (sql, ...values) => run(pool, { sql, values }),
    transaction,
    async scrub() {
      await vacuum(url);
      return true;
    },
    checkRoom: () => undefined,
    close: () => pool.end(),
  };
}

const connectionOptions: ClientConfig = {
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  application_name: 'funding-application',
};

const poolOptions: PoolConfig = {
  ...connectionOptions,
  max: maxConnections,
  statement_timeout: statementTimeoutMs,
  // By our own clock as well: a network that swallows everything says nothing, not even that.
  query_timeout: statementTimeoutMs + 5_000,
  lock_timeout: lockTimeoutMs,
  // A process that stands still in the middle of a transaction must not keep its locks.
  idle_in_transaction_session_timeout: statementTimeoutMs,
  types: { getTypeParser: toTypeParser },
  async onConnect(client) {
    // Whatever the server's default: what is acknowledged is on its disk.
    await client.query('set synchronous_commit = on');
  },
};

function toTypeParser(oid: number, format?: 'text' | 'binary'): (value: never) => unknown {
  const parse = types.getTypeParser(oid, format);
  // Times and counts are far below 2^53; `pg` would give them as text.
  if (oid === types.builtins.INT8) return Number;
  if (oid === types.builtins.BYTEA) return (value) => toPlainBytes(parse(value));
  return parse;
}

/** The same memory without what Node adds to it, as SQLite gives it. */
function toPlainBytes({ buffer, byteOffset, length }: Buffer<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

/**
 * Deleted rows keep their bytes until they are vacuumed; what was sealed in them is ciphertext all the time. On a connection of
 * its own, because on a large table it takes longer than any statement may.
 */
async function vacuum(url: string): Promise<void> {
  const client = new Client({ ...connectionOptions, connectionString: url });
  client.on('error', () => undefined);
  try {
    await guard(client.connect());
    await guard(client.query('vacuum (skip_locked) application, attachment, chunk'));
  } finally {
    // What cannot be ended any more has ended.
    await client.end().catch(() => undefined);
  }
}

async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await guard(pool.connect());
  let isBroken = true;
  try {
    await guard(client.query('begin'));
    try {
      const result = await work(client);
      await guard(client.query('commit'));
      isBroken = false;
      return result;
    } catch (error) {
      // The first error is the one to report. Behind a connection that failed, a rollback would only wait; the server does it.
      isBroken = error instanceof StoreError || (await cannotRollBack(client));
      throw error;
    }
  } finally {
    client.release(isBroken);
  }
}

async function cannotRollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return false;
  } catch {
    return true;
  }
}

/** Classes of SQLSTATE that say our own statement is wrong (PostgreSQL manual, appendix A); any other failure is the server's. */
const ownFaults: ReadonlySet<string> = new Set(['0A', '21', '22', '23', '24', '42']);

/** Tells a lost connection, a full disk or a server that is stopping from what is our own fault. */
async function guard<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    const state = error instanceof DatabaseError ? error.code : undefined;
    if (state !== undefined && ownFaults.has(state.slice(0, 2))) throw error;
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    throw new StoreError('STORE_UNAVAILABLE', 'The store cannot be used.', error);
  }
}

/** Numbers the values, and puts in the time: the database's own, since the clocks of several machines differ. */
function toPostgres(
  { sql, values }: Statement,
  clock: (() => number) | undefined,
): { readonly text: string; readonly values: Value[] } {
  let count = 0;
  const text = sql
    .replaceAll('?', () => `$${(count += 1)}`)
    .replaceAll('{now}', () => (clock ? String(Math.round(clock())) : databaseClock));
  return {
    text,
    // A plain Uint8Array would be taken for a list.
    values: values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
  };
}
