// Documents, asset reports and wishes to be contacted, with the sealed pieces they are made of.

import { setImmediate } from 'node:timers/promises';
import { insertConsent } from './applications.ts';
import { query, type Database, type Work } from './database.ts';
import type { ChildKind, ChildRow, ChildStore, CompletedChild } from './store.ts';
import { toBlob, toChild, toMeasure, type Measure } from './rows.ts';

/** About a megabyte: overwriting a whole file at once would hold up everything else for a tenth of a second. */
const piecesOfDiscard = 4;

export function createChildStore(database: Database): ChildStore {
  async function discard(childId: string): Promise<void> {
    while (await database.transaction(() => discardSome(childId, database.forUpdate))) {
      await setImmediate();
    }
  }

  return {
    beginChild(child, limit) {
      return database.transaction(
        function* () {
          if (!(yield* isOpen(child.applicationId))) return 'closed';
          const { count } = yield* measureOthers(child.applicationId, child.kind, []);
          if (count >= limit) return 'limit-reached';
          yield* query(
            `insert into child (id, application_id, kind, category, created_at, next_at)
             values (?, ?, ?, ?, ?, {now})`,
            child.id,
            child.applicationId,
            child.kind,
            child.category,
            child.createdAt,
          );
          return 'begun';
        },
        [toLock(child.applicationId)],
      );
    },

    async addChunk(childId, number, sealed) {
      const rows = await database.all(
        `insert into chunk (child_id, number, sealed)
         select id, ?, ? from child where id = ? and state = 'receiving' ${database.forUpdate}
         returning number`,
        number,
        sealed,
        childId,
      );
      return rows.length > 0;
    },

    async readChunk(childId, number) {
      const [row] = await database.all(
        'select sealed from chunk where child_id = ? and number = ?',
        childId,
        number,
      );
      return row === undefined ? undefined : toBlob(row);
    },

    async completeChild(childId, completed) {
      const begun = await find(database, childId);
      if (begun === undefined) return { kind: 'dropped' };
      const decided = await database.transaction<Decided>(
        function* () {
          const child = yield* findWithin(childId);
          if (child?.state !== 'receiving') return { kind: 'dropped' };
          const same = yield* findSame(child, completed.fingerprint);
          if (same) return { kind: 'same', child: same };
          const others = yield* measureOthers(child.applicationId, child.kind, ['receiving']);
          const excess = toExcess(others, completed);
          if (excess) return { kind: excess };
          return { kind: 'added', child: yield* complete(child, completed) };
        },
        [toLock(begun.applicationId)],
      );
      if (decided.kind !== 'added') await discard(childId);
      return decided;
    },

    discardChild: discard,

    addContact(contact, consent) {
      const child = { ...contact, kind: 'contact' as const };
      return database.transaction(
        function* () {
          if (!(yield* isOpen(child.applicationId))) return { kind: 'closed' };
          yield* insertConsent(consent);
          const [pending] = yield* query(
            `select * from child where application_id = ? and kind = 'contact'
             and state in ('received', 'sending', 'waiting', 'held')`,
            child.applicationId,
          );
          if (pending !== undefined) return { kind: 'pending', child: toChild(pending) };
          yield* query(
            `insert into child (id, application_id, kind, category, created_at, next_at)
             values (?, ?, 'contact', '', ?, {now})`,
            child.id,
            child.applicationId,
            child.createdAt,
          );
          const added = yield* complete(child, { fingerprint: null, bytes: 0 });
          return { kind: 'added', child: added };
        },
        [toLock(child.applicationId)],
      );
    },

    findChild: (id) => find(database, id),

    async listChildren(applicationId, kind) {
      const rows = await database.all(
        `select * from child
         where application_id = ? and kind = ? and state <> 'receiving' order by number`,
        applicationId,
        kind,
      );
      return rows.map(toChild);
    },
  };
}

type Decided = Awaited<ReturnType<ChildStore['completeChild']>>;

/** Numbers, limits and "is it there already" are decided by one at a time. */
function toLock(applicationId: string): string {
  return `application/${applicationId}`;
}

async function find(database: Database, id: string): Promise<ChildRow | undefined> {
  const [row] = await database.all('select * from child where id = ?', id);
  return row === undefined ? undefined : toChild(row);
}

function* findWithin(id: string): Work<ChildRow | undefined> {
  const [row] = yield* query('select * from child where id = ?', id);
  return row === undefined ? undefined : toChild(row);
}

function* isOpen(applicationId: string): Work<boolean> {
  const rows = yield* query(
    `select 1 as found from application
     where id = ? and state not in ('rejected', 'erased') and erased_at is null`,
    applicationId,
  );
  return rows.length > 0;
}

/** So long an upload may take; what is older was cut off with its process, and must not stand in another one's way. */
const longestUploadMs = 60 * 60 * 1000;

/** Children of the application that count towards its limits; those in the given states do not. */
function* measureOthers(
  applicationId: string,
  kind: ChildKind,
  besides: readonly 'receiving'[],
): Work<Measure> {
  const states = ['rejected', 'erased', ...besides].map((state) => `'${state}'`).join(', ');
  const [row] = yield* query(
    `select count(*) as count, cast(coalesce(sum(bytes), 0) as bigint) as bytes from child
     where application_id = ? and kind = ? and state not in (${states})
       and (state <> 'receiving' or next_at > {now} - ${longestUploadMs})`,
    applicationId,
    kind,
  );
  return toMeasure(row);
}

function toExcess(
  others: Measure,
  { bytes, limit, maxTotalBytes = Infinity }: CompletedChild,
): 'limit-reached' | 'space-exhausted' | undefined {
  if (others.count >= limit) return 'limit-reached';
  return others.bytes + bytes > maxTotalBytes ? 'space-exhausted' : undefined;
}

function* findSame(child: ChildRow, fingerprint: string): Work<ChildRow | undefined> {
  const [row] = yield* query(
    `select * from child where application_id = ? and kind = ? and fingerprint = ?
     and state not in ('rejected', 'erased')`,
    child.applicationId,
    child.kind,
    fingerprint,
  );
  return row === undefined ? undefined : toChild(row);
}

function* complete(
  { id, applicationId, kind }: Pick<ChildRow, 'id' | 'applicationId' | 'kind'>,
  {
    fingerprint,
    bytes,
    sealedName = null,
  }: {
    readonly fingerprint: string | null;
    readonly bytes: number;
    readonly sealedName?: Uint8Array | null | undefined;
  },
): Work<ChildRow> {
  const [row] = yield* query(
    `update child set state = 'received', bytes = ?, fingerprint = ?, sealed_name = ?,
       next_at = case when exists (
         select 1 from application where id = ? and state = 'accepted') then {now} end,
       number = 1 + (
         select coalesce(max(number), 0) from child where application_id = ? and kind = ?)
     where id = ? returning *`,
    bytes,
    fingerprint,
    sealedName,
    applicationId,
    applicationId,
    kind,
    id,
  );
  return toChild(row);
}

/** A few pieces of an incomplete child, and itself once none is left; answers whether there may be more. */
function* discardSome(id: string, forUpdate: Database['forUpdate']): Work<boolean> {
  const incomplete = yield* query(
    `select id from child where id = ? and state = 'receiving' ${forUpdate}`,
    id,
  );
  if (incomplete.length === 0) return false;
  const gone = yield* query(
    `delete from chunk where child_id = ? and number in (
       select number from chunk where child_id = ? limit ${piecesOfDiscard})
     returning number`,
    id,
    id,
  );
  if (gone.length === piecesOfDiscard) return true;
  yield* query('delete from child where id = ?', id);
  return false;
}
