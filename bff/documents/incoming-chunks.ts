// Reads an incoming body chunk by chunk, and gives up one that breaks off, stalls, or comes too slowly to ever be whole.

import type { After } from '../after.ts';

/** How patient the reading is. Only the waiting counts, not what is done with a chunk. */
export interface Pace {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly after: After;
  /** The longest wait for one chunk. */
  readonly stallMs: number;
  /** The longest wait for all of them. Default: as long as the least rate takes. */
  readonly totalMs?: number;
  /** The least rate by now, on average since the beginning; default `leastBytesPerSecond`. */
  readonly leastRate?: () => number;
}

/** Slower than any line people apply over; a body of 10 MiB may take some 85 minutes. */
export const leastBytesPerSecond = 2 * 1024;
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
  pace: Pace,
): IncomingChunks {
  const { clock, after, stallMs, totalMs = Infinity, leastRate = () => leastBytesPerSecond } = pace;
  const chunks = source[Symbol.asyncIterator]();
  let isOpen = true;
  let waitedMs = 0;
  let bytes = 0;

  async function waitForChunk(): Promise<Uint8Array | 'end' | 'broken'> {
    const limitMs = Math.min(stallMs, totalMs - waitedMs);
    const startedAt = clock();
    const chunk = await withLimit(chunks.next(), limitMs, after);
    // A clock that was set back must not lengthen the patience, nor one that was set forward use it up: the timer,
    // which does not follow the clock, let no wait be longer than this.
    waitedMs += Math.min(limitMs, Math.max(0, clock() - startedAt));
    return chunk;
  }

  function isTooSlow(): boolean {
    if (totalMs !== Infinity) return waitedMs >= totalMs;
    return bytes < ((waitedMs - graceMs) / 1000) * leastRate();
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
  after: After,
): Promise<Uint8Array | 'end' | 'broken'> {
  return new Promise((resolve) => {
    const cancel = after(limitMs, () => resolve('broken'));
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
