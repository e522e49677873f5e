// What an operator asks of the store and orders it to do.

import * as z from 'zod/mini';
import { query, type Database, type Transaction } from './database.ts';
import { eraseApplication } from './retention.ts';
import { deliveryKinds, type DataKeyUse, type OperatorStore } from './store.ts';
import { toCount, toKeptKey, toStateCount } from './rows.ts';
import { releaseAttachments } from './claims.ts';

const stateCounts = `
  select 'application' as kind, state, count(*) as count, min(received_at) as oldest_at
    from application group by state
  union all
  select kind, state, count(*) as count, min(created_at) as oldest_at
    from attachment group by kind, state`;

/** Found by the time in the index of the counts; exported so that a test can watch how SQLite goes about it. */
export const waitingStatements = {
  application: `
    select id as reference from application
      where received_at = ? and state in ('received', 'sending', 'waiting') limit 1`,
  attachment: `
    select application_id as reference from attachment
      where created_at = ? and kind = ? and state in ('received', 'sending', 'waiting') limit 1`,
} as const;

const referenceSchema = z.object({ reference: z.string() });

const sessionSchema = z.object({ session_id: z.string() });

const needySchema = z.object({
  kind: z.enum(deliveryKinds),
  state: z.string(),
  reference: z.string(),
  since: z.int(),
  held_reason: z.nullable(z.string()),
  last_outcome: z.nullable(z.string()),
});

/** Rows that wait because the funding service refuses them; in the partial indexes of `refused_since`. */
const isRefused = `state = 'waiting' and refused_since is not null`;

const refusedCounts = `
  select 'application' as kind, 'waiting' as state, count(*) as count, min(refused_since) as oldest_at
    from application where ${isRefused} having count(*) > 0
  union all
  select kind, 'waiting' as state, count(*) as count, min(refused_since) as oldest_at
    from attachment where ${isRefused} group by kind`;

/** One row for a data key that wraps one application, else two: the oldest and the newest. */
const keyUse = `
  select id, key_id, wrapped_key, count
    from (
      select key_id as used_id, count(*) as count, min(seq) as oldest, max(seq) as newest
        from application where erased_at is null group by key_id
    ) as used
    join application on seq in (oldest, newest)
   order by seq`;

/** A row starts over: 72 hours ahead of it, and its uncertain attempts are the operator's business now. */
const startedOver = `
  first_attempt_at = null, interruptions = 0, held_reason = null, refused_since = null,
  cleared_attempts = uncertain_attempts`;

/** Due at once. */
const dueAgain = `state = 'waiting', next_at = {now}, ${startedOver}`;

export function createOperatorStore(database: Database): OperatorStore {
  return {
    async countStates() {
      return (await database.all(stateCounts)).map(toStateCount);
    },

    async listRowsNeedingOperator(limit) {
      const rows = await database.all(
        `select * from (
           select 'application' as kind, state, id as reference, received_at as since, held_reason, last_outcome
           from application where state in ('held', 'unconfirmed')
           order by received_at limit ?) as applications
         union all
         select * from (
           select 'application' as kind, state, id as reference, received_at as since, held_reason, last_outcome
           from application where ${isRefused}
           order by refused_since limit ?) as refused_applications
         union all
         select * from (
           select kind, state, application_id as reference, created_at as since, held_reason, last_outcome
           from attachment where state = 'held'
           order by created_at limit ?) as attachments
         union all
         select * from (
           select kind, state, application_id as reference, created_at as since, held_reason, last_outcome
           from attachment where ${isRefused}
           order by refused_since limit ?) as refused_children`,
        limit,
        limit,
        limit,
        limit,
      );
      return rows
        .map((row) => needySchema.parse(row))
        .map(({ held_reason: heldReason, last_outcome: lastOutcome, ...row }) => ({
          ...row,
          heldReason: heldReason ?? undefined,
          lastOutcome: lastOutcome ?? undefined,
        }));
    },

    async countRefused() {
      return (await database.all(refusedCounts)).map(toStateCount);
    },

    async findWaitingReference(kind, since) {
      const [row] =
        kind === 'application'
          ? await database.all(waitingStatements.application, since)
          : await database.all(waitingStatements.attachment, since, kind);
      return row === undefined ? undefined : referenceSchema.parse(row).reference;
    },

    retry(applicationId) {
      return database.transaction(() =>
        retryWhere(
          `id = ? and state in ('held', 'waiting')`,
          `application_id = ? and state in ('held', 'waiting')`,
          applicationId,
        ),
      );
    },

    async retryRejected(applicationId) {
      const [row] = await database.all(
        'select session_id from application where id = ?',
        applicationId,
      );
      if (row === undefined) return { kind: 'retried', rows: 0 };
      const { session_id: sessionId } = sessionSchema.parse(row);
      return database.transaction(
        function* () {
          const [newer] = yield* query(
            `select other.id as reference from application other
             join application rejected on rejected.session_id = other.session_id
             where rejected.id = ? and rejected.state = 'rejected' and other.id <> rejected.id
               and other.state <> 'rejected' and other.erased_at is null`,
            applicationId,
          );
          if (newer !== undefined) {
            return { kind: 'superseded', by: referenceSchema.parse(newer).reference };
          }
          return { kind: 'retried', rows: yield* reopenRejected(applicationId) };
        },
        [`session/${sessionId}`, `application/${applicationId}`],
      );
    },

    retryHeld() {
      return database.transaction(() => retryWhere(`state = 'held'`, `state = 'held'`));
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
      for (const row of await database.all(keyUse)) {
        const sample = toKeptKey(row);
        const { keyId } = sample.key;
        const earlier = uses.get(keyId)?.samples ?? [];
        uses.set(keyId, { keyId, count: toCount(row), samples: [...earlier, sample] });
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
      return rows.map(toKeptKey);
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

/** Rows that cannot be read stay held: sending them again would end the same way. */
function* retryWhere(
  applications: string,
  attachments: string,
  ...values: string[]
): Transaction<number> {
  const isReadable = `coalesce(held_reason, '') <> 'unreadable'`;
  const first = yield* query(
    `update application set ${dueAgain} where ${applications} and ${isReadable} returning id`,
    ...values,
  );
  const second = yield* query(
    `update attachment set ${dueAgain}
     where ${attachments} and ${isReadable} returning id`,
    ...values,
  );
  return first.length + second.length;
}

/**
 * An application takes its attachments along: they were rejected with it, and wait until it is accepted. Rows whose content
 * is gone stay rejected, as does a document that the applicant has sent again since.
 */
function* reopenRejected(applicationId: string): Transaction<number> {
  const applications = yield* query(
    `update application set ${dueAgain}, finished_at = null, errors = '[]'
     where id = ? and state = 'rejected' and encrypted_lead is not null returning id`,
    applicationId,
  );
  const hasContent = `(kind = 'contact' or exists (select 1 from chunk where attachment_id = attachment.id))`;
  const isOnlyOne = `not exists (select 1 from attachment other where other.application_id = attachment.application_id
    and other.kind = attachment.kind and other.fingerprint = attachment.fingerprint
    and other.state not in ('rejected', 'erased'))`;
  const attachments = yield* query(
    `update attachment set ${startedOver}, finished_at = null,
       state = case when ${isAccepted} then 'waiting' else 'received' end,
       next_at = case when ${isAccepted} then {now} end
     where application_id = ? and state = 'rejected' and ${hasContent} and ${isOnlyOne}
       and (${isAccepted} or exists (
         select 1 from application where id = attachment.application_id and state = 'waiting'))
     returning id`,
    applicationId,
  );
  return applications.length + attachments.length;
}

const isAccepted = `exists (
  select 1 from application where id = attachment.application_id and state = 'accepted')`;
