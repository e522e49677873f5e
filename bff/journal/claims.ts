// Claims and results of deliveries in the journal; every result is guarded by the number of its claim.

import { createClaimStatements, nextDueStatements, releaseStatements } from './claim-statements.ts';
import { query, type Database } from './database.ts';
import type { Claim, ClaimStore, UnreadableRow } from './journal.ts';
import type { DeliveryKind } from './records.ts';
import {
  isUnreadable,
  toApplication,
  toClaimedRow,
  toFencedApplication,
  toFencedChild,
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
    const [row] =
      id === undefined
        ? await database.all(
            kind === 'application' ? sql.claimApplication : sql.claimChild[kind],
            lease,
          )
        : await database.all(
            kind === 'application' ? sql.claimApplicationById : sql.claimChildById,
            lease,
            id,
          );
    return row;
  }

  async function read(kind: DeliveryKind, id: string, claimedAt: number): Promise<Claim> {
    if (kind === 'application') {
      const { fence, row: application } = toFencedApplication(await find('application', id));
      return { kind, fence, claimedAt, application };
    }
    const { fence, row: child } = toFencedChild(await find('child', id));
    const application = toApplication(await find('application', child.applicationId));
    return { kind: child.kind, fence, claimedAt, application, child };
  }

  async function find(table: 'application' | 'child', id: string): Promise<unknown> {
    return (await database.all(`select * from ${table} where id = ?`, id))[0];
  }

  async function hold(kind: DeliveryKind, id: string): Promise<UnreadableRow> {
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
        // Its login ended with it; an operator's command that logs in just now loses no more than its turn.
        yield* query(`update login set until_at = {now} where kind = 'taken' and until_at > {now}`);
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
            : database.all(nextDueStatements.child, kind, kind, kind),
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
