// Documents, asset reports and wishes to be contacted, with the sealed pieces they are made of.

import { setImmediate } from 'node:timers/promises';
import { insertConsent } from './applications.ts';
import { query, type Database, type Transaction } from './database.ts';
import type {
  AttachmentKind,
  AttachmentRow,
  AttachmentStore,
  CompletedAttachment,
} from './store.ts';
import { toBlob, toAttachment, toMeasure, type Measure } from './rows.ts';

/** About a megabyte: overwriting a whole file at once would hold up everything else for a tenth of a second. */
const piecesOfDiscard = 4;

export function createAttachmentStore(database: Database): AttachmentStore {
  async function discard(attachmentId: string): Promise<void> {
    while (await database.transaction(() => discardSome(attachmentId, database.forUpdate))) {
      await setImmediate();
    }
  }

  return {
    beginAttachment(attachment, limit) {
      return database.transaction(
        function* () {
          if (!(yield* isOpen(attachment.applicationId))) return 'closed';
          const { count } = yield* measureOthers(attachment.applicationId, attachment.kind, []);
          if (count >= limit) return 'limit-reached';
          yield* query(
            `insert into attachment (id, application_id, kind, category, created_at, next_at)
             values (?, ?, ?, ?, ?, {now})`,
            attachment.id,
            attachment.applicationId,
            attachment.kind,
            attachment.category,
            attachment.createdAt,
          );
          return 'begun';
        },
        [toLock(attachment.applicationId)],
      );
    },

    async addChunk(attachmentId, number, encrypted) {
      const rows = await database.all(
        `insert into chunk (attachment_id, number, encrypted)
         select id, ?, ? from attachment where id = ? and state = 'receiving' ${database.forUpdate}
         returning number`,
        number,
        encrypted,
        attachmentId,
      );
      return rows.length > 0;
    },

    async readChunk(attachmentId, number) {
      const [row] = await database.all(
        'select encrypted from chunk where attachment_id = ? and number = ?',
        attachmentId,
        number,
      );
      return row === undefined ? undefined : toBlob(row);
    },

    async completeAttachment(attachmentId, completed) {
      const begun = await find(database, attachmentId);
      if (begun === undefined) return { kind: 'discarded' };
      const decided = await database.transaction<Decided>(
        function* () {
          const attachment = yield* findWithin(attachmentId);
          if (attachment?.state !== 'receiving') return { kind: 'discarded' };
          const same = yield* findSame(attachment, completed.fingerprint);
          if (same) return { kind: 'same', attachment: same };
          const others = yield* measureOthers(attachment.applicationId, attachment.kind, [
            'receiving',
          ]);
          const excess = toExcess(others, completed);
          if (excess) return { kind: excess };
          return { kind: 'added', attachment: yield* complete(attachment, completed) };
        },
        [toLock(begun.applicationId)],
      );
      if (decided.kind !== 'added') await discard(attachmentId);
      return decided;
    },

    discardAttachment: discard,

    addContactRequest(contact, consent) {
      const attachment = { ...contact, kind: 'contact' as const };
      return database.transaction(
        function* () {
          if (!(yield* isOpen(attachment.applicationId))) return { kind: 'closed' };
          yield* insertConsent(consent);
          const [pending] = yield* query(
            `select * from attachment where application_id = ? and kind = 'contact'
             and state in ('received', 'sending', 'waiting', 'held')`,
            attachment.applicationId,
          );
          if (pending !== undefined) return { kind: 'pending', attachment: toAttachment(pending) };
          yield* query(
            `insert into attachment (id, application_id, kind, category, created_at, next_at)
             values (?, ?, 'contact', '', ?, {now})`,
            attachment.id,
            attachment.applicationId,
            attachment.createdAt,
          );
          const added = yield* complete(attachment, { fingerprint: null, bytes: 0 });
          return { kind: 'added', attachment: added };
        },
        [toLock(attachment.applicationId)],
      );
    },

    findAttachment: (id) => find(database, id),

    async listAttachments(applicationId, kind) {
      const rows = await database.all(
        `select * from attachment
         where application_id = ? and kind = ? and state <> 'receiving' order by number`,
        applicationId,
        kind,
      );
      return rows.map(toAttachment);
    },
  };
}

type Decided = Awaited<ReturnType<AttachmentStore['completeAttachment']>>;

/** Numbers, limits and "is it there already" are decided by one at a time. */
function toLock(applicationId: string): string {
  return `application/${applicationId}`;
}

async function find(database: Database, id: string): Promise<AttachmentRow | undefined> {
  const [row] = await database.all('select * from attachment where id = ?', id);
  return row === undefined ? undefined : toAttachment(row);
}

function* findWithin(id: string): Transaction<AttachmentRow | undefined> {
  const [row] = yield* query('select * from attachment where id = ?', id);
  return row === undefined ? undefined : toAttachment(row);
}

function* isOpen(applicationId: string): Transaction<boolean> {
  const rows = yield* query(
    `select 1 as found from application
     where id = ? and state not in ('rejected', 'erased') and erased_at is null`,
    applicationId,
  );
  return rows.length > 0;
}

/** So long an upload may take; what is older was cut off with its process, and must not stand in another one's way. */
const longestUploadMs = 60 * 60 * 1000;

/** Attachments of the application that count towards its limits; those in the given states do not. */
function* measureOthers(
  applicationId: string,
  kind: AttachmentKind,
  besides: readonly 'receiving'[],
): Transaction<Measure> {
  const states = ['rejected', 'erased', ...besides].map((state) => `'${state}'`).join(', ');
  const [row] = yield* query(
    `select count(*) as count, cast(coalesce(sum(bytes), 0) as bigint) as bytes from attachment
     where application_id = ? and kind = ? and state not in (${states})
       and (state <> 'receiving' or next_at > {now} - ${longestUploadMs})`,
    applicationId,
    kind,
  );
  return toMeasure(row);
}

function toExcess(
  others: Measure,
  { bytes, limit, maxTotalBytes = Infinity }: CompletedAttachment,
): 'limit-reached' | 'size-limit-reached' | undefined {
  if (others.count >= limit) return 'limit-reached';
  return others.bytes + bytes > maxTotalBytes ? 'size-limit-reached' : undefined;
}

function* findSame(
  attachment: AttachmentRow,
  fingerprint: string,
): Transaction<AttachmentRow | undefined> {
  const [row] = yield* query(
    `select * from attachment where application_id = ? and kind = ? and fingerprint = ?
     and state not in ('rejected', 'erased')`,
    attachment.applicationId,
    attachment.kind,
    fingerprint,
  );
  return row === undefined ? undefined : toAttachment(row);
}

function* complete(
  { id, applicationId, kind }: Pick<AttachmentRow, 'id' | 'applicationId' | 'kind'>,
  {
    fingerprint,
    bytes,
    encryptedName = null,
  }: {
    readonly fingerprint: string | null;
    readonly bytes: number;
    readonly encryptedName?: Uint8Array | null | undefined;
  },
): Transaction<AttachmentRow> {
  const [row] = yield* query(
    `update attachment set state = 'received', bytes = ?, fingerprint = ?, encrypted_name = ?,
       next_at = case when exists (
         select 1 from application where id = ? and state = 'accepted') then {now} end,
       number = 1 + (
         select coalesce(max(number), 0) from attachment where application_id = ? and kind = ?)
     where id = ? returning *`,
    bytes,
    fingerprint,
    encryptedName,
    applicationId,
    applicationId,
    kind,
    id,
  );
  return toAttachment(row);
}

/** A few pieces of an incomplete attachment, and itself once none is left; answers whether there may be more. */
function* discardSome(id: string, forUpdate: Database['forUpdate']): Transaction<boolean> {
  const incomplete = yield* query(
    `select id from attachment where id = ? and state = 'receiving' ${forUpdate}`,
    id,
  );
  if (incomplete.length === 0) return false;
  const gone = yield* query(
    `delete from chunk where attachment_id = ? and number in (
       select number from chunk where attachment_id = ? limit ${piecesOfDiscard})
     returning number`,
    id,
    id,
  );
  if (gone.length === piecesOfDiscard) return true;
  yield* query('delete from attachment where id = ?', id);
  return false;
}
