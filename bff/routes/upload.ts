// Takes a document or asset report into the store piece by piece, and looks at it whole before it counts.

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

/**
 * A multiple of three below 256 KiB. Larger pieces become strings and buffers that wait for a full collection: a 25 MB file
 * in 1 MB pieces raises the process's memory by 60 to 100 MB, in these by 40.
 */
const chunkBytes = 262_143;

/** An upload without data for this long is aborted. */
const idleTimeoutMs = 30_000;

/** A place is free again as soon as an upload ends; many are under way where all are taken. */
const semaphoreRefusals = {
  'session-full': {
    code: 'too-many-requests',
    limit: 'uploads-at-once-by-session',
    retryAfterSeconds: 2,
  },
  'address-full': {
    code: 'too-many-requests',
    limit: 'uploads-at-once-by-address',
    retryAfterSeconds: 5,
  },
  'process-full': { code: 'too-busy', limit: 'uploads-at-once', retryAfterSeconds: 10 },
} as const;

export type UploadKind = Exclude<AttachmentKind, 'contact'>;

/** How it is told that one did not come as it should have. */
export const uploadProblems = {
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

/** How it is told that an application has enough already. */
const excessProblems = {
  'limit-reached': 'document-limit-reached',
  'size-limit-reached': 'document-space-exhausted',
} as const;

/** What the whole of an upload says about it. */
export interface Inspected {
  /** Default: it has no name. */
  readonly encryptedName?: Uint8Array;
  /** What makes two of its kind and application the same. */
  readonly sameness: readonly string[];
}

export interface Incoming {
  readonly requestId: string;
  readonly uploader: Uploader;
  readonly application: ApplicationRow;
  readonly cipher: ApplicationCipher;
  readonly source: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
  readonly expectedBytes: number;
  /** How many of its kind one application may have. */
  readonly limit: number;
  /** How many bytes all of its kind may have together; default no matter how many. */
  readonly maxTotalBytes?: number;
  readonly attachment: NewAttachment & { readonly kind: UploadKind };
  /** Looks at the first piece; throws what refuses it. Default: it is not looked at. */
  readonly checkSignature?: (first: Uint8Array) => void;
  /** Looks at the whole; throws what refuses it. */
  readonly inspect: (whole: StoredUpload) => Promise<Inspected>;
}

export interface StoredUpload {
  /** Others have their turn between two pieces. */
  readonly content: () => AsyncIterable<Uint8Array>;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * The child as it is kept from now on; the same content twice is one child. It takes one of the places for uploads until
 * then. What breaks off or is refused leaves nothing behind, and memory does not grow with the length.
 */
export async function receiveAttachment(
  incoming: Incoming,
  options: UploadOptions,
): Promise<AttachmentRow> {
  const { requestId, uploader } = incoming;
  const release = acquireUploadPermit(incoming, options);
  try {
    await options.rateLimits.countUpload(requestId, uploader.sessionId);
    return await receive(incoming, options);
  } finally {
    release();
  }
}

export interface UploadOptions extends TimeOptions {
  readonly store: Store;
  readonly uploadSemaphore: UploadSemaphore;
  readonly rateLimits: RateLimits;
}

function acquireUploadPermit(
  { requestId, uploader }: Incoming,
  { uploadSemaphore, rateLimits }: UploadOptions,
): () => void {
  const place = uploadSemaphore.take(uploader);
  if (typeof place === 'function') return place;
  const { code, limit, retryAfterSeconds } = semaphoreRefusals[place];
  rateLimits.reportRateLimit(requestId, limit);
  throw new LoggedRefusal(code, { retryAfterSeconds });
}

async function receive(incoming: Incoming, options: UploadOptions): Promise<AttachmentRow> {
  const { store, uploadSemaphore } = options;
  const { application, cipher, attachment, source, maxBytes, expectedBytes } = incoming;
  const { limit, maxTotalBytes } = incoming;
  const problems = uploadProblems[attachment.kind];
  const timeouts = {
    clock: options.clock,
    startTimer: options.startTimer,
    idleTimeoutMs,
    minRate: uploadSemaphore.minBytesPerSecond,
  };
  let hasBegun = false;
  let isComplete = false;
  try {
    const limits = { maxBytes, expectedBytes, chunkBytes, timeouts };
    const end = await readChunks(source, limits, storeChunk);
    if (end.kind !== 'whole') throw new AppError(problems[end.kind]);
    if (!hasBegun) throw new AppError(problems.empty);
    const { bytes, sha256 } = end;
    const whole = { bytes, sha256, content: () => readStored(bytes) };
    const { encryptedName, sameness } = await incoming.inspect(whole);
    const fingerprint = cipher.fingerprint(JSON.stringify(sameness));
    const completed = { fingerprint, bytes, encryptedName, limit, maxTotalBytes };
    const result = await store.completeAttachment(attachment.id, completed);
    isComplete = true;
    if ('attachment' in result) return result.attachment;
    if (result.kind === 'discarded') throw await createClosedError(store, application.id);
    throw new AppError(excessProblems[result.kind]);
  } finally {
    if (hasBegun && !isComplete) await store.discardAttachment(attachment.id);
  }

  async function storeChunk(piece: Uint8Array, index: number): Promise<void> {
    if (index === 0) {
      incoming.checkSignature?.(piece);
      await begin();
    }
    const encrypted = cipher.encrypt(toChunkAad(attachment.id, index), piece);
    const isKept = await store.addChunk(attachment.id, index, encrypted);
    if (!isKept) throw await createClosedError(store, application.id);
  }

  async function begin(): Promise<void> {
    // One more than the limit is let in: it may be the last one again. Whether it is shows when it is whole.
    const begun = await store.beginAttachment(attachment, limit + 1);
    if (begun === 'limit-reached') throw new AppError('document-limit-reached');
    if (begun === 'closed') throw await createClosedError(store, application.id);
    hasBegun = true;
  }

  async function* readStored(bytes: number): AsyncGenerator<Uint8Array> {
    let read = 0;
    for await (const piece of readContent(store, cipher, attachment.id)) {
      read += piece.byteLength;
      yield piece;
      // A store in this process answers without giving a turn.
      await setImmediate();
    }
    // Its pieces went with the application, which is no fault of the document.
    if (read !== bytes) throw await createClosedError(store, application.id);
  }
}

/** Bytes, from 1 to the limit. Browsers always send the length of a file or a text. */
export function readUploadLength(c: Context<BffEnv>, kind: UploadKind, maxBytes: number): number {
  const text = c.req.header('content-length');
  if (text === undefined || !/^\d{1,15}$/.test(text))
    throw new AppError('document-length-required');
  const length = Number(text);
  if (length === 0) throw new AppError(uploadProblems[kind].empty);
  if (length > maxBytes) throw new AppError(uploadProblems[kind]['too-large']);
  return length;
}

export function toUploader(c: Context<BffEnv>, findRateLimitAddress: FindClientAddress): Uploader {
  return { sessionId: c.get('session').row.id, address: findRateLimitAddress(c) };
}
