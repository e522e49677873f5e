// Attachments (documents, bank reports, and contact requests) and the chunks of their content.

import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { insertConsent } from './applications.ts';
import { type Database, query, type Transaction } from './database.ts';
import { parseFirst, parseRow, parseRows, toInsert } from './rows.ts';
import {
  attachmentSchema,
  blob,
  type AttachmentRow,
  type AttachmentStore,
  type CompletedAttachment,
  type NewAttachment,
} from './store.ts';

/** Deletes about a megabyte per transaction. Overwriting a whole file at once would block all others for 0.1 s. */
const chunksPerDiscard = 4;
/** Maximum time of an upload. An older incomplete attachment belongs to a process that ended, and does not count. */
const maxUploadMs = 60 * 60 * 1000;

const selectAttachment = 'select * from attachment where id = ?';

type Completion = Awaited<ReturnType<AttachmentStore['completeAttachment']>>;

export function createAttachmentStore(database: Database): AttachmentStore {
  async function findAttachment(id: string): Promise<AttachmentRow | undefined> {
    const rows = await database.all(selectAttachment, id);
    return parseFirst(attachmentSchema, rows);
  }

  async function discardAttachment(id: string): Promise<void> {
    while (await database.transaction(() => discardChunks(id, database.forUpdate))) {
      await setImmediate();
    }
  }

  return {
    beginAttachment(attachment, limit) {
      return database.transaction(
        function* () {
          if (!(yield* acceptsAttachments(attachment.applicationId))) return 'closed';
          const { count } = yield* measureAttachments(attachment);
          if (count >= limit) return 'limit-reached';
          yield* insertAttachment(attachment);
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
      const sql = 'select encrypted from chunk where attachment_id = ? and number = ?';
      return parseFirst(chunkSchema, await database.all(sql, attachmentId, number))?.encrypted;
    },

    async completeAttachment(attachmentId, completed) {
      const begun = await findAttachment(attachmentId);
      if (begun === undefined) return { kind: 'discarded' };
      const completion = await database.transaction<Completion>(
        function* () {
          const rows = yield* query(selectAttachment, attachmentId);
          const attachment = parseFirst(attachmentSchema, rows);
          if (attachment?.state !== 'receiving') return { kind: 'discarded' };
          const same = yield* findSame(attachment, completed.fingerprint);
          if (same) return { kind: 'same', attachment: same };
          const { limit, maxTotalBytes = Infinity } = completed;
          const { count, bytes } = yield* measureAttachments(attachment, 'complete');
          if (count >= limit) return { kind: 'limit-reached' };
          if (bytes + completed.bytes > maxTotalBytes) return { kind: 'size-limit-reached' };
          return { kind: 'added', attachment: yield* complete(attachment, completed) };
        },
        [toLock(begun.applicationId)],
      );
      if (completion.kind !== 'added') await discardAttachment(attachmentId);
      return completion;
    },

    discardAttachment,

    addContactRequest({ id, applicationId, createdAt }, consent) {
      return database.transaction(
        function* () {
          if (!(yield* acceptsAttachments(applicationId))) return { kind: 'closed' };
          yield* insertConsent(consent);
          const rows = yield* query(
            `select * from attachment where application_id = ? and kind = 'contact'
             and state in ('received', 'sending', 'waiting', 'held')`,
            applicationId,
          );
          const pending = parseFirst(attachmentSchema, rows);
          if (pending !== undefined) return { kind: 'pending', attachment: pending };
          const request = { id, applicationId, createdAt, kind: 'contact', category: '' } as const;
          yield* insertAttachment(request);
          return { kind: 'added', attachment: yield* complete(request, { bytes: 0 }) };
        },
        [toLock(applicationId)],
      );
    },

    findAttachment,

    async listAttachments(applicationId, kind) {
      const rows = await database.all(
        `select * from attachment
         where application_id = ? and kind = ? and state <> 'receiving' order by number`,
        applicationId,
        kind,
      );
      return parseRows(attachmentSchema, rows);
    },
  };
}

const chunkSchema = z.object({ encrypted: blob });

/** Numbers, limits, and duplicates of an application are decided by one transaction at a time. */
function toLock(applicationId: string): string {
  return `application/${applicationId}`;
}

function* acceptsAttachments(applicationId: string): Transaction<boolean> {
  const rows = yield* query(
    `select id from application
     where id = ? and state not in ('rejected', 'erased') and erased_at is null`,
    applicationId,
  );
  return rows.length > 0;
}

const measureSchema = z.object({ count: z.int(), bytes: z.int() });

/** Counts the attachments of the same kind and application that count towards their limits. */
function* measureAttachments(
  { applicationId, kind }: Pick<NewAttachment, 'applicationId' | 'kind'>,
  which: 'all' | 'complete' = 'all',
): Transaction<z.infer<typeof measureSchema>> {
  const [row] = yield* query(
    `select count(*) as count, cast(coalesce(sum(bytes), 0) as bigint) as bytes from attachment
     where application_id = ? and kind = ? and state not in ('rejected', 'erased')
       and (state <> 'receiving' ${which === 'all' ? `or next_at > {now} - ${maxUploadMs}` : ''})`,
    applicationId,
    kind,
  );
  return parseRow(measureSchema, row);
}

function* findSame(
  { applicationId, kind }: Pick<NewAttachment, 'applicationId' | 'kind'>,
  fingerprint: string,
): Transaction<AttachmentRow | undefined> {
  const rows = yield* query(
    `select * from attachment where application_id = ? and kind = ? and fingerprint = ?
     and state not in ('rejected', 'erased')`,
    applicationId,
    kind,
    fingerprint,
  );
  return parseFirst(attachmentSchema, rows);
}

function* insertAttachment(attachment: NewAttachment): Transaction<void> {
  const { id, applicationId, kind, category, createdAt } = attachment;
  const row = { id, applicationId, kind, category, createdAt };
  yield* query(...toInsert('attachment', row, '{now}'));
}

/** `next_at` is null, and the attachment not due, until the application is accepted. */
function* complete(
  { id, applicationId, kind }: Pick<NewAttachment, 'id' | 'applicationId' | 'kind'>,
  completed: Pick<CompletedAttachment, 'bytes' | 'encryptedName'> & { fingerprint?: string },
): Transaction<AttachmentRow> {
  const [row] = yield* query(
    `update attachment set state = 'received', bytes = ?, fingerprint = ?, encrypted_name = ?,
       next_at = case when exists (
         select 1 from application where id = ? and state = 'accepted') then {now} end,
       number = 1 + (
         select coalesce(max(number), 0) from attachment where application_id = ? and kind = ?)
     where id = ? returning *`,
    completed.bytes,
    completed.fingerprint ?? null,
    completed.encryptedName ?? null,
    applicationId,
    applicationId,
    kind,
    id,
  );
  return parseRow(attachmentSchema, row);
}

/** Deletes some chunks of an incomplete attachment, and the attachment after the last. Returns true while chunks remain. */
function* discardChunks(id: string, forUpdate: Database['forUpdate']): Transaction<boolean> {
  const incomplete = yield* query(
    `select id from attachment where id = ? and state = 'receiving' ${forUpdate}`,
    id,
  );
  if (incomplete.length === 0) return false;
  const deleted = yield* query(
    `delete from chunk where attachment_id = ? and number in (
       select number from chunk where attachment_id = ? limit ${chunksPerDiscard})
     returning number`,
    id,
    id,
  );
  if (deleted.length === chunksPerDiscard) return true;
  yield* query('delete from attachment where id = ?', id);
  return false;
}
