// Reads request bodies of the API up to a limit of length and of patience, and JSON strictly.

import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import { createIncomingChunks, type BodyTimeouts } from '../documents/read-upload.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { toStrictJson } from '../runtime/json.ts';
import type { StartTimer } from '../runtime/timers.ts';

/** Most bodies fit; what does not doubles it. */
const firstBytes = 16 * 1024;

export interface BodyLimits {
  /** Longer bodies are `too-large`, as soon as that is known. */
  readonly maxBytes: number;
  readonly timeouts: BodyTimeouts;
}

/**
 * The body as text, exactly; `undefined` when it is no UTF-8. A byte order mark stays, and is then no JSON. A body that
 * breaks off or comes too slowly is `invalid-request`: people lose their connection, and that is no fault of ours.
 */
export async function readText(
  c: Context<BffEnv>,
  limits: BodyLimits,
): Promise<string | undefined> {
  return toText(await readBytes(c, limits));
}

/** What the bytes say as UTF-8; `undefined` when they are none. A byte order mark stays. */
export function toText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The body as the schema's type; otherwise `invalid-request` with the fields that do not fit. */
export async function readJson<Schema extends z.ZodMiniType>(
  c: Context<BffEnv>,
  schema: Schema,
  limits: BodyLimits,
): Promise<z.infer<Schema>> {
  const text = await readText(c, limits);
  const json = text === undefined ? undefined : toStrictJson(text);
  if (json === undefined) throw new AppError('invalid-request');
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid-request', { errors: toFieldErrors(parsed.error.issues) });
}

/** The body whole, in one piece of memory of its own; fails as `readText`. */
async function readBytes(
  c: Context<BffEnv>,
  { maxBytes, timeouts }: BodyLimits,
): Promise<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw new AppError('too-large');
  const { body } = c.req.raw;
  if (body === null) return new Uint8Array(0);
  // What somebody sends slowly must not keep others from being served.
  const permit = c.get('permit');
  permit?.release();
  const chunks = createIncomingChunks(body, timeouts);
  // Copied into one buffer: a chunk of one byte, kept, takes some hundred.
  let read = Buffer.alloc(Math.min(firstBytes, maxBytes));
  let bytes = 0;
  try {
    for (;;) {
      const chunk = await chunks.next();
      if (chunk === 'end') {
        permit?.acquire();
        return read.subarray(0, bytes);
      }
      if (chunk === 'broken') throw new AppError('invalid-request');
      const start = bytes;
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new AppError('too-large');
      if (bytes > read.byteLength) {
        const grown = Math.min(maxBytes, Math.max(bytes, 2 * read.byteLength));
        read = Buffer.concat([read], grown);
      }
      read.set(chunk, start);
    }
  } finally {
    await chunks.close();
  }
}

export interface TimeOptions {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly startTimer: StartTimer;
}

/** A line without a sign of life for this long is gone. */
const idleTimeoutMs = 30_000;
const formMs = 30_000;

/**
 * Documents and asset reports: as long as it takes, while it comes.
 *
 * @param leastRate bytes a second by now
 */
export function toUploadTimeouts(
  { clock, startTimer }: TimeOptions,
  minRate: () => number,
): BodyTimeouts {
  return { clock, startTimer, idleTimeoutMs, minRate };
}

/** The small JSON of a form: in one go. */
export function toFormTimeouts({ clock, startTimer }: TimeOptions): BodyTimeouts {
  return { clock, startTimer, idleTimeoutMs, totalTimeoutMs: formMs };
}
