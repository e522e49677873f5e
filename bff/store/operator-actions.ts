// The queries and commands of operators.

import * as z from 'zod/mini';
import { releaseAttachments } from './claims.ts';
import { type Database, query, type Transaction } from './database.ts';
import { eraseApplication } from './retention.ts';
import { parseFirst, parseRow, parseRows } from './rows.ts';
import {
  applicationKeySchema,
  rowNeedingOperatorSchema,
  type DataKeyUse,
  type OperatorStore,
  stateCountSchema,
} from './store.ts';

/** Waiting rows that the funding service refuses. */
const isRefused = `state = 'waiting' and refused_since is not null`;

const stateCounts = `
  select 'application' as kind, state, count(*) as count, min(received_at) as oldest_at
    from application group by state
  union all
  select kind, state, count(*) as count, min(created_at) as oldest_at
    from attachment group by kind, state`;

const refusedCounts = `
  select 'application' as kind, 'waiting' as state, count(*) as count, min(refused_since) as oldest_at
    from application where ${isRefused} having count(*) > 0
  union all
  select kind, 'waiting' as state, count(*) as count, min(refused_since) as oldest_at
    from attachment where ${isRefused} group by kind`;

/** Exported for a test of the query plans. */
export const waitingStatements = {
  application: `
    select id as reference from application
      where received_at = ? and state in ('received', 'sending', 'waiting') limit 1`,
  attachment: `
    select application_id as reference from attachment
      where created_at = ? and kind = ? and state in ('received', 'sending', 'waiting') limit 1`,
} as const;

/** One row for a data key that wraps one application, else two: the oldest and the newest application. */
const dataKeyUse = `
  select id, key_id, wrapped_key, count
    from (
      select key_id as used_id, count(*) as count, min(seq) as oldest, max(seq) as newest
        from application where erased_at is null group by key_id
    ) as used
    join application on seq in (oldest, newest)
   order by seq`;

/** Resets the delivery of a row: 72 hours of attempts, and no uncertain attempts that count. */
const resetDelivery = `
  first_attempt_at = null, interruptions = 0, held_reason = null, refused_since = null,
  cleared_attempts = uncertain_attempts`;
const makeDue = `state = 'waiting', next_at = {now}, ${resetDelivery}`;

const referenceSchema = z.object({ reference: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const countSchema = z.object({ count: z.int() });

export function createOperatorStore(database: Database): OperatorStore {
  return {
    countStates: async () => parseRows(stateCountSchema, await database.all(stateCounts)),

    countRefused: async () => parseRows(stateCountSchema, await database.all(refusedCounts)),

    async listRowsNeedingOperator(limit) {
      const select = (table: string, columns: string, condition: string, order: string) => `
        select * from (
          select ${columns}, state, held_reason, last_outcome from ${table}
          where ${condition} order by ${order} limit ${Math.round(limit)}) as ${table}_rows`;
      const application = `'application' as kind, id as reference, received_at as since`;
      const attachment = 'kind, application_id as reference, created_at as since';
      const rows = await database.all(
        [
          select('application', application, `state in ('held', 'unconfirmed')`, 'received_at'),
          select('application', application, isRefused, 'refused_since'),
          select('attachment', attachment, `state = 'held'`, 'created_at'),
          select('attachment', attachment, isRefused, 'refused_since'),
        ].join(' union all '),
      );
      return parseRows(rowNeedingOperatorSchema, rows);
    },

    async findWaitingReference(kind, receivedAt) {
      const rows =
        kind === 'application'
          ? await database.all(waitingStatements.application, receivedAt)
          : await database.all(waitingStatements.attachment, receivedAt, kind);
      return parseFirst(referenceSchema, rows)?.reference;
    },

    retry: (applicationId) => database.transaction(() => retryRows(applicationId)),

    retryHeld: () => database.transaction(() => retryRows()),

    async retryRejected(applicationId) {
      const sql = 'select session_id from application where id = ?';
      const session = parseFirst(sessionSchema, await database.all(sql, applicationId));
      if (session === undefined) return { kind: 'retried', rows: 0 };
      return database.transaction(
        function* () {
          const rows = yield* query(
            `select other.id as reference from application other
             join application rejected on rejected.session_id = other.session_id
             where rejected.id = ? and rejected.state = 'rejected' and other.id <> rejected.id
               and other.state <> 'rejected' and other.erased_at is null`,
            applicationId,
          );
          const newer = parseFirst(referenceSchema, rows);
          if (newer !== undefined) return { kind: 'superseded', by: newer.reference };
          return { kind: 'retried', rows: yield* reopenRejected(applicationId) };
        },
        [`session/${session.sessionId}`, `application/${applicationId}`],
      );
    },

    resolve(applicationId, serviceId) {
      return database.transaction(
        function* () {
          const rows = yield* query(
            `update application set state = 'accepted', service_id = ?, encrypted_lead = null,
               held_reason = null, last_outcome = 'resolved', finished_at = {now}
             where id = ? and state in ('unconfirmed', 'held', 'waiting') and erased_at is null
             returning id`,
            serviceId,
            applicationId,
          );
          if (rows.length === 0) return false;
          yield* releaseAttachments(applicationId);
          return true;
        },
        [`application/${applicationId}`],
      );
    },

    erase(applicationId) {
      return database.transaction(
        () => eraseApplication(applicationId, database.forUpdate),
        [`application/${applicationId}`],
      );
    },

    async listDataKeyUse() {
      const uses = new Map<string, DataKeyUse>();
      for (const row of await database.all(dataKeyUse)) {
        const sample = parseRow(applicationKeySchema, row);
        const { count } = parseRow(countSchema, row);
        const { keyId } = sample.key;
        const samples = [...(uses.get(keyId)?.samples ?? []), sample];
        uses.set(keyId, { keyId, count, samples });
      }
      return [...uses.values()];
    },

    async listKeysToRewrap(keyId, limit) {
      const rows = await database.all(
        `select id, key_id, wrapped_key from application
         where key_id <> ? and erased_at is null order by seq limit ?`,
        keyId,
        limit,
      );
      return parseRows(applicationKeySchema, rows);
    },

    async replaceKey(applicationId, from, to) {
      const rows = await database.all(
        `update application set key_id = ?, wrapped_key = ?
         where id = ? and key_id = ? and wrapped_key = ? returning id`,
        to.keyId,
        to.bytes,
        applicationId,
        from.keyId,
        from.bytes,
      );
      return rows.length > 0;
    },
  };
}

/**
 * Retries the held and waiting rows of an application, or all held rows. Unreadable rows stay held: another attempt would fail
 * in the same way.
 */
function* retryRows(applicationId?: string): Transaction<number> {
  let rows = 0;
  for (const [table, reference] of [
    ['application', 'id'],
    ['attachment', 'application_id'],
  ] as const) {
    const [condition, values] =
      applicationId === undefined
        ? [`state = 'held'`, []]
        : [`${reference} = ? and state in ('held', 'waiting')`, [applicationId]];
    const retried = yield* query(
      `update ${table} set ${makeDue}
       where ${condition} and coalesce(held_reason, '') <> 'unreadable' returning id`,
      ...values,
    );
    rows += retried.length;
  }
  return rows;
}

/**
 * Attachments that were rejected with their application wait until it is accepted. Rows without content stay rejected, and so
 * do documents that the applicant has uploaded again.
 */
function* reopenRejected(applicationId: string): Transaction<number> {
  const applications = yield* query(
    `update application set ${makeDue}, finished_at = null, errors = '[]'
     where id = ? and state = 'rejected' and encrypted_lead is not null returning id`,
    applicationId,
  );
  const isApplication = (state: string) => `exists (
    select 1 from application where id = attachment.application_id and state = '${state}')`;
  const attachments = yield* query(
    `update attachment set ${resetDelivery}, finished_at = null,
       state = case when ${isApplication('accepted')} then 'waiting' else 'received' end,
       next_at = case when ${isApplication('accepted')} then {now} end
     where application_id = ? and state = 'rejected'
       and (kind = 'contact' or exists (select 1 from chunk where attachment_id = attachment.id))
       and (${isApplication('accepted')} or ${isApplication('waiting')})
       and not exists (select 1 from attachment other
         where other.application_id = attachment.application_id and other.kind = attachment.kind
           and other.fingerprint = attachment.fingerprint
           and other.state not in ('rejected', 'erased'))
     returning id`,
    applicationId,
  );
  return applications.length + attachments.length;
}
