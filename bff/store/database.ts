// What the store's statements run on: one SQLite file or one PostgreSQL, behind the same few words.

export type Value = string | number | Uint8Array | null;
export type Rows = readonly unknown[];

/**
 * SQL that both engines take. `?` stands for a value; `{now}` for the store's own clock, in epoch milliseconds.
 */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

/**
 * Statements that take effect together or not at all, written as a generator that yields each of them: PostgreSQL awaits
 * every answer, while SQLite runs through without ever giving up the thread, since it has one connection and a statement
 * from elsewhere would join the open transaction. It may be run again from its beginning.
 */
export type Transaction<Result> = Generator<Statement, Result, Rows>;

export interface Database {
  /** Whether other processes may be at work on it at the same time. */
  readonly isShared: boolean;
  /** Ends a subquery that picks a row to claim: rows that another process is just claiming are passed over. */
  readonly skipLocked: '' | 'for update skip locked';
  /** Ends a query whose rows must not change until the transaction ends; on SQLite nothing can. */
  readonly forUpdate: '' | 'for update';
  /** SQL expression: the highest number that an application ever got, also where its row was deleted since. */
  readonly lastApplicationNumber: string;
  /** True when this opening created the store. */
  readonly isNew: boolean;
  /** The rows of one statement, committed by itself. */
  all(sql: string, ...values: Value[]): Promise<Rows>;
  /** @param locks names; work that shares one of them waits its turn. Given in the same order everywhere. */
  transaction<Result>(work: () => Transaction<Result>, locks?: readonly string[]): Promise<Result>;
  /** Overwrites on the disk what was deleted, as far as the engine can; false when somebody reads just now. */
  scrub(): Promise<boolean>;
  /** Throws when there is hardly room left. */
  checkRoom(): void;
  close(): Promise<void>;
}

/** One statement of a transaction: `const rows = yield* query('select …', id)`. */
export function* query(sql: string, ...values: Value[]): Transaction<Rows> {
  return yield { sql, values };
}

export interface OpenOptions {
  /** Epoch milliseconds. Default: the machine's clock on SQLite, the database's own on PostgreSQL. */
  readonly clock?: (() => number) | undefined;
  /** Takes the file for this process alone; a second one is refused. Only SQLite needs it. Default false. */
  readonly isOwner?: boolean;
  /** Brings the tables of an older version up to date; where not, they are refused. Default true. */
  readonly mayMigrate?: boolean;
  /** Creates the store where there is none. When false, opening changes nothing and throws `STORE_NEW`. Default true. */
  readonly mayCreate?: boolean;
  /** Refuses a store with another id (`STORE_OTHER`). Default: any store. */
  readonly storeId?: string | undefined;
  /**
   * SQLite only. Opens a store whose write-ahead log is missing, without the commits that the log held. When false, opening
   * changes nothing and throws `STORE_LOG_MISSING`. Default false.
   */
  readonly acceptsMissingLog?: boolean;
}

/**
 * Why a store cannot be opened or used; the code selects the message for the operator.
 *
 * - `STORE_NEW`: there is no store yet: no file, an empty file, or a database without our tables.
 * - `STORE_OTHER`: the store has another id than the one that is expected.
 * - `STORE_LOG_MISSING`: the owner did not close the store, and its write-ahead log is gone.
 * - `STORE_DAMAGED`: without its log the SQLite file is not consistent.
 * - `STORE_FOREIGN`: the SQLite file belongs to another program.
 * - `STORE_NOT_A_FILE`: the path is a folder or a device.
 * - `STORE_UNAVAILABLE`: nothing was kept, or nobody can say whether it was; the engine's error is the cause.
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
    | 'STORE_OLDER'
    | 'STORE_IN_USE'
    | 'STORE_FULL'
    | 'STORE_UNAVAILABLE';

  constructor(code: StoreError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
    this.code = code;
  }
}

/** While a store is opened, what the engine itself says helps an operator more than that it cannot be used. */
export function toOpeningError(error: unknown): unknown {
  const isEngines = error instanceof StoreError && error.code === 'STORE_UNAVAILABLE';
  return isEngines ? error.cause : error;
}

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
  if (error instanceof StoreError && error.code === 'STORE_UNAVAILABLE') {
    return toEngineCode(error.cause);
  }
  if (!(error instanceof Error)) return 'unknown';
  const result = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  const name = sqliteResults[result & 0xff];
  if (name !== undefined) return name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
