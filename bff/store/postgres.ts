// Runs the store on PostgreSQL, for a BFF with several processes.

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
  sql,
  StoreError,
  toOpeningError,
  type Database,
  type OpenOptions,
  type Rows,
  type Statement,
  type Value,
  type Transaction,
} from './database.ts';
import { postgresDialect, migrate } from './schema.ts';

/** Locks are held for milliseconds. Ten connections that wait for a broken one would block all other requests. */
const lockTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
const migrationLock = 'funding-application/schema';

/** Constant within a statement, so that PostgreSQL can use an index. */
const databaseClock = '(extract(epoch from statement_timestamp()) * 1000)::bigint';

const connectionOptions: ClientConfig = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  application_name: 'funding-application',
};

const poolOptions: PoolConfig = {
  ...connectionOptions,
  max: 10,
  statement_timeout: statementTimeoutMs,
  // The client's own timeout, for a network that drops all packets.
  query_timeout: statementTimeoutMs + 5_000,
  lock_timeout: lockTimeoutMs,
  // A process that stops in the middle of a transaction must not keep its locks.
  idle_in_transaction_session_timeout: statementTimeoutMs,
  types: { getTypeParser: toTypeParser },
  // The pool waits for the promise, although its types say `void`.
  // oxlint-disable-next-line typescript/no-misused-promises
  async onConnect(client) {
    // Commits must be on disk, regardless of the server's default.
    await client.query('set synchronous_commit = on');
  },
};

/** SQLSTATE classes of errors in our own statements (PostgreSQL manual, appendix A). */
const statementErrors: ReadonlySet<string> = new Set(['0A', '21', '22', '23', '24', '42']);

/**
 * @param url As `pg` takes it: `postgres://user:password@host/database?sslmode=verify-full`. The user must be allowed to create
 *   tables in the first schema of its search path.
 * @throws StoreError, or an error of `pg` or Node.
 */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Database> {
  const pool = new Pool({ ...poolOptions, connectionString: url });
  // Without listeners, a broken connection would end the process. The next statement fails or gets a new connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function run(client: Pool | PoolClient, statement: Statement): Promise<Rows> {
    return (await guard(client.query(toQuery(statement, options.clock)))).rows;
  }

  async function transaction<Result>(
    work: () => Transaction<Result>,
    locks: readonly string[] = [],
  ): Promise<Result> {
    const client = await guard(pool.connect());
    let isBroken = false;
    try {
      await run(client, sql`begin`);
      for (const lock of locks) {
        await run(client, sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
      }
      const steps = work();
      let step = steps.next([]);
      while (!step.done) step = steps.next(await run(client, step.value));
      await run(client, sql`commit`);
      return step.value;
    } catch (error) {
      // On a broken connection a rollback would only wait. The server rolls back by itself.
      isBroken =
        error instanceof StoreError || !(await client.query('rollback').catch(() => undefined));
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  let isNew: boolean;
  try {
    isNew = await transaction(() => migrate(postgresDialect, options), [migrationLock]);
  } catch (error) {
    await pool.end();
    throw toOpeningError(error);
  }

  return {
    isShared: true,
    // Sequences skip numbers: after a rollback, and up to 32 after a crash of the server.
    lastApplicationNumber: sql`(
      select case when is_called then last_value else 0 end from application_seq_seq)`,
    isNew,
    all: (statement) => run(pool, statement),
    transaction,
    async scrub() {
      await vacuum(url);
      return true;
    },
    checkRoom: () => undefined,
    close: () => pool.end(),
  };
}

function toTypeParser(oid: number, format?: 'text' | 'binary'): (value: never) => unknown {
  const parse = types.getTypeParser(oid, format);
  // Times and counts are far below 2^53. `pg` returns bigint as text.
  if (oid === types.builtins.INT8) return Number;
  if (oid === types.builtins.BYTEA) return (value) => toUint8Array(parse(value));
  return parse;
}

/** A plain Uint8Array over the same memory, as SQLite returns it. */
function toUint8Array({ buffer, byteOffset, length }: Buffer<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

/**
 * Deleted rows keep their (encrypted) bytes until they are vacuumed. A vacuum needs its own connection, because it can take
 * longer than `statement_timeout`.
 */
async function vacuum(url: string): Promise<void> {
  const client = new Client({ ...connectionOptions, connectionString: url });
  client.on('error', () => undefined);
  try {
    await guard(client.connect());
    await guard(client.query('vacuum (skip_locked) application, attachment, chunk, handoff'));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Turns a lost connection, a full disk, or a stopping server into `STORE_UNAVAILABLE`. Errors in our statements pass through. */
async function guard<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    const state = error instanceof DatabaseError ? error.code : undefined;
    if (state !== undefined && statementErrors.has(state.slice(0, 2))) throw error;
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    throw new StoreError('STORE_UNAVAILABLE', 'The store cannot be used.', error);
  }
}

/** Numbers the values and inserts the time, by default that of the database, because the clocks of several machines differ. */
function toQuery(
  { sql, values }: Statement,
  clock: (() => number) | undefined,
): { readonly text: string; readonly values: Value[] } {
  let count = 0;
  return {
    text: sql
      .replaceAll('?', () => `$${(count += 1)}`)
      .replaceAll('{now}', () => (clock ? `${Math.round(clock())}::bigint` : databaseClock)),
    // `pg` would send a plain Uint8Array as a list.
    values: values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
  };
}
