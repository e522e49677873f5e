// The journal's statements on PostgreSQL, for a BFF that runs as several processes.

import { DatabaseError, Pool, types, type PoolClient, type PoolConfig } from 'pg';
import {
  JournalError,
  toOpeningError,
  type Database,
  type OpenOptions,
  type Rows,
  type Statement,
  type Value,
  type Work,
} from './database.ts';
import { migrate, postgresWords } from './schema.ts';

const connectTimeoutMs = 5_000;
/** A statement that waits longer than this waits for something broken. */
const statementTimeoutMs = 30_000;
const maxConnections = 10;
const migrationLock = 'funding-application/schema';

const databaseClock = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

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
    work: () => Work<Result>,
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

  try {
    await transaction(() => migrate(postgresWords), [migrationLock]);
  } catch (error) {
    await pool.end();
    throw toOpeningError(error);
  }

  return {
    isShared: true,
    skipLocked: 'for update skip locked',
    all: (sql, ...values) => run(pool, { sql, values }),
    transaction,
    async scrub() {
      // Deleted rows keep their bytes until they are vacuumed; what was sealed in them is ciphertext all the time.
      await guard(pool.query('vacuum (skip_locked) application, child, chunk'));
      return true;
    },
    checkRoom: () => undefined,
    close: () => pool.end(),
  };
}

const poolOptions: PoolConfig = {
  max: maxConnections,
  connectionTimeoutMillis: connectTimeoutMs,
  statement_timeout: statementTimeoutMs,
  keepAlive: true,
  application_name: 'funding-application',
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
      // The first error is the one to report; a connection that cannot even roll back is given up.
      isBroken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      throw error;
    }
  } finally {
    client.release(isBroken);
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
    throw new JournalError('JOURNAL_UNAVAILABLE', 'The journal cannot be used.', error);
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
