// Reading a request body: timeouts, the minimum rate, and chunks.

import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { minBytesPerSecond } from '../../../bff/documents/upload-semaphore.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import {
  getBody,
  graceMs,
  idleTimeoutMs,
  IncompleteBodyError,
  readBody,
  readChunks,
  type BodyTimeouts,
  type ReadChunksOptions,
} from '../../../bff/routes/request-body.ts';
import { createNoise } from '../../support/random.ts';
import { listen } from '../../support/servers.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';

describe('readBody', () => {
  let time: ManualTime;
  /** How far the clock was set forward or back. Timers do not follow it. */
  let shiftMs: number;

  beforeEach(() => {
    shiftMs = 0;
    time = createManualTime();
  });

  it('leaves no timer behind', async () => {
    expect(await countParts(createSource([wait(0, 3), wait(0, 2)]))).toBe(2);
    expect(time.listTimers()).toEqual([]);
  });

  it('throws after a wait of the idle timeout', async () => {
    const body = readBody(createSilentSource(), toTimeouts());
    const next = body.next();
    expect(time.listTimers()).toEqual([idleTimeoutMs]);
    time.advance(idleTimeoutMs);
    await expect(next).rejects.toThrow(IncompleteBodyError);
  });

  it('reads a body for any time at the minimum rate', async () => {
    const waits = Array.from({ length: 120 }, () => wait(10_000, 10 * minBytesPerSecond));
    expect(await countParts(createSource(waits))).toBe(120);
  });

  it('throws below the minimum rate, after the grace period', async () => {
    const waits = Array.from({ length: 100 }, () => wait(10_000, 10));
    await expectIncomplete(createSource(waits), graceMs / 10_000);
  });

  it('throws when the minimum rate has risen above the rate of the body', async () => {
    let minRate = minBytesPerSecond;
    const body = readBody(
      createSource(Array.from({ length: 20 }, () => wait(10_000, 10 * minBytesPerSecond))),
      toTimeouts({ minRate: () => minRate }),
    );
    for (let count = 0; count < 10; count += 1) await body.next();
    minRate = 8 * minBytesPerSecond;
    await expect(body.next()).rejects.toThrow(IncompleteBodyError);
  });

  it('does not wait longer when the clock is set back', async () => {
    const waits = Array.from({ length: 100 }, () => wait(10_000, 10));
    const source = createSource([wait(0, 10), shift(-3_600_000, 10), ...waits]);
    await expectIncomplete(source, 2 + graceMs / 10_000);
  });

  it('does not throw when the clock is set forward', async () => {
    const waits = Array.from({ length: 30 }, () => wait(10_000, 10 * minBytesPerSecond));
    expect(await countParts(createSource([...waits, shift(3_600_000, 10), ...waits]))).toBe(61);
  });

  it('throws after waits of the total timeout', async () => {
    const source = createSource([wait(20_000, 500_000), wait(20_000, 500_000)]);
    await expectIncomplete(source, 1, { totalTimeoutMs: 30_000 });
  });

  it('throws when the source fails', async () => {
    async function* failing() {
      yield new Uint8Array(1);
      throw new Error('aborted');
    }
    await expectIncomplete(failing(), 1);
  });

  interface Part {
    readonly before: () => void;
    readonly bytes: number;
  }

  function wait(ms: number, bytes: number): Part {
    return { before: () => time.advance(ms), bytes };
  }

  function shift(ms: number, bytes: number): Part {
    return { before: () => (shiftMs += ms), bytes };
  }

  async function* createSource(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
    for (const { before, bytes } of parts) {
      before();
      yield new Uint8Array(bytes);
    }
  }

  function createSilentSource(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
  }

  function toTimeouts(changes: Partial<BodyTimeouts> = {}): BodyTimeouts {
    const clock = () => time.clock() + shiftMs;
    return { ...time, clock, minRate: () => minBytesPerSecond, ...changes };
  }

  async function readInto(
    parts: Uint8Array[],
    source: AsyncIterable<Uint8Array>,
    changes?: Partial<BodyTimeouts>,
  ): Promise<void> {
    for await (const data of readBody(source, toTimeouts(changes))) parts.push(data);
  }

  async function countParts(source: AsyncIterable<Uint8Array>): Promise<number> {
    const parts: Uint8Array[] = [];
    await readInto(parts, source);
    return parts.length;
  }

  async function expectIncomplete(
    source: AsyncIterable<Uint8Array>,
    count: number,
    changes?: Partial<BodyTimeouts>,
  ): Promise<void> {
    const parts: Uint8Array[] = [];
    await expect(readInto(parts, source, changes)).rejects.toThrow(IncompleteBodyError);
    expect(parts).toHaveLength(count);
  }
});

describe('getBody', () => {
  it('frees the memory of data when the next is requested', async () => {
    const sizes: number[][] = [];
    const app = new Hono<BffEnv>().post('/path', async (c) => {
      const parts: Uint8Array[] = [];
      for await (const part of getBody(c)) {
        parts.push(part);
        sizes.push(parts.map(({ byteLength }) => byteLength));
      }
      return c.text('');
    });
    const server = createAdaptorServer({ fetch: app.fetch });
    const { url, close } = await listen(server);
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(1_000_000) });
    expect(answer.status).toBe(200);
    await close();
    expect(sizes.length).toBeGreaterThan(5);
    for (const [index, parts] of sizes.entries()) {
      expect(parts).toEqual([...Array.from({ length: index }, () => 0), expect.any(Number)]);
      expect(parts.at(-1)).toBeGreaterThan(0);
    }
  });
});

describe('readChunks', () => {
  it.each<[number, number[]]>([
    [0, []],
    [1, [1]],
    [5, [5]],
    [6, [6]],
    [7, [6, 1]],
    [12, [6, 6]],
    [13, [6, 6, 1]],
  ])('splits %i bytes into chunks of 6', async (bytes, sizes) => {
    const content = createNoise(bytes, 9);
    for (const partBytes of [1, 4, 6, 100]) {
      const source = split(content, partBytes);
      const chunks = await read(source, { expectedBytes: bytes, chunkBytes: 6 });
      expect(chunks.map(({ byteLength }) => byteLength)).toEqual(sizes);
      expect(Buffer.concat(chunks).equals(content)).toBe(true);
    }
  });

  it('reads a web stream', async () => {
    const content = createNoise(100, 2);
    const source = new Blob([content as Uint8Array<ArrayBuffer>]).stream();
    const chunks = await read(source, { expectedBytes: 100, chunkBytes: 30 });
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });

  it('copies data, because the source may reuse its memory', async () => {
    const shared = new Uint8Array([1, 2, 3]);
    async function* reusing() {
      yield shared;
      shared.fill(9);
      yield shared;
    }
    const chunks = await read(reusing(), { expectedBytes: 6, chunkBytes: 3 });
    expect(chunks.map((chunk) => [...chunk])).toEqual([
      [1, 2, 3],
      [9, 9, 9],
    ]);
  });

  it('uses one buffer for all chunks', async () => {
    const buffers = new Set<ArrayBufferLike>();
    const options = { ...defaults, expectedBytes: 14, chunkBytes: 6 };
    await readChunks(split(new Uint8Array(14), 5), options, ({ buffer }) => {
      buffers.add(buffer);
    });
    expect(buffers.size).toBe(1);
  });

  it.each([
    ['shorter', 9],
    ['longer', 7],
  ])('rejects a body that is %s than its Content-Length', async (_name, expectedBytes) => {
    const reading = read(split(new Uint8Array(8), 3), { expectedBytes });
    await expect(reading).rejects.toThrow(IncompleteBodyError);
  });

  it('rejects an interrupted body', async () => {
    async function* failing() {
      yield new Uint8Array(3);
      throw new Error('aborted');
    }
    const reading = read(failing(), { expectedBytes: 6, chunkBytes: 3 });
    await expect(reading).rejects.toThrow(IncompleteBodyError);
  });

  it('closes the source of a body that is too long', async () => {
    const source = createWatchedSource([new Uint8Array(3), new Uint8Array(3)]);
    await expect(read(source, { expectedBytes: 4 })).rejects.toThrow(IncompleteBodyError);
    expect(source.isClosed).toBe(true);
  });

  it('closes the source when a chunk cannot be stored', async () => {
    const source = createWatchedSource([new Uint8Array(3)]);
    const reading = readChunks(source, { ...defaults, expectedBytes: 3, chunkBytes: 3 }, () => {
      throw new Error('disk full');
    });
    await expect(reading).rejects.toThrow('disk full');
    expect(source.isClosed).toBe(true);
  });

  it('reads on only after a chunk is stored', async () => {
    const order: string[] = [];
    async function* source() {
      order.push('read 0');
      yield new Uint8Array(3);
      order.push('read 1');
      yield new Uint8Array(3);
    }
    const options = { ...defaults, expectedBytes: 6, chunkBytes: 3 };
    await readChunks(source(), options, async (_chunk, index) => {
      await Promise.resolve();
      order.push(`stored ${index}`);
    });
    expect(order).toEqual(['read 0', 'stored 0', 'read 1', 'stored 1']);
  });

  const defaults = {
    chunkBytes: 300,
    ...createManualTime(),
  };

  async function read(
    source: AsyncIterable<Uint8Array>,
    options: Pick<ReadChunksOptions, 'expectedBytes'> & Partial<ReadChunksOptions>,
  ) {
    const chunks: Uint8Array[] = [];
    await readChunks(source, { ...defaults, ...options }, (chunk) => {
      // The next chunk reuses the memory.
      chunks.push(chunk.slice());
    });
    return chunks;
  }

  async function* split(content: Uint8Array, partBytes: number) {
    for (let at = 0; at < content.byteLength; at += partBytes) {
      yield content.subarray(at, at + partBytes);
    }
  }

  function createWatchedSource(parts: readonly Uint8Array[]) {
    const source = {
      reads: 0,
      isClosed: false,
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = parts[source.reads];
          source.reads += 1;
          return Promise.resolve(value ? { value } : { done: true as const, value: undefined });
        },
        return: () => {
          source.isClosed = true;
          return Promise.resolve({ done: true as const, value: undefined });
        },
      }),
    };
    return source;
  }
});
