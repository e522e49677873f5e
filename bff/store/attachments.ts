// Attachments (documents, bank reports, and contact requests) and the chunks of their content.

import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { insertConsents } from './applications.ts';
import type { ContentFiles } from './content-files.ts';
import { type Database, sql, type Transaction } from './database.ts';
import { isOpenApplication, toApplicationLock } from './application-lock.ts';
import { parseFirst, parseRow, parseRows } from './rows.ts';
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

type Completion = Awaited<ReturnType<AttachmentStore['completeAttachment']>>;

export function createAttachmentStore(
  database: Database,
  contentFiles: ContentFiles | undefined,
): AttachmentStore {
  async function findAttachment(id: string): Promise<AttachmentRow | undefined> {
    const rows = await database.all(sql`select * from attachment where id = ${id}`);
    return parseFirst(attachmentSchema, rows);
  }

  async function discardAttachment(id: string): Promise<void> {
    while (await database.transaction(() => discardChunks(id))) await setImmediate();
    await contentFiles?.remove(id);
  }

  return {
    contentFiles,

    beginAttachment(attachment, limit) {
      return database.transaction(
        function* () {
          if (!(yield* isOpenApplication(attachment.applicationId))) return 'closed';
          const { count } = yield* measureAttachments(attachment);
          if (count >= limit) return 'limit-reached';
          yield insertAttachment(attachment);
          return 'begun';
        },
        [toApplicationLock(attachment.applicationId)],
      );
    },

    async addChunk(attachmentId, number, encrypted) {
      const rows = await database.all(sql`
        insert into chunk (attachment_id, number, encrypted)
        select id, ${number}, ${encrypted} from attachment
        where id = ${attachmentId} and state = 'receiving' for update
        returning number`);
      return rows.length > 0;
    },

    async readChunk(attachmentId, number) {
      const rows = await database.all(sql`
        select encrypted from chunk where attachment_id = ${attachmentId} and number = ${number}`);
      return parseFirst(chunkSchema, rows)?.encrypted;
    },

    async completeAttachment(attachmentId, completed) {
      const begun = await findAttachment(attachmentId);
      if (begun === undefined) return { kind: 'discarded' };
      const completion = await database.transaction<Completion>(
        function* () {
          const rows = yield sql`
            select id from attachment where id = ${attachmentId} and state = 'receiving'`;
          if (rows.length === 0) return { kind: 'discarded' };
          const same = yield* findSame(begun, completed.fingerprint);
          if (same) return { kind: 'same', attachment: same };
          const { limit, maxTotalBytes = Infinity } = completed;
          const { count, bytes } = yield* measureAttachments(begun, 'complete');
          if (count >= limit) return { kind: 'limit-reached' };
          if (bytes + completed.bytes > maxTotalBytes) return { kind: 'size-limit-reached' };
          return { kind: 'added', attachment: yield* complete(begun, completed) };
        },
        [toApplicationLock(begun.applicationId)],
      );
      if (completion.kind !== 'added') await discardAttachment(attachmentId);
      return completion;
    },

    discardAttachment,

    changeCategory(applicationId, number, category, holdMs, handoffId) {
      return database.transaction(
        function* () {
          const document = yield* lockDocument(applicationId, number, handoffId);
          if (!document || document.state === 'erased') return { kind: 'not-found' };
          if (document.state !== 'received') return { kind: 'sent' };
          const releaseAt = sql`{now} + ${holdMs}`;
          const [row] = yield sql`
            update attachment set category = ${category}, is_category_chosen = 1,
              release_at = ${releaseAt},
              next_at = case when next_at is null then null else ${releaseAt} end
            where id = ${document.id} returning *`;
          return { kind: 'changed', attachment: parseRow(attachmentSchema, row) };
        },
        [toApplicationLock(applicationId)],
      );
    },

    withdrawDocument(applicationId, number, handoffId) {
      return database.transaction(
        function* () {
          const document = yield* lockDocument(applicationId, number, handoffId);
          if (!document) return { kind: 'not-found' };
          if (document.state !== 'received' && document.state !== 'erased') return { kind: 'sent' };
          const [row] = yield sql`
            update attachment set state = 'erased', encrypted_name = null, fingerprint = null,
              next_at = null, finished_at = coalesce(finished_at, {now})
            where id = ${document.id} returning *`;
          yield sql`delete from chunk where attachment_id = ${document.id}`;
          return { kind: 'changed', attachment: parseRow(attachmentSchema, row) };
        },
        [toApplicationLock(applicationId)],
      );
    },

    addContactRequest({ id, applicationId, createdAt }, consent) {
      return database.transaction(
        function* () {
          if (!(yield* isOpenApplication(applicationId))) return { kind: 'closed' };
          yield insertConsents([consent]);
          const rows = yield sql`
            select * from attachment where application_id = ${applicationId} and kind = 'contact'
              and state in ('received', 'sending', 'waiting', 'held')`;
          const pending = parseFirst(attachmentSchema, rows);
          if (pending !== undefined) return { kind: 'pending', attachment: pending };
          const request = { id, applicationId, createdAt, kind: 'contact', category: '' } as const;
          yield insertAttachment(request);
          return { kind: 'added', attachment: yield* complete(request, { bytes: 0 }) };
        },
        [toApplicationLock(applicationId)],
      );
    },

    findAttachment,

    async listAttachments(applicationId, kind) {
      const rows = await database.all(sql`
        select * from attachment
        where application_id = ${applicationId} and kind = ${kind} and state <> 'receiving'
        order by number`);
      return parseRows(attachmentSchema, rows);
    },
  };
}

const chunkSchema = z.object({ encrypted: blob });

const measureSchema = z.object({ count: z.int(), bytes: z.int() });

/** Counts the attachments of the same kind and application that count towards their limits. */
function* measureAttachments(
  { applicationId, kind }: Pick<NewAttachment, 'applicationId' | 'kind'>,
  which: 'all' | 'complete' = 'all',
): Transaction<z.infer<typeof measureSchema>> {
  const orRecent = which === 'all' ? sql`or next_at > {now} - ${maxUploadMs}` : sql``;
  const [row] = yield sql`
    select count(*) as count, cast(coalesce(sum(bytes), 0) as bigint) as bytes from attachment
    where application_id = ${applicationId} and kind = ${kind}
      and state not in ('rejected', 'erased') and (state <> 'receiving' ${orRecent})`;
  return parseRow(measureSchema, row);
}

function* findSame(
  { applicationId, kind }: Pick<NewAttachment, 'applicationId' | 'kind'>,
  fingerprint: string,
): Transaction<AttachmentRow | undefined> {
  const rows = yield sql`
    select * from attachment
    where application_id = ${applicationId} and kind = ${kind} and fingerprint = ${fingerprint}
      and state not in ('rejected', 'erased')`;
  return parseFirst(attachmentSchema, rows);
}

/** Finds a complete document. Locks its row, so that no worker claims it before the transaction ends. */
function* lockDocument(
  applicationId: string,
  number: number,
  handoffId: string | undefined,
): Transaction<AttachmentRow | undefined> {
  const isFromPhone = handoffId === undefined ? sql`` : sql`and handoff_id = ${handoffId}`;
  const rows = yield sql`
    select * from attachment
    where application_id = ${applicationId} and kind = 'document' and number = ${number}
      and state <> 'receiving' ${isFromPhone} for update`;
  return parseFirst(attachmentSchema, rows);
}

function insertAttachment(attachment: NewAttachment) {
  const { id, applicationId, kind, category, createdAt, handoffId } = attachment;
  return sql`
    insert into attachment (id, application_id, kind, category, created_at, handoff_id, next_at)
    values (${id}, ${applicationId}, ${kind}, ${category}, ${createdAt}, ${handoffId}, {now})`;
}

/** `next_at` is null, and the attachment not due, until the application is accepted. */
function* complete(
  { id, applicationId, kind }: Pick<NewAttachment, 'id' | 'applicationId' | 'kind'>,
  completed: Omit<Partial<CompletedAttachment>, 'limit' | 'maxTotalBytes'> & { bytes: number },
): Transaction<AttachmentRow> {
  const { bytes, fingerprint, encryptedName, holdMs = 0, isCategoryChosen = true } = completed;
  const releaseAt = sql`{now} + ${holdMs}`;
  const [row] = yield sql`
    update attachment set state = 'received', bytes = ${bytes},
      fingerprint = ${fingerprint}, encrypted_name = ${encryptedName},
      is_category_chosen = ${Number(isCategoryChosen)}, release_at = ${releaseAt},
      next_at = case when exists (
        select 1 from application where id = ${applicationId} and state = 'accepted')
        then ${releaseAt} end,
      number = 1 + (select coalesce(max(number), 0) from attachment
        where application_id = ${applicationId} and kind = ${kind})
    where id = ${id} returning *`;
  return parseRow(attachmentSchema, row);
}

/** Deletes some chunks of an incomplete attachment, and the attachment after the last. Returns true while chunks remain. */
function* discardChunks(id: string): Transaction<boolean> {
  const incomplete = yield sql`
    select id from attachment where id = ${id} and state = 'receiving' for update`;
  if (incomplete.length === 0) return false;
  const deleted = yield sql`
    delete from chunk where attachment_id = ${id} and number in (
      select number from chunk where attachment_id = ${id} limit ${chunksPerDiscard})
    returning number`;
  if (deleted.length === chunksPerDiscard) return true;
  yield sql`delete from attachment where id = ${id}`;
  return false;
}
