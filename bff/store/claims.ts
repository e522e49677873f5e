// Leases on due rows, and the results of their deliveries.

import * as z from 'zod/mini';
import {
  type Database,
  joinSql,
  rawSql,
  sql,
  type Statement,
  type Transaction,
  unawaited,
} from './database.ts';
import { toApplicationLock } from './application-lock.ts';
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
    const ofApplication = await findRow(applicationTable, attachment.applicationId);
    const application = parseRow(applicationSchema, ofApplication);
    return { kind, fencingToken, claimedAt, application, attachment };
  }

  async function findRow(table: Statement, id: string): Promise<unknown> {
    return (await database.all(sql`select * from ${table} where id = ${id}`))[0];
  }

  return {
    isShared: database.isShared,

    async recover() {
      // Other processes may be sending these rows.
      if (database.isShared) return;
      await database.transaction(function* () {
        for (const table of [applicationTable, attachmentTable]) {
          yield sql`
            update ${table} set lease_until = case
              when interruptions < ${freeInterruptions} then 0
              else min(lease_until,
                {now} + min(1000 << min(interruptions, 20), ${maxInterruptionDelayMs})) end
            where state = 'sending'`;
        }
        yield sql`delete from attachment where state = 'receiving'`;
        yield sql`
          update event_stream set is_sending = 0, next_at = 0, attempts = attempts - 1
          where next_at is not null and is_sending = 1`;
      });
    },

    async claimDue(kind, leaseMs, id) {
      const [row] = await database.all(toClaimStatement(kind, leaseMs, id));
      if (row === undefined) return undefined;
      const claimed = parseRow(claimedSchema, row);
      try {
        return await readClaim(kind, claimed);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        await database.all(sql`
          update ${toTable(kind)} set state = 'held', held_reason = 'unreadable'
          where id = ${claimed.id}`);
        return { kind: 'unreadable', deliveryKind: kind, id: claimed.id };
      }
    },

    async extendLease(claim, leaseMs) {
      const rows = await database.all(sql`
        update ${toTable(claim.kind)} set lease_until = {now} + ${Math.round(leaseMs)}
        where id = ${toRowId(claim)} and fence = ${claim.fencingToken} and state = 'sending'
        returning id`);
      return rows.length > 0;
    },

    recordResult(claim, result) {
      return database.transaction(
        function* () {
          if (!(yield* updateRow(claim, result))) return yield* isRecorded(claim, result);
          yield* updateOthers(claim, result);
          return true;
        },
        [toApplicationLock(claim.application.id)],
      );
    },

    async findNextDueMs(kinds) {
      if (kinds.length === 0) return undefined;
      const rows = await database.all(joinSql(kinds.map(toNextDueStatement), ' union all '));
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

const applicationTable = rawSql('application');
const attachmentTable = rawSql('attachment');

function toTable(kind: DeliveryKind): Statement {
  return kind === 'application' ? applicationTable : attachmentTable;
}

/**
 * The conditions under which a row is due, in order of precedence, and the order of the rows that meet each. New rows come first,
 * so that rows that fail again and again do not delay them. The last two find rows from before the clock was set back. Each
 * condition is a lookup in its own index, which is why they are not one condition.
 */
const dueConditions = [
  [sql`state = 'received' and next_at <= {now}`, sql`next_at, seq`],
  [sql`state = 'sending' and lease_until <= {now}`, sql`lease_until, seq`],
  [sql`state = 'waiting' and next_at <= {now}`, sql`next_at, seq`],
  [sql`state = 'received' and next_at > {now} + ${maxDelayMs}`, sql`next_at, seq`],
  [sql`state = 'waiting' and next_at > {now} + ${maxDelayMs}`, sql`next_at, seq`],
] as const;

/** One attachment of each kind per application is sent at a time, so that twenty documents do not block other applications. */
const maySendAttachment = sql`
  exists (select 1 from application a where a.id = attachment.application_id
    and a.state = 'accepted' and a.erased_at is null)
  and not exists (select 1 from attachment other
    where other.application_id = attachment.application_id and other.kind = attachment.kind
      and other.state = 'sending' and other.lease_until > {now} and other.id <> attachment.id)`;

/**
 * Claims the next due row, or the row `rowId` if it is due. A row in state `sending` was never recorded, so its outcome is
 * unknown. Exported for a test of the query plans.
 */
export function toClaimStatement(kind: DeliveryKind, leaseMs: number, rowId?: string): Statement {
  const table = toTable(kind);
  const restriction =
    kind === 'application' ? sql`` : sql`and kind = ${kind} and ${maySendAttachment}`;
  const lookups = dueConditions.map(
    ([condition, order]) => sql`
      (select id from ${table} where ${condition} ${restriction}
       order by ${order} limit 1 for update skip locked)`,
  );
  const anyCondition = joinSql(
    dueConditions.map(([condition]) => sql`(${condition})`),
    ' or ',
  );
  const id =
    rowId === undefined
      ? sql`coalesce(${joinSql(lookups, ',')})`
      : sql`(select id from ${table} where id = ${rowId} and (${anyCondition}) ${restriction}
          for update skip locked)`;
  return sql`
    update ${table} set state = 'sending', fence = fence + 1, attempts = attempts + 1,
      lease_until = {now} + ${Math.round(leaseMs)},
      first_attempt_at = coalesce(first_attempt_at, {now}),
      uncertain_attempts = uncertain_attempts + case state when 'sending' then 1 else 0 end,
      interruptions = interruptions + case state when 'sending' then 1 else 0 end
    where id = ${id} returning id, fence, {now} as claimed_at`;
}

/** Returns rows with the column `ms`. Exported for a test of the query plans. */
export function toNextDueStatement(kind: DeliveryKind): Statement {
  const rows =
    kind === 'application' ? sql`application where` : sql`attachment where kind = ${kind} and`;
  return sql`
    select min(next_at) - {now} as ms from ${rows} state = 'received' union all
    select min(next_at) - {now} as ms from ${rows} state = 'waiting' union all
    select min(lease_until) - {now} as ms from ${rows} state = 'sending'`;
}

/** @returns false when another worker owns the row. */
function* updateRow(claim: Claim, result: AttemptResult): Transaction<boolean> {
  const isRefused = result.state === 'waiting' && result.isRefused === true;
  const rows = yield sql`
    update ${toTable(claim.kind)} set state = ${result.state}, interruptions = 0,
      refused_since = ${isRefused ? sql`coalesce(refused_since, {now})` : null},
      ${toAssignments(claim, result)}
    where id = ${toRowId(claim)} and ${toCondition(claim, result)} returning id`;
  return rows.length > 0;
}

/** Accepted content is erased; names stay encrypted. Rejected content stays for `retention.rejectedDays`, for `retryRejected`. */
function toAssignments(claim: Claim, result: AttemptResult): Statement {
  const isApplication = claim.kind === 'application';
  const { uncertainAttempts, lastOutcome } = isApplication ? claim.application : claim.attachment;
  switch (result.state) {
    case 'accepted':
      return sql`
        last_outcome = 'accepted', held_reason = null, finished_at = {now},
        ${
          isApplication
            ? sql`encrypted_lead = null, encrypted_tracking_url = ${result.encryptedTrackingUrl},`
            : sql``
        }
        service_id = ${result.serviceId}`;
    case 'rejected':
      return sql`
        finished_at = {now},
        ${isApplication ? sql`errors = ${JSON.stringify(result.errors ?? [])},` : sql``}
        last_outcome = ${result.outcome ?? 'rejected'}`;
    case 'waiting':
      return sql`
        next_at = {now} + ${Math.round(result.delayMs)}, last_outcome = ${result.outcome},
        uncertain_attempts = ${uncertainAttempts + Number(result.isUncertain)}`;
    case 'unconfirmed':
      return sql`last_outcome = 'duplicate-id'`;
    case 'held':
      return sql`
        held_reason = ${result.reason}, last_outcome = ${result.outcome ?? lastOutcome},
        uncertain_attempts = ${uncertainAttempts + Number(result.isUncertain)}`;
  }
}

/** An acceptance is recorded even after another worker claimed the row, because it stays true. */
function toCondition({ kind, fencingToken }: Claim, { state }: AttemptResult): Statement {
  if (state !== 'accepted') return sql`fence = ${fencingToken} and state = 'sending'`;
  return sql`
    fence >= ${fencingToken} and state in ('sending', 'waiting', 'unconfirmed', 'held')
    ${kind === 'application' ? sql`and erased_at is null` : sql``}`;
}

/** True when the result was recorded before, and the answer to that commit was lost. */
function* isRecorded(claim: Claim, { state }: AttemptResult): Transaction<boolean> {
  const rows = yield sql`
    select id from ${toTable(claim.kind)}
    where id = ${toRowId(claim)} and fence = ${claim.fencingToken} and state = ${state}`;
  return rows.length > 0;
}

/** Erases the chunks of an accepted attachment, and changes the attachments of an accepted or rejected application. */
function* updateOthers(claim: Claim, { state }: AttemptResult): Transaction<void> {
  const id = toRowId(claim);
  if (claim.kind !== 'application') {
    if (state === 'accepted') yield unawaited(sql`delete from chunk where attachment_id = ${id}`);
    return;
  }
  if (state === 'accepted') yield unawaited(releaseAttachments(id));
  if (state === 'rejected') {
    // The chunks of incomplete attachments go with them.
    yield unawaited(sql`
      delete from attachment where application_id = ${id} and state = 'receiving'`);
    // Documents that the applicant has withdrawn stay erased.
    yield unawaited(sql`
      update attachment set state = 'rejected', finished_at = {now}
      where application_id = ${id} and state not in ('accepted', 'rejected', 'erased')`);
  }
}

/** Makes the attachments of an accepted application due, once the applicant's time to change them is over. */
export function releaseAttachments(applicationId: string): Statement {
  return sql`
    update attachment set
      next_at = case when release_at > {now} then release_at else {now} end
    where application_id = ${applicationId} and state = 'received' and next_at is null`;
}
