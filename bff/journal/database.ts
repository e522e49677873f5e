// What the journal's statements run on: one SQLite file or one PostgreSQL, behind the same few words.

export type Value = string | number | Uint8Array | null;
export type Rows = readonly unknown[];

/**
 * SQL that both engines take. `?` stands for a value; `{now}` for the journal's own clock, in epoch milliseconds.
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
export type Work<Result> = Generator<Statement, Result, Rows>;

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
  transaction<Result>(work: () => Work<Result>, locks?: readonly string[]): Promise<Result>;
  /** Overwrites on the disk what was deleted, as far as the engine can; false when somebody reads just now. */
  scrub(): Promise<boolean>;
  /** Throws when there is hardly room left. */
  checkRoom(): void;
  close(): Promise<void>;
}

/** One statement of a transaction: `const rows = yield* query('select …', id)`. */
export function* query(sql: string, ...values: Value[]): Work<Rows> {
  return yield { sql, values };
}

export interface OpenOptions {
  /** Epoch milliseconds. Default: the machine's clock on SQLite, the database's own on PostgreSQL. */
  readonly clock?: (() => number) | undefined;
  /** Takes the file for this process alone; a second one is refused. Only SQLite needs it. Default false. */
  readonly isOwner?: boolean;
  /** Brings the tables of an older version up to date; where not, they are refused. Default true. */
  readonly mayUpdate?: boolean;
  /** Creates the store where there is none. When false, opening changes nothing and throws `JOURNAL_NEW`. Default true. */
  readonly mayCreate?: boolean;
  /** Refuses a store with another id (`JOURNAL_OTHER`). Default: any store. */
  readonly storeId?: string | undefined;
  /**
   * SQLite only. Opens a store whose write-ahead log is missing, without the commits that the log held. When false, opening
   * changes nothing and throws `JOURNAL_LOG_MISSING`. Default false.
   */
  readonly acceptsMissingLog?: boolean;
}

/**
 * Why a store cannot be opened or used; the code selects the message for the operator.
 *
 * - `JOURNAL_NEW`: there is no store yet: no file, an empty file, or a database without our tables.
 * - `JOURNAL_OTHER`: the store has another id than the one that is expected.
 * - `JOURNAL_LOG_MISSING`: the owner did not close the store, and its write-ahead log is gone.
 * - `JOURNAL_DAMAGED`: without its log the SQLite file is not consistent.
 * - `JOURNAL_FOREIGN`: the SQLite file belongs to another program.
 * - `JOURNAL_NOT_A_FILE`: the path is a folder or a device.
 * - `JOURNAL_UNAVAILABLE`: nothing was kept, or nobody can say whether it was; the engine's error is the cause.
 */
export class JournalError extends Error {
  readonly code:
    | 'JOURNAL_NEW'
    | 'JOURNAL_OTHER'
    | 'JOURNAL_LOG_MISSING'
    | 'JOURNAL_DAMAGED'
    | 'JOURNAL_FOREIGN'
    | 'JOURNAL_NOT_A_FILE'
    | 'JOURNAL_NEWER'
    | 'JOURNAL_BEHIND'
    | 'JOURNAL_OLDER'
    | 'JOURNAL_IN_USE'
    | 'JOURNAL_FULL'
    | 'JOURNAL_UNAVAILABLE';

  constructor(code: JournalError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'JournalError';
    this.code = code;
  }
}

/** While a journal is opened, what the engine itself says helps an operator more than that it cannot be used. */
export function toOpeningError(error: unknown): unknown {
  const isEngines = error instanceof JournalError && error.code === 'JOURNAL_UNAVAILABLE';
  return isEngines ? error.cause : error;
}
