// How long a body that comes slowly, or not at all, is waited for.

import { beforeEach, describe, expect, it } from 'vitest';
import {
  createIncomingChunks,
  graceMs,
  minBytesPerSecond,
} from '../../../bff/documents/read-upload.ts';
import { createManualTime, type ManualTime } from '../manual-time.ts';

const idleTimeoutMs = 30_000;

describe('an incoming body', () => {
  let time: ManualTime;
  /** How far the clock was set forward or back; timers do not follow it. */
  let shiftMs: number;

  beforeEach(() => {
    shiftMs = 0;
    time = createManualTime();
  });

  it('comes chunk by chunk to its end, and leaves no timer behind', async () => {
    const chunks = read([
      [0, 3],
      [0, 2],
    ]);
    expect([await chunks.next(), await chunks.next(), await chunks.next()]).toEqual([
      new Uint8Array(3),
      new Uint8Array(2),
      'end',
    ]);
    expect(time.listTimers()).toEqual([]);
  });

  it('is given up when no chunk comes for as long as it may stall', async () => {
    const chunks = createIncomingChunks(silent(), { ...time, idleTimeoutMs });
    const next = chunks.next();
    expect(time.listTimers()).toEqual([idleTimeoutMs]);
    time.advance(idleTimeoutMs);
    expect(await next).toBe('broken');
    await chunks.close();
  });

  it('may take any time as long as it comes at the least rate', async () => {
    const minutes = 20;
    const waits = Array.from(
      { length: minutes * 6 },
      () => [10_000, 10 * minBytesPerSecond] as const,
    );
    const chunks = read(waits);
    for (const wait of waits) expect(await chunks.next()).toEqual(new Uint8Array(wait[1]));
    expect(await chunks.next()).toBe('end');
  });

  it('is given up when it keeps below the least rate, after a time of grace', async () => {
    const chunks = read(Array.from({ length: 100 }, () => [10_000, 10] as const));
    let taken = 0;
    while ((await chunks.next()) instanceof Uint8Array) taken += 1;
    expect(taken).toBe(graceMs / 10_000);
  });

  it('is given up when more is asked for by now than it brought', async () => {
    let minRate = minBytesPerSecond;
    const chunks = read(
      Array.from({ length: 20 }, () => [10_000, 10 * minBytesPerSecond] as const),
      undefined,
      () => minRate,
    );
    for (let taken = 0; taken < 10; taken += 1) {
      expect(await chunks.next()).toBeInstanceOf(Uint8Array);
    }
    minRate = 8 * minBytesPerSecond;
    expect(await chunks.next()).toBe('broken');
  });

  it('is not waited for longer because the clock is set back', async () => {
    const chunks = read([
      [0, 10],
      [() => (shiftMs -= 3_600_000), 10],
      ...Array.from({ length: 100 }, () => [10_000, 10] as const),
    ]);
    let taken = 0;
    while ((await chunks.next()) instanceof Uint8Array) taken += 1;
    expect(taken).toBe(2 + graceMs / 10_000);
  });

  it('is not given up because the clock is set forward', async () => {
    const waits = Array.from({ length: 30 }, () => [10_000, 10 * minBytesPerSecond] as const);
    const chunks = read([...waits, [() => (shiftMs += 3_600_000), 10], ...waits]);
    for (let taken = 0; taken < 61; taken += 1) {
      expect(await chunks.next()).toBeInstanceOf(Uint8Array);
    }
    expect(await chunks.next()).toBe('end');
  });

  it('is given up when all of it takes longer than it may', async () => {
    const chunks = read(
      [
        [20_000, 500_000],
        [20_000, 500_000],
      ],
      30_000,
    );
    expect(await chunks.next()).toBeInstanceOf(Uint8Array);
    expect(await chunks.next()).toBe('broken');
  });

  it('is broken when its source fails', async () => {
    async function* failing() {
      yield new Uint8Array(1);
      throw new Error('aborted');
    }
    const chunks = createIncomingChunks(failing(), { ...time, idleTimeoutMs });
    expect([await chunks.next(), await chunks.next()]).toEqual([new Uint8Array(1), 'broken']);
  });

  /** Each chunk comes after so many milliseconds, or after something happens to the clock, and has so many bytes. */
  function read(
    chunks: readonly (readonly [number | (() => void), number])[],
    totalTimeoutMs?: number,
    minRate?: () => number,
  ) {
    async function* source() {
      for (const [wait, bytes] of chunks) {
        if (typeof wait === 'number') time.advance(wait);
        else wait();
        yield new Uint8Array(bytes);
      }
    }
    const clock = () => time.clock() + shiftMs;
    const timeouts = {
      ...time,
      clock,
      idleTimeoutMs,
      ...(totalTimeoutMs === undefined ? {} : { totalTimeoutMs }),
      ...(minRate ? { minRate } : {}),
    };
    return createIncomingChunks(source(), timeouts);
  }

  function silent(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
  }
});
