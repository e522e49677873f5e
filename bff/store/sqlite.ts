// Runs the store on one SQLite file, for a BFF with one process.

import { existsSync, mkdirSync, realpathSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Database,
  type OpenOptions,
  type Rows,
  sql,
  type Statement,
  StoreError,
  toOpeningError,
  toSqliteResult,
  type Transaction,
} from './database.ts';
import { migrate, sqliteDialect } from './schema.ts';

/** Only commands of an operator hold the lock of the file, and each of their statements is short. */
const busyTimeoutMs = 5_000;
/** With less free space (or 5% of a smaller disk) the store reports that it is full. Deliveries in progress can be recorded. */
const minFreeBytes = 64 * 1024 * 1024;
const memoryPath = ':memory:';

/** A commit with so many writes, or bytes in their values, takes on no more, so that it blocks the event loop for milliseconds only. */
const maxGroupWrites = 100;
const maxGroupBytes = 2 * 1024 * 1024;

/** Primary result codes (https://sqlite.org/rescode.html). */
const busyResult = 5;
const corruptResult = 11;
/** Codes for an error in our own statement: error, too big, constraint, mismatch, misuse, range. */
const statementErrors: ReadonlySet<number> = new Set([1, 18, 19, 20, 21, 25]);

interface PreparedStatement {
  readonly statement: StatementSync;
  /** True if the SQL contains the time of the store. */
  readonly usesClock: boolean;
  /** True if the statement changes rows. */
  readonly isWrite: boolean;
}

interface PendingWrite {
  /** Runs the statements. Returns a function that resolves the promise of the caller. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * `node:sqlite` is synchronous: a small commit blocks the event loop for about 0.3 ms on a disk with a write cache. All writes of one
 * turn of the event loop therefore share a commit. The file must be on a local disk, because WAL does not work over a network.
 *
 * @param url `file:` and a path, absolute or relative to the working directory. `file::memory:` persists nothing.
 * @throws StoreError, or an error of SQLite or Node.
 */
export function openSqlite(url: string, options: OpenOptions = {}): Database {
  const { mayCreate = true, acceptsMissingLog = false } = options;
  const path = preparePath(toPath(url), mayCreate);
  const isFile = path !== memoryPath;
  const isOwner = isFile && options.isOwner === true;
  const release = isOwner ? lockFile(path) : () => undefined;
  try {
    // Directly after the lock: until this process is connected, a command that closes the store can remove the log.
    if (isFile && !acceptsMissingLog) refuseMissingLog(path);
    return connect(path, { ...options, isOwner }, release);
  } catch (error) {
    release();
    throw toOpeningError(error);
  }
}

/** The path that a `file:` URL names. */
export function toPath(url: string): string {
  if (!url.startsWith('file:'))
    throw new RangeError('The URL of an SQLite store starts with file:.');
  return url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
}

function connect(path: string, options: OpenOptions, release: () => void): Database {
  const { clock = Date.now, isOwner } = options;
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: busyTimeoutMs });
  /** By SQL, so that each statement is prepared once. */
  const prepared = new Map<string, PreparedStatement>();
  /** Writes that wait for the next commit, in the order in which they arrived. */
  const pending: PendingWrite[] = [];
  /** Bytes of all binary values so far. */
  let writtenBytes = 0;

  function prepare(sql: string): PreparedStatement {
    const known = prepared.get(sql);
    if (known) return known;
    const text = sql.replaceAll('{now}', ':now').replaceAll(/for update( skip locked)?/g, '');
    const added = {
      statement: guard(() => db.prepare(text)),
      usesClock: sql.includes('{now}'),
      isWrite: /^\s*(?:insert|update|delete)\b/i.test(sql),
    };
    prepared.set(sql, added);
    return added;
  }

  function run({ sql, values }: Statement): Rows {
    const { statement, usesClock } = prepare(sql);
    for (const value of values) if (value instanceof Uint8Array) writtenBytes += value.byteLength;
    return guard(() =>
      usesClock ? statement.all({ now: Math.round(clock()) }, ...values) : statement.all(...values),
    );
  }

  /** Runs synchronously, so that no other statement comes in between. */
  function runSteps<Result>(work: () => Transaction<Result>): Result {
    const steps = work();
    let step = steps.next([]);
    while (!step.done) step = steps.next(run(step.value));
    return step.value;
  }

  function runTransaction<Result>(work: () => Result): Result {
    guard(() => db.exec('begin immediate'));
    try {
      const result = work();
      guard(() => db.exec('commit'));
      return result;
    } catch (error) {
      // SQLite rolls back by itself on some errors, such as a full disk.
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  }

  /** Resolves when the write is committed, together with all others of this turn of the event loop. */
  function write<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const runWrite = () => {
        const result = work();
        return () => resolve(result);
      };
      if (pending.length === 0) setImmediate(commitPending);
      pending.push({ run: runWrite, reject });
    });
  }

  /**
   * Runs the pending writes in one transaction, because its `fsync` takes longer than they do. If one of them fails, all are undone
   * and each runs again alone: that happens seldom, and a savepoint for each write copies all pages that the write changes.
   */
  function commitPending(): void {
    if (pending.length === 0) return;
    const group: PendingWrite[] = [];
    try {
      for (const confirm of runTransaction(() => runGroup(group))) confirm();
    } catch (error) {
      // Without a transaction, each of the others would wait for the same lock.
      if (group.length === 0) group.push(...pending.splice(0));
      const isOfOneWrite = group.length > 1 && !(error instanceof StoreError);
      for (const write of group) {
        if (isOfOneWrite) commitAlone(write);
        else write.reject(error);
      }
    }
    if (pending.length > 0) setImmediate(commitPending);
  }

  /** Takes writes from `pending` until the commit is large enough. */
  function runGroup(group: PendingWrite[]): readonly (() => void)[] {
    const bytesBefore = writtenBytes;
    const isFull = () =>
      group.length >= maxGroupWrites || writtenBytes - bytesBefore >= maxGroupBytes;
    const confirmations: (() => void)[] = [];
    while (!isFull()) {
      const next = pending.shift();
      if (!next) break;
      group.push(next);
      confirmations.push(next.run());
    }
    return confirmations;
  }

  function commitAlone({ run: runWrite, reject }: PendingWrite): void {
    try {
      runTransaction(runWrite)();
    } catch (error) {
      reject(error);
    }
  }

  let isNew: boolean;
  try {
    refuseOtherFiles(db, options);
    db.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma secure_delete = on;
      -- A savepoint copies the pages that a write changes, and a container may have no folder for temporary files.
      pragma temp_store = memory;
    `);
    isNew = runTransaction(() => runSteps(() => migrate(sqliteDialect, options)));
    // On a full disk the BFF still starts, and /readyz reports the disk. Only a lost log would go unnoticed this time.
    if (isOwner) ignoreStoreError(() => markOpen(db, 1));
  } catch (error) {
    closeConnection(db, path);
    throw error;
  }

  function close(): void {
    process.off('exit', close);
    while (pending.length > 0) commitPending();
    try {
      // On a full disk the log remains, and the next start reads it.
      ignoreStoreError(() => {
        // First, so that the main file never says "closed" while it lacks commits of the log.
        truncateLog(db);
        if (isOwner) markOpen(db, 0);
      });
    } finally {
      closeConnection(db, path);
      release();
    }
  }

  // When the process exits with an open database, Node closes it, and SQLite then removes the log.
  if (isOwner) process.once('exit', close);

  return {
    isShared: false,
    lastApplicationNumber: sql`
      coalesce((select seq from sqlite_sequence where name = 'application'), 0)`,
    contentFolder: path === memoryPath ? undefined : `${path}-content`,
    isNew,
    // A read sees the latest commit, and does not wait for the next one.
    all: async (statement) =>
      prepare(statement.sql).isWrite ? write(() => run(statement)) : run(statement),
    transaction: (work) => write(() => runSteps(work)),
    scrub: async () => truncateLog(db),
    checkRoom() {
      if (path === memoryPath) return;
      const { bavail, blocks, bsize } = statfsSync(dirname(path));
      if (bavail * bsize < Math.min(minFreeBytes, (blocks * bsize) / 20)) {
        throw new StoreError('STORE_FULL', 'The disk of the store is nearly full.');
      }
    },
    close: async () => close(),
  };
}

function ignoreStoreError(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Turns a full disk, a lost volume, or a damaged file into `STORE_UNAVAILABLE`. Errors in our statements pass through. */
function guard<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const result = toSqliteResult(error);
    if (result === undefined || statementErrors.has(result)) throw error;
    throw new StoreError('STORE_UNAVAILABLE', 'The store cannot be used.', error);
  }
}

/**
 * Copies the write-ahead log into the main file and empties the log. Deleted rows are overwritten in the main file, but their
 * older pages stay in the log until then.
 *
 * @returns false when a reader prevented it.
 */
function truncateLog(db: DatabaseSync): boolean {
  // Waiting for a reader would block this thread.
  db.exec('pragma busy_timeout = 0');
  try {
    const result = guard(() => db.prepare('pragma wal_checkpoint(truncate)').get());
    return result?.['busy'] === 0;
  } finally {
    db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  }
}

/**
 * Records in the main file whether the owner has the store open. While it has, the log must exist: SQLite removes it only when
 * the last connection closes in order, and `closeConnection` then leaves an empty one.
 */
function markOpen(db: DatabaseSync, isOpen: 0 | 1): void {
  guard(() => db.exec(`update store set is_open = ${isOpen} where is_open <> ${isOpen}`));
  truncateLog(db);
}

/**
 * The last connection that closes removes the log. After a kill that can be a command of the operator. While the store is
 * marked as open, an empty log then replaces the removed one, so that the next start sees that nothing is lost.
 */
function closeConnection(db: DatabaseSync, path: string): void {
  const logPath = `${path}-wal`;
  const needsLog = existsSync(logPath) && readOpenMark(db) !== 0;
  db.close();
  if (needsLog) createFile(logPath);
}

/**
 * SQLite opens a store without its log at an older state and reports nothing. This check reads the main file alone, before
 * SQLite creates a new log.
 */
function refuseMissingLog(path: string): void {
  const logPath = `${path}-wal`;
  if (existsSync(logPath)) return;
  const mainFile = pathToFileURL(path);
  // Reads without the log and without locks (https://sqlite.org/uri.html#uriimmutable).
  mainFile.search = '?immutable=1';
  const db = new DatabaseSync(mainFile, { readOnly: true });
  const isOpen = readOpenMark(db) === 1;
  db.close();
  // An owner that starts at this moment has created its log before it marked the store.
  if (isOpen && !existsSync(logPath)) {
    throw new StoreError('STORE_LOG_MISSING', 'The write-ahead log of the store is missing.');
  }
}

/** 1 while an owner has the store open, or after a kill; `undefined` when the file is not a store of this version. */
function readOpenMark(db: DatabaseSync): unknown {
  try {
    return db.prepare('select is_open from store').get()?.['is_open'];
  } catch (error) {
    const result = toSqliteResult(error);
    if (result === undefined) throw error;
    // A kill during a checkpoint can leave a main file that is unreadable without the log. `connect` refuses other files.
    return result === corruptResult ? 1 : undefined;
  }
}

function refuseOtherFiles(db: DatabaseSync, { acceptsMissingLog = false }: OpenOptions): void {
  // A wrong path must not add our tables to the database of another program.
  const names = db.prepare('select name from sqlite_master').all();
  if (names.length > 0 && !names.some(({ name }) => name === 'schema_version')) {
    throw new StoreError('STORE_FOREIGN', 'The file is a database of another program.');
  }
  // A process that was killed during a checkpoint leaves pages of two states, which the log would have completed.
  const isIntact = () => db.prepare('pragma quick_check(1)').get()?.['quick_check'] === 'ok';
  if (acceptsMissingLog && !isIntact()) {
    throw new StoreError('STORE_DAMAGED', 'The main file of the store is inconsistent.');
  }
}

/** Creates missing folders and the file where allowed. Returns the real path, so that all links to a file share one lock. */
function preparePath(path: string, mayCreate: boolean): string {
  if (path === memoryPath) return path;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) {
    throw new StoreError('STORE_NOT_A_FILE', 'The path of the store is not a file.');
  }
  if (!mayCreate && (found === undefined || found.size === 0)) {
    throw new StoreError('STORE_NEW', 'The file of the store is missing or empty.');
  }
  createFolder(dirname(path));
  createFile(path);
  return realpathSync(path);
}

/** The recursive form of `mkdir` never returns where the system answers ENOENT for a new folder, as in /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Creates the file for this user only; SQLite gives its side files the same permissions. An existing file is not opened,
 * because closing it would release the locks of this process on it (https://sqlite.org/howtocorrupt.html, 2.2).
 */
function createFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Locks the store for this process until it ends, even after `kill -9`. The lock is a file of its own, because commands of the
 * operator read the store at any time.
 */
function lockFile(path: string): () => void {
  const lockPath = `${path}-lock`;
  createFile(lockPath);
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (toSqliteResult(error) !== busyResult) throw error;
    throw new StoreError('STORE_IN_USE', 'Another process uses the file of the store.');
  }
  return () => lock.close();
}
