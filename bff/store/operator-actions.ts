// The queries and commands of operators.

import * as z from 'zod/mini';
import { releaseAttachments } from './claims.ts';
import { type Database, query, type Transaction } from './database.ts';
import { eraseApplication } from './retention.ts';
import { parseRow, toFirst } from './rows.ts';
import {
  applicationStates,
  attachmentStates,
  deliveryKinds,
  type ApplicationKey,
  type DataKeyUse,
  type OperatorStore,
  type StateCount,
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

const stateCountSchema = z.object({
  kind: z.string(),
  state: z.string(),
  count: z.int(),
  oldestAt: z.int(),
});

const needingOperatorSchema = z.object({
  kind: z.enum(deliveryKinds),
  state: z.string(),
  reference: z.string(),
  since: z.int(),
  heldReason: z.nullable(z.string()),
  lastOutcome: z.nullable(z.string()),
});

const referenceSchema = z.object({ reference: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const countSchema = z.object({ count: z.int() });
const keySchema = z.object({
  id: z.string(),
  keyId: z.string(),
  wrappedKey: z.instanceof(Uint8Array),
});

export function createOperatorStore(database: Database): OperatorStore {
  return {
    async countStates() {
      return (await database.all(stateCounts)).map(toStateCount);
    },

    async countRefused() {
      return (await database.all(refusedCounts)).map(toStateCount);
    },

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
      return rows.map((raw) => {
        const { heldReason, lastOutcome, ...row } = parseRow(needingOperatorSchema, raw);
        return {
          ...row,
          heldReason: heldReason ?? undefined,
          lastOutcome: lastOutcome ?? undefined,
        };
      });
    },

    async findWaitingReference(kind, receivedAt) {
      const rows =
        kind === 'application'
          ? await database.all(waitingStatements.application, receivedAt)
          : await database.all(waitingStatements.attachment, receivedAt, kind);
      return toFirst(rows, toReference);
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

    async retryRejected(applicationId) {
      const [row] = await database.all(
        'select session_id from application where id = ?',
        applicationId,
      );
      if (row === undefined) return { kind: 'retried', rows: 0 };
      return database.transaction(
        function* () {
          const newer = toFirst(
            yield* query(
              `select other.id as reference from application other
               join application rejected on rejected.session_id = other.session_id
               where rejected.id = ? and rejected.state = 'rejected' and other.id <> rejected.id
                 and other.state <> 'rejected' and other.erased_at is null`,
              applicationId,
            ),
            toReference,
          );
          if (newer !== undefined) return { kind: 'superseded', by: newer };
          return { kind: 'retried', rows: yield* reopenRejected(applicationId) };
        },
        [`session/${parseRow(sessionSchema, row).sessionId}`, `application/${applicationId}`],
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
        const sample = toApplicationKey(row);
        const { keyId } = sample.key;
        const samples = [...(uses.get(keyId)?.samples ?? []), sample];
        uses.set(keyId, { keyId, count: parseRow(countSchema, row).count, samples });
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
      return rows.map(toApplicationKey);
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

/** Invalid rows are counted as well, because they must not hide the others. */
function toStateCount(raw: unknown): StateCount {
  const { kind, state, ...row } = parseRow(stateCountSchema, raw);
  return {
    ...row,
    kind: deliveryKinds.find((known) => known === kind) ?? 'application',
    state:
      [...applicationStates, ...attachmentStates].find((known) => known === state) ?? 'unreadable',
  };
}

function toReference(raw: unknown): string {
  return parseRow(referenceSchema, raw).reference;
}

function toApplicationKey(raw: unknown): ApplicationKey {
  const { id, keyId, wrappedKey } = parseRow(keySchema, raw);
  return { applicationId: id, key: { keyId, bytes: wrappedKey } };
}

/** Unreadable rows stay held: another attempt would fail in the same way. */
function* retryWhere(
  applications: string,
  attachments: string,
  ...values: string[]
): Transaction<number> {
  const isReadable = `coalesce(held_reason, '') <> 'unreadable'`;
  const first = yield* query(
    `update application set ${makeDue} where ${applications} and ${isReadable} returning id`,
    ...values,
  );
  const second = yield* query(
    `update attachment set ${makeDue} where ${attachments} and ${isReadable} returning id`,
    ...values,
  );
  return first.length + second.length;
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
