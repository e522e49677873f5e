// The tables of the store, as one list of migrations in SQL for both databases.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import {
  listEventChanges,
  listEventStatements,
  listPostgresEventTriggers,
  listSqliteEventTriggers,
  replacePostgresAttachmentTrigger,
  replaceSqliteAttachmentTrigger,
} from './event-schema.ts';
import { rawSql, sql, StoreError, type OpenOptions, type Transaction } from './database.ts';

/** Words that differ between the databases. */
export interface SqlDialect {
  readonly integer: 'integer' | 'bigint';
  readonly blob: 'blob' | 'bytea';
  /** Type of a column that numbers the rows. */
  readonly sequence: string;
  readonly tableOptions: 'strict' | '';
  /** Tables that only processes with a shared database need. */
  readonly sharedTables: readonly string[];
  /** The table of state changes, and the triggers that fill it. */
  readonly stateChanges: readonly string[];
  /** The triggers that record events. */
  readonly eventTriggers: readonly string[];
  /** Replaces the trigger for attachments. */
  readonly attachmentEventTrigger: readonly string[];
}

export const sqliteDialect: SqlDialect = {
  integer: 'integer',
  blob: 'blob',
  sequence: 'integer primary key autoincrement',
  tableOptions: 'strict',
  sharedTables: [],
  stateChanges: [
    `create table state_change (
      ${stateChangeColumns('integer')},
      primary key (kind, from_state, to_state)
    ) strict, without rowid`,
    ...listSqliteTriggers('application', () => `'application'`),
    ...listSqliteTriggers('attachment', (row) => `${row}.kind`),
  ],
  eventTriggers: listSqliteEventTriggers(),
  attachmentEventTrigger: replaceSqliteAttachmentTrigger(),
};

export const postgresDialect: SqlDialect = {
  integer: 'bigint',
  blob: 'bytea',
  sequence: 'bigint generated always as identity primary key',
  tableOptions: '',
  // Columns and their order are those of rate-limiter-flexible. Unlogged: losing the counts in a server crash does no harm.
  sharedTables: [
    `create unlogged table rate_limit (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`,
    'create index rate_limit_expire on rate_limit (expire)',
  ],
  // Without a key: transactions that update the same row would wait for each other. The purge merges the rows.
  stateChanges: [
    `create table state_change (${stateChangeColumns('bigint')})`,
    ...listPostgresTriggers('application', `'application'`),
    ...listPostgresTriggers('attachment', 'coalesce(new.kind, old.kind)'),
  ],
  eventTriggers: listPostgresEventTriggers(),
  attachmentEventTrigger: replacePostgresAttachmentTrigger(),
};

/**
 * The statements that lead to each version of the store. To change a table, append a version: released versions never change. A
 * new column also needs an entry in its row's schema and in the type of the method that inserts it (`store.ts`), and a value in
 * that `insert`.
 *
 * On PostgreSQL, processes of the previous version continue to run during an upgrade. Their statements work on new tables and
 * on new columns that are nullable or have a default. After any other change, the changelog must say that all processes have
 * to stop before the upgrade.
 */
const migrations: readonly ((dialect: SqlDialect) => readonly string[])[] = [
  createTables,
  ({ integer, tableOptions, sharedTables }) => [
    `create table login (
      credentials text primary key,
      refusals ${integer} not null,
      kind text not null,
      until_at ${integer} not null
    ) ${tableOptions}`,
    ...sharedTables,
  ],
  () => ['alter table consent add column locale text'],
  ({ integer }) => [
    `alter table application add column cleared_attempts ${integer} not null default 0`,
    ...['application', 'child'].flatMap((table) => [
      `alter table ${table} add column refused_since ${integer}`,
      indexRefused(table),
    ]),
    `create index application_rejected_content on application (finished_at)
      where state = 'rejected' and sealed_lead is not null`,
    indexRejected('child'),
  ],
  // One row. `is_open` is used on SQLite only (see `sqlite.ts`). An older store is as old as its first application.
  ({ integer, tableOptions }) => [
    `create table store (
      id text primary key,
      created_at ${integer} not null,
      is_open ${integer} not null default 0
    ) ${tableOptions}`,
    `insert into store (id, created_at)
      select '${randomUUID()}', coalesce(min(received_at), {now}) from application`,
  ],
  renameToAttachments,
  // For short references (`findReferences`). An index on an expression needs no column, so existing rows do not change.
  () => ['create index application_reference_ending on application (substr(id, 30))'],
  ({ integer }) => [
    `alter table attachment add column release_at ${integer}`,
    `alter table attachment add column is_category_chosen ${integer} not null default 1`,
  ],
  addHandoffs,
  indexRetention,
  countStateChanges,
  listEventStatements,
  listEventChanges,
];

/**
 * Creates or migrates the tables, and checks the id of the store. The transaction must exclude other processes. A refused store
 * does not change.
 *
 * @param target The version to stop at.
 * @returns true when there were no tables before.
 */
export function* migrate(
  dialect: SqlDialect,
  { mayMigrate = true, mayCreate = true, storeId }: OpenOptions,
  target = migrations.length,
): Transaction<boolean> {
  const { integer, tableOptions } = dialect;
  yield rawSql(`create table if not exists journal_schema (
    version ${integer} not null
  ) ${tableOptions}`);
  const [row] = yield sql`select coalesce(max(version), 0) as version from journal_schema`;
  const { version } = z.object({ version: z.int() }).parse(row);
  if (version > migrations.length) {
    throw new StoreError(
      'STORE_NEWER',
      `The store has version ${version}. This release supports ${migrations.length}.`,
    );
  }
  if (version === 0 && !mayCreate) {
    throw new StoreError('STORE_NEW', 'The database has no tables of a store.');
  }
  if (version > 0 && version < target && !mayMigrate) {
    throw new StoreError('STORE_BEHIND', `The store has version ${version} instead of ${target}.`);
  }
  for (const [index, toStatements] of migrations.slice(0, target).entries()) {
    if (index < version) continue;
    for (const text of toStatements(dialect)) yield rawSql(text);
    yield sql`insert into journal_schema (version) values (${index + 1})`;
  }
  if (storeId !== undefined) {
    const stores = yield sql`select id from store where id = ${storeId}`;
    if (stores.length === 0) throw new StoreError('STORE_OTHER', 'The store has another id.');
  }
  return version === 0;
}

function createTables({ integer, blob, sequence, tableOptions }: SqlDialect): string[] {
  const deliveryProgress = `
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
    ) ${tableOptions}`,
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
      ${deliveryProgress},
      unique (session_id, idempotency_key)
    ) ${tableOptions}`,
    `create unique index application_live on application (session_id)
      where state <> 'rejected' and erased_at is null`,
    `create index application_received on application (next_at, seq) where state = 'received'`,
    `create index application_waiting on application (next_at, seq) where state = 'waiting'`,
    `create index application_sending on application (lease_until, seq) where state = 'sending'`,
    'create index application_key on application (idempotency_key)',
    // Starts with the time: SQLite would prefer an index that starts with the state to the three indexes above.
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
    ) ${tableOptions}`,
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
      ${deliveryProgress}
    ) ${tableOptions}`,
    ...indexAttachments('child'),

    `create table chunk (
      child_id text not null references child (id) on delete cascade,
      number ${integer} not null,
      sealed ${blob} not null,
      primary key (child_id, number)
    ) ${tableOptions}`,

    `create table heartbeat (
      id ${integer} primary key check (id = 1),
      at ${integer} not null
    ) ${tableOptions}`,
  ];
}

function indexAttachments(table: 'child' | 'attachment'): string[] {
  return [
    `create index ${table}_application on ${table} (application_id, kind, number)`,
    `create index ${table}_received on ${table} (kind, next_at, seq) where state = 'received'`,
    `create index ${table}_waiting on ${table} (kind, next_at, seq) where state = 'waiting'`,
    `create index ${table}_sending on ${table} (kind, lease_until, seq) where state = 'sending'`,
    `create index ${table}_count on ${table} (created_at, kind, state)`,
    `create index ${table}_held on ${table} (created_at) where state = 'held'`,
    `create index ${table}_receiving on ${table} (created_at) where state = 'receiving'`,
    `create unique index ${table}_same on ${table} (application_id, kind, fingerprint)
      where fingerprint is not null and state not in ('rejected', 'erased')`,
  ];
}

/** Stays empty during an outage, when many rows wait. */
function indexRefused(table: string): string {
  return `create index ${table}_refused on ${table} (refused_since)
    where state = 'waiting' and refused_since is not null`;
}

function indexRejected(table: string): string {
  return `create index ${table}_rejected on ${table} (finished_at) where state = 'rejected'`;
}

/** Processes of an earlier version must not run any more: their statements fail from here on. */
function renameToAttachments(): string[] {
  const delivery = ['received', 'waiting', 'sending', 'held', 'refused', 'rejected'];
  const indexes = [...delivery, 'application', 'count', 'receiving', 'same'];
  return [
    'drop table login',
    ...indexes.map((name) => `drop index child_${name}`),
    'alter table child rename to attachment',
    `update attachment set kind = 'bank-report' where kind = 'asset-report'`,
    'alter table attachment rename column sealed_name to encrypted_name',
    'alter table chunk rename column child_id to attachment_id',
    'alter table chunk rename column sealed to encrypted',
    'alter table application rename column sealed_lead to encrypted_lead',
    'alter table application rename column sealed_tracking_url to encrypted_tracking_url',
    'alter table consent rename column sealed_address to encrypted_address',
    ...indexAttachments('attachment'),
    indexRefused('attachment'),
    indexRejected('attachment'),
  ];
}

/** A session of this version that an earlier process reads has no application, so that process gives it no data. */
function addHandoffs({ integer, blob, sequence, tableOptions }: SqlDialect): string[] {
  return [
    `alter table session add column scope text not null default 'application'`,
    `alter table application add column encrypted_business_name ${blob}`,
    'alter table attachment add column handoff_id text',
    `create index application_business_name on application (received_at)
      where encrypted_business_name is not null`,
    `create table handoff (
      seq ${sequence},
      id text not null unique,
      application_id text not null references application (id) on delete cascade,
      session_id text not null references session (id) on delete cascade,
      token_hash text not null unique,
      code_hash text not null unique,
      number text not null,
      choices text not null,
      state text not null default 'waiting',
      created_at ${integer} not null,
      expires_at ${integer} not null,
      ends_at ${integer} not null,
      phone_session_id text unique
    ) ${tableOptions}`,
    'create index handoff_application on handoff (application_id, seq)',
    'create index handoff_session on handoff (session_id)',
    'create index handoff_created on handoff (created_at)',
  ];
}

/** For the purge, which otherwise reads all rows of a large store. */
function indexRetention({ integer }: SqlDialect): string[] {
  return [
    `create index application_tracking_url on application (finished_at)
      where encrypted_tracking_url is not null`,
    `create index attachment_name on attachment (finished_at) where encrypted_name is not null`,
    // 0: the session has an application. 1: it may have none.
    `alter table session add column is_unused ${integer} not null default 1`,
    `update session set is_unused = 0 where exists (
      select 1 from application where session_id = session.id)`,
    'create index session_unused on session (created_at) where is_unused = 1',
  ];
}

/**
 * Counts how many rows of a kind have changed from one state to another, because counting the rows of a large store takes long.
 * `''` is the state before the insertion and after the deletion. Triggers also count what processes of the previous version write.
 */
function countStateChanges({ stateChanges }: SqlDialect): string[] {
  const isUnfinished = `state not in ('accepted', 'rejected', 'erased')`;
  return [
    ...stateChanges,
    // After the triggers: on PostgreSQL, their creation waits until the writes of other processes are committed.
    `insert into state_change (kind, from_state, to_state, count)
      select 'application', '', state, count(*) from application group by state`,
    `insert into state_change (kind, from_state, to_state, count)
      select kind, '', state, count(*) from attachment group by kind, state`,
    // For the age of the oldest rows. SQLite uses them only for statements that contain the same condition.
    `create index application_unfinished on application (state, received_at) where ${isUnfinished}`,
    `create index attachment_unfinished on attachment (kind, state, created_at)
      where ${isUnfinished}`,
    `create index application_finished on application (received_at)
      where state in ('accepted', 'rejected', 'erased')`,
    'drop index application_count',
    'drop index attachment_count',
  ];
}

function stateChangeColumns(integer: SqlDialect['integer']): string {
  return `
      kind text not null,
      from_state text not null,
      to_state text not null,
      count ${integer} not null`;
}

/** @param toKind SQL of the kind of a row. */
function listSqliteTriggers(table: string, toKind: (row: 'old' | 'new') => string): string[] {
  const count = (row: 'old' | 'new', from: string, to: string) => `begin
      insert into state_change (kind, from_state, to_state, count)
      values (${toKind(row)}, ${from}, ${to}, 1)
      on conflict (kind, from_state, to_state) do update set count = count + 1;
    end`;
  return [
    `create trigger ${table}_inserted after insert on ${table}
      ${count('new', `''`, 'new.state')}`,
    `create trigger ${table}_changed after update of state on ${table} when old.state <> new.state
      ${count('new', 'old.state', 'new.state')}`,
    `create trigger ${table}_deleted after delete on ${table}
      ${count('old', 'old.state', `''`)}`,
  ];
}

/** @param kind SQL of the kind of the row. */
function listPostgresTriggers(table: string, kind: string): string[] {
  const run = `execute function count_${table}()`;
  return [
    // `old` is null after an insert, and `new` after a delete.
    `create function count_${table}() returns trigger language plpgsql as $$
      begin
        insert into state_change (kind, from_state, to_state, count)
        values (${kind}, coalesce(old.state, ''), coalesce(new.state, ''), 1);
        return null;
      end
    $$`,
    `create trigger ${table}_added_or_deleted after insert or delete on ${table}
      for each row ${run}`,
    `create trigger ${table}_changed after update of state on ${table}
      for each row when (old.state <> new.state) ${run}`,
  ];
}
