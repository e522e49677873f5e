// Erases data that the retention policy no longer allows, or that an operator orders to erase.

import * as z from 'zod/mini';
import { type Database, query, type Transaction } from './database.ts';
import { parseRows } from './rows.ts';
import type { RetentionPolicy, RetentionStore } from './store.ts';

/** Maximum rows per statement, so that a purge does not block others. The next purge continues. */
const batch = 500;
/** Each attachment can have hundreds of chunks. */
const chunkBatch = 20;

const idSchema = z.object({ id: z.string() });
const attachmentSchema = z.object({ id: z.string(), applicationId: z.string() });
const stateSchema = z.object({ state: z.string() });

export function createRetentionStore(database: Database): RetentionStore {
  /** Only held and unconfirmed applications: a wrong clock must never erase one that is still being delivered. */
  async function eraseUndeliveredApplications(receivedUntil: string): Promise<string[]> {
    const rows = await database.all(
      `select id from application
       where state in ('held', 'unconfirmed') and received_at <= ${receivedUntil} and erased_at is null
       order by received_at limit ${batch}`,
    );
    const erased: string[] = [];
    for (const { id } of parseRows(idSchema, rows)) {
      const result = await database.transaction(
        () => eraseApplication(id, database.forUpdate),
        [`application/${id}`],
      );
      if (result === 'erased') erased.push(id);
    }
    return erased;
  }

  return {
    async purge(policy) {
      const receivedUntil = before(policy.undeliveredMs);
      const undelivered = [
        ...(await eraseUndeliveredApplications(receivedUntil)),
        ...(await database.transaction(() => eraseUndeliveredAttachments(receivedUntil))),
      ];
      let rows = undelivered.length;
      for (const sql of toPurgeStatements(policy)) rows += (await database.all(sql)).length;
      return { undelivered: [...new Set(undelivered)], rows };
    },

    scrub: () => database.scrub(),
  };
}

function before(ms: number): string {
  return `{now} - ${Math.round(ms)}`;
}

/** Returns the ids of their applications. */
function* eraseUndeliveredAttachments(createdUntil: string): Transaction<readonly string[]> {
  const rows = yield* query(
    `update attachment set state = 'erased', encrypted_name = null, fingerprint = null, finished_at = {now}
     where state = 'held' and id in (
       select id from attachment where state = 'held' and created_at <= ${createdUntil} limit ${batch})
     returning id, application_id`,
  );
  const erased = parseRows(attachmentSchema, rows);
  for (const { id } of erased) yield* query('delete from chunk where attachment_id = ?', id);
  return erased.map(({ applicationId }) => applicationId);
}

/** Each statement checks the state of a row twice, because another process may change the row after it was selected. */
function toPurgeStatements(policy: RetentionPolicy): readonly string[] {
  const select = (table: string, state: string, condition: string) =>
    `where ${state} and id in (
       select id from ${table} where ${state} and ${condition} limit ${batch}) returning id`;
  const empty = (table: string, column: string, state: string, condition: string) =>
    `update ${table} set ${column} = null ${select(table, state, condition)}`;
  const remove = (table: string, state: string, condition: string) =>
    `delete from ${table} ${select(table, state, condition)}`;
  const abandoned = `created_at <= ${before(policy.abandonedMs)}`;
  const recordEnded = `finished_at <= ${before(policy.recordMs)}`;
  const rejectionEnded = `finished_at <= ${before(policy.rejectedMs)}`;
  const evidenceEnded = `received_at <= ${before(policy.evidenceMs)}`;
  const hasLead = 'encrypted_lead is not null';
  const hasUrl = 'encrypted_tracking_url is not null';
  const hasName = 'encrypted_name is not null';
  const isFinished = `state in ('accepted', 'rejected', 'erased')`;
  const isUnused = 'not exists (select 1 from application where session_id = session.id)';
  return [
    // Before the chunks: without the lead, `retryRejected` leaves the application and its attachments alone.
    empty(
      'application',
      'encrypted_lead',
      `state = 'rejected'`,
      `${hasLead} and ${rejectionEnded}`,
    ),
    `delete from chunk where attachment_id in (
       select id from attachment where state = 'rejected' and ${rejectionEnded}
         and exists (select 1 from chunk where attachment_id = attachment.id) limit ${chunkBatch})
     returning attachment_id`,
    empty('application', 'encrypted_tracking_url', hasUrl, recordEnded),
    empty('attachment', 'encrypted_name', hasName, recordEnded),
    remove('attachment', `state = 'receiving'`, abandoned),
    remove('application', isFinished, evidenceEnded),
    remove('session', isUnused, abandoned),
  ];
}

/** Returns `sending` while a row is being sent, because that cannot be undone. */
export function* eraseApplication(
  id: string,
  forUpdate: Database['forUpdate'],
): Transaction<'erased' | 'sending' | 'not-found'> {
  // Locks the rows, so that no worker claims one before it is erased.
  const [application] = yield* query(`select state from application where id = ? ${forUpdate}`, id);
  if (application === undefined) return 'not-found';
  const attachments = yield* query(
    `select state from attachment where application_id = ? ${forUpdate}`,
    id,
  );
  const rows = parseRows(stateSchema, [application, ...attachments]);
  if (rows.some(({ state }) => state === 'sending')) return 'sending';

  yield* query(
    `update attachment set encrypted_name = null, fingerprint = null,
       finished_at = coalesce(finished_at, {now}),
       state = case when state in ('accepted', 'rejected') then state else 'erased' end
     where application_id = ?`,
    id,
  );
  // After the update above, no upload adds chunks.
  yield* query(
    'delete from chunk where attachment_id in (select id from attachment where application_id = ?)',
    id,
  );
  yield* query('update consent set encrypted_address = null where application_id = ?', id);
  // Copies of encrypted values that remain elsewhere, as in a backup, cannot be decrypted without the key.
  yield* query(
    `update application set encrypted_lead = null, encrypted_tracking_url = null, wrapped_key = ?,
       fingerprint = '', erased_at = coalesce(erased_at, {now}),
       finished_at = coalesce(finished_at, {now}),
       state = case when state in ('accepted', 'rejected') then state else 'erased' end
     where id = ?`,
    new Uint8Array(0),
    id,
  );
  return 'erased';
}
