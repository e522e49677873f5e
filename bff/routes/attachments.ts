// Attachments of an application: receives documents and bank reports, waits for their delivery, and reads their status.

import { setImmediate } from 'node:timers/promises';
import type { Context } from 'hono';
import type { DocumentStatus } from '../../shared/api/attachments.ts';
import type { UploadSemaphore } from '../documents/upload-semaphore.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { BffEnv } from '../middleware/context.ts';
import { LoggedRefusal } from '../middleware/errors.ts';
import { AppError } from '../runtime/app-error.ts';
import { createId } from '../runtime/ids.ts';
import {
  type ContentWriter,
  createContentWriter,
  findContentFile,
  readContent,
} from '../store/content.ts';
import type { EncryptedFile } from '../runtime/encrypted-file.ts';
import { encryptName, type StoredName } from '../store/encryption.ts';
import type { ApplicationRow, AttachmentKind, AttachmentRow, Store } from '../store/store.ts';
import { createClosedError } from './application.ts';
import { getBody, IncompleteBodyError, readChunks } from './request-body.ts';
import type { SubmissionDependencies } from './route-dependencies.ts';

/** A multiple of three for Base64. Chunks of 1 MB raise the peak of memory during an upload by another 20 to 60 MB. */
const chunkBytes = 262_143;

const semaphoreRefusals = {
  session: { code: 'too-many-requests', limit: 'uploads-at-once-by-session', retryAfterSeconds: 2 },
  address: { code: 'too-many-requests', limit: 'uploads-at-once-by-address', retryAfterSeconds: 5 },
  process: { code: 'too-busy', limit: 'uploads-at-once', retryAfterSeconds: 10 },
} as const;

const uploadProblems = {
  document: {
    empty: 'document-empty',
    incomplete: 'document-incomplete',
    tooLarge: 'document-too-large',
  },
  'bank-report': {
    empty: 'asset-report-invalid',
    incomplete: 'invalid-request',
    tooLarge: 'too-large',
  },
} as const;

const quotaProblems = {
  'limit-reached': 'document-limit-reached',
  'size-limit-reached': 'document-space-exhausted',
} as const;

type UploadKind = keyof typeof uploadProblems;

export interface Upload {
  readonly application: ApplicationRow;
  readonly kind: UploadKind;
  /** Id of a document category. Empty for a bank report. */
  readonly category: string;
  /** False if the category is a default. Default true. */
  readonly isCategoryChosen?: boolean;
  /** Milliseconds until the earliest delivery. The request does not wait for it. Default 0. */
  readonly holdMs?: number;
  readonly bytes: number;
  /** Maximum attachments of this kind in one application. */
  readonly limit: number;
  /** Maximum bytes of all attachments of this kind in one application. Default: no limit. */
  readonly maxTotalBytes?: number;
  /** The handoff of the phone that sends it. */
  readonly handoffId?: string | undefined;
  /** Throws the error with which the upload is refused. */
  readonly checkFirstChunk?: (chunk: Uint8Array) => void;
  /**
   * Throws the error with which the upload is refused. Two attachments with the same identity are the same attachment.
   *
   * @param contentTag equal for equal content, and secret.
   */
  readonly inspect: (
    content: StoredContent,
    contentTag: string,
  ) => Promise<{ readonly name?: StoredName; readonly identity: readonly string[] }>;
}

/** A whole upload in the store. */
export interface StoredContent {
  /** May be called again. */
  read(): AsyncIterable<Buffer>;
  /** Returns undefined if the upload is not in a file, or was erased. */
  findFile(): Promise<EncryptedFile | undefined>;
}

export interface UploadDependencies extends SubmissionDependencies {
  readonly uploadSemaphore: UploadSemaphore;
  readonly findRateLimitAddress: FindClientAddress;
}

/** Returns the Content-Length in bytes. Browsers always send it for a file or a string. */
export function readUploadLength(c: Context<BffEnv>, kind: UploadKind, maxBytes: number): number {
  const text = c.req.header('content-length');
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw new AppError('document-length-required');
  }
  const length = Number(text);
  if (length === 0) throw new AppError(uploadProblems[kind].empty);
  if (length > maxBytes) throw new AppError(uploadProblems[kind].tooLarge);
  return length;
}

/**
 * Stores the body of the request as an attachment, and waits for its delivery unless that is postponed. Returns an earlier
 * attachment if the upload repeats it. Holds a permit of the semaphore while it reads the body. An upload that is interrupted or
 * refused leaves nothing in the store.
 */
export async function receiveAttachment(
  c: Context<BffEnv>,
  options: UploadDependencies,
  upload: Upload,
): Promise<AttachmentRow> {
  const { rateLimits, uploadSemaphore } = options;
  const requestId = c.get('requestId');
  const sessionId = c.get('session').id;
  const address = options.findRateLimitAddress(c);
  const permit = uploadSemaphore.acquire({ sessionId, address });
  if (typeof permit === 'string') {
    const { code, limit, retryAfterSeconds } = semaphoreRefusals[permit];
    rateLimits.reportRateLimit(requestId, limit);
    throw new LoggedRefusal(code, { retryAfterSeconds });
  }
  let attachment: AttachmentRow;
  try {
    await rateLimits.countUpload(c);
    attachment = await receive(getBody(c), upload, options);
  } finally {
    permit();
  }
  if (upload.holdMs !== undefined && upload.holdMs > 0) {
    // The worker learns when the attachment becomes due.
    options.delivery.wake();
    return attachment;
  }
  return waitForAttachment(upload.application, attachment, options);
}

async function receive(
  source: AsyncIterable<Uint8Array>,
  upload: Upload,
  { store, encryption, uploadSemaphore, clock, startTimer }: UploadDependencies,
): Promise<AttachmentRow> {
  const { application, kind, category, bytes, limit, maxTotalBytes, handoffId } = upload;
  const applicationId = application.id;
  const cipher = encryption.unwrapKey(applicationId, application.key);
  const createdAt = clock();
  const id = createId(createdAt);
  const attachment = { id, applicationId, kind, category, createdAt, handoffId };
  const minRate = uploadSemaphore.minBytesPerSecond;
  const stored = { read: readStored, findFile: () => findContentFile(store, cipher, id) };
  const toTag = cipher.createTagger();
  const tags: string[] = [];
  let isIncomplete = false;
  let writer: ContentWriter | undefined;
  try {
    const readOptions = { expectedBytes: bytes, chunkBytes, clock, startTimer, minRate };
    await readChunks(source, readOptions, storeChunk);
    const [{ name, identity }] = await Promise.all([
      upload.inspect(stored, tags.join()),
      writer?.finish(),
    ]);
    const result = await store.completeAttachment(id, {
      fingerprint: cipher.fingerprint(JSON.stringify(identity)),
      bytes,
      encryptedName: name && encryptName(cipher, id, name),
      limit,
      maxTotalBytes,
      holdMs: upload.holdMs,
      isCategoryChosen: upload.isCategoryChosen,
    });
    isIncomplete = false;
    if ('attachment' in result) return result.attachment;
    if (result.kind === 'discarded') throw await createClosedError(store, applicationId);
    throw new AppError(quotaProblems[result.kind]);
  } catch (error) {
    if (error instanceof IncompleteBodyError) throw new AppError(uploadProblems[kind].incomplete);
    throw error;
  } finally {
    await writer?.close();
    if (isIncomplete) await store.discardAttachment(id);
  }

  async function storeChunk(chunk: Uint8Array, index: number): Promise<void> {
    if (index === 0) {
      upload.checkFirstChunk?.(chunk);
      // Allows one more than the limit, because this upload may repeat an attachment. `completeAttachment` checks the limit.
      const begun = await store.beginAttachment(attachment, limit + 1);
      if (begun === 'limit-reached') throw new AppError('document-limit-reached');
      if (begun === 'closed') throw await createClosedError(store, applicationId);
      isIncomplete = true;
      writer = await createContentWriter(store, cipher, id, chunkBytes);
    }
    tags.push(toTag(chunk));
    const isStored = await writer?.write(chunk);
    if (!isStored) throw await createClosedError(store, applicationId);
  }

  async function* readStored(): AsyncGenerator<Buffer> {
    let read = 0;
    for await (const chunk of readContent(store, cipher, id)) {
      read += chunk.byteLength;
      yield chunk;
      // SQLite answers synchronously. This lets other requests run between two chunks.
      await setImmediate();
    }
    // The application was erased, together with the chunks.
    if (read !== bytes) throw await createClosedError(store, applicationId);
  }
}

/** Waits for the delivery of an attachment, and returns its row. Before the application is accepted, nothing is delivered. */
export async function waitForAttachment(
  application: ApplicationRow,
  attachment: AttachmentRow,
  { store, delivery, getResultTimeoutMs }: SubmissionDependencies,
): Promise<AttachmentRow> {
  delivery.wake();
  if (application.state !== 'accepted') return attachment;
  await delivery.waitForResult(attachment, getResultTimeoutMs());
  const current = await store.findAttachment(attachment.id);
  if (!current) throw new RangeError('The store has lost an attachment');
  return current;
}

/** Lists the attachments of a kind, without erased ones. */
export async function listAttachments(
  store: Store,
  { id }: ApplicationRow,
  kind: AttachmentKind,
): Promise<AttachmentRow[]> {
  const attachments = await store.listAttachments(id, kind);
  return attachments.filter(({ state }) => state !== 'erased');
}

export function toDeliveryStatus({ state }: AttachmentRow): DocumentStatus['status'] {
  if (state === 'accepted') return 'delivered';
  return state === 'rejected' ? 'rejected' : 'received';
}
