// Keeps the state of the sandbox in an SQLite file (SANDBOX_DATA), so that it survives a restart. Each change is committed before its
// response is sent. Documents are read from the file when they are shown, so that memory does not grow with them.

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { toReportRecord } from './asset-report.ts';
import { faultSchema } from './faults.ts';
import {
  maxAnswers,
  maxCalls,
  type ActionRecord,
  type Change,
  type CallRecord,
  type DocumentRecord,
  type LeadRecord,
  type SandboxContext,
  type SandboxState,
} from './state.ts';

/** "FUND" in ASCII. Marks the file as one of the sandbox. */
const applicationId = 0x46_55_4e_44;
/** Increase it with every change of the tables or records. */
const dataVersion = 1;

export interface DataFile {
  close(): void;
}

/** The file cannot be used. The message names the fix. */
export class DataFileError extends Error {}

/** Loads the state from the file, which is created if it does not exist, and saves every change from now on. */
export function openDataFile(path: string, context: SandboxContext): DataFile {
  let db: DatabaseSync | undefined;
  try {
    // The records are test data, but people type real names into test forms.
    closeSync(openSync(path, 'a', 0o600));
    db = new DatabaseSync(path);
    prepare(db);
    load(db, context);
    context.save = createSave(db, context);
  } catch (error) {
    db?.close();
    throw toDataFileError(error);
  }
  const opened = db;
  return { close: () => opened.close() };
}

function prepare(db: DatabaseSync): void {
  // A second sandbox with the same file would overwrite what the first one saves.
  db.exec(
    'pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal;',
  );
  db.exec('begin immediate');
  const isEmpty = readPragma(db, 'schema_version') === 0;
  if (isEmpty) {
    db.exec(`
      create table leads (id text not null unique, record text not null);
      create table documents (id text not null unique, record text not null, content blob not null);
      create table reports (id text not null unique, record text not null, received_text text not null);
      create table calls (id integer primary key, record text not null, answer text, request text);
      create table actions (sequence integer primary key, record text not null);
      create table state (id integer primary key check (id = 1), record text not null);
      pragma application_id = ${applicationId};
      pragma user_version = ${dataVersion};
    `);
  }
  db.exec('commit');
  if (readPragma(db, 'application_id') !== applicationId) {
    throw new DataFileError('SANDBOX_DATA names a database of another program. Name another file.');
  }
  const version = readPragma(db, 'user_version');
  if (version !== dataVersion) {
    throw new DataFileError(
      `SANDBOX_DATA was written by another version of the sandbox (data version ${version}; this one reads ${dataVersion}). Name another file, or delete this one to start empty.`,
    );
  }
  const [check] = db.prepare('pragma quick_check(1)').all();
  if (check?.['quick_check'] !== 'ok') throw new DataFileError(damaged);
}

function readPragma(db: DatabaseSync, name: string): unknown {
  return db.prepare(`pragma ${name}`).get()?.[name];
}

const damaged =
  'SANDBOX_DATA is damaged, or is not a file of the sandbox. Name another file, or delete this one to start empty.';

/** Result codes of SQLite (sqlite.org/rescode.html). */
const problems: Readonly<Record<number, string>> = {
  5: 'SANDBOX_DATA is used by another process. Stop that sandbox, or name another file.',
  11: damaged,
  26: damaged,
};

function toDataFileError(error: unknown): unknown {
  if (error instanceof SyntaxError || error instanceof z.core.$ZodError) {
    return new DataFileError(damaged, { cause: error });
  }
  if (!(error instanceof Error) || error instanceof DataFileError || !('code' in error))
    return error;
  const result = 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  const otherwise = `SANDBOX_DATA cannot be opened (${String(error.code)}). Name a file in a folder that exists and can be written.`;
  return new DataFileError(problems[result] ?? otherwise, { cause: error });
}

const stateSchema = z.object({
  clockOffsetMs: z.number(),
  callCount: z.int(),
  sequence: z.int(),
  seed: z.int(),
  faults: z.array(faultSchema),
  tokens: z.array(z.tuple([z.string(), z.number()])),
  outageRejections: z.array(z.tuple([z.string(), z.number()])),
});

function load(db: DatabaseSync, context: SandboxContext): void {
  const { state, clock } = context;
  const rows = (sql: string) => db.prepare(sql).all();
  // The version mark says that the records have the types of this version.
  for (const row of rows('select record from leads order by rowid')) {
    const record = parse<LeadRecord>(row['record']);
    state.leads.set(record.applicationId, record);
    state.applicationIdsByReference.set(record.referenceId, record.applicationId);
  }
  for (const row of rows('select record from documents order by rowid')) {
    const record = parse<Omit<DocumentRecord, 'content'>>(row['record']);
    state.documents.set(record.documentId, withStoredContent(db, record));
  }
  for (const row of rows('select record, received_text from reports order by rowid')) {
    const record = toReportRecord({
      ...parse<Parameters<typeof toReportRecord>[0]>(row['record']),
      receivedText: String(row['received_text']),
    });
    state.assetReports.set(record.assetReportId, record);
  }
  for (const row of rows('select record, answer, request from calls order by id')) {
    const answer = row['answer'] === null ? undefined : String(row['answer']);
    const request = row['request'] === null ? undefined : String(row['request']);
    state.calls.push({ ...parse<CallRecord>(row['record']), answer, request });
  }
  for (const row of rows('select record from actions order by sequence')) {
    state.actions.push(parse<ActionRecord>(row['record']));
  }
  const [row] = rows('select record from state');
  if (!row) return;
  const saved = stateSchema.parse(parse<unknown>(row['record']));
  clock.advance(saved.clockOffsetMs);
  state.callCount = saved.callCount;
  state.sequence = saved.sequence;
  state.seed = saved.seed;
  state.faults.push(...saved.faults);
  for (const [token, issuedAtMs] of saved.tokens) state.tokens.set(token, issuedAtMs);
  for (const [id, count] of saved.outageRejections) state.outageRejections.set(id, count);
}

function parse<Value>(text: unknown): Value {
  return JSON.parse(String(text)) as Value;
}

/** Reads the content from the file each time. */
function withStoredContent(
  db: DatabaseSync,
  record: Omit<DocumentRecord, 'content'>,
): DocumentRecord {
  const select = db.prepare('select content from documents where id = ?');
  return {
    ...record,
    get content() {
      const content = select.get(record.documentId)?.['content'];
      return content instanceof Uint8Array ? content : new Uint8Array();
    },
  };
}

function createSave(db: DatabaseSync, context: SandboxContext): (change: Change) => void {
  const { state, clock } = context;
  const putLead = db.prepare(
    'insert into leads (id, record) values (?, ?) on conflict (id) do update set record = excluded.record',
  );
  const putDocument = db.prepare(
    'insert into documents (id, record, content) values (?, ?, ?) on conflict (id) do nothing',
  );
  const putReport = db.prepare(
    'insert into reports (id, record, received_text) values (?, ?, ?) on conflict (id) do nothing',
  );
  const putCall = db.prepare('insert into calls (id, record, answer, request) values (?, ?, ?, ?)');
  const dropCall = db.prepare('delete from calls where id <= ?');
  const dropAnswer = db.prepare('update calls set answer = null, request = null where id = ?');
  const putAction = db.prepare('insert into actions (sequence, record) values (?, ?)');
  const putState = db.prepare('insert or replace into state (id, record) values (1, ?)');
  let savedCall = state.callCount;
  let savedAction = state.actions.at(-1)?.sequence ?? 0;

  const write = ({ applicationId, recordId, isReset }: Change): void => {
    if (isReset) {
      for (const table of ['leads', 'documents', 'reports', 'calls', 'actions']) {
        db.exec(`delete from ${table}`);
      }
      savedCall = 0;
    }
    const lead = state.leads.get(applicationId ?? '');
    if (lead) putLead.run(lead.applicationId, JSON.stringify(lead));
    const document = state.documents.get(recordId ?? '');
    if (document) {
      const { content, ...record } = document;
      putDocument.run(record.documentId, JSON.stringify(record), content);
      state.documents.set(record.documentId, withStoredContent(db, record));
    }
    const report = state.assetReports.get(recordId ?? '');
    if (report) {
      const { assetReportId, applicationId, receivedAtMs, receivedText } = report;
      const record = { assetReportId, applicationId, receivedAtMs };
      putReport.run(assetReportId, JSON.stringify(record), receivedText);
    }
    for (const call of newest(state.calls, ({ callId }) => callId > savedCall)) {
      const { answer, request, ...record } = call;
      putCall.run(call.callId, JSON.stringify(record), answer ?? null, request ?? null);
      dropAnswer.run(call.callId - maxAnswers);
      dropCall.run(call.callId - maxCalls);
      savedCall = call.callId;
    }
    for (const action of newest(state.actions, ({ sequence }) => sequence > savedAction)) {
      putAction.run(action.sequence, JSON.stringify(action));
      savedAction = action.sequence;
    }
    putState.run(JSON.stringify(toSavedState(state, clock.offsetMs())));
  };

  return (change) => {
    db.exec('begin immediate');
    try {
      write(change);
      db.exec('commit');
    } catch (error) {
      db.exec('rollback');
      throw error;
    }
  };
}

/** The records at the end of the list that are new, oldest first. */
function newest<Value>(list: readonly Value[], isNew: (value: Value) => boolean): readonly Value[] {
  return list.slice(list.findLastIndex((value) => !isNew(value)) + 1);
}

function toSavedState(state: SandboxState, clockOffsetMs: number): z.infer<typeof stateSchema> {
  const { callCount, sequence, seed, faults, tokens, outageRejections } = state;
  return {
    clockOffsetMs,
    callCount,
    sequence,
    seed,
    faults: [...faults],
    tokens: [...tokens],
    outageRejections: [...outageRejections],
  };
}
