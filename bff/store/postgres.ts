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

/** The first version with `gen_random_uuid()`, which the triggers of events call. As in `server_version_num`. */
const minServerVersion = 130_000;
const serverVersionQuery = `select current_setting('server_version_num')::integer as version`;

/** SQLSTATE of a deadlock, and of a lock or a statement that took too long. */
const lockErrors: ReadonlySet<string> = new Set(['40P01', '55P03', '57014']);

/** By default, PostgreSQL has room for 64 locks of each connection, and a write takes up to two (`max_locks_per_transaction`). */
const maxGroupWrites = 30;

/** SQLSTATE when another process has added a column to the rows of a prepared statement. Our own statements never cause it. */
const outdatedState = '0A000';

/**
 * SQLSTATE of a transaction that PostgreSQL has undone, because it and another one waited for each other's locks. The other one
 * continues. Transactions of one application cannot wait for each other, because they take its lock first, but some commands change many
 * applications.
 */
const deadlockState = '40P01';
const maxDeadlocks = 3;

/** SQLSTATE classes of errors in our own statements (PostgreSQL manual, appendix A). */
const statementErrors: ReadonlySet<string> = new Set(['0A', '21', '22', '23', '24', '42']);

/**
 * @param url As `pg` takes it: `postgres://user:password@host/database?sslmode=verify-full`. The user must be allowed to create
 *   tables in the first schema of its search path.
 * @throws StoreError, or an error of `pg` or Node.
 */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Database> {
  const { maxConnections: max = poolOptions.max } = options;
  const pool = new Pool({ ...poolOptions, max, connectionString: url });
  // Without listeners, a broken connection would end the process. The next statement fails or gets a new connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const queries = createQueries(options.clock);
  /** Writes that wait for the next turn of the event loop, in the order in which they arrived. */
  const pending: Write[] = [];
  const commits = new Set<Promise<void>>();

  /** @param attempt fails before it commits if a prepared statement is outdated, or if it is the victim of a deadlock. */
  async function retryUndone<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt();
      } catch (error) {
        const state = toSqlState(error);
        const mayRetry = retries < (state === deadlockState ? maxDeadlocks : 1);
        if (!mayRetry || (state !== outdatedState && state !== deadlockState)) throw error;
        if (state === outdatedState) queries.prepareAgain();
      }
    }
  }

  /** Runs the writes in one transaction. Returns undefined if it was undone, and each of them may succeed alone. */
  async function runTogether(writes: readonly Write[]): Promise<readonly Run[] | undefined> {
    const client = await guard(pool.connect());
    /** Statements that the client has sent since it last waited for all answers, in the order of the answers. */
    let sent: Promise<Rows>[] = [];
    const send = (query: Query) => {
      const rows = guard(client.query(query)).then((result) => result.rows);
      sent.push(rows);
      return rows;
    };
    /** Rejects with the error of the first statement that failed. The others then fail because of it. */
    const awaitSent = async () => {
      await Promise.all(sent);
      sent = [];
    };
    let isBroken = false;
    try {
      // In the same order in all processes, so that no two transactions wait for each other.
      void send(toBegin(writes.flatMap(({ locks }) => locks).toSorted()));
      const runs = writes.map((write) => write.start());
      for (let open: readonly Run[] = runs; ;) {
        const answers = open.map((run) =>
          run.send((statement) => send(queries.toQuery(statement))),
        );
        if (answers.every((answer) => answer === undefined)) break;
        await awaitSent();
        open = open.filter((_, index) => answers[index] !== undefined);
        const rows = await Promise.all(answers.filter((answer) => answer !== undefined));
        for (const [index, run] of open.entries()) run.continue(rows[index] ?? []);
      }
      // After a failed statement, this rolls back.
      void send({ text: 'commit' });
      await awaitSent();
      return runs;
    } catch (error) {
      await Promise.allSettled(sent);
      // On a broken connection a rollback would only wait. The server rolls back by itself.
      isBroken =
        error instanceof StoreError || !(await client.query('rollback').catch(() => undefined));
      if (writes.length > 1 && isOfOneWrite(error)) return undefined;
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async function commit(writes: readonly Write[]): Promise<void> {
    try {
      const runs = await retryUndone(() => runTogether(writes));
      if (runs) for (const run of runs) run.confirm();
      else await Promise.all(writes.map((write) => commit([write])));
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  function start(writes: readonly Write[]): void {
    const committing = commit(writes).finally(() => commits.delete(committing));
    commits.add(committing);
  }

  /** Writes with a common lock do not share a commit: the second one has to see what the first one has committed. */
  function commitPending(): void {
    while (pending.length > 0) {
      const locks = new Set<string>();
      const group: Write[] = [];
      const others: Write[] = [];
      for (const write of pending.splice(0)) {
        const mayJoin =
          group.length < maxGroupWrites && !write.locks.some((lock) => locks.has(lock));
        (mayJoin ? group : others).push(write);
        for (const lock of write.locks) locks.add(lock);
      }
      start(group);
      pending.push(...others);
    }
  }

  function transaction<Result>(
    work: () => Transaction<Result>,
    locks: readonly string[] = [],
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const write = { start: () => startRun(work, resolve), locks, reject };
      // Only locks keep two writes of one transaction apart, because they share its row locks.
      if (locks.length === 0) return start([write]);
      if (pending.length === 0) setImmediate(commitPending);
      pending.push(write);
    });
  }

  /** Older servers accept the triggers, and refuse the first application. */
  async function checkServerVersion(): Promise<void> {
    const { rows } = await guard(pool.query<{ readonly version: number }>(serverVersionQuery));
    if ((rows[0]?.version ?? 0) >= minServerVersion) return;
    throw new StoreError('STORE_SERVER_OLD', 'The PostgreSQL server is too old.');
  }

  let isNew: boolean;
  try {
    await checkServerVersion();
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
    contentFolder: undefined,
    isNew,
    all: (statement) =>
      retryUndone(async () => (await guard(pool.query(queries.toQuery(statement)))).rows),
    transaction,
    async scrub() {
      await vacuum(url);
      return true;
    },
    checkRoom: () => undefined,
    async close() {
      commitPending();
      await Promise.all(commits);
      await pool.end();
    },
  };
}

/** True if one of several writes is to blame. PostgreSQL has then undone all of them, and the others can be committed. */
function isOfOneWrite(error: unknown): boolean {
  return !(error instanceof StoreError) || lockErrors.has(toSqlState(error) ?? '');
}

/** The SQLSTATE of an error of PostgreSQL, also after `guard`. */
function toSqlState(error: unknown): string | undefined {
  const cause = error instanceof StoreError ? error.cause : error;
  return cause instanceof DatabaseError ? cause.code : undefined;
}

/** A transaction that waits for its commit, alone or together with others. */
interface Write {
  readonly locks: readonly string[];
  /** Starts the transaction. May be called again after a failure. */
  readonly start: () => Run;
  readonly reject: (error: unknown) => void;
}

/** A transaction in progress. */
interface Run {
  /** Sends the statements up to the next one that is awaited. Returns its rows, or undefined if there is none. */
  send(sendStatement: (statement: Statement) => Promise<Rows>): Promise<Rows> | undefined;
  /** @param rows those of the awaited statement. */
  continue(rows: Rows): void;
  /** Call it after the commit. */
  confirm(): void;
}

function startRun<Result>(work: () => Transaction<Result>, resolve: (result: Result) => void): Run {
  const steps = work();
  let step = steps.next([]);
  return {
    send(sendStatement) {
      while (!step.done) {
        const rows = sendStatement(step.value);
        if (!step.value.isUnawaited) return rows;
        step = steps.next([]);
      }
      return undefined;
    },
    continue(rows) {
      step = steps.next(rows);
    },
    confirm() {
      if (step.done) resolve(step.value);
    },
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
    await guard(
      client.query('vacuum (skip_locked) application, attachment, chunk, handoff, state_change'),
    );
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
