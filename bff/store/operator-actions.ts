// The queries and commands of operators.

import * as z from 'zod/mini';
import { toReferenceEnding, toShortReference } from '../../shared/api/short-reference.ts';
import { releaseAttachments } from './claims.ts';
import { type Database, sql, type Statement, type Transaction } from './database.ts';
import { toApplicationLock } from './application-lock.ts';
import { eraseApplication } from './retention.ts';
import { parseFirst, parseRow, parseRows } from './rows.ts';
import {
  applicationKeySchema,
  type DeliveryKind,
  type OperatorStore,
  referenceMatchSchema,
  rowNeedingOperatorSchema,
  stateCountSchema,
} from './store.ts';

/** Also finds short references that differ in their first two bits. The expression is that of the index (`schema.ts`). */
export function toMatchStatement(shortReference: string): Statement {
  return sql`
    select id as reference, received_at, state from application
    where substr(id, 30) = ${toReferenceEnding(shortReference)} order by seq`;
}

/** The condition of the indexes on unfinished rows (`schema.ts`). */
const isUnfinished = sql`state not in ('accepted', 'rejected', 'erased')`;

/** A row that came to a state adds to its count, and a row that left it subtracts. Exported for a test of the query plan. */
export const countStatement = sql`
  with merged as (
    select kind, from_state, to_state, sum(count) as count from state_change
    group by kind, from_state, to_state
  ),
  change as (
    select kind, to_state as counted, count from merged union all
    select kind, from_state as counted, -count from merged
  )
  select kind, counted as state, cast(sum(count) as bigint) as count,
    case kind
      when 'application' then (
        select min(received_at) from application where state = counted and ${isUnfinished})
      else (
        select min(created_at) from attachment
        where kind = change.kind and state = counted and ${isUnfinished})
      end as oldest_at
  from change where counted <> '' group by kind, counted having sum(count) <> 0`;

/** Waiting rows that the funding service refuses. */
const isRefused = sql`state = 'waiting' and refused_since is not null`;

/** Resets the delivery of a row: 72 hours of attempts, and no uncertain attempts that count. */
const resetDelivery = sql`
  first_attempt_at = null, interruptions = 0, held_reason = null, refused_since = null,
  cleared_attempts = uncertain_attempts`;
const makeDue = sql`state = 'waiting', next_at = {now}, ${resetDelivery}`;

const idSchema = z.object({ id: z.string() });
const referenceSchema = z.object({ reference: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const countSchema = z.object({ count: z.int() });

export function createOperatorStore(database: Database): OperatorStore {
  return {
    async findReferences(shortReference) {
      const rows = await database.all(toMatchStatement(shortReference));
      return parseRows(referenceMatchSchema, rows).filter(
        ({ reference }) => toShortReference(reference) === shortReference,
      );
    },

    async countStates() {
      return parseRows(stateCountSchema, await database.all(countStatement));
    },

    async countRefused() {
      const rows = await database.all(sql`
        select 'application' as kind, 'waiting' as state, count(*) as count,
            min(refused_since) as oldest_at
          from application where ${isRefused} having count(*) > 0
        union all
        select kind, 'waiting' as state, count(*) as count, min(refused_since) as oldest_at
          from attachment where ${isRefused} group by kind`);
      return parseRows(stateCountSchema, rows);
    },

    async listRowsNeedingOperator(limit) {
      const application = sql`
        select 'application' as kind, id as reference, received_at as since, state, held_reason,
          last_outcome from application`;
      const attachment = sql`
        select kind, application_id as reference, created_at as since, state, held_reason,
          last_outcome from attachment`;
      const rows = await database.all(sql`
        select * from (${application} where state in ('held', 'unconfirmed')
          order by received_at limit ${limit}) as held_applications
        union all
        select * from (${application} where ${isRefused}
          order by refused_since limit ${limit}) as refused_applications
        union all
        select * from (${attachment} where state = 'held'
          order by created_at limit ${limit}) as held_attachments
        union all
        select * from (${attachment} where ${isRefused}
          order by refused_since limit ${limit}) as refused_attachments`);
      return parseRows(rowNeedingOperatorSchema, rows);
    },

    async findWaitingReference(kind, receivedAt) {
      const rows = await database.all(toWaitingStatement(kind, receivedAt));
      return parseFirst(referenceSchema, rows)?.reference;
    },

    retry: (applicationId) => database.transaction(() => retryRows(applicationId)),

    retryHeld: () => database.transaction(() => retryRows()),

    async retryRejected(applicationId) {
      const applications = await database.all(sql`
        select session_id from application where id = ${applicationId}`);
      const session = parseFirst(sessionSchema, applications);
      if (session === undefined) return { kind: 'retried', rows: 0 };
      return database.transaction(
        function* () {
          const rows = yield sql`
            select other.id as reference from application other
            join application rejected on rejected.session_id = other.session_id
            where rejected.id = ${applicationId} and rejected.state = 'rejected'
              and other.id <> rejected.id and other.state <> 'rejected'
              and other.erased_at is null`;
          const newer = parseFirst(referenceSchema, rows);
          if (newer !== undefined) return { kind: 'superseded', by: newer.reference };
          return { kind: 'retried', rows: yield* reopenRejected(applicationId) };
        },
        [`session/${session.sessionId}`, toApplicationLock(applicationId)],
      );
    },

    resolve(applicationId, serviceId) {
      return database.transaction(
        function* () {
          const rows = yield sql`
            update application set state = 'accepted', service_id = ${serviceId},
              encrypted_lead = null, held_reason = null, last_outcome = 'resolved',
              finished_at = {now}
            where id = ${applicationId} and state in ('unconfirmed', 'held', 'waiting')
              and erased_at is null
            returning id`;
          if (rows.length > 0) yield releaseAttachments(applicationId);
          return rows.length > 0;
        },
        [toApplicationLock(applicationId)],
      );
    },

    resolveAttachment(applicationId, kind, number, serviceId) {
      return database.transaction(
        function* () {
          const rows = yield sql`
            update attachment set state = 'accepted', service_id = ${serviceId},
              held_reason = null, refused_since = null, last_outcome = 'resolved',
              finished_at = {now}
            where application_id = ${applicationId} and kind = ${kind} and number = ${number}
              and state in ('held', 'waiting')
            returning id`;
          for (const { id } of parseRows(idSchema, rows)) {
            yield sql`delete from chunk where attachment_id = ${id}`;
          }
          return rows.length > 0;
        },
        [toApplicationLock(applicationId)],
      );
    },

    erase: (applicationId) => eraseApplication(database, applicationId),

    async listDataKeySamples() {
      const rows = await database.all(sql`
        select id, key_id, wrapped_key, count
          from (
            select key_id as used_id, count(*) as count, min(seq) as oldest, max(seq) as newest
              from application where erased_at is null group by key_id
          ) as used
          join application on seq in (oldest, newest)
         order by seq`);
      return rows.map((row) => ({
        ...parseRow(applicationKeySchema, row),
        ...parseRow(countSchema, row),
      }));
    },

    async listKeysToRewrap(keyId, limit) {
      const rows = await database.all(sql`
        select id, key_id, wrapped_key from application
        where key_id <> ${keyId} and erased_at is null order by seq limit ${limit}`);
      return parseRows(applicationKeySchema, rows);
    },

    async replaceKey(applicationId, from, to) {
      const rows = await database.all(sql`
        update application set key_id = ${to.keyId}, wrapped_key = ${to.bytes}
        where id = ${applicationId} and key_id = ${from.keyId} and wrapped_key = ${from.bytes}
        returning id`);
      return rows.length > 0;
    },
  };
}

/** Exported for a test of the query plans. */
export function toWaitingStatement(kind: DeliveryKind, receivedAt: number): Statement {
  const rows =
    kind === 'application'
      ? sql`id as reference from application where received_at = ${receivedAt}`
      : sql`application_id as reference from attachment
          where created_at = ${receivedAt} and kind = ${kind}`;
  return sql`
    select ${rows} and state in ('received', 'sending', 'waiting') and ${isUnfinished} limit 1`;
}

/**
 * Retries the held and waiting rows of an application, or all held rows. Unreadable rows stay held: another attempt would fail
 * in the same way.
 */
function* retryRows(applicationId?: string): Transaction<number> {
  const toUpdate = (table: Statement, reference: Statement) => sql`
    update ${table} set ${makeDue}
    where coalesce(held_reason, '') <> 'unreadable' and ${
      applicationId === undefined
        ? sql`state = 'held'`
        : sql`${reference} = ${applicationId} and state in ('held', 'waiting')`
    } returning id`;
  const applications = yield toUpdate(sql`application`, sql`id`);
  const attachments = yield toUpdate(sql`attachment`, sql`application_id`);
  return applications.length + attachments.length;
}

/**
 * Attachments that were rejected with their application wait until it is accepted. Rows without content stay rejected, and so
 * do documents that the applicant has uploaded again.
 */
function* reopenRejected(applicationId: string): Transaction<number> {
  const applications = yield sql`
    update application set ${makeDue}, finished_at = null, errors = '[]'
    where id = ${applicationId} and state = 'rejected' and encrypted_lead is not null
    returning id`;
  const isApplication = (state: string) => sql`exists (
    select 1 from application where id = attachment.application_id and state = ${state})`;
  const attachments = yield sql`
    update attachment set ${resetDelivery}, finished_at = null,
      state = case when ${isApplication('accepted')} then 'waiting' else 'received' end,
      next_at = case when ${isApplication('accepted')} then {now} end
    where application_id = ${applicationId} and state = 'rejected'
      and (kind = 'contact' or exists (select 1 from chunk where attachment_id = attachment.id))
      and (${isApplication('accepted')} or ${isApplication('waiting')})
      and not exists (select 1 from attachment other
        where other.application_id = attachment.application_id and other.kind = attachment.kind
          and other.fingerprint = attachment.fingerprint
          and other.state not in ('rejected', 'erased'))
    returning id`;
  return applications.length + attachments.length;
}
