// Runs the store on PostgreSQL, for a BFF with several processes.

import { Client, DatabaseError, Pool, types, type ClientConfig, type PoolConfig } from 'pg';
import {
  sql,
  StoreError,
  toOpeningError,
  type Database,
  type OpenOptions,
  type Rows,
  type Statement,
  type Transaction,
  type Value,
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
  // Statements of a transaction are sent without waiting for the answers to the ones before.
  pipeline: true,
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
    await client.query(`
      -- Commits must be on disk, regardless of the server's default.
      set synchronous_commit = on;
      -- PostgreSQL keeps the plans of prepared statements: one that reads a small table whole would do so after the table has grown.
      set enable_seqscan = off;
      -- Compilation pays for long queries only, and would take every scan without an index for one.
      set jit = off;
    `);
  },
};

/** SQLSTATE when another process has added a column to the rows of a prepared statement. Our own statements never cause it. */
const outdatedState = '0A000';

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
  const queries = createQueries(options.clock);

  /** @param attempt fails before it commits if a prepared statement is outdated. */
  async function retryOutdated<Result>(attempt: () => Promise<Result>): Promise<Result> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === outdatedState)) throw error;
      queries.prepareAgain();
      return attempt();
    }
  }

  async function runTransaction<Result>(
    work: () => Transaction<Result>,
    locks: readonly string[],
  ): Promise<Result> {
    const client = await guard(pool.connect());
    /** Statements that the client has sent since the last one that was awaited, in the order of their answers. */
    let sent: Promise<Rows>[] = [];
    const send = (query: Query) => sent.push(guard(client.query(query)).then(({ rows }) => rows));
    /** The first statement that failed rejects first. The others then fail because of it. */
    const awaitSent = async () => {
      const [rows = []] = (await Promise.all(sent)).slice(-1);
      sent = [];
      return rows;
    };
    let isBroken = false;
    try {
      send(toBegin(locks));
      const steps = work();
      let step = steps.next([]);
      while (!step.done) {
        send(queries.toQuery(step.value));
        step = steps.next(step.value.isUnawaited ? [] : await awaitSent());
      }
      // After a failed statement, this rolls back.
      send({ text: 'commit' });
      await awaitSent();
      return step.value;
    } catch (error) {
      await Promise.allSettled(sent);
      // On a broken connection a rollback would only wait. The server rolls back by itself.
      isBroken =
        error instanceof StoreError || !(await client.query('rollback').catch(() => undefined));
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  const transaction: Database['transaction'] = (work, locks = []) =>
    retryOutdated(() => runTransaction(work, locks));

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
    all: (statement) =>
      retryOutdated(async () => (await guard(pool.query(queries.toQuery(statement)))).rows),
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

interface Query {
  /** PostgreSQL parses and plans a statement with a name once for each connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: Value[];
}

/**
 * Starts a transaction, and takes its locks one after the other. All in one message, which can have no values. Names in hexadecimal
 * cannot change the SQL.
 */
function toBegin(locks: readonly string[]): Query {
  const statements = locks.map((lock) => {
    const name = `convert_from('\\x${Buffer.from(lock).toString('hex')}', 'UTF8')`;
    return `select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
  });
  return { text: ['begin', ...statements].join(';') };
}

/** Numbers the values and inserts the time, by default that of the database, because the clocks of several machines differ. */
function createQueries(clock: (() => number) | undefined) {
  /** By SQL. Each SQL is a constant of the code, so there are only as many as statements. */
  const prepared = new Map<string, { readonly name: string; readonly text: string }>();
  let generation = 1;

  function prepare(sql: string): { readonly name?: string; readonly text: string } {
    const known = prepared.get(sql);
    if (known) return known;
    let count = 0;
    const numbered = sql.replaceAll('?', () => `$${(count += 1)}`);
    if (clock) return { text: numbered.replaceAll('{now}', `${Math.round(clock())}::bigint`) };
    const text = numbered.replaceAll('{now}', databaseClock);
    const added = { name: `${generation}.${prepared.size}`, text };
    prepared.set(sql, added);
    return added;
  }

  return {
    toQuery: ({ sql, values }: Statement): Query => ({
      ...prepare(sql),
      values: values.map((value) => (value instanceof Uint8Array ? toBuffer(value) : value)),
    }),
    /** From now on, each connection prepares its statements under new names. */
    prepareAgain(): void {
      generation += 1;
      prepared.clear();
    },
  };
}

/** `pg` would send a plain Uint8Array as a list. */
function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
