// Documents and asset reports in the SQLite journal, with the sealed pieces they are made of.

import type { ChildKind, ChildRow, Journal } from './journal.ts';
import type { Database } from './sqlite-database.ts';
import { toBlob, toChild, toNumber } from './sqlite-rows.ts';

type ChildStore = Pick<
  Journal,
  | 'beginChild'
  | 'addChunk'
  | 'readChunk'
  | 'completeChild'
  | 'discardChild'
  | 'findChild'
  | 'listChildren'
>;

export function createChildStore(database: Database): ChildStore {
  function find(id: string): ChildRow | undefined {
    const [row] = database.all('select * from child where id = ?', id);
    return row === undefined ? undefined : toChild(row);
  }

  function count(applicationId: string, kind: ChildKind, states: string): number {
    const [row] = database.all(
      `select count(*) from child where application_id = ? and kind = ? and state not in ${states}`,
      applicationId,
      kind,
    );
    return toNumber(row) ?? 0;
  }

  function discard(id: string): void {
    database.all(`delete from child where id = ? and state = 'receiving'`, id);
  }

  return {
    async beginChild(child, limit) {
      return database.transaction(() => {
        if (count(child.applicationId, child.kind, `('rejected')`) >= limit) return false;
        database.all(
          `insert into child (id, application_id, kind, category, sealed_name, created_at, next_at)
           values (?, ?, ?, ?, ?, ?, ?)`,
          child.id,
          child.applicationId,
          child.kind,
          child.category,
          child.sealedName ?? null,
          child.createdAt,
          child.createdAt,
        );
        return true;
      });
    },

    async addChunk(childId, number, sealed) {
      const rows = database.all(
        `insert into chunk (child_id, number, sealed)
         select id, ?, ? from child where id = ? and state = 'receiving' returning number`,
        number,
        sealed,
        childId,
      );
      return rows.length > 0;
    },

    async readChunk(childId, number) {
      const [row] = database.all(
        'select sealed from chunk where child_id = ? and number = ?',
        childId,
        number,
      );
      return row === undefined ? undefined : toBlob(row);
    },

    async completeChild(childId, { fingerprint, bytes, limit }) {
      return database.transaction(() => {
        const child = find(childId);
        if (child?.state !== 'receiving') return { kind: 'dropped' };
        const [same] = database.all(
          `select * from child
           where application_id = ? and kind = ? and fingerprint = ? and state <> 'rejected'`,
          child.applicationId,
          child.kind,
          fingerprint,
        );
        if (same !== undefined) {
          discard(childId);
          return { kind: 'same', child: toChild(same) };
        }
        if (count(child.applicationId, child.kind, `('rejected', 'receiving')`) >= limit) {
          discard(childId);
          return { kind: 'limit-reached' };
        }
        const [completed] = database.all(
          `update child set state = 'received', bytes = ?, fingerprint = ?, number = 1 + (
             select coalesce(max(number), 0) from child where application_id = ? and kind = ?)
           where id = ? returning *`,
          bytes,
          fingerprint,
          child.applicationId,
          child.kind,
          childId,
        );
        return { kind: 'added', child: toChild(completed) };
      });
    },

    async discardChild(childId) {
      discard(childId);
    },

    async findChild(id) {
      return find(id);
    },

    async listChildren(applicationId, kind) {
      return database
        .all(
          `select * from child
           where application_id = ? and kind = ? and state <> 'receiving' order by number`,
          applicationId,
          kind,
        )
        .map(toChild);
    },
  };
}
