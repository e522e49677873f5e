// Reads request bodies with limits of size and time: JSON, and uploads in chunks of equal size.

import { Readable } from 'node:stream';
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { toFieldErrors } from '../../shared/application/field-errors.ts';
import type { BffEnv } from '../middleware/context.ts';
import { AppError } from '../runtime/app-error.ts';
import { freeChunks } from '../runtime/free-memory.ts';
import { parseStrictJson } from '../runtime/json.ts';
import type { StartTimer } from '../runtime/timers.ts';

/** Maximum wait for the next data. */
export const idleTimeoutMs = 30_000;
/** The minimum rate applies only after this time, because a connection may start slowly. */
export const graceMs = 30_000;
/** Maximum wait for a whole JSON body. */
const jsonTimeoutMs = 30_000;

interface Timers {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly startTimer: StartTimer;
}

/** Limits of the time that the BFF waits for data. The time in which it handles data does not count. */
export interface BodyTimeouts extends Timers {
  /** Maximum wait for the whole body. Default: none. */
  readonly totalTimeoutMs?: number;
  /** Current minimum of the average rate in bytes per second. Default: none. */
  readonly minRate?: () => number;
}

/** Throws `invalid-request`, with the fields that do not match, unless the body is JSON that the schema accepts. */
export async function readJson<Schema extends z.ZodMiniType>(
  c: Context<BffEnv>,
  schema: Schema,
  maxBytes: number,
  timers: Timers,
): Promise<z.infer<Schema>> {
  const json = parseStrictJson(await readBytes(c, maxBytes, timers));
  if (json === undefined) throw new AppError('invalid-request');
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid-request', { errors: toFieldErrors(parsed.error.issues) });
}

/** Throws `too-large`, or `invalid-request` if the client disconnects or sends too slowly. */
async function readBytes(
  c: Context<BffEnv>,
  maxBytes: number,
  timers: Timers,
): Promise<Uint8Array> {
  const announcedBytes = Number(c.req.header('content-length') ?? maxBytes);
  if (announcedBytes > maxBytes) throw new AppError('too-large');
  const arrived = takeArrivedBody(c, announcedBytes);
  if (arrived) return arrived;
  // A client that sends slowly must not take a permit from other requests.
  const permit = c.get('permit');
  permit?.release();
  // One buffer for all data: each stored part of one byte would take some hundred bytes of memory.
  const received = Buffer.alloc(announcedBytes > 0 ? announcedBytes : maxBytes);
  let bytes = 0;
  try {
    for await (const data of readBody(getBody(c), { ...timers, totalTimeoutMs: jsonTimeoutMs })) {
      if (bytes + data.byteLength > received.byteLength) throw new AppError('too-large');
      received.set(data, bytes);
      bytes += data.byteLength;
    }
  } catch (error) {
    throw error instanceof IncompleteBodyError ? new AppError('invalid-request') : error;
  }
  permit?.acquire();
  return received.subarray(0, bytes);
}

/**
 * Returns the body if all of it has arrived, as almost every JSON body does together with its headers. Then there is nothing to wait
 * for, and the iterator and the timers of `readBody` would take longer than the parser.
 */
function takeArrivedBody(c: Context<BffEnv>, bytes: number): Uint8Array | undefined {
  const incoming = c.env?.incoming;
  if (!(incoming instanceof Readable) || incoming.readableLength !== bytes) return undefined;
  const data: unknown = incoming.read();
  if (!(data instanceof Uint8Array)) return undefined;
  // The end of the stream follows. Nobody else reads it.
  incoming.resume();
  return data;
}

/**
 * Returns the body of a request. Node's own stream costs a tenth of the two web streams that a `Request` puts on top of it, which
 * copy all data. Without a server, as in tests, there is only the `Request`. The end of the iteration leaves the connection open,
 * for the response. Data is valid until the next data is requested: Node allocates memory for each part, and V8 would collect it
 * far too often.
 */
export function getBody(c: Context<BffEnv>): AsyncIterable<Uint8Array> {
  const incoming = c.env?.incoming;
  if (incoming instanceof Readable) {
    return freeChunks(incoming.iterator({ destroyOnReturn: false }));
  }
  return c.req.raw.body ?? Readable.from([]);
}

/** The client disconnected, sent too slowly, or sent another number of bytes than it announced. */
export class IncompleteBodyError extends Error {}

/** Throws an `IncompleteBodyError` if the source fails or exceeds a timeout. */
export async function* readBody(
  source: AsyncIterable<Uint8Array>,
  timeouts: BodyTimeouts,
): AsyncGenerator<Uint8Array> {
  const { clock, startTimer, totalTimeoutMs = Infinity, minRate = () => 0 } = timeouts;
  const iterator = source[Symbol.asyncIterator]();
  let isWaiting = true;
  let waitedMs = 0;
  let bytes = 0;

  async function readNext(): Promise<IteratorResult<Uint8Array> | undefined> {
    const limitMs = Math.min(idleTimeoutMs, totalTimeoutMs - waitedMs);
    const startedAt = clock();
    const late = Promise.withResolvers<undefined>();
    const cancel = startTimer(limitMs, () => late.resolve(undefined));
    try {
      return await Promise.race([iterator.next(), late.promise]);
    } catch {
      return undefined;
    } finally {
      cancel();
      // The clock may be set during the wait, but the timer proves that the wait took at most `limitMs`.
      waitedMs += Math.min(limitMs, Math.max(0, clock() - startedAt));
    }
  }

  function isTooSlow(): boolean {
    return waitedMs >= totalTimeoutMs || bytes < ((waitedMs - graceMs) / 1000) * minRate();
  }

  try {
    for (;;) {
      isWaiting = true;
      const next = await readNext();
      if (!next) throw new IncompleteBodyError();
      if (next.done) return;
      isWaiting = false;
      bytes += next.value.byteLength;
      if (isTooSlow()) throw new IncompleteBodyError();
      yield next.value;
    }
  } finally {
    // While data is pending, `return` would wait for it. The end of the connection then closes the source.
    if (!isWaiting) await iterator.return?.();
  }
}

export interface ReadChunksOptions extends BodyTimeouts {
  /** The value of Content-Length. */
  readonly expectedBytes: number;
  /** A multiple of three, so that each chunk can be converted to Base64 on its own. */
  readonly chunkBytes: number;
}

/**
 * Reads the source to its end. Each chunk except the last has `chunkBytes` bytes. An empty body has no chunks. Throws an
 * `IncompleteBodyError` like `readBody`, and if the body does not have the expected length.
 *
 * @param storeChunk called in order. The next data is read after it resolves. The chunk is valid only until then: the next chunk
 * reuses its memory, because a new buffer for each chunk costs page faults and garbage collections.
 */
export async function readChunks(
  source: AsyncIterable<Uint8Array>,
  options: ReadChunksOptions,
  storeChunk: (chunk: Uint8Array, index: number) => Promise<void> | void,
): Promise<void> {
  const { expectedBytes, chunkBytes } = options;
  let chunk = new Uint8Array(0);
  let filled = 0;
  let index = 0;
  let bytes = 0;

  async function add(data: Uint8Array): Promise<void> {
    for (let at = 0; at < data.byteLength;) {
      // The last chunk has the size of the rest, so that a small file does not allocate a whole chunk.
      if (filled === 0) {
        const size = Math.min(chunkBytes, expectedBytes - bytes);
        chunk = chunk.byteLength >= size ? chunk.subarray(0, size) : new Uint8Array(size);
      }
      const part = data.subarray(at, at + chunk.byteLength - filled);
      chunk.set(part, filled);
      filled += part.byteLength;
      bytes += part.byteLength;
      at += part.byteLength;
      if (filled < chunk.byteLength) return;
      await storeChunk(chunk, index);
      index += 1;
      filled = 0;
    }
  }

  for await (const data of readBody(source, options)) {
    if (bytes + data.byteLength > expectedBytes) throw new IncompleteBodyError();
    await add(data);
  }
  if (bytes < expectedBytes) throw new IncompleteBodyError();
}
