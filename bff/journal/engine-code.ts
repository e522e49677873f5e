// What an engine's error is called, for people who have to mend it: a short code, never the text.

import { JournalError } from './database.ts';

/** https://sqlite.org/rescode.html */
const sqliteResults: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** SQLite's result, PostgreSQL's SQLSTATE, Node's or our own code; else the error's class. */
export function toEngineCode(error: unknown): string {
  if (error instanceof JournalError && error.code === 'JOURNAL_UNAVAILABLE') {
    return toEngineCode(error.cause);
  }
  if (!(error instanceof Error)) return 'unknown';
  const result = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  const name = sqliteResults[result & 0xff];
  if (name !== undefined) return name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
