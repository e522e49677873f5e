// Opens the journal's SQLite file so that a commit is on the disk, and brings its schema up to date.

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** One entry a version of the schema; a released entry is never changed, a new one is added. */
const migrations = [
  `
  create table session (
    id text primary key,
    origin text not null,
    created_at integer not null,
    ended_at integer
  ) strict;

  create table application (
    id text primary key,
    session_id text not null references session (id),
    idempotency_key text not null,
    fingerprint text not null,
    state text not null,
    key_id text not null,
    wrapped_key blob not null,
    sealed_lead blob,
    received_at integer not null,
    attempts integer not null default 0,
    uncertain_attempts integer not null default 0,
    next_at integer not null,
    lease_until integer not null default 0,
    fence integer not null default 0,
    service_id text,
    sealed_tracking_url blob,
    errors text not null default '[]',
    unique (session_id, idempotency_key)
  ) strict;
  create unique index application_live on application (session_id) where state <> 'rejected';
  create index application_due on application (next_at) where state in ('received', 'waiting');
  create index application_sending on application (lease_until) where state = 'sending';

  create table consent (
    id text primary key,
    application_id text not null references application (id),
    consent_id text not null,
    version text not null,
    text text not null,
    text_hash text not null,
    given_at integer not null,
    sealed_address blob
  ) strict;
  create index consent_application on consent (application_id);

  create table child (
    id text primary key,
    application_id text not null references application (id),
    kind text not null,
    category text not null,
    sealed_name blob,
    created_at integer not null,
    state text not null default 'receiving',
    number integer not null default 0,
    bytes integer not null default 0,
    fingerprint text,
    attempts integer not null default 0,
    uncertain_attempts integer not null default 0,
    next_at integer not null,
    lease_until integer not null default 0,
    fence integer not null default 0,
    service_id text
  ) strict;
  create index child_application on child (application_id, kind, number);
  create index child_due on child (next_at) where state in ('received', 'waiting');
  create index child_sending on child (lease_until) where state = 'sending';
  create unique index child_same on child (application_id, kind, fingerprint)
    where fingerprint is not null and state <> 'rejected';

  create table chunk (
    child_id text not null references child (id) on delete cascade,
    number integer not null,
    sealed blob not null,
    primary key (child_id, number)
  ) strict;

  create table heartbeat (id integer primary key check (id = 1), at integer not null) strict;
  `,
  'create index application_key on application (idempotency_key)',
] as const;

/** The file was written by a later version of this program. */
export class NewerJournalError extends Error {
  readonly code = 'JOURNAL_NEWER';

  constructor(version: number) {
    super(`The journal has version ${version}; this program knows ${migrations.length}.`);
    this.name = 'NewerJournalError';
  }
}

export interface Database {
  /** The rows of a statement, which is prepared once. */
  all(sql: string, ...values: SQLInputValue[]): readonly unknown[];
  /** Runs work that must be whole; it may not wait for anything, since there is one connection. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

/**
 * @param url `file:` and a path, relative to the working directory or absolute (`file:/…`, `file:///…`). Missing folders
 * are made. The file belongs on a local disk: WAL does not work over a network.
 */
export function openDatabase(url: string): Database {
  const path = toPath(url);
  if (path !== ':memory:') makeFile(path);
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma secure_delete = on;
  `);
  migrate(db);
  const statements = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return {
    all: (sql, ...values) => prepare(sql).all(...values),
    transaction: (work) => inTransaction(db, work),
    close() {
      db.exec('pragma wal_checkpoint(truncate)');
      db.close();
    },
  };
}

function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare('pragma user_version').get()?.['user_version']);
  if (version > migrations.length) throw new NewerJournalError(version);
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    inTransaction(db, () => db.exec(`${sql}; pragma user_version = ${index + 1}`));
  }
}

function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    // A full disk may have rolled back already; the first error is the one to report.
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** SQLite gives its side files the rights of the main one: for this user only. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

function toPath(url: string): string {
  if (!url.startsWith('file:')) throw new RangeError('The journal is no file: address');
  return url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
}
