// Threads that hang, break and run out of memory: each costs its own document, and no other one.

import { afterEach, describe, expect, it } from 'vitest';
import { afterOnTimer } from '../../../bff/after.ts';
import {
  createInspectionPool,
  type InspectionPool,
  type InspectionPoolOptions,
} from '../../../bff/documents/inspection-pool.ts';
import type { Verdict } from '../../../bff/documents/inspection-thread.ts';
import { createManualTime, until } from '../manual-time.ts';

const timeLimitMs = 2_000;
const unsafe = (detail: string) => ({ kind: 'refused', code: 'document-unsafe', detail });

describe('the inspection pool', () => {
  let pool: InspectionPool;
  const time = createManualTime();

  afterEach(() => pool.close());

  it('hands a document over whole, with what it claims to be and what is allowed', async () => {
    pool = createPool();
    expect(await look('a,b,c', ['a,', 'b,', 'c'])).toEqual({
      text: 'a,b,c',
      extension: 'pdf',
      allowedExtensions: ['pdf', 'png'],
      secrets: [],
    });
  });

  it('hands over pieces of memory that others use, and leaves them as they are', async () => {
    pool = createPool();
    const shared = Buffer.from('xxabcxx');
    const verdict = await inspect('abc', [shared.subarray(2, 5)]);
    expect([toSeen(verdict).text, shared.toString()]).toEqual(['abc', 'xxabcxx']);
  });

  it('ends a thread that takes longer than it may, and gives what waits a time of its own', async () => {
    pool = createPool({ threads: 1 });
    const hanging = inspect('hang');
    const next = look('next');
    await until(() => time.listTimers().length === 1);
    expect(time.listTimers()).toEqual([timeLimitMs]);
    time.advance(timeLimitMs);
    expect(await hanging).toEqual(unsafe('timeout'));
    expect((await next).text).toBe('next');
    expect(time.listTimers()).toEqual([]);
  });

  it('inspects in one thread while another one hangs', async () => {
    pool = createPool({ threads: 2 });
    const hanging = inspect('hang');
    await until(() => time.listTimers().length === 1);
    const others = await Promise.all(['a', 'b', 'c', 'd'].map((text) => look(text)));
    expect(others.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
    time.advance(timeLimitMs);
    expect(await hanging).toEqual(unsafe('timeout'));
  });

  it.each(['break', 'fill the memory'])(
    'refuses the document on which the inspection ends (%s), and no other',
    async (text) => {
      pool = createPool({ threads: 1 });
      const [first, bad, last] = await Promise.all([look('a'), inspect(text), look('b')]);
      expect([first.text, bad, last.text]).toEqual(['a', unsafe('worker-ended'), 'b']);
    },
    30_000,
  );

  it('passes on why a document could not be read, and goes on with the same thread', async () => {
    pool = createPool({ threads: 1 });
    async function* breaking() {
      yield Buffer.from('ab');
      throw new Error('The journal is away');
    }
    const broken = pool.inspect({
      extension: 'pdf',
      allowedExtensions: ['pdf'],
      bytes: 4,
      content: breaking,
    });
    await expect(broken).rejects.toThrow('The journal is away');
    expect((await look('next')).text).toBe('next');
  });

  it('refuses a document that is not whole', async () => {
    pool = createPool({ threads: 1 });
    expect(await inspect('abc', [Buffer.from('ab')])).toEqual(unsafe('worker-ended'));
  });

  it('takes a thread that cannot begin for a fault of ours', async () => {
    pool = createPool({ program: new URL('./threads/stillborn.ts', import.meta.url) });
    await expect(inspect('a')).rejects.toThrow('The inspection cannot begin');
    await expect(inspect('a')).rejects.toThrow('The inspection cannot begin');
  });

  it('loses none of many that wait, while threads end before them', async () => {
    pool = createPool({ threads: 2 });
    const texts = Array.from({ length: 24 }, (_none, index) =>
      index % 6 === 5 ? 'break' : `document ${index}`,
    );
    const verdicts = await Promise.all(texts.map((text) => inspect(text)));
    const seen = verdicts.map((verdict) =>
      verdict.kind === 'accepted' ? toSeen(verdict).text : verdict.detail,
    );
    expect(seen).toEqual(texts.map((text) => (text === 'break' ? 'worker-ended' : text)));
  });

  it('takes a verdict that came while this thread itself stood still', async () => {
    pool = createPool({
      timeLimitMs: 20,
      after(ms, run) {
        const cancel = afterOnTimer(ms, run);
        // Once the document is whole there.
        setImmediate(() => standStill(1_000));
        return cancel;
      },
    });
    expect((await look('quick')).text).toBe('quick');
  });

  it('takes a large document in many pieces', async () => {
    pool = createPool();
    const pieces = Array.from({ length: 40 }, () => Buffer.alloc(262_143, 'x'));
    expect((await look('x'.repeat(40 * 262_143), pieces)).text).toBe(40 * 262_143);
  });

  function createPool(changes: Partial<InspectionPoolOptions> = {}): InspectionPool {
    const program = new URL('./threads/scripted-inspection.ts', import.meta.url);
    return createInspectionPool({ after: time.after, timeLimitMs, program, ...changes });
  }

  function inspect(
    text: string,
    pieces: readonly (Uint8Array | string)[] = [text],
  ): Promise<Verdict> {
    return pool.inspect({
      extension: 'pdf',
      allowedExtensions: ['pdf', 'png'],
      bytes: text.length,
      async *content() {
        for (const piece of pieces) yield Buffer.from(piece);
      },
    });
  }

  /** What the thread saw of a document that it accepted. */
  async function look(text: string, pieces?: readonly (Uint8Array | string)[]): Promise<Seen> {
    return toSeen(await inspect(text, pieces));
  }
});

describe('our own inspection thread', () => {
  it('refuses what it cannot take for a PDF', async () => {
    const pool = createInspectionPool({ after: afterOnTimer, timeLimitMs: 30_000 });
    const verdict = await pool.inspect({
      extension: 'pdf',
      allowedExtensions: ['pdf'],
      bytes: 5,
      async *content() {
        yield Buffer.from('hello');
      },
    });
    await pool.close();
    expect(verdict).toMatchObject({ kind: 'refused', code: 'document-type-mismatch' });
  });
});

interface Seen {
  readonly text: string | number;
  readonly extension: string;
  readonly allowedExtensions: readonly string[];
  readonly secrets: readonly string[];
}

/** Nothing else happens in this thread meanwhile; the others go on. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function toSeen(verdict: Verdict): Seen {
  if (verdict.kind !== 'accepted') throw new Error(`Refused: ${verdict.detail}`);
  return JSON.parse(verdict.extension);
}
