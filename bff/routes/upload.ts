// Receives a document or a bank report: stores it in encrypted chunks, inspects it, and completes the attachment.

import { setImmediate } from 'node:timers/promises';
import type { Context } from 'hono';
import { readChunks } from '../documents/read-upload.ts';
import type { Uploader, UploadSemaphore } from '../documents/upload-semaphore.ts';
import type { FindClientAddress } from '../middleware/client-address.ts';
import type { BffEnv } from '../middleware/context.ts';
import { LoggedRefusal } from '../middleware/errors.ts';
import type { RateLimits } from '../middleware/rate-limits.ts';
import { AppError } from '../runtime/app-error.ts';
import { readContent, toChunkAad, type ApplicationCipher } from '../store/encryption.ts';
import type {
  ApplicationRow,
  AttachmentKind,
  AttachmentRow,
  NewAttachment,
  Store,
} from '../store/store.ts';
import { createClosedError } from './current-application.ts';
import type { TimeOptions } from './request-body.ts';

/** A multiple of three for Base64. Chunks of 1 MB raise the peak of memory during an upload by another 20 to 60 MB. */
const chunkBytes = 262_143;

/** An upload without data for this long is aborted. */
const idleTimeoutMs = 30_000;

const semaphoreRefusals = {
  session: { code: 'too-many-requests', limit: 'uploads-at-once-by-session', retryAfterSeconds: 2 },
  address: { code: 'too-many-requests', limit: 'uploads-at-once-by-address', retryAfterSeconds: 5 },
  process: { code: 'too-busy', limit: 'uploads-at-once', retryAfterSeconds: 10 },
} as const;

type UploadKind = Exclude<AttachmentKind, 'contact'>;

const uploadProblems = {
  document: {
    empty: 'document-empty',
    incomplete: 'document-incomplete',
    'too-large': 'document-too-large',
  },
  'bank-report': {
    empty: 'asset-report-invalid',
    incomplete: 'invalid-request',
    'too-large': 'too-large',
  },
} as const;

const quotaProblems = {
  'limit-reached': 'document-limit-reached',
  'size-limit-reached': 'document-space-exhausted',
} as const;

export interface Upload {
  readonly requestId: string;
  readonly uploader: Uploader;
  readonly application: ApplicationRow;
  readonly cipher: ApplicationCipher;
  readonly attachment: NewAttachment & { readonly kind: UploadKind };
  readonly source: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
  readonly expectedBytes: number;
  /** Maximum attachments of this kind in one application. */
  readonly limit: number;
  /** Maximum bytes of all attachments of this kind in one application. Default: no limit. */
  readonly maxTotalBytes?: number;
  /** Throws the error with which the upload is refused. */
  readonly checkFirstChunk?: (chunk: Uint8Array) => void;
  /** Throws the error with which the upload is refused. */
  readonly inspect: (upload: StoredUpload) => Promise<InspectedUpload>;
}

export interface StoredUpload {
  readonly content: () => AsyncIterable<Uint8Array>;
  readonly bytes: number;
  readonly sha256: string;
}

export interface InspectedUpload {
  readonly encryptedName?: Uint8Array;
  /** Two attachments of one kind and application with the same identity are the same attachment. */
  readonly identity: readonly string[];
}

export interface UploadOptions extends TimeOptions {
  readonly store: Store;
  readonly uploadSemaphore: UploadSemaphore;
  readonly rateLimits: RateLimits;
}

/**
 * Returns the stored attachment, which is an earlier one if the upload repeats it. Holds a permit of the semaphore until then.
 * An upload that is interrupted or refused leaves nothing in the store.
 */
export async function receiveAttachment(
  upload: Upload,
  options: UploadOptions,
): Promise<AttachmentRow> {
  const { requestId, uploader } = upload;
  const { rateLimits, uploadSemaphore } = options;
  const permit = uploadSemaphore.acquire(uploader);
  if (typeof permit === 'string') {
    const { code, limit, retryAfterSeconds } = semaphoreRefusals[permit];
    rateLimits.reportRateLimit(requestId, limit);
    throw new LoggedRefusal(code, { retryAfterSeconds });
  }
  try {
    await rateLimits.countUpload(requestId, uploader.sessionId);
    return await receive(upload, options);
  } finally {
    permit();
  }
}

async function receive(
  upload: Upload,
  { store, uploadSemaphore, clock, startTimer }: UploadOptions,
): Promise<AttachmentRow> {
  const { application, cipher, attachment, source, limit, maxTotalBytes } = upload;
  const { maxBytes, expectedBytes } = upload;
  const minRate = uploadSemaphore.minBytesPerSecond;
  const timeouts = { clock, startTimer, idleTimeoutMs, minRate };
  let hasBegun = false;
  let isCompleted = false;
  try {
    const readOptions = { maxBytes, expectedBytes, chunkBytes, timeouts };
    const end = await readChunks(source, readOptions, storeChunk);
    if (end.kind !== 'whole') throw new AppError(uploadProblems[attachment.kind][end.kind]);
    const { bytes, sha256 } = end;
    const stored = { bytes, sha256, content: () => readStored(bytes) };
    const { encryptedName, identity } = await upload.inspect(stored);
    const fingerprint = cipher.fingerprint(JSON.stringify(identity));
    const completed = { fingerprint, bytes, encryptedName, limit, maxTotalBytes };
    const result = await store.completeAttachment(attachment.id, completed);
    isCompleted = true;
    if ('attachment' in result) return result.attachment;
    if (result.kind === 'discarded') throw await createClosedError(store, application.id);
    throw new AppError(quotaProblems[result.kind]);
  } finally {
    if (hasBegun && !isCompleted) await store.discardAttachment(attachment.id);
  }

  async function storeChunk(chunk: Uint8Array, index: number): Promise<void> {
    if (index === 0) {
      upload.checkFirstChunk?.(chunk);
      await begin();
    }
    const encrypted = cipher.encrypt(toChunkAad(attachment.id, index), chunk);
    const isStored = await store.addChunk(attachment.id, index, encrypted);
    if (!isStored) throw await createClosedError(store, application.id);
  }

  async function begin(): Promise<void> {
    // Allows one more than the limit, because this upload may repeat an attachment. `completeAttachment` checks the limit.
    const begun = await store.beginAttachment(attachment, limit + 1);
    if (begun === 'limit-reached') throw new AppError('document-limit-reached');
    if (begun === 'closed') throw await createClosedError(store, application.id);
    hasBegun = true;
  }

  async function* readStored(bytes: number): AsyncGenerator<Uint8Array> {
    let read = 0;
    for await (const chunk of readContent(store, cipher, attachment.id)) {
      read += chunk.byteLength;
      yield chunk;
      // SQLite answers synchronously. This lets other requests run between two chunks.
      await setImmediate();
    }
    // The application was erased, together with the chunks.
    if (read !== bytes) throw await createClosedError(store, application.id);
  }
}

/** Returns the Content-Length in bytes. Browsers always send it for a file or a string. */
export function readUploadLength(c: Context<BffEnv>, kind: UploadKind, maxBytes: number): number {
  const text = c.req.header('content-length');
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw new AppError('document-length-required');
  }
  const length = Number(text);
  if (length === 0) throw new AppError(uploadProblems[kind].empty);
  if (length > maxBytes) throw new AppError(uploadProblems[kind]['too-large']);
  return length;
}

export function toUploader(c: Context<BffEnv>, findRateLimitAddress: FindClientAddress): Uploader {
  return { sessionId: c.get('session').row.id, address: findRateLimitAddress(c) };
}
