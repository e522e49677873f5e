// The file of an SQLite store: its path, its permissions, and the lock of the process that owns it.

import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { JournalError } from './database.ts';

/** Names a store that keeps nothing. */
export const memoryPath = ':memory:';
/** SQLite's result code for a lock that another connection holds (https://sqlite.org/rescode.html). */
const busyResult = 5;

/** The path that a `file:` address names. */
export function toPath(url: string): string {
  if (!url.startsWith('file:')) throw new RangeError('The journal is no file: address');
  return url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
}

/** Creates missing folders and the file where allowed. Returns the real path, so that two names of a file share one lock. */
export function preparePath(path: string, mayCreate: boolean): string {
  if (path === memoryPath) return path;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) {
    throw new JournalError('JOURNAL_NOT_A_FILE', 'The path of the store is not a file.');
  }
  if (!mayCreate && (found === undefined || found.size === 0)) {
    throw new JournalError('JOURNAL_NEW', 'The file of the store is missing or empty.');
  }
  makeFolder(dirname(path));
  makeFile(path);
  return realpathSync(path);
}

/** Not the recursive form of `mkdir`: that one never returns where the system answers ENOENT for a new folder, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Creates the file for this user only; SQLite gives its side files the same permissions. A file that exists is not opened:
 * closing it would release the locks that this process holds on it (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Holds a lock until the process ends, however it ends: the operating system releases it. The lock is a file of its own,
 * because the operator's commands read the store at any time.
 */
export function takeOwnership(path: string): () => void {
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

/** SQLite's primary result code; `undefined` for an error that is not SQLite's. */
export function toResult(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
