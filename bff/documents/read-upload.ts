// Cuts an incoming body into pieces of one size, counts and hashes it on the way, and stops at the limits.

import { createHash } from 'node:crypto';
import { collectStreamedBuffers } from '../runtime/buffer-collection.ts';
import type { StartTimer } from '../runtime/timers.ts';

export interface ReadChunksOptions {
  /** Bytes of one file; a longer body is refused as soon as that is known. */
  readonly maxBytes: number;
  /** The announced length (`Content-Length`). */
  readonly expectedBytes: number;
  /** A multiple of three, so that each piece becomes Base64 on its own. */
  readonly chunkBytes: number;
  readonly timeouts: BodyTimeouts;
}

/** How the reading ended. */
export type UploadEnd =
  | { readonly kind: 'whole'; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'too-large' | 'incomplete' };

/** Takes one piece, numbered from 0; each is memory of its own that may be kept. */
export type TakeChunk = (piece: Uint8Array, index: number) => Promise<void> | void;

/** Reads `source` to its end. All pieces but the last have `pieceBytes` bytes; an empty body has none. Throws what `take` throws. */
export async function readChunks(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, expectedBytes, chunkBytes, timeouts }: ReadChunksOptions,
  take: TakeChunk,
): Promise<UploadEnd> {
  if (expectedBytes > maxBytes) return { kind: 'too-large' };
  const buffer = createPieceBuffer(chunkBytes, expectedBytes);
  const hash = createHash('sha256');
  const chunks = createIncomingChunks(source, timeouts);
  let bytes = 0;
  let index = 0;
  try {
    for (;;) {
      const chunk = await chunks.next();
      if (chunk === 'broken') return { kind: 'incomplete' };
      if (chunk === 'end') break;
      bytes += chunk.byteLength;
      if (bytes > expectedBytes) return { kind: 'incomplete' };
      hash.update(chunk);
      for (const piece of buffer.add(chunk)) {
        await take(piece, index);
        index += 1;
        collectStreamedBuffers(piece.byteLength);
      }
    }
    if (bytes !== expectedBytes) return { kind: 'incomplete' };
    const rest = buffer.rest();
    if (rest) await take(rest, index);
    return { kind: 'whole', bytes, sha256: hash.digest('hex') };
  } finally {
    await chunks.close();
  }
}

interface PieceBuffer {
  /** The pieces that are full now. */
  readonly add: (chunk: Uint8Array) => Generator<Uint8Array>;
  readonly rest: () => Uint8Array | undefined;
}

/** `longest` is how much can come at most, so that a small file does not take a whole piece of memory. */
function createPieceBuffer(chunkBytes: number, longest: number): PieceBuffer {
  let remaining = longest;
  let piece = new Uint8Array(0);
  let filled = 0;

  function* add(chunk: Uint8Array): Generator<Uint8Array> {
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (filled === 0) piece = new Uint8Array(Math.min(chunkBytes, remaining));
      const part = rest.subarray(0, piece.byteLength - filled);
      piece.set(part, filled);
      filled += part.byteLength;
      remaining -= part.byteLength;
      rest = rest.subarray(part.byteLength);
      if (filled < chunkBytes) continue;
      filled = 0;
      yield piece;
    }
  }

  return { add, rest: () => (filled > 0 ? piece.subarray(0, filled) : undefined) };
}

/** How patient the reading is. Only the waiting counts, not what is done with a chunk. */
export interface BodyTimeouts {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  /** The longest wait for one chunk. */
  readonly idleTimeoutMs: number;
  /** The longest wait for all of them. Default: as long as the least rate takes. */
  readonly totalTimeoutMs?: number;
  /** The least rate by now, on average since the beginning; default `leastBytesPerSecond`. */
  readonly minRate?: () => number;
}

/** Slower than any line people apply over; a body of 10 MiB may take some 85 minutes. */
export const minBytesPerSecond = 2 * 1024;
/** Before the least rate counts: a line may begin badly. */
export const graceMs = 30_000;

export interface IncomingChunks {
  /** A body that breaks off or is given up is an expected end, whatever the error is. */
  next(): Promise<Uint8Array | 'end' | 'broken'>;
  /** Tells the source that no more is wanted; nothing when it has ended. */
  close(): Promise<void>;
}

/** Nothing is read before the first `next`. */
export function createIncomingChunks(
  source: AsyncIterable<Uint8Array>,
  timeouts: BodyTimeouts,
): IncomingChunks {
  const {
    clock,
    startTimer,
    idleTimeoutMs,
    totalTimeoutMs = Infinity,
    minRate = () => minBytesPerSecond,
  } = timeouts;
  const chunks = source[Symbol.asyncIterator]();
  let isOpen = true;
  let waitedMs = 0;
  let bytes = 0;

  async function waitForChunk(): Promise<Uint8Array | 'end' | 'broken'> {
    const limitMs = Math.min(idleTimeoutMs, totalTimeoutMs - waitedMs);
    const startedAt = clock();
    const chunk = await withLimit(chunks.next(), limitMs, startTimer);
    // A clock that was set back must not lengthen the patience, nor one that was set forward use it up: the timer,
    // which does not follow the clock, let no wait be longer than this.
    waitedMs += Math.min(limitMs, Math.max(0, clock() - startedAt));
    return chunk;
  }

  function isTooSlow(): boolean {
    if (totalTimeoutMs !== Infinity) return waitedMs >= totalTimeoutMs;
    return bytes < ((waitedMs - graceMs) / 1000) * minRate();
  }

  return {
    async next() {
      const chunk = await waitForChunk();
      if (chunk instanceof Uint8Array) bytes += chunk.byteLength;
      if (chunk instanceof Uint8Array && !isTooSlow()) return chunk;
      isOpen = chunk instanceof Uint8Array;
      return chunk === 'end' ? 'end' : 'broken';
    },

    async close() {
      if (isOpen) await chunks.return?.();
      isOpen = false;
    },
  };
}

/** A chunk given up is left to the connection's end: closing the source would wait for it as well. */
function withLimit(
  next: Promise<IteratorResult<Uint8Array>>,
  limitMs: number,
  startTimer: StartTimer,
): Promise<Uint8Array | 'end' | 'broken'> {
  return new Promise((resolve) => {
    const cancel = startTimer(limitMs, () => resolve('broken'));
    next.then(
      ({ done, value }) => {
        cancel();
        resolve(done ? 'end' : value);
      },
      () => {
        cancel();
        resolve('broken');
      },
    );
  });
}
