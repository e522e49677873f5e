// The store's tables, in SQL for both engines, and how a database is brought up to date.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { StoreError, query, type OpenOptions, type Transaction } from './database.ts';

/** Where the two engines need different words; everything else is the same text. */
export interface SqlDialect {
  readonly integer: 'integer' | 'bigint';
  readonly blob: 'blob' | 'bytea';
  /** A number that counts up with every row. */
  readonly sequence: string;
  readonly endOfTable: 'strict' | '';
  /** Tables that only processes which share a database need. */
  readonly sharedTables: readonly string[];
}

export const sqliteDialect: SqlDialect = {
  integer: 'integer',
  blob: 'blob',
  sequence: 'integer primary key autoincrement',
  endOfTable: 'strict',
  sharedTables: [],
};

export const postgresDialect: SqlDialect = {
  integer: 'bigint',
  blob: 'bytea',
  sequence: 'bigint generated always as identity primary key',
  endOfTable: '',
  // Its columns and their order are those of rate-limiter-flexible. Not logged: a count that is lost with the server is no loss.
  sharedTables: [
    `create unlogged table rate_limit (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`,
    'create index rate_limit_expire on rate_limit (expire)',
  ],
};

/** One entry a version; a released entry is never changed, a new one is added. */
const versions: readonly ((words: SqlDialect) => readonly string[])[] = [
  createFirstVersion,
  createSecondVersion,
  createThirdVersion,
  addRefusals,
  createStoreTable,
];

/**
 * Brings the tables up to date and checks that they are those of the expected store. Runs in a transaction that excludes every
 * other process, so that a refused store stays as it was.
 */
export function* prepareStore(
  words: SqlDialect,
  { storeId, ...options }: OpenOptions,
): Transaction<{ readonly isNew: boolean }> {
  const isNew = yield* migrate(words, options);
  if (storeId !== undefined) {
    const [row] = yield* query('select id from store where id = ?', storeId);
    if (row === undefined) throw new StoreError('STORE_OTHER', 'The store has another id.');
  }
  return { isNew };
}

/**
 * Creates or updates the tables. Runs in a transaction that excludes every other process.
 *
 * @param options `target`: the version to stop at, default the newest; `mayUpdate` and `mayCreate` as in `OpenOptions`.
 * @returns whether there were no tables before.
 */
export function* migrate(
  words: SqlDialect,
  options: { readonly target?: number } & Pick<OpenOptions, 'mayMigrate' | 'mayCreate'> = {},
): Transaction<boolean> {
  const { target = versions.length, mayMigrate = true, mayCreate = true } = options;
  yield* query(
    `create table if not exists journal_schema (version ${words.integer} not null) ${words.endOfTable}`,
  );
  const current = toVersion(yield* query('select max(version) as version from journal_schema'));
  if (current > versions.length) {
    throw new StoreError(
      'STORE_NEWER',
      `The store has version ${current}; this program knows ${versions.length}.`,
    );
  }
  if (current === 0 && !mayCreate) {
    throw new StoreError('STORE_NEW', 'The database has no tables of a store.');
  }
  if (!mayMigrate && current > 0 && current < target) {
    throw new StoreError(
      'STORE_BEHIND',
      `The store has version ${current}; this program works with ${target}.`,
    );
  }
  for (const [index, createVersion] of versions.slice(0, target).entries()) {
    if (index < current) continue;
    for (const sql of createVersion(words)) yield* query(sql);
    yield* query('insert into journal_schema (version) values (?)', index + 1);
  }
  return current === 0;
}

function toVersion(rows: readonly unknown[]): number {
  const schema = z.object({ version: z.nullable(z.int()) });
  return schema.parse(rows[0]).version ?? 0;
}

function createFirstVersion({ integer, blob, sequence, endOfTable }: SqlDialect): string[] {
  /** How far the delivery of a row has come. */
  const progress = `
      attempts ${integer} not null default 0,
      uncertain_attempts ${integer} not null default 0,
      interruptions ${integer} not null default 0,
      first_attempt_at ${integer},
      last_outcome text,
      held_reason text,
      next_at ${integer},
      lease_until ${integer} not null default 0,
      fence ${integer} not null default 0,
      service_id text,
      finished_at ${integer}`;
  return [
    `create table session (
      id text primary key,
      origin text not null,
      created_at ${integer} not null,
      ended_at ${integer}
    ) ${endOfTable}`,
    'create index session_created on session (created_at)',

    `create table application (
      seq ${sequence},
      id text not null unique,
      session_id text not null references session (id),
      idempotency_key text not null,
      fingerprint text not null,
      state text not null,
      key_id text not null,
      wrapped_key ${blob} not null,
      sealed_lead ${blob},
      received_at ${integer} not null,
      sealed_tracking_url ${blob},
      errors text not null default '[]',
      erased_at ${integer},
      ${progress},
      unique (session_id, idempotency_key)
    ) ${endOfTable}`,
    `create unique index application_live on application (session_id)
      where state <> 'rejected' and erased_at is null`,
    `create index application_received on application (next_at, seq) where state = 'received'`,
    `create index application_waiting on application (next_at, seq) where state = 'waiting'`,
    `create index application_sending on application (lease_until, seq) where state = 'sending'`,
    'create index application_key on application (idempotency_key)',
    // Begins with the time: one that began with the state would draw SQLite away from those of the claims.
    'create index application_count on application (received_at, state)',
    `create index application_given_up on application (received_at)
      where state in ('held', 'unconfirmed')`,
    'create index application_wrapped_by on application (key_id)',

    `create table consent (
      seq ${sequence},
      id text not null unique,
      application_id text not null references application (id) on delete cascade,
      consent_id text not null,
      version text not null,
      text text not null,
      text_hash text not null,
      given_at ${integer} not null,
      sealed_address ${blob}
    ) ${endOfTable}`,
    'create index consent_application on consent (application_id)',

    `create table child (
      seq ${sequence},
      id text not null unique,
      application_id text not null references application (id) on delete cascade,
      kind text not null,
      category text not null,
      sealed_name ${blob},
      created_at ${integer} not null,
      state text not null default 'receiving',
      number ${integer} not null default 0,
      bytes ${integer} not null default 0,
      fingerprint text,
      cleared_attempts ${integer} not null default 0,
      ${progress}
    ) ${endOfTable}`,
    'create index child_application on child (application_id, kind, number)',
    `create index child_received on child (kind, next_at, seq) where state = 'received'`,
    `create index child_waiting on child (kind, next_at, seq) where state = 'waiting'`,
    `create index child_sending on child (kind, lease_until, seq) where state = 'sending'`,
    'create index child_count on child (created_at, kind, state)',
    `create index child_held on child (created_at) where state = 'held'`,
    `create index child_receiving on child (created_at) where state = 'receiving'`,
    `create unique index child_same on child (application_id, kind, fingerprint)
      where fingerprint is not null and state not in ('rejected', 'erased')`,

    `create table chunk (
      child_id text not null references child (id) on delete cascade,
      number ${integer} not null,
      sealed ${blob} not null,
      primary key (child_id, number)
    ) ${endOfTable}`,

    `create table heartbeat (
      id ${integer} primary key check (id = 1),
      at ${integer} not null
    ) ${endOfTable}`,
  ];
}

function createSecondVersion({ integer, endOfTable, sharedTables }: SqlDialect): string[] {
  return [
    `create table login (
      credentials text primary key,
      refusals ${integer} not null,
      kind text not null,
      until_at ${integer} not null
    ) ${endOfTable}`,
    ...sharedTables,
  ];
}

/** May be empty, so that processes of the second version can go on beside newer ones. */
function createThirdVersion(): string[] {
  return ['alter table consent add column locale text'];
}

/**
 * `refused_since`: since when the funding service refuses the row for a reason that an operator has to look into; empty
 * unless it waits for that reason. The partial indexes stay empty during an outage, so they cost nothing then.
 */
function addRefusals({ integer }: SqlDialect): string[] {
  return [
    `alter table application add column cleared_attempts ${integer} not null default 0`,
    ...['application', 'child'].flatMap((table) => [
      `alter table ${table} add column refused_since ${integer}`,
      `create index ${table}_refused on ${table} (refused_since)
        where state = 'waiting' and refused_since is not null`,
    ]),
    `create index application_rejected_content on application (finished_at)
      where state = 'rejected' and sealed_lead is not null`,
    `create index child_rejected on child (finished_at) where state = 'rejected'`,
  ];
}

/**
 * What the store knows about itself, in one row. The id tells it from every other store. `is_open` is used on SQLite alone:
 * 1 from the owner's start until its orderly end (see `sqlite.ts`). A store of an earlier version is as old as its first
 * application.
 */
function createStoreTable({ integer, endOfTable }: SqlDialect): string[] {
  return [
    `create table store (
      id text primary key,
      created_at ${integer} not null,
      is_open ${integer} not null default 0
    ) ${endOfTable}`,
    `insert into store (id, created_at)
      select '${randomUUID()}', coalesce(min(received_at), {now}) from application`,
  ];
}
