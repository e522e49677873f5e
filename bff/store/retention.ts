// What the store no longer needs to keep, and how it goes.

import * as z from 'zod/mini';
import { type Database, query, type Transaction } from './database.ts';
import { toId } from './rows.ts';
import type { RetentionPolicy, RetentionStore } from './store.ts';

/** Rows of one kind in one purge, so that none holds up the others for long; the next purge goes on. */
const batch = 500;
/** Each of these has up to some hundred pieces. */
const rejectedBatch = 20;

/**
 * Only what was tried and given up: an acknowledged application that is still on its way never goes, however far a wrong clock
 * is ahead.
 */
const isGivenUp = `state in ('held', 'unconfirmed')`;

const erasedSchema = z.object({ id: z.string(), application_id: z.string() });

export function createRetentionStore(database: Database): RetentionStore {
  async function eraseUndelivered(before: string): Promise<readonly string[]> {
    const rows = await database.all(
      `select id from application
       where ${isGivenUp} and received_at <= ${before} and erased_at is null
       order by received_at limit ${batch}`,
    );
    const erased: string[] = [];
    for (const id of rows.map(toId)) {
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
      const before = `{now} - ${Math.round(policy.undeliveredMs)}`;
      const undelivered = [
        ...(await eraseUndelivered(before)),
        ...(await database.transaction(() => eraseUndeliveredAttachments(before))),
      ];
      let rows = undelivered.length;
      for (const work of createPurges(policy)) rows += await database.transaction(work);
      return { undelivered: [...new Set(undelivered)], rows };
    },

    scrub: () => database.scrub(),
  };
}

/** Documents, reports and wishes to be contacted; answers the ids of their applications. */
function* eraseUndeliveredAttachments(before: string): Transaction<readonly string[]> {
  const rows = yield* query(
    `update attachment set state = 'erased', encrypted_name = null, fingerprint = null, finished_at = {now}
     where state = 'held' and id in (
       select id from attachment where state = 'held' and created_at <= ${before} limit ${batch})
     returning id, application_id`,
  );
  const erased = rows.map((row) => erasedSchema.parse(row));
  for (const { id } of erased) yield* query('delete from chunk where attachment_id = ?', id);
  return erased.map(({ application_id: applicationId }) => applicationId);
}

/** Each is short and stands for itself; what is looked up is looked at again when it goes, since it may have changed. */
function createPurges(policy: RetentionPolicy): readonly (() => Transaction<number>)[] {
  const before = (ms: number) => `{now} - ${Math.round(ms)}`;
  const evidenceEnd = before(policy.evidenceMs);
  const recordEnd = before(policy.recordMs);
  const abandoned = before(policy.abandonedMs);
  const rejectedEnd = before(policy.rejectedMs);
  return [
    // The lead goes before the attachments: without a lead an operator can no longer retry either.
    () =>
      count(`update application set encrypted_lead = null where id in (
        select id from application where state = 'rejected' and encrypted_lead is not null
          and finished_at <= ${rejectedEnd} limit ${batch}) returning id`),
    () =>
      count(`delete from chunk where attachment_id in (
        select id from attachment where state = 'rejected' and finished_at <= ${rejectedEnd}
          and exists (select 1 from chunk where attachment_id = attachment.id) limit ${rejectedBatch})
        returning attachment_id`),
    () =>
      count(`update application set encrypted_tracking_url = null where id in (
        select id from application where encrypted_tracking_url is not null
          and finished_at <= ${recordEnd} limit ${batch}) returning id`),
    () =>
      count(`update attachment set encrypted_name = null where id in (
        select id from attachment where encrypted_name is not null
          and finished_at <= ${recordEnd} limit ${batch}) returning id`),
    () =>
      count(`delete from attachment where state = 'receiving' and id in (
        select id from attachment where state = 'receiving' and created_at <= ${abandoned} limit ${batch}) returning id`),
    () =>
      count(`delete from application where state in ('accepted', 'rejected', 'erased') and id in (
        select id from application where received_at <= ${evidenceEnd}
          and state in ('accepted', 'rejected', 'erased') limit ${batch}) returning id`),
    () =>
      count(`delete from session where id in (
        select id from session where created_at <= ${abandoned} and not exists (
          select 1 from application where session_id = session.id) limit ${batch}) returning id`),
  ];
}

function* count(sql: string): Transaction<number> {
  return (yield* query(sql)).length;
}

const stateSchema = z.object({ state: z.string() });

/** Refused while one of its rows is being sent, since what is under way cannot be called back. */
export function* eraseApplication(
  id: string,
  forUpdate: Database['forUpdate'],
): Transaction<'erased' | 'sending' | 'not-found'> {
  // Held from here on, so that nothing is claimed between the look and the deed.
  const [row] = yield* query(`select state from application where id = ? ${forUpdate}`, id);
  if (row === undefined) return 'not-found';
  const attachments = yield* query(
    `select state from attachment where application_id = ? ${forUpdate}`,
    id,
  );
  const states = [row, ...attachments].map((raw) => stateSchema.parse(raw).state);
  if (states.includes('sending')) return 'sending';
  yield* eraseContent(id);
  return 'erased';
}

/** Without its key, nothing that was sealed for the application can be opened, wherever a copy may lie. */
function* eraseContent(id: string): Transaction<void> {
  yield* query(
    `update attachment set encrypted_name = null, fingerprint = null,
       finished_at = coalesce(finished_at, {now}),
       state = case when state in ('accepted', 'rejected') then state else 'erased' end
     where application_id = ?`,
    id,
  );
  // After its attachments took no more pieces.
  yield* query(
    'delete from chunk where attachment_id in (select id from attachment where application_id = ?)',
    id,
  );
  yield* query('update consent set encrypted_address = null where application_id = ?', id);
  yield* query(
    `update application set encrypted_lead = null, encrypted_tracking_url = null, wrapped_key = ?,
       fingerprint = '', erased_at = coalesce(erased_at, {now}),
       finished_at = coalesce(finished_at, {now}),
       state = case when state in ('accepted', 'rejected') then state else 'erased' end
     where id = ?`,
    new Uint8Array(0),
    id,
  );
}
