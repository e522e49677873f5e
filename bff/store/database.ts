// SQL statements, the database interface that SQLite and PostgreSQL implement, and the errors of both.

import { toErrorCode } from '../runtime/error-code.ts';

export type Value = string | number | Uint8Array | null;
export type Rows = readonly unknown[];

/**
 * SQL that both databases accept. `?` stands for a value, `{now}` for the clock of the store in epoch milliseconds. SQLite runs it
 * without `for update` and `for update skip locked`, because it has one writer at a time.
 */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
  /** See `unawaited`. */
  readonly isUnawaited?: boolean;
}

/**
 * A statement, or a part of one: sql`select * from session where id = ${id}`. A value is sent separately from the SQL (`undefined`
 * as null), so that no value can change the SQL. Parts become SQL.
 */
export function sql(
  texts: TemplateStringsArray,
  ...parts: readonly (Value | Statement | undefined)[]
): Statement {
  if (areValues(parts)) return { sql: joinTexts(texts), values: parts.map(toValue) };
  let text = texts[0] ?? '';
  const values: Value[] = [];
  for (const [index, part] of parts.entries()) {
    if (isStatement(part)) {
      text += part.sql;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(toValue(part));
    }
    text += texts[index + 1] ?? '';
  }
  return { sql: text, values };
}

function areValues(
  parts: readonly (Value | Statement | undefined)[],
): parts is readonly (Value | undefined)[] {
  return !parts.some(isStatement);
}

function isStatement(part: Value | Statement | undefined): part is Statement {
  return typeof part === 'object' && part !== null && 'sql' in part;
}

function toValue(part: Value | undefined): Value {
  return part ?? null;
}

/**
 * SQL by template. The databases find their prepared statements by the SQL, and V8 would hash a new string of the same text each
 * time.
 */
const joinedTexts = new WeakMap<TemplateStringsArray, string>();

function joinTexts(texts: TemplateStringsArray): string {
  const known = joinedTexts.get(texts);
  if (known !== undefined) return known;
  const joined = texts.join('?');
  joinedTexts.set(texts, joined);
  return joined;
}

/**
 * A statement of a transaction that does not use its rows. PostgreSQL receives the next statement at once, so that both share a
 * round trip. If the statement fails, the transaction fails at the next statement that it awaits, with the error of this one.
 */
export function unawaited(statement: Statement): Statement {
  return { ...statement, isUnawaited: true };
}

/** SQL that is a constant of the code, such as the name of a table. */
export function rawSql(text: string): Statement {
  return { sql: text, values: [] };
}

export function joinSql(parts: readonly Statement[], separator: string): Statement {
  return {
    sql: parts.map((part) => part.sql).join(separator),
    values: parts.flatMap(({ values }) => values),
  };
}

/**
 * A transaction, written as a generator that yields each statement and receives its rows. PostgreSQL awaits each statement,
 * unless it is `unawaited`. SQLite runs all of them synchronously, because a statement of another request would join the open transaction. The generator
 * function may run again from the start, so it must not have side effects.
 */
export type Transaction<Result> = Generator<Statement, Result, Rows>;

export interface Database {
  /** True when other processes may use the database at the same time. */
  readonly isShared: boolean;
  /** SQL expression for the highest `seq` that an application ever had. */
  readonly lastApplicationNumber: Statement;
  /** The folder for the content of attachments. Undefined: it is in rows. */
  readonly contentFolder: string | undefined;
  /** True when opening the database created the store. */
  readonly isNew: boolean;
  /** Runs one statement in its own transaction. */
  all(statement: Statement): Promise<Rows>;
  /** @param locks Names. Transactions with a common name run one after the other. Pass them in the same order everywhere. */
  transaction<Result>(work: () => Transaction<Result>, locks?: readonly string[]): Promise<Result>;
  /** See `RetentionStore.scrub`. */
  scrub(): Promise<boolean>;
  /** Throws a `StoreError` when the disk is nearly full. */
  checkRoom(): void;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Epoch milliseconds. Default: the clock of the machine on SQLite, of the server on PostgreSQL. */
  readonly clock?: (() => number) | undefined;
  /** SQLite only: locks the file, so that a second owner is refused. Default false. */
  readonly isOwner?: boolean;
  /** Migrates the tables of an earlier version. When false, opening throws `STORE_BEHIND`. Default true. */
  readonly mayMigrate?: boolean;
  /** Creates a missing store. When false, opening changes nothing and throws `STORE_NEW`. Default true. */
  readonly mayCreate?: boolean;
  /** Throws `STORE_OTHER` when the store has another id. Default: any id. */
  readonly storeId?: string | undefined;
  /** PostgreSQL only: maximum connections. Default 10. */
  readonly maxConnections?: number | undefined;
  /** SQLite only: opens a store without its write-ahead log. When false, opening throws `STORE_LOG_MISSING`. Default false. */
  readonly acceptsMissingLog?: boolean;
}

/**
 * The code selects the message for the operator.
 *
 * - `STORE_NEW`: there is no store: no file, an empty file, or a database without our tables.
 * - `STORE_OTHER`: the store has another id than the expected one.
 * - `STORE_LOG_MISSING`: the owner did not close the store, and its write-ahead log is missing.
 * - `STORE_DAMAGED`: the SQLite file is inconsistent without its log.
 * - `STORE_FOREIGN`: the SQLite file belongs to another program.
 * - `STORE_NOT_A_FILE`: the path is a folder or a device.
 * - `STORE_SERVER_OLD`: the PostgreSQL server is older than the statements of the store need.
 * - `STORE_UNAVAILABLE`: nothing was committed, or it is unknown whether it was. The cause is the error of the database.
 */
export class StoreError extends Error {
  readonly code:
    | 'STORE_NEW'
    | 'STORE_OTHER'
    | 'STORE_LOG_MISSING'
    | 'STORE_DAMAGED'
    | 'STORE_FOREIGN'
    | 'STORE_NOT_A_FILE'
    | 'STORE_NEWER'
    | 'STORE_BEHIND'
    | 'STORE_IN_USE'
    | 'STORE_FULL'
    | 'STORE_SERVER_OLD'
    | 'STORE_UNAVAILABLE';

  constructor(code: StoreError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
    this.code = code;
  }
}

/** While a store is opened, the error of the database tells the operator more than `STORE_UNAVAILABLE`. */
export function toOpeningError(error: unknown): unknown {
  const isUnavailable = error instanceof StoreError && error.code === 'STORE_UNAVAILABLE';
  return isUnavailable ? error.cause : error;
}

/** Primary result codes (https://sqlite.org/rescode.html). */
const sqliteResults: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** SQLite's primary result code; `undefined` when the error is not SQLite's. */
export function toSqliteResult(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** A result code of SQLite, an SQLSTATE of PostgreSQL, or a code of Node or ours; else the name of the error's class. */
export function toEngineCode(error: unknown): string {
  const cause = toOpeningError(error);
  return sqliteResults[toSqliteResult(cause) ?? 0] ?? toErrorCode(cause) ?? 'unknown';
}
