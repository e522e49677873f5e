// A database for one campaign on either engine. Triggers record every state change.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, rawSql, sql } from '../../../bff/store/database.ts';
import { createStore, openDatabase } from '../../../bff/store/open-store.ts';
import { parseRows } from '../../../bff/store/rows.ts';
import {
  type ApplicationRow,
  applicationSchema,
  type AttachmentRow,
  attachmentSchema,
} from '../../../bff/store/store.ts';
import { createSchema } from '../../support/postgres-schema.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

export interface StorageOptions {
  readonly engine: Engine;
  /** URL of a server where tests may create schemas; PostgreSQL only. */
  readonly postgresUrl?: string | undefined;
}

export type Storage = Awaited<ReturnType<typeof createStorage>>;

/** Creates empty tables and the audit triggers. `url` is a `DATABASE_URL`. */
export async function createStorage({ engine, postgresUrl }: StorageOptions) {
  const { url, remove } =
    engine === 'SQLite' ? createFile() : await createServerStore(postgresUrl ?? '');

  /** Opens a connection and closes it again: with an open connection, SQLite would skip recovery in the next process. */
  async function inspect<Result>(look: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await openDatabase(url);
    try {
      return await look(database);
    } finally {
      await database.close();
    }
  }

  await inspect(installAudit);
  return { engine, url, inspect, remove };
}

function createFile() {
  const folder = mkdtempSync(join(tmpdir(), 'funding-application-faults-'));
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { url: `file:${join(folder, 'store.db')}`, remove };
}

async function createServerStore(serverUrl: string) {
  const { url, drop } = await createSchema(serverUrl);
  return { url, remove: drop };
}

/** Reads the store's part of the evidence. */
export async function readEnd(
  database: Database,
): Promise<FinalStore & { readonly alarms: ReadonlySet<string> }> {
  const needing = await createStore(database).listRowsNeedingOperator(1_000_000);
  return {
    ...(await readFinalStore(database)),
    alarms: new Set(needing.map(({ reference }) => reference)),
  };
}

/** One state change. */
export interface Transition {
  readonly table: 'application' | 'attachment';
  readonly id: string;
  /** Reference of the application; for an attachment, of the application that it belongs to. */
  readonly reference: string;
  /** `none` when the row was inserted. */
  readonly from: string;
  /** `none` when the row was deleted. */
  readonly to: string;
  readonly fenceBefore: number;
  readonly fence: number;
}

export interface FinalStore {
  readonly applications: readonly ApplicationRow[];
  readonly attachments: readonly AttachmentRow[];
  readonly transitions: readonly Transition[];
}

/** The triggers write in the transaction of the change, so that a rollback removes both. */
export async function installAudit(database: Database): Promise<void> {
  const statements = database.isShared ? postgresAudit() : sqliteAudit();
  for (const text of statements) await database.all(rawSql(text));
}

export async function readFinalStore(database: Database): Promise<FinalStore> {
  const transitions = await database.all(sql`
    select table_name as "table", id, reference, coalesce(from_state, 'none') as "from",
      coalesce(to_state, 'none') as "to", fence_before as "fenceBefore", fence
    from audit order by seq`);
  const applications = await database.all(sql`select * from application order by seq`);
  const attachments = await database.all(sql`select * from attachment order by seq`);
  return {
    applications: parseRows(applicationSchema, applications),
    attachments: parseRows(attachmentSchema, attachments),
    // Only the triggers below write to this table.
    transitions: transitions as Transition[],
  };
}

const tables = ['application', 'attachment'] as const;
const columns = 'table_name, id, reference, from_state, to_state, fence_before, fence';

function sqliteAudit(): string[] {
  const write = (table: (typeof tables)[number], values: string) =>
    `insert into audit (${columns}) values ('${table}', ${values})`;
  return [
    `create table audit (seq integer primary key autoincrement, table_name text, id text,
      reference text, from_state text, to_state text, fence_before integer, fence integer) strict`,
    ...tables.flatMap((table) => {
      const parent = table === 'application' ? 'id' : 'application_id';
      return [
        `create trigger audit_${table}_insert after insert on ${table} begin
          ${write(table, `new.id, new.${parent}, null, new.state, 0, new.fence`)}; end`,
        `create trigger audit_${table}_update after update on ${table}
          when old.state <> new.state or old.fence <> new.fence begin
          ${write(table, `new.id, new.${parent}, old.state, new.state, old.fence, new.fence`)}; end`,
        `create trigger audit_${table}_delete after delete on ${table} begin
          ${write(table, `old.id, old.${parent}, old.state, null, old.fence, old.fence`)}; end`,
      ];
    }),
  ];
}

function postgresAudit(): string[] {
  const write = (values: string) =>
    `insert into audit (${columns}) values (tg_table_name, ${values})`;
  return [
    `create table audit (seq bigint generated always as identity primary key, table_name text, id text,
      reference text, from_state text, to_state text, fence_before bigint, fence bigint)`,
    ...tables.flatMap((table) => {
      const parent = table === 'application' ? 'id' : 'application_id';
      return [
        `create function audit_${table}() returns trigger language plpgsql as $$ begin
          if tg_op = 'INSERT' then
            ${write(`new.id, new.${parent}, null, new.state, 0, new.fence`)};
          elsif tg_op = 'DELETE' then
            ${write(`old.id, old.${parent}, old.state, null, old.fence, old.fence`)};
          elsif old.state <> new.state or old.fence <> new.fence then
            ${write(`new.id, new.${parent}, old.state, new.state, old.fence, new.fence`)};
          end if;
          return null; end $$`,
        `create trigger audit_${table} after insert or update or delete on ${table}
          for each row execute function audit_${table}()`,
      ];
    }),
  ];
}
