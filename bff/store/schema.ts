// The tables of the store in SQL for both databases, and how a store of an earlier version is migrated.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import {
  createEventTables,
  listPostgresEventTriggers,
  listSqliteEventTriggers,
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
};

/** The statements of one version of the store. */
export type Migration = (dialect: SqlDialect) => readonly string[];

/**
 * The statements that lead to each version of the store. To change a table, append a version: released versions never change. A
 * new column also needs an entry in its row's schema and in the type of the method that inserts it (`store.ts`), and a value in
 * that `insert`.
 *
 * On PostgreSQL, processes of the previous version continue to run during an upgrade. Their statements work on new tables and
 * on new columns that are nullable or have a default. After any other change, the changelog must say that all processes have
 * to stop before the upgrade.
 */
const storeMigrations: readonly Migration[] = [createTables];

/**
 * Creates or migrates the tables, and checks the id of the store. The transaction must exclude other processes. A refused store
 * does not change.
 *
 * @param migrations Default: those of the store.
 * @returns true when there were no tables before.
 */
export function* migrate(
  dialect: SqlDialect,
  { mayMigrate = true, mayCreate = true, storeId }: OpenOptions,
  migrations: readonly Migration[] = storeMigrations,
): Transaction<boolean> {
  const { integer, tableOptions } = dialect;
  yield rawSql(`create table if not exists schema_version (
    version ${integer} not null
  ) ${tableOptions}`);
  const [row] = yield sql`select max(version) as version from schema_version`;
  const { version } = versionSchema.parse(row);
  const isNew = version === null;
  if (isNew && !mayCreate) {
    throw new StoreError('STORE_NEW', 'The database has no tables of a store.');
  }
  const newest = migrations.length;
  if (!isNew && version > newest) {
    throw new StoreError(
      'STORE_NEWER',
      `The store has version ${version}. This release supports ${newest}.`,
    );
  }
  if (!isNew && version < newest && !mayMigrate) {
    throw new StoreError('STORE_BEHIND', `The store has version ${version} instead of ${newest}.`);
  }
  for (const [index, toStatements] of migrations.entries()) {
    if (index < (version ?? 0)) continue;
    for (const text of toStatements(dialect)) yield rawSql(text);
    yield sql`insert into schema_version (version) values (${index + 1})`;
  }
  if (storeId !== undefined) {
    const stores = yield sql`select id from store where id = ${storeId}`;
    if (stores.length === 0) throw new StoreError('STORE_OTHER', 'The store has another id.');
  }
  return isNew;
}

const versionSchema = z.object({ version: z.nullable(z.int()) });

const isUnfinished = `state not in ('accepted', 'rejected', 'erased')`;
const isFinished = `state in ('accepted', 'rejected', 'erased')`;

function createTables(dialect: SqlDialect): readonly string[] {
  const { integer, blob, sequence, tableOptions, sharedTables, stateChanges } = dialect;
  const deliveryProgress = `
      attempts ${integer} not null default 0,
      uncertain_attempts ${integer} not null default 0,
      cleared_attempts ${integer} not null default 0,
      interruptions ${integer} not null default 0,
      first_attempt_at ${integer},
      last_outcome text,
      held_reason text,
      refused_since ${integer},
      next_at ${integer},
      lease_until ${integer} not null default 0,
      fence ${integer} not null default 0,
      service_id text,
      finished_at ${integer}`;
  return [
    // One row. `is_open` is used on SQLite only (see `sqlite.ts`).
    `create table store (
      id text primary key,
      created_at ${integer} not null,
      is_open ${integer} not null default 0
    ) ${tableOptions}`,
    `insert into store (id, created_at) values ('${randomUUID()}', {now})`,

    // `is_unused` is 0 if the session has an application, and 1 if it may have none.
    `create table session (
      id text primary key,
      origin text not null,
      scope text not null default 'application',
      created_at ${integer} not null,
      ended_at ${integer},
      is_unused ${integer} not null default 1
    ) ${tableOptions}`,
    'create index session_unused on session (created_at) where is_unused = 1',

    `create table application (
      seq ${sequence},
      id text not null unique,
      session_id text not null references session (id),
      idempotency_key text not null,
      fingerprint text not null,
      state text not null,
      key_id text not null,
      wrapped_key ${blob} not null,
      encrypted_lead ${blob},
      encrypted_business_name ${blob},
      campaign_id text,
      received_at ${integer} not null,
      encrypted_tracking_url ${blob},
      errors text not null default '[]',
      erased_at ${integer},
      ${deliveryProgress},
      unique (session_id, idempotency_key)
    ) ${tableOptions}`,
    `create unique index application_live on application (session_id)
      where state <> 'rejected' and erased_at is null`,
    'create index application_key on application (idempotency_key)',
    'create index application_wrapped_by on application (key_id)',
    // For short references (`findReferences`).
    'create index application_reference_ending on application (substr(id, 30))',
    `create index application_received on application (next_at, seq) where state = 'received'`,
    `create index application_waiting on application (next_at, seq) where state = 'waiting'`,
    `create index application_sending on application (lease_until, seq) where state = 'sending'`,
    indexRefused('application'),
    // For the age of the oldest rows. SQLite uses the index only for statements that contain the same condition.
    `create index application_unfinished on application (state, received_at) where ${isUnfinished}`,
    // For the operators and the purge, which otherwise read all rows of a large store.
    `create index application_given_up on application (received_at)
      where state in ('held', 'unconfirmed')`,
    `create index application_finished on application (received_at) where ${isFinished}`,
    `create index application_rejected_content on application (finished_at)
      where state = 'rejected' and encrypted_lead is not null`,
    `create index application_tracking_url on application (finished_at)
      where encrypted_tracking_url is not null`,
    `create index application_business_name on application (received_at)
      where encrypted_business_name is not null`,

    `create table consent (
      seq ${sequence},
      id text not null unique,
      application_id text not null references application (id) on delete cascade,
      consent_id text not null,
      version text not null,
      text text not null,
      text_hash text not null,
      locale text not null,
      given_at ${integer} not null,
      encrypted_address ${blob}
    ) ${tableOptions}`,
    'create index consent_application on consent (application_id)',

    `create table attachment (
      seq ${sequence},
      id text not null unique,
      application_id text not null references application (id) on delete cascade,
      kind text not null,
      category text not null,
      is_category_chosen ${integer} not null default 1,
      encrypted_name ${blob},
      created_at ${integer} not null,
      state text not null default 'receiving',
      number ${integer} not null default 0,
      bytes ${integer} not null default 0,
      fingerprint text,
      release_at ${integer},
      handoff_id text,
      ${deliveryProgress}
    ) ${tableOptions}`,
    'create index attachment_application on attachment (application_id, kind, number)',
    `create unique index attachment_same on attachment (application_id, kind, fingerprint)
      where fingerprint is not null and state not in ('rejected', 'erased')`,
    `create index attachment_received on attachment (kind, next_at, seq) where state = 'received'`,
    `create index attachment_waiting on attachment (kind, next_at, seq) where state = 'waiting'`,
    `create index attachment_sending on attachment (kind, lease_until, seq)
      where state = 'sending'`,
    indexRefused('attachment'),
    `create index attachment_unfinished on attachment (kind, state, created_at)
      where ${isUnfinished}`,
    `create index attachment_held on attachment (created_at) where state = 'held'`,
    `create index attachment_receiving on attachment (created_at) where state = 'receiving'`,
    `create index attachment_rejected on attachment (finished_at) where state = 'rejected'`,
    `create index attachment_name on attachment (finished_at) where encrypted_name is not null`,

    `create table chunk (
      attachment_id text not null references attachment (id) on delete cascade,
      number ${integer} not null,
      encrypted ${blob} not null,
      primary key (attachment_id, number)
    ) ${tableOptions}`,

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

    `create table heartbeat (
      id ${integer} primary key check (id = 1),
      at ${integer} not null
    ) ${tableOptions}`,

    ...sharedTables,
    ...stateChanges,
    ...createEventTables(dialect),
  ];
}

/** Stays empty during an outage, when many rows wait. */
function indexRefused(table: string): string {
  return `create index ${table}_refused on ${table} (refused_since)
    where state = 'waiting' and refused_since is not null`;
}

/**
 * The columns of the table that counts how many rows of a kind have changed from one state to another, because counting the rows
 * of a large store takes long. `''` is the state before the insertion and after the deletion. Triggers count, so that no statement
 * can forget to.
 */
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
