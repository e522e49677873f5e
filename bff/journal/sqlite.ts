// The journal's statements on one SQLite file, for a BFF that runs as one process.

import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import {
  JournalError,
  toOpeningError,
  type Database,
  type OpenOptions,
  type Rows,
  type Statement,
  type Work,
} from './database.ts';
import { migrate, sqliteWords } from './schema.ts';

const memoryPath = ':memory:';
/** Only an operator's command is ever before us, and each of its statements is short. */
const busyTimeoutMs = 5_000;
/** Below this the journal says it is full while there is still room to finish what was begun; on a small disk below a twentieth. */
const leastFreeBytes = 64 * 1024 * 1024;

/**
 * @param url `file:` and a path, relative to the working directory or absolute (`file:/…`, `file:///…`); `file::memory:`
 * keeps nothing. Missing folders are made. The file belongs on a local disk: WAL does not work over a network.
 *
 * `node:sqlite` is synchronous: a small commit holds the event loop for about 0.3 ms on a disk with a write cache.
 * Throws a `JournalError`, or SQLite's own error when the file cannot be used.
 */
export function openSqlite(url: string, options: OpenOptions = {}): Database {
  const { clock = Date.now, isOwner = false, mayUpdate = true } = options;
  const path = preparePath(toPath(url));
  const isFile = path !== memoryPath;
  const release = isFile && isOwner ? takeOwnership(path) : () => undefined;
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: busyTimeoutMs });
  const run = createRunner(db, clock);

  try {
    db.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma secure_delete = on;
    `);
    refuseUnreleased(db);
    inTransaction(db, run, () => migrate(sqliteWords, { mayUpdate }));
  } catch (error) {
    db.close();
    release();
    throw toOpeningError(error);
  }

  return {
    isShared: false,
    skipLocked: '',
    forUpdate: '',
    all: async (sql, ...values) => run({ sql, values }),
    transaction: async (work) => inTransaction(db, run, work),
    scrub: async () => truncateLog(db),
    checkRoom() {
      if (!isFile) return;
      const { bavail, blocks, bsize } = statfsSync(dirname(path));
      if (bavail * bsize < Math.min(leastFreeBytes, (blocks * bsize) / 20)) {
        throw new JournalError('JOURNAL_FULL', 'There is hardly room left for the journal.');
      }
    },
    async close() {
      try {
        truncateLog(db);
      } catch (error) {
        // On a full disk the log stays; it is read at the next start.
        if (!(error instanceof JournalError)) throw error;
      } finally {
        db.close();
        release();
      }
    },
  };
}

const busyResult = 5;
/** Results that say our own statement is wrong (https://sqlite.org/rescode.html): error, too big, constraint, mismatch, misuse, range. */
const ownFaults: ReadonlySet<number> = new Set([1, 18, 19, 20, 21, 25]);

/** Tells a full disk, a lost volume or a broken file from what is our own fault. */
function guard<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const result = toResult(error);
    if (result === undefined || ownFaults.has(result)) throw error;
    throw new JournalError('JOURNAL_UNAVAILABLE', 'The journal cannot be used.', error);
  }
}

/** SQLite's primary result code; `undefined` for errors from elsewhere. */
function toResult(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

type Run = (statement: Statement) => Rows;

/** Each text is prepared once. */
function createRunner(db: DatabaseSync, clock: () => number): Run {
  const prepared = new Map<string, StatementSync>();
  return ({ sql, values }) => {
    const statement = prepared.get(sql) ?? db.prepare(sql.replaceAll('{now}', ':now'));
    prepared.set(sql, statement);
    return guard(() =>
      sql.includes('{now}')
        ? statement.all({ now: Math.round(clock()) }, ...values)
        : statement.all(...values),
    );
  };
}

/** Runs to the end without giving up the thread, so that nothing from elsewhere gets into the transaction. */
function inTransaction<Result>(db: DatabaseSync, run: Run, work: () => Work<Result>): Result {
  guard(() => db.exec('begin immediate'));
  try {
    const steps = work();
    let step = steps.next([]);
    while (!step.done) step = steps.next(run(step.value));
    guard(() => db.exec('commit'));
    return step.value;
  } catch (error) {
    // A full disk may have rolled back already; the first error is the one to report.
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** What was deleted is overwritten in the file at once, but its older pages lie in the log until it is emptied. */
function truncateLog(db: DatabaseSync): boolean {
  // Waiting for a reader would hold up everything else that this thread does.
  db.exec('pragma busy_timeout = 0');
  try {
    const result = guard(() => db.prepare('pragma wal_checkpoint(truncate)').get());
    return result?.['busy'] === 0;
  } finally {
    db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  }
}

/**
 * Holds a lock beside the journal until the process ends, however it ends: the operating system releases it. An own file,
 * because the operator's commands read the journal itself at any time.
 */
function takeOwnership(path: string): () => void {
  const lockPath = `${path}-lock`;
  makeFile(lockPath);
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (toResult(error) !== busyResult) throw error;
    throw new JournalError('JOURNAL_IN_USE', 'Another process delivers from this journal.');
  }
  return () => lock.close();
}

/** Files from before the first release counted their version elsewhere. */
function refuseUnreleased(db: DatabaseSync): void {
  const version = Number(db.prepare('pragma user_version').get()?.['user_version']);
  if (version > 0) {
    throw new JournalError('JOURNAL_OLDER', 'The journal was written before the first release.');
  }
}

/** Makes what is missing. The path's one true form is answered, so that two names of a file have one lock. */
function preparePath(path: string): string {
  if (path === memoryPath) return path;
  makeFolder(dirname(path));
  makeFile(path);
  return realpathSync(path);
}

/** One after the other: the recursive form never ends where a folder cannot be made and the system says "not there", as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * SQLite gives its side files the rights of the main one: for this user only. A file that exists is not even opened, since
 * closing it would release the locks this process holds on it (https://sqlite.org/howtocorrupt.html, 2.2).
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** The path that a `file:` address names. */
export function toPath(url: string): string {
  if (!url.startsWith('file:')) throw new RangeError('The journal is no file: address');
  return url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
}
