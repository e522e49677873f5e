// Records every state change in a store with database triggers, and reads the final rows.

import { type Database, rawSql, sql } from '../../bff/store/database.ts';
import { parseRows } from '../../bff/store/rows.ts';
import {
  applicationSchema,
  attachmentSchema,
  type ApplicationRow,
  type AttachmentRow,
} from '../../bff/store/store.ts';

/** One state change. */
export interface Transition {
  readonly table: 'application' | 'attachment';
  readonly id: string;
  /** Reference of the application; for an attachment, of the application that it belongs to. */
  readonly reference: string;
  /** `undefined` when the row was inserted. */
  readonly from: string | undefined;
  /** `undefined` when the row was deleted. */
  readonly to: string | undefined;
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
  const transitions = await database.all(sql`select * from audit order by seq`);
  const applications = await database.all(sql`select * from application order by seq`);
  const attachments = await database.all(sql`select * from attachment order by seq`);
  return {
    applications: parseRows(applicationSchema, applications),
    attachments: parseRows(attachmentSchema, attachments),
    transitions: transitions.map(toTransition),
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

interface AuditRow {
  readonly table_name: 'application' | 'attachment';
  readonly id: string;
  readonly reference: string;
  readonly from_state: string | null;
  readonly to_state: string | null;
  readonly fence_before: number;
  readonly fence: number;
}

function toTransition(raw: unknown): Transition {
  // Only the triggers above write to this table.
  const row = raw as AuditRow;
  return {
    table: row.table_name,
    id: row.id,
    reference: row.reference,
    from: row.from_state ?? undefined,
    to: row.to_state ?? undefined,
    fenceBefore: row.fence_before,
    fence: row.fence,
  };
}
