// Claims and results of deliveries in the SQLite journal; every result is guarded by the number of its claim.

import type { Claim, Journal, Settlement } from './journal.ts';
import type { Database } from './sqlite-database.ts';
import { toApplication, toFencedApplication, toFencedChild, toNumber } from './sqlite-rows.ts';

type ClaimStore = Pick<Journal, 'recover' | 'claimDue' | 'extendLease' | 'settle' | 'findNextDue'>;

/** A row found `sending` was begun and never recorded: its outcome is unknown. */
const claimed = `
  state = 'sending', fence = fence + 1, attempts = attempts + 1, lease_until = ?,
  uncertain_attempts = uncertain_attempts + (state = 'sending')`;

/** The longest pause is the hour a service may ask for; only a clock that was set back leaves a row further ahead. */
const furthestAheadMs = 65 * 60 * 1000;

const isPending = `state in ('received', 'waiting')`;

/** Each part names its state as the partial indexes do: written shorter, SQLite reads the whole table. */
const isDue = `(
  (${isPending} and next_at <= ?) or
  (${isPending} and next_at > ?) or
  (state = 'sending' and lease_until <= ?))`;

const hasAcceptedParent = `
  exists (select 1 from application a where a.id = application_id and a.state = 'accepted')`;

const dueAt = `case state when 'sending' then lease_until else next_at end`;

/** What the delivery asks again and again; exported so that a test can watch how SQLite goes about it. */
export const claimStatements = {
  claimApplication: `
    update application set ${claimed} where id = (
      select id from application where ${isDue} order by ${dueAt}, rowid limit 1) returning *`,
  claimChild: `
    update child set ${claimed} where id = (
      select id from child where ${isDue} and ${hasAcceptedParent}
      order by ${dueAt}, rowid limit 1) returning *`,
  /** A row for each table and index, since one `min` over them all would read what it need not. */
  findNextDue: `
    select min(next_at) from application where ${isPending}
    union all
    select min(lease_until) from application where state = 'sending'
    union all
    select min(next_at) from child where ${isPending} and ${hasAcceptedParent}
    union all
    select min(lease_until) from child where state = 'sending' and ${hasAcceptedParent}`,
} as const;

export function createClaimStore(database: Database): ClaimStore {
  function claimApplication(now: number, leaseUntil: number): Claim | undefined {
    const [row] = database.all(
      claimStatements.claimApplication,
      leaseUntil,
      now,
      now + furthestAheadMs,
      now,
    );
    if (row === undefined) return undefined;
    const { fence, row: application } = toFencedApplication(row);
    return { kind: 'application', fence, application };
  }

  function claimChild(now: number, leaseUntil: number): Claim | undefined {
    const [row] = database.all(
      claimStatements.claimChild,
      leaseUntil,
      now,
      now + furthestAheadMs,
      now,
    );
    if (row === undefined) return undefined;
    const { fence, row: child } = toFencedChild(row);
    const [parent] = database.all('select * from application where id = ?', child.applicationId);
    return { kind: child.kind, fence, application: toApplication(parent), child };
  }

  return {
    async recover() {
      database.transaction(() => {
        database.all(`update application set lease_until = 0 where state = 'sending'`);
        database.all(`update child set lease_until = 0 where state = 'sending'`);
        database.all(`delete from child where state = 'receiving'`);
      });
    },

    async claimDue(now, leaseUntil) {
      return database.transaction(
        () => claimApplication(now, leaseUntil) ?? claimChild(now, leaseUntil),
      );
    },

    async extendLease(claim, leaseUntil) {
      database.all(
        `update ${toTable(claim)} set lease_until = ? where id = ? and fence = ? and state = 'sending'`,
        leaseUntil,
        toId(claim),
        claim.fence,
      );
    },

    async settle(claim, settlement) {
      return database.transaction(() => {
        if (!record(database, claim, settlement)) return false;
        erase(database, claim, settlement);
        return true;
      });
    },

    async findNextDue() {
      const times = database
        .all(claimStatements.findNextDue)
        .map(toNumber)
        .filter((time) => time !== undefined);
      return times.length > 0 ? Math.min(...times) : undefined;
    },
  };
}

/** False when another claim has been made since. */
function record(database: Database, claim: Claim, settlement: Settlement): boolean {
  const columns = toColumns(claim, settlement);
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  const rows = database.all(
    `update ${toTable(claim)} set ${assignments.join(', ')}
     where id = ? and fence = ? and state = 'sending' returning id`,
    ...Object.values(columns),
    toId(claim),
    claim.fence,
  );
  return rows.length > 0;
}

function toColumns(
  claim: Claim,
  settlement: Settlement,
): Record<string, string | number | Uint8Array | null> {
  const { state } = settlement;
  switch (state) {
    case 'accepted': {
      const { serviceId, sealedTrackingUrl = null } = settlement;
      const columns = { state, service_id: serviceId };
      return claim.kind === 'application'
        ? { ...columns, sealed_tracking_url: sealedTrackingUrl }
        : columns;
    }
    case 'rejected':
      return claim.kind === 'application'
        ? { state, errors: JSON.stringify(settlement.errors ?? []) }
        : { state };
    case 'waiting': {
      const row = claim.kind === 'application' ? claim.application : claim.child;
      const uncertain = row.uncertainAttempts + (settlement.isUncertain ? 1 : 0);
      return { state, next_at: settlement.nextAt, uncertain_attempts: uncertain };
    }
    case 'unconfirmed':
    case 'held':
      return { state };
  }
}

/** The content that was delivered or refused is not kept; ids, states and times stay, and names stay sealed. */
function erase(database: Database, claim: Claim, { state }: Settlement): void {
  if (state !== 'accepted' && state !== 'rejected') return;
  if (claim.kind !== 'application') {
    database.all('delete from chunk where child_id = ?', claim.child.id);
    return;
  }
  const { id } = claim.application;
  database.all('update application set sealed_lead = null where id = ?', id);
  if (state === 'accepted') return;
  database.all(
    'delete from chunk where child_id in (select id from child where application_id = ?)',
    id,
  );
  database.all(`delete from child where application_id = ? and state = 'receiving'`, id);
  database.all(`update child set state = 'rejected' where application_id = ?`, id);
}

function toTable(claim: Claim): 'application' | 'child' {
  return claim.kind === 'application' ? 'application' : 'child';
}

function toId(claim: Claim): string {
  return claim.kind === 'application' ? claim.application.id : claim.child.id;
}
