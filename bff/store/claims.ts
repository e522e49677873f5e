// Leases on due rows, and the results of their deliveries.

import * as z from 'zod/mini';
import { type Database, query, type Transaction, type Value } from './database.ts';
import { isUnreadable, parseRow } from './rows.ts';
import {
  applicationSchema,
  attachmentSchema,
  type AttemptResult,
  type Claim,
  type ClaimStore,
  type DeliveryKind,
} from './store.ts';

/** The longest delay is the hour that the service may ask for. A later row means that the clock was set back. */
const maxDelayMs = 65 * 60 * 1000;
/** A row that was sent when the process ended is due again at once, this many times. Then it waits, longer each time. */
const freeInterruptions = 2;
const maxInterruptionDelayMs = 15 * 60 * 1000;

type Table = 'application' | 'attachment';

export function createClaimStore(database: Database): ClaimStore {
  async function readClaim(
    kind: DeliveryKind,
    { id, fence: fencingToken, claimedAt }: z.infer<typeof claimedSchema>,
  ): Promise<Claim> {
    const row = await findRow(toTable(kind), id);
    if (kind === 'application') {
      return { kind, fencingToken, claimedAt, application: parseRow(applicationSchema, row) };
    }
    const attachment = parseRow(attachmentSchema, row);
    const ofApplication = await findRow('application', attachment.applicationId);
    const application = parseRow(applicationSchema, ofApplication);
    return { kind, fencingToken, claimedAt, application, attachment };
  }

  async function findRow(table: Table, id: string): Promise<unknown> {
    return (await database.all(`select * from ${table} where id = ?`, id))[0];
  }

  return {
    isShared: database.isShared,

    async recover() {
      // Other processes may be sending these rows.
      if (database.isShared) return;
      await database.transaction(function* () {
        for (const table of ['application', 'attachment']) {
          yield* query(
            `update ${table} set lease_until = case when interruptions < ${freeInterruptions} then 0
               else min(lease_until, {now} + min(1000 << min(interruptions, 20), ${maxInterruptionDelayMs})) end
             where state = 'sending'`,
          );
        }
        yield* query(`delete from attachment where state = 'receiving'`);
      });
    },

    async claimDue(kind, leaseMs, id) {
      const sql = toClaimStatement(kind, database.skipLocked, id === undefined ? 'next' : 'by-id');
      const ids = id === undefined ? [] : [id];
      const [row] = await database.all(sql, Math.round(leaseMs), ...ids);
      if (row === undefined) return undefined;
      const claimed = parseRow(claimedSchema, row);
      try {
        return await readClaim(kind, claimed);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        await database.all(
          `update ${toTable(kind)} set state = 'held', held_reason = 'unreadable' where id = ?`,
          claimed.id,
        );
        return { kind: 'unreadable', deliveryKind: kind, id: claimed.id };
      }
    },

    async extendLease(claim, leaseMs) {
      await database.all(
        `update ${toTable(claim.kind)} set lease_until = {now} + ?
         where id = ? and fence = ? and state = 'sending'`,
        Math.round(leaseMs),
        toRowId(claim),
        claim.fencingToken,
      );
    },

    recordResult(claim, result) {
      return database.transaction(
        function* () {
          if (!(yield* updateRow(claim, result)) && !(yield* isRecorded(claim, result)))
            return false;
          yield* updateContent(claim, result);
          return true;
        },
        [`application/${claim.application.id}`],
      );
    },

    async findNextDueMs(kinds) {
      if (kinds.length === 0) return undefined;
      const rows = await database.all(kinds.map(toNextDueStatement).join(' union all '));
      const times = rows.flatMap((row) => parseRow(nextDueSchema, row).ms ?? []);
      return times.length > 0 ? Math.min(...times) : undefined;
    },
  };
}

const claimedSchema = z.object({ id: z.string(), fence: z.int(), claimedAt: z.int() });
const nextDueSchema = z.object({ ms: z.nullable(z.int()) });

export function toRowId(claim: Claim): string {
  return claim.kind === 'application' ? claim.application.id : claim.attachment.id;
}

function toTable(kind: DeliveryKind): Table {
  return kind === 'application' ? 'application' : 'attachment';
}

/**
 * The conditions under which a row is due, in order of precedence, and the order of the rows that meet each. New rows come first, so that rows that fail again and again
 * do not delay them. The last two find rows from before the clock was set back. Each condition is a lookup in its own index,
 * which is why they are not one condition.
 */
const dueConditions = [
  [`state = 'received' and next_at <= {now}`, 'next_at, seq'],
  [`state = 'sending' and lease_until <= {now}`, 'lease_until, seq'],
  [`state = 'waiting' and next_at <= {now}`, 'next_at, seq'],
  [`state = 'received' and next_at > {now} + ${maxDelayMs}`, 'next_at, seq'],
  [`state = 'waiting' and next_at > {now} + ${maxDelayMs}`, 'next_at, seq'],
] as const;

/** One attachment of each kind per application is sent at a time, so that twenty documents do not block other applications. */
const maySendAttachment = `
  exists (select 1 from application a where a.id = attachment.application_id
    and a.state = 'accepted' and a.erased_at is null)
  and not exists (select 1 from attachment other
    where other.application_id = attachment.application_id and other.kind = attachment.kind
      and other.state = 'sending' and other.lease_until > {now} and other.id <> attachment.id)`;

/**
 * Claims a row. Values: the lease in milliseconds, and the id of the row (`by-id`). A row in state `sending` was never recorded,
 * so its outcome is unknown. Exported for a test of the query plans.
 */
export function toClaimStatement(
  kind: DeliveryKind,
  skipLocked: Database['skipLocked'],
  which: 'next' | 'by-id',
): string {
  const table = toTable(kind);
  const restriction = kind === 'application' ? '' : `and kind = '${kind}' and ${maySendAttachment}`;
  const anyCondition = dueConditions.map(([condition]) => `(${condition})`).join(' or ');
  const lookups = dueConditions.map(
    ([condition, order]) => `
      (select id from ${table} where ${condition} ${restriction}
       order by ${order} limit 1 ${skipLocked})`,
  );
  const id =
    which === 'next'
      ? `coalesce(${lookups.join(',')})`
      : `(select id from ${table} where id = ? and (${anyCondition}) ${restriction} ${skipLocked})`;
  return `
    update ${table} set state = 'sending', fence = fence + 1, attempts = attempts + 1,
      lease_until = {now} + ?, first_attempt_at = coalesce(first_attempt_at, {now}),
      uncertain_attempts = uncertain_attempts + case state when 'sending' then 1 else 0 end,
      interruptions = interruptions + case state when 'sending' then 1 else 0 end
    where id = ${id} returning id, fence, {now} as claimed_at`;
}

/** Returns rows with the column `ms`. Exported for a test of the query plans. */
export function toNextDueStatement(kind: DeliveryKind): string {
  const table = toTable(kind);
  const restriction = kind === 'application' ? '' : `kind = '${kind}' and`;
  const dueColumns = { received: 'next_at', waiting: 'next_at', sending: 'lease_until' };
  const selects = Object.entries(dueColumns).map(
    ([state, column]) =>
      `select min(${column}) - {now} as ms from ${table} where ${restriction} state = '${state}'`,
  );
  return selects.join(' union all ');
}

/** @returns false when another worker owns the row. */
function* updateRow(claim: Claim, result: AttemptResult): Transaction<boolean> {
  const isRefused = result.state === 'waiting' && result.isRefused === true;
  const assignments: readonly Assignment[] = [
    ['state = ?', result.state],
    ['interruptions = 0'],
    [isRefused ? 'refused_since = coalesce(refused_since, {now})' : 'refused_since = null'],
    ...toAssignments(claim, result),
  ];
  const rows = yield* query(
    `update ${toTable(claim.kind)} set ${assignments.map(([sql]) => sql).join(', ')}
     where id = ? and ${toCondition(claim, result)} returning id`,
    ...assignments.flatMap(([, ...values]) => values),
    toRowId(claim),
    claim.fencingToken,
  );
  return rows.length > 0;
}

type Assignment = readonly [sql: string, ...values: Value[]];

function toAssignments(claim: Claim, result: AttemptResult): readonly Assignment[] {
  const isApplication = claim.kind === 'application';
  const { uncertainAttempts, lastOutcome } = isApplication ? claim.application : claim.attachment;
  switch (result.state) {
    case 'accepted':
      return [
        [`last_outcome = 'accepted', held_reason = null, finished_at = {now}`],
        ['service_id = ?', result.serviceId],
        ...(isApplication
          ? [['encrypted_tracking_url = ?', result.encryptedTrackingUrl ?? null] as const]
          : []),
      ];
    case 'rejected':
      return [
        ['finished_at = {now}'],
        ['last_outcome = ?', result.outcome ?? 'rejected'],
        ...(isApplication ? [['errors = ?', JSON.stringify(result.errors ?? [])] as const] : []),
      ];
    case 'waiting':
      return [
        ['next_at = {now} + ?', Math.round(result.delayMs)],
        ['last_outcome = ?', result.outcome ?? null],
        ['uncertain_attempts = ?', uncertainAttempts + Number(result.isUncertain)],
      ];
    case 'unconfirmed':
      return [[`last_outcome = 'duplicate-id'`]];
    case 'held':
      return [
        ['held_reason = ?', result.reason],
        ['last_outcome = ?', result.outcome ?? lastOutcome ?? null],
        ['uncertain_attempts = ?', uncertainAttempts + Number(result.isUncertain)],
      ];
  }
}

/** An acceptance is recorded even after another worker claimed the row, because it stays true. Value: the fencing token. */
function toCondition(claim: Claim, { state }: AttemptResult): string {
  if (state !== 'accepted') return `fence = ? and state = 'sending'`;
  const isNotErased = claim.kind === 'application' ? 'and erased_at is null' : '';
  return `fence >= ? and state in ('sending', 'waiting', 'unconfirmed', 'held') ${isNotErased}`;
}

/** True when the result was recorded before, and the answer to that commit was lost. */
function* isRecorded(claim: Claim, { state }: AttemptResult): Transaction<boolean> {
  const rows = yield* query(
    `select id from ${toTable(claim.kind)} where id = ? and fence = ? and state = ?`,
    toRowId(claim),
    claim.fencingToken,
    state,
  );
  return rows.length > 0;
}

/** Erases accepted content; names stay encrypted. Rejected content stays for `retention.rejectedDays`, for `retryRejected`. */
function* updateContent(claim: Claim, { state }: AttemptResult): Transaction<void> {
  const id = toRowId(claim);
  if (claim.kind !== 'application') {
    if (state === 'accepted') yield* query('delete from chunk where attachment_id = ?', id);
    return;
  }
  if (state === 'accepted') {
    yield* query('update application set encrypted_lead = null where id = ?', id);
    yield* releaseAttachments(id);
  }
  if (state === 'rejected') {
    // The chunks of incomplete attachments go with them.
    yield* query(`delete from attachment where application_id = ? and state = 'receiving'`, id);
    yield* query(
      `update attachment set state = 'rejected', finished_at = {now} where application_id = ?`,
      id,
    );
  }
}

/** Makes the attachments of an accepted application due. */
export function* releaseAttachments(applicationId: string): Transaction<void> {
  yield* query(
    `update attachment set next_at = {now}
     where application_id = ? and state = 'received' and next_at is null`,
    applicationId,
  );
}
