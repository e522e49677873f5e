// Claims and results of deliveries in the journal; every result is guarded by the number of its claim.

import { createClaimStatements, nextDueStatements, releaseStatements } from './claim-statements.ts';
import { query, type Database } from './database.ts';
import type { Claim, ClaimStore, UnreadableRow } from './journal.ts';
import type { DeliveryKind } from './records.ts';
import {
  isUnreadable,
  toApplication,
  toFencedApplication,
  toFencedChild,
  toId,
  toNumber,
} from './rows.ts';
import { eraseSettled, record, toRowId, toTable } from './settlements.ts';

export function createClaimStore(database: Database): ClaimStore {
  const sql = createClaimStatements(database.skipLocked);

  async function claimRow(
    kind: DeliveryKind,
    leaseMs: number,
    id: string | undefined,
  ): Promise<unknown> {
    const lease = Math.round(leaseMs);
    const only = id === undefined ? [] : [id];
    const rows = await (kind === 'application'
      ? database.all(
          only.length > 0 ? sql.claimApplicationById : sql.claimApplication,
          lease,
          ...only,
        )
      : database.all(only.length > 0 ? sql.claimChildById : sql.claimChild, lease, kind, ...only));
    return rows[0];
  }

  async function read(kind: DeliveryKind, row: unknown): Promise<Claim> {
    if (kind === 'application') {
      const { fence, row: application } = toFencedApplication(row);
      return { kind, fence, application };
    }
    const { fence, row: child } = toFencedChild(row);
    const [parent] = await database.all(
      'select * from application where id = ?',
      child.applicationId,
    );
    return { kind: child.kind, fence, application: toApplication(parent), child };
  }

  async function hold(kind: DeliveryKind, row: unknown): Promise<UnreadableRow> {
    const id = toId(row);
    const table = kind === 'application' ? 'application' : 'child';
    await database.all(
      `update ${table} set state = 'held', held_reason = 'unreadable' where id = ?`,
      id,
    );
    return { kind: 'unreadable', of: kind, id };
  }

  return {
    isShared: database.isShared,

    async recover() {
      if (database.isShared) return;
      await database.transaction(function* () {
        for (const sql of releaseStatements) yield* query(sql);
        yield* query(`delete from child where state = 'receiving'`);
      });
    },

    async claimDue(kind, leaseMs, id) {
      const row = await claimRow(kind, leaseMs, id);
      if (row === undefined) return undefined;
      try {
        return await read(kind, row);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        return hold(kind, row);
      }
    },

    async extendLease(claim, leaseMs) {
      await database.all(
        `update ${toTable(claim)} set lease_until = {now} + ?
         where id = ? and fence = ? and state = 'sending'`,
        Math.round(leaseMs),
        toRowId(claim),
        claim.fence,
      );
    },

    settle(claim, settlement) {
      return database.transaction(
        function* () {
          if (!(yield* record(claim, settlement))) return false;
          yield* eraseSettled(claim, settlement);
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
            : database.all(nextDueStatements.child, kind, kind),
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
