// Reading a request body: timeouts, the minimum rate, chunks, and JSON.

import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { minBytesPerSecond } from '../../../bff/documents/upload-semaphore.ts';
import type { BffEnv } from '../../../bff/middleware/context.ts';
import {
  getBody,
  graceMs,
  idleTimeoutMs,
  IncompleteBodyError,
  readBody,
  readChunks,
  readJson,
  type BodyTimeouts,
  type ReadChunksOptions,
} from '../../../bff/routes/request-body.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { createNoise } from '../../support/random.ts';
import { listen } from '../../support/servers.ts';

async function* failing(first: Uint8Array): AsyncGenerator<Uint8Array> {
  yield first;
  throw new Error('aborted');
}

describe('readBody', () => {
  let time: ManualTime;
  /** How far the clock was set forward or back. Timers do not follow it. */
  let shiftMs: number;

  beforeEach(() => {
    shiftMs = 0;
    time = createManualTime();
  });

  it('throws after a wait of the idle timeout', async () => {
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
    const next = readBody(silent as AsyncIterable<Uint8Array>, toTimeouts()).next();
    time.advance(idleTimeoutMs);
    await expect(next).rejects.toThrow(IncompleteBodyError);
  });

  const slow = 10;
  const fast = 10 * minBytesPerSecond;
  it.each<[string, () => Part[], number, Partial<BodyTimeouts>?]>([
    ['below the minimum rate, after the grace period', () => wait(100, slow), graceMs / 10_000],
    [
      'below the minimum rate, although the clock is set back',
      () => [shift(-3_600_000), ...wait(100, slow)],
      1 + graceMs / 10_000,
    ],
    ['after waits of the total timeout', () => wait(4, 500_000), 2, { totalTimeoutMs: 25_000 }],
  ])('throws %s', async (_when, toParts, count, changes) => {
    expect(await readAll(toParts(), changes)).toEqual({ count, isComplete: false });
  });

  it.each<[string, () => Part[], number]>([
    ['for any time at the minimum rate', () => wait(120, fast), 120],
    [
      'while the clock is set forward',
      () => [...wait(30, fast), shift(3_600_000), ...wait(30, fast)],
      61,
    ],
  ])('reads a body %s', async (_when, toParts, count) => {
    expect(await readAll(toParts())).toEqual({ count, isComplete: true });
  });

  it('throws when the minimum rate has risen above the rate of the body', async () => {
    let minRate = minBytesPerSecond;
    const body = readBody(createSource(wait(20, fast)), toTimeouts({ minRate: () => minRate }));
    for (let count = 0; count < 10; count += 1) await body.next();
    minRate = 8 * minBytesPerSecond;
    await expect(body.next()).rejects.toThrow(IncompleteBodyError);
  });

  it('throws when the source fails', async () => {
    const body = readBody(failing(new Uint8Array(1)), toTimeouts());
    await body.next();
    await expect(body.next()).rejects.toThrow(IncompleteBodyError);
  });

  interface Part {
    readonly before: () => void;
    readonly bytes: number;
  }

  /** Parts that each arrive after 10 s. */
  function wait(count: number, bytes: number): Part[] {
    return Array.from({ length: count }, () => ({ before: () => time.advance(10_000), bytes }));
  }

  function shift(ms: number): Part {
    return { before: () => (shiftMs += ms), bytes: 10 };
  }

  async function* createSource(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
    for (const { before, bytes } of parts) {
      before();
      yield new Uint8Array(bytes);
    }
  }

  function toTimeouts(changes: Partial<BodyTimeouts> = {}): BodyTimeouts {
    const clock = () => time.clock() + shiftMs;
    return { ...time, clock, minRate: () => minBytesPerSecond, ...changes };
  }

  async function readAll(parts: readonly Part[], changes?: Partial<BodyTimeouts>) {
    let count = 0;
    try {
      const body = readBody(createSource(parts), toTimeouts(changes));
      while (!(await body.next()).done) count += 1;
      // A timer that is left behind would keep the request in memory.
      return { count, isComplete: time.listTimers().length === 0 };
    } catch (error) {
      if (!(error instanceof IncompleteBodyError)) throw error;
      return { count, isComplete: false };
    }
  }
});

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
  const { url, close } = await listen(createAdaptorServer({ fetch: app.fetch }));
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(1_000_000) });
  expect(answer.status).toBe(200);
  await close();
  expect(sizes.length).toBeGreaterThan(5);
  for (const parts of sizes) {
    expect(parts.filter((bytes) => bytes > 0)).toEqual([parts.at(-1)]);
  }
});

describe('readChunks', () => {
  it.each<[number, number[]]>([
    [0, []],
    [5, [5]],
    [6, [6]],
    [7, [6, 1]],
    [12, [6, 6]],
  ])('splits %i bytes into chunks of 6', async (bytes, sizes) => {
    const content = createNoise(bytes, 9);
    for (const partBytes of [1, 4, 6, 100]) {
      const source = split(content, partBytes);
      const chunks = await read(source, { expectedBytes: bytes, chunkBytes: 6 });
      expect(chunks.map(({ byteLength }) => byteLength)).toEqual(sizes);
      expect(Buffer.concat(chunks).equals(content)).toBe(true);
    }
  });

  it('copies data, because the source may reuse its memory', async () => {
    const shared = new Uint8Array([1, 2, 3]);
    async function* reusing() {
      yield shared.subarray(0, 2);
      shared.fill(9);
      yield shared.subarray(0, 2);
    }
    const chunks = await read(reusing(), { expectedBytes: 4, chunkBytes: 4 });
    expect(chunks.map((chunk) => [...chunk])).toEqual([[1, 2, 9, 9]]);
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
    ['is shorter than its Content-Length', () => split(new Uint8Array(8), 3), 9],
    ['is longer than its Content-Length', () => split(new Uint8Array(8), 3), 7],
    ['fails', () => failing(new Uint8Array(3)), 6],
  ])('rejects a body that %s', async (_how, createSource, expectedBytes) => {
    const reading = read(createSource(), { expectedBytes, chunkBytes: 3 });
    await expect(reading).rejects.toThrow(IncompleteBodyError);
  });

  it.each([
    ['of a body that is too long', 4, IncompleteBodyError],
    ['when a chunk cannot be stored', 6, 'disk full'],
  ])('closes the source %s', async (_when, expectedBytes, error) => {
    let isClosed = false;
    async function* source() {
      try {
        yield* split(new Uint8Array(6), 3);
      } finally {
        isClosed = true;
      }
    }
    const reading = readChunks(source(), { ...defaults, expectedBytes, chunkBytes: 6 }, () => {
      throw new Error('disk full');
    });
    await expect(reading).rejects.toThrow(error);
    expect(isClosed).toBe(true);
  });

  it('reads on only after a chunk is stored', async () => {
    const order: string[] = [];
    async function* source() {
      for (const part of [0, 1]) {
        order.push(`read ${part}`);
        yield new Uint8Array(3);
      }
    }
    const options = { ...defaults, expectedBytes: 6, chunkBytes: 3 };
    await readChunks(source(), options, async (_chunk, index) => {
      await Promise.resolve();
      order.push(`stored ${index}`);
    });
    expect(order).toEqual(['read 0', 'stored 0', 'read 1', 'stored 1']);
  });

  const defaults = { chunkBytes: 300, ...createManualTime() };

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
});

describe('readJson', () => {
  const maxBytes = 50_000;

  it.each([2, 16_384, maxBytes])('reads a body of %i chunks of one byte', async (bytes) => {
    const text = 'The quick brown fox. '.repeat(3_000).slice(0, bytes - 2);
    expect(await read(byteByByte(`"${text}"`), z.string())).toBe(text);
  });

  it('returns what the schema accepts', async () => {
    const schema = z.looseObject({ name: z.string() });
    expect(await read('{"name":"Dana","more":[1]}', schema)).toEqual({ name: 'Dana', more: [1] });
  });

  it.each([
    ['one byte more than the limit', byteByByte(`"${'x'.repeat(maxBytes - 1)}"`), 'too-large'],
    ['incomplete JSON', '{"name":"Dana"', 'invalid-request'],
    ['a duplicate name', '{"name":"Dana","name":"Rosa"}', 'invalid-request'],
  ])('rejects %s', async (_what, body, code) => {
    await expect(read(body, z.unknown())).rejects.toThrow(code);
  });

  /** All chunks share one byte of memory, so that a chunk that was not copied is wrong. */
  function byteByByte(text: string): ReadableStream<Uint8Array> {
    const chunk = new Uint8Array(1);
    let sent = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (sent === text.length) return controller.close();
          chunk[0] = text.charCodeAt(sent);
          sent += 1;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
  }

  async function read(body: BodyInit, schema: z.ZodMiniType): Promise<unknown> {
    const time = createManualTime();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const app = new Hono<BffEnv>().post('/', async (c) => {
      await readJson(c, schema, maxBytes, time).then(resolve, reject);
      return c.body(null, 204);
    });
    await app.request('/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    return promise;
  }
});
