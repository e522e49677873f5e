// What an operator asks of the journal and orders it to do.

import * as z from 'zod/mini';
import { query, type Database, type Work } from './database.ts';
import { eraseApplication } from './erasure.ts';
import type { OperationStore } from './journal.ts';
import { deliveryKinds, type KeyUse } from './records.ts';
import { toCount, toKeptKey, toStateCount } from './rows.ts';
import { releaseChildren } from './settlements.ts';

const stateCounts = `
  select 'application' as kind, state, count(*) as count, min(received_at) as oldest_at
    from application group by state
  union all
  select kind, state, count(*) as count, min(created_at) as oldest_at
    from child group by kind, state`;

/** Found by the time in the index of the counts; exported so that a test can watch how SQLite goes about it. */
export const waitingStatements = {
  application: `
    select id as reference from application
      where received_at = ? and state in ('received', 'sending', 'waiting') limit 1`,
  child: `
    select application_id as reference from child
      where created_at = ? and kind = ? and state in ('received', 'sending', 'waiting') limit 1`,
} as const;

const referenceSchema = z.object({ reference: z.string() });

const needySchema = z.object({
  kind: z.enum(deliveryKinds),
  state: z.string(),
  reference: z.string(),
  since: z.int(),
  held_reason: z.nullable(z.string()),
});

/** One row for a data key that wraps one application, else two: the oldest and the newest. */
const keyUse = `
  select id, key_id, wrapped_key, count
    from (
      select key_id as used_id, count(*) as count, min(seq) as oldest, max(seq) as newest
        from application where erased_at is null group by key_id
    ) as used
    join application on seq in (oldest, newest)
   order by seq`;

/** Due at once, with the whole time before it again. */
const dueAgain = `
  state = 'waiting', next_at = {now}, first_attempt_at = null, interruptions = 0, held_reason = null`;

export function createOperationStore(database: Database): OperationStore {
  return {
    async countStates() {
      return (await database.all(stateCounts)).map(toStateCount);
    },

    async listNeedingOperator(limit) {
      const rows = await database.all(
        `select * from (
           select 'application' as kind, state, id as reference, received_at as since, held_reason
           from application where state in ('held', 'unconfirmed')
           order by received_at limit ?) as applications
         union all
         select * from (
           select kind, state, application_id as reference, created_at as since, held_reason
           from child where state = 'held'
           order by created_at limit ?) as children`,
        limit,
        limit,
      );
      return rows
        .map((row) => needySchema.parse(row))
        .map(({ held_reason: heldReason, ...row }) => ({
          ...row,
          heldReason: heldReason ?? undefined,
        }));
    },

    async findWaiting(kind, since) {
      const [row] =
        kind === 'application'
          ? await database.all(waitingStatements.application, since)
          : await database.all(waitingStatements.child, since, kind);
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

    retryHeld() {
      return database.transaction(() => retryWhere(`state = 'held'`, `state = 'held'`));
    },

    resolve(applicationId, serviceId) {
      return database.transaction(
        function* () {
          const rows = yield* query(
            `update application set state = 'accepted', service_id = ?, sealed_lead = null,
               held_reason = null, last_outcome = 'resolved', finished_at = {now}
             where id = ? and state in ('unconfirmed', 'held', 'waiting') and erased_at is null
             returning id`,
            serviceId,
            applicationId,
          );
          if (rows.length === 0) return false;
          yield* releaseChildren(applicationId);
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

    async listKeyUse() {
      const uses = new Map<string, KeyUse>();
      for (const row of await database.all(keyUse)) {
        const sample = toKeptKey(row);
        const { keyId } = sample.key;
        const earlier = uses.get(keyId)?.samples ?? [];
        uses.set(keyId, { keyId, count: toCount(row), samples: [...earlier, sample] });
      }
      return [...uses.values()];
    },

    async listKeysNotUnder(keyId, limit) {
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
function* retryWhere(applications: string, children: string, ...values: string[]): Work<number> {
  const isReadable = `coalesce(held_reason, '') <> 'unreadable'`;
  const first = yield* query(
    `update application set ${dueAgain} where ${applications} and ${isReadable} returning id`,
    ...values,
  );
  const second = yield* query(
    `update child set ${dueAgain}, cleared_attempts = uncertain_attempts
     where ${children} and ${isReadable} returning id`,
    ...values,
  );
  return first.length + second.length;
}
