// Records the result of an attempt, and erases what the funding service has accepted.

import { query, type Value, type Work } from './database.ts';
import type { Claim, Settlement } from './journal.ts';

/** False when another claim has been made since, and this is not what the service itself says for good. */
export function* record(claim: Claim, settlement: Settlement): Work<boolean> {
  const columns = toColumns(claim, settlement);
  const { state } = settlement;
  const assignments = [
    'interruptions = 0',
    ...Object.keys(columns).map((column) => `${column} = ?`),
    ...(state === 'waiting' ? ['next_at = {now} + ?'] : []),
    ...(state === 'accepted' || state === 'rejected' ? ['finished_at = {now}'] : []),
    isRefused(settlement)
      ? 'refused_since = coalesce(refused_since, {now})'
      : 'refused_since = null',
  ];
  const rows = yield* query(
    `update ${toTable(claim)} set ${assignments.join(', ')}
     where id = ? and ${toGuard(claim, settlement)} returning id`,
    ...Object.values(columns),
    ...(state === 'waiting' ? [Math.round(settlement.pauseMs)] : []),
    toRowId(claim),
    claim.fence,
  );
  return rows.length > 0 || (yield* isRecorded(claim, settlement));
}

/** The row waits because the service refuses it, not because the service is away. */
function isRefused(settlement: Settlement): boolean {
  return settlement.state === 'waiting' && settlement.fault !== undefined;
}

/**
 * A result belongs to its claim. That the service has it, under this id, is true whoever hears it: another claim made meanwhile
 * could only find out less. Value: the fence.
 */
function toGuard(claim: Claim, { state }: Settlement): string {
  if (state !== 'accepted') return `fence = ? and state = 'sending'`;
  const isLiving = claim.kind === 'application' ? 'and erased_at is null' : '';
  return `fence >= ? and state in ('sending', 'waiting', 'unconfirmed', 'held') ${isLiving}`;
}

/** The answer to the commit was lost, and this is the second time. */
function* isRecorded(claim: Claim, { state }: Settlement): Work<boolean> {
  const rows = yield* query(
    `select id from ${toTable(claim)} where id = ? and fence = ? and state = ?`,
    toRowId(claim),
    claim.fence,
    state,
  );
  return rows.length > 0;
}

function toColumns(claim: Claim, settlement: Settlement): Readonly<Record<string, Value>> {
  const { state } = settlement;
  const row = claim.kind === 'application' ? claim.application : claim.child;
  switch (state) {
    case 'accepted': {
      const { serviceId, sealedTrackingUrl = null } = settlement;
      const columns = {
        state,
        service_id: serviceId,
        last_outcome: 'accepted',
        held_reason: null,
      };
      return claim.kind === 'application'
        ? { ...columns, sealed_tracking_url: sealedTrackingUrl }
        : columns;
    }
    case 'rejected': {
      const columns = { state, last_outcome: settlement.outcome ?? 'rejected' };
      const errors = JSON.stringify(settlement.errors ?? []);
      return claim.kind === 'application' ? { ...columns, errors } : columns;
    }
    case 'waiting':
      return {
        state,
        last_outcome: settlement.outcome ?? null,
        uncertain_attempts: row.uncertainAttempts + Number(settlement.isUncertain),
      };
    case 'unconfirmed':
      return { state, last_outcome: 'duplicate-id' };
    case 'held':
      return {
        state,
        held_reason: settlement.reason,
        last_outcome: settlement.outcome ?? row.lastOutcome ?? null,
        uncertain_attempts: row.uncertainAttempts + Number(settlement.isUncertain),
      };
  }
}

/**
 * Erases the content that was delivered; ids, states and times stay, and names stay encrypted. The content of what was
 * rejected stays for a grace time (`retention.ts`), so that an operator can send it again when the rejection was a mistake.
 */
export function* eraseSettled(claim: Claim, { state }: Settlement): Work<void> {
  if (claim.kind !== 'application') {
    if (state === 'accepted') yield* query('delete from chunk where child_id = ?', claim.child.id);
    return;
  }
  const { id } = claim.application;
  if (state === 'accepted') {
    yield* query('update application set sealed_lead = null where id = ?', id);
    yield* releaseChildren(id);
  }
  if (state === 'rejected') yield* rejectChildren(id);
}

/** An upload under way ends; what was complete is rejected with its application, and kept as long. */
function* rejectChildren(applicationId: string): Work<void> {
  yield* query(
    `delete from chunk where child_id in (
       select id from child where application_id = ? and state = 'receiving')`,
    applicationId,
  );
  yield* query(`delete from child where application_id = ? and state = 'receiving'`, applicationId);
  yield* query(
    `update child set state = 'rejected', finished_at = {now} where application_id = ?`,
    applicationId,
  );
}

/** From now on they are due: their application has its ApplicationID. */
export function* releaseChildren(applicationId: string): Work<void> {
  yield* query(
    `update child set next_at = {now}
     where application_id = ? and state = 'received' and next_at is null`,
    applicationId,
  );
}

export function toTable(claim: Claim): 'application' | 'child' {
  return claim.kind === 'application' ? 'application' : 'child';
}

export function toRowId(claim: Claim): string {
  return claim.kind === 'application' ? claim.application.id : claim.child.id;
}
