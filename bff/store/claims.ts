// Claims and results of deliveries in the store; every result is guarded by the number of its claim.

import { type Database, query, type Value, type Transaction } from './database.ts';
import {
  isUnreadable,
  toApplication,
  toClaimedRow,
  toFencedApplication,
  toFencedAttachment,
  toNumber,
} from './rows.ts';
import type { Claim, ClaimStore, DeliveryKind, AttemptResult, UnreadableRow } from './store.ts';

export function createClaimStore(database: Database): ClaimStore {
  const sql = createClaimStatements(database.skipLocked);

  async function claimRow(
    kind: DeliveryKind,
    leaseMs: number,
    id: string | undefined,
  ): Promise<unknown> {
    const lease = Math.round(leaseMs);
    const [row] =
      id === undefined
        ? await database.all(
            kind === 'application' ? sql.claimApplication : sql.claimAttachment[kind],
            lease,
          )
        : await database.all(
            kind === 'application' ? sql.claimApplicationById : sql.claimAttachmentById,
            lease,
            id,
          );
    return row;
  }

  async function read(kind: DeliveryKind, id: string, claimedAt: number): Promise<Claim> {
    if (kind === 'application') {
      const { fencingToken, row: application } = toFencedApplication(await find('application', id));
      return { kind, fencingToken, claimedAt, application };
    }
    const { fencingToken, row: attachment } = toFencedAttachment(await find('attachment', id));
    const application = toApplication(await find('application', attachment.applicationId));
    return { kind: attachment.kind, fencingToken, claimedAt, application, attachment };
  }

  async function find(table: 'application' | 'attachment', id: string): Promise<unknown> {
    return (await database.all(`select * from ${table} where id = ?`, id))[0];
  }

  async function hold(kind: DeliveryKind, id: string): Promise<UnreadableRow> {
    const table = kind === 'application' ? 'application' : 'attachment';
    await database.all(
      `update ${table} set state = 'held', held_reason = 'unreadable' where id = ?`,
      id,
    );
    return { kind: 'unreadable', deliveryKind: kind, id };
  }

  return {
    isShared: database.isShared,

    async recover() {
      if (database.isShared) return;
      await database.transaction(function* () {
        for (const sql of releaseStatements) yield* query(sql);
        yield* query(`delete from attachment where state = 'receiving'`);
      });
    },

    async claimDue(kind, leaseMs, id) {
      const row = await claimRow(kind, leaseMs, id);
      if (row === undefined) return undefined;
      const claimed = toClaimedRow(row);
      try {
        return await read(kind, claimed.id, claimed.claimedAt);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        return hold(kind, claimed.id);
      }
    },

    async extendLease(claim, leaseMs) {
      await database.all(
        `update ${toTable(claim)} set lease_until = {now} + ?
         where id = ? and fence = ? and state = 'sending'`,
        Math.round(leaseMs),
        toRowId(claim),
        claim.fencingToken,
      );
    },

    recordResult(claim, result) {
      return database.transaction(
        function* () {
          if (!(yield* record(claim, result))) return false;
          yield* eraseSettled(claim, result);
          return true;
        },
        [`application/${claim.application.id}`],
      );
    },

    async findNextDueMs(kinds) {
      const rows = await Promise.all(
        kinds.map((kind) =>
          kind === 'application'
            ? database.all(nextDueStatements.application)
            : database.all(nextDueStatements.attachment, kind, kind, kind),
        ),
      );
      const times = rows
        .flat()
        .map(toNumber)
        .filter((ms) => ms !== undefined);
      return times.length > 0 ? Math.min(...times) : undefined;
    },
  };
}

/** The longest pause is the hour a service may ask for; only a clock that was set back leaves a row further ahead. */
const furthestAheadMs = 65 * 60 * 1000;
/** So often a row that ends the process is tried again at once; after that it lets others go first. */
const freeInterruptions = 2;
const longestInterruptionPauseMs = 15 * 60 * 1000;

/** A row found `sending` was begun and never recorded: its outcome is unknown. */
const claimed = `
  state = 'sending', fence = fence + 1, attempts = attempts + 1,
  lease_until = {now} + ?, first_attempt_at = coalesce(first_attempt_at, {now}),
  uncertain_attempts = uncertain_attempts + case state when 'sending' then 1 else 0 end,
  interruptions = interruptions + case state when 'sending' then 1 else 0 end`;

/**
 * What may be claimed, the first found being taken: rows never tried, so that those on which the service fails again and
 * again do not stand before them; rows somebody left under way; rows whose pause is over; rows that a clock set back has
 * left far ahead. Each is one look at the index of its state, which is why they are not one condition.
 */
const dueParts = [
  { condition: `state = 'received' and next_at <= {now}`, order: 'next_at, seq' },
  { condition: `state = 'sending' and lease_until <= {now}`, order: 'lease_until, seq' },
  { condition: `state = 'waiting' and next_at <= {now}`, order: 'next_at, seq' },
  {
    condition: `state = 'received' and next_at > {now} + ${furthestAheadMs}`,
    order: 'next_at, seq',
  },
  {
    condition: `state = 'waiting' and next_at > {now} + ${furthestAheadMs}`,
    order: 'next_at, seq',
  },
] as const;

/** One of a kind at a time: whoever sends twenty documents leaves room for the next. */
const hasNoSiblingUnderWay = `
  not exists (select 1 from attachment other where other.application_id = attachment.application_id
    and other.kind = attachment.kind and other.state = 'sending' and other.lease_until > {now}
    and other.id <> attachment.id)`;

/** A attachment has no time before its application is accepted; this looks once more at what is about to be sent. */
const hasAcceptedParent = `
  exists (select 1 from application a where a.id = attachment.application_id and a.state = 'accepted'
    and a.erased_at is null)`;

export interface ClaimStatements {
  /** Value: the lease in milliseconds. They answer the row's id and the store's time as `claimed_at`. */
  readonly claimApplication: string;
  /** Values: the lease, the row's id. */
  readonly claimApplicationById: string;
  /** Value: the lease; the kind is part of the text, since each part needs it. */
  readonly claimAttachment: Readonly<Record<'document' | 'bank-report' | 'contact', string>>;
  /** Values: the lease, the row's id. */
  readonly claimAttachmentById: string;
}

/** What the delivery asks again and again; exported so that a test can watch how SQLite goes about it. */
export function createClaimStatements(skipLocked: Database['skipLocked']): ClaimStatements {
  const claim = (table: 'application' | 'attachment', id: string) => `
    update ${table} set ${claimed} where id = ${id} returning id, {now} as claimed_at`;
  const first = (table: 'application' | 'attachment', besides: string) => {
    const parts = dueParts.map(
      ({ condition, order }) => `
        (select id from ${table} where ${condition} ${besides}
         order by ${order} limit 1 ${skipLocked})`,
    );
    return claim(table, `coalesce(${parts.join(',')})`);
  };
  const anyDue = dueParts.map(({ condition }) => `(${condition})`).join(' or ');
  const mayBeSent = `and ${hasAcceptedParent} and ${hasNoSiblingUnderWay}`;
  const firstOf = (kind: string) => first('attachment', `and kind = '${kind}' ${mayBeSent}`);
  return {
    claimApplication: first('application', ''),
    claimApplicationById: claim(
      'application',
      `(select id from application where id = ? and (${anyDue}) ${skipLocked})`,
    ),
    claimAttachment: {
      document: firstOf('document'),
      'bank-report': firstOf('bank-report'),
      contact: firstOf('contact'),
    },
    claimAttachmentById: claim(
      'attachment',
      `(select id from attachment where id = ? and (${anyDue}) ${mayBeSent} ${skipLocked})`,
    ),
  };
}

/** A row for each index. The attachment's values: its kind, three times. */
export const nextDueStatements = {
  application: `
    select min(next_at) - {now} as ms from application where state = 'received'
    union all
    select min(next_at) - {now} as ms from application where state = 'waiting'
    union all
    select min(lease_until) - {now} as ms from application where state = 'sending'`,
  attachment: `
    select min(next_at) - {now} as ms from attachment where kind = ? and state = 'received'
    union all
    select min(next_at) - {now} as ms from attachment where kind = ? and state = 'waiting'
    union all
    select min(lease_until) - {now} as ms from attachment where kind = ? and state = 'sending'`,
} as const;

const interruptionPauseMs = `(1000 * (1 << (case when interruptions > 20 then 20 else interruptions end)))`;
const interruptionEnd = `({now} + case when ${interruptionPauseMs} > ${longestInterruptionPauseMs}
  then ${longestInterruptionPauseMs} else ${interruptionPauseMs} end)`;

/** Frees rows that an ended process left `sending`; those that may have ended it wait a little, and longer each time. */
export const releaseStatements = (['application', 'attachment'] as const).flatMap((table) => [
  `update ${table} set lease_until = 0
   where state = 'sending' and interruptions < ${freeInterruptions}`,
  `update ${table} set lease_until = ${interruptionEnd}
   where state = 'sending' and interruptions >= ${freeInterruptions}
     and lease_until > ${interruptionEnd}`,
]);

/** False when another claim has been made since, and this is not what the service itself says for good. */
export function* record(claim: Claim, result: AttemptResult): Transaction<boolean> {
  const columns = toColumns(claim, result);
  const { state } = result;
  const assignments = [
    'interruptions = 0',
    ...Object.keys(columns).map((column) => `${column} = ?`),
    ...(state === 'waiting' ? ['next_at = {now} + ?'] : []),
    ...(state === 'accepted' || state === 'rejected' ? ['finished_at = {now}'] : []),
    isRefused(result) ? 'refused_since = coalesce(refused_since, {now})' : 'refused_since = null',
  ];
  const rows = yield* query(
    `update ${toTable(claim)} set ${assignments.join(', ')}
     where id = ? and ${toGuard(claim, result)} returning id`,
    ...Object.values(columns),
    ...(state === 'waiting' ? [Math.round(result.delayMs)] : []),
    toRowId(claim),
    claim.fencingToken,
  );
  return rows.length > 0 || (yield* isRecorded(claim, result));
}

/** The row waits because the service refuses it, not because the service is away. */
function isRefused(result: AttemptResult): boolean {
  return result.state === 'waiting' && result.isRefused === true;
}

/**
 * A result belongs to its claim. That the service has it, under this id, is true whoever hears it: another claim made meanwhile
 * could only find out less. Value: the fence.
 */
function toGuard(claim: Claim, { state }: AttemptResult): string {
  if (state !== 'accepted') return `fence = ? and state = 'sending'`;
  const isLiving = claim.kind === 'application' ? 'and erased_at is null' : '';
  return `fence >= ? and state in ('sending', 'waiting', 'unconfirmed', 'held') ${isLiving}`;
}

/** The answer to the commit was lost, and this is the second time. */
function* isRecorded(claim: Claim, { state }: AttemptResult): Transaction<boolean> {
  const rows = yield* query(
    `select id from ${toTable(claim)} where id = ? and fence = ? and state = ?`,
    toRowId(claim),
    claim.fencingToken,
    state,
  );
  return rows.length > 0;
}

function toColumns(claim: Claim, result: AttemptResult): Readonly<Record<string, Value>> {
  const { state } = result;
  const row = claim.kind === 'application' ? claim.application : claim.attachment;
  switch (state) {
    case 'accepted': {
      const { serviceId, encryptedTrackingUrl = null } = result;
      const columns = {
        state,
        service_id: serviceId,
        last_outcome: 'accepted',
        held_reason: null,
      };
      return claim.kind === 'application'
        ? { ...columns, encrypted_tracking_url: encryptedTrackingUrl }
        : columns;
    }
    case 'rejected': {
      const columns = { state, last_outcome: result.outcome ?? 'rejected' };
      const errors = JSON.stringify(result.errors ?? []);
      return claim.kind === 'application' ? { ...columns, errors } : columns;
    }
    case 'waiting':
      return {
        state,
        last_outcome: result.outcome ?? null,
        uncertain_attempts: row.uncertainAttempts + Number(result.isUncertain),
      };
    case 'unconfirmed':
      return { state, last_outcome: 'duplicate-id' };
    case 'held':
      return {
        state,
        held_reason: result.reason,
        last_outcome: result.outcome ?? row.lastOutcome ?? null,
        uncertain_attempts: row.uncertainAttempts + Number(result.isUncertain),
      };
  }
}

/**
 * Erases the content that was delivered; ids, states and times stay, and names stay encrypted. The content of what was
 * rejected stays for a grace time (`retention.ts`), so that an operator can send it again when the rejection was a mistake.
 */
export function* eraseSettled(claim: Claim, { state }: AttemptResult): Transaction<void> {
  if (claim.kind !== 'application') {
    if (state === 'accepted')
      yield* query('delete from chunk where attachment_id = ?', claim.attachment.id);
    return;
  }
  const { id } = claim.application;
  if (state === 'accepted') {
    yield* query('update application set encrypted_lead = null where id = ?', id);
    yield* releaseAttachments(id);
  }
  if (state === 'rejected') yield* rejectAttachments(id);
}

/** An upload under way ends; what was complete is rejected with its application, and kept as long. */
function* rejectAttachments(applicationId: string): Transaction<void> {
  yield* query(
    `delete from chunk where attachment_id in (
       select id from attachment where application_id = ? and state = 'receiving')`,
    applicationId,
  );
  yield* query(
    `delete from attachment where application_id = ? and state = 'receiving'`,
    applicationId,
  );
  yield* query(
    `update attachment set state = 'rejected', finished_at = {now} where application_id = ?`,
    applicationId,
  );
}

/** From now on they are due: their application has its ApplicationID. */
export function* releaseAttachments(applicationId: string): Transaction<void> {
  yield* query(
    `update attachment set next_at = {now}
     where application_id = ? and state = 'received' and next_at is null`,
    applicationId,
  );
}

export function toTable(claim: Claim): 'application' | 'attachment' {
  return claim.kind === 'application' ? 'application' : 'attachment';
}

export function toRowId(claim: Claim): string {
  return claim.kind === 'application' ? claim.application.id : claim.attachment.id;
}
