import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readChunks, type ReadChunksOptions } from '../../../bff/documents/read-upload.ts';
import { createManualTime } from '../manual-time.ts';
import { createNoise } from '../../support/random.ts';

const { clock, startTimer } = createManualTime();
const patient = {
  maxBytes: 10_000,
  chunkBytes: 300,
  timeouts: { clock, startTimer, idleTimeoutMs: 30_000 },
};

describe('readChunks', () => {
  it.each<[number, number[]]>([
    [0, []],
    [1, [1]],
    [5, [5]],
    [6, [6]],
    [7, [6, 1]],
    [12, [6, 6]],
    [13, [6, 6, 1]],
  ])('cuts %i bytes, whatever chunks they come in', async (bytes, lengths) => {
    const content = createNoise(bytes, 9);
    for (const chunkBytes of [1, 4, 6, 100]) {
      const { end, pieces } = await read(chunked(content, chunkBytes), {
        expectedBytes: bytes,
        chunkBytes: 6,
      });
      expect(pieces.map(({ byteLength }) => byteLength)).toEqual(lengths);
      expect(Buffer.concat(pieces).equals(content)).toBe(true);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(end).toEqual({ kind: 'whole', bytes, sha256 });
    }
  });

  it('reads a web stream, and one of the announced length', async () => {
    const content = createNoise(100, 2);
    const { end, pieces } = await read(new Blob([content as Uint8Array<ArrayBuffer>]).stream(), {
      expectedBytes: 100,
      chunkBytes: 30,
    });
    expect(end.kind).toBe('whole');
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  });

  it('hands out memory that later chunks do not touch', async () => {
    const shared = new Uint8Array([1, 2, 3]);
    async function* reusing() {
      yield shared;
      shared.fill(9);
      yield shared;
    }
    const { pieces } = await read(reusing(), { expectedBytes: 6, chunkBytes: 3 });
    expect(pieces.map((piece) => [...piece])).toEqual([
      [1, 2, 3],
      [9, 9, 9],
    ]);
  });

  it('takes exactly the limit and refuses one byte more', async () => {
    const at = await read(chunked(new Uint8Array(12), 5), { maxBytes: 12, expectedBytes: 12 });
    expect(at.end.kind).toBe('whole');
    const past = await read(chunked(new Uint8Array(13), 5), { maxBytes: 12, expectedBytes: 13 });
    expect(past.end).toEqual({ kind: 'too-large' });
  });

  it('refuses an announced length past the limit before reading anything', async () => {
    const source = watched([new Uint8Array(1)]);
    const { end } = await read(source, { maxBytes: 12, expectedBytes: 13 });
    expect(end).toEqual({ kind: 'too-large' });
    expect(source.asked).toBe(0);
  });

  it.each([
    ['shorter than announced', 9],
    ['longer than announced', 7],
  ])('refuses a body %s', async (_name, expectedBytes) => {
    const { end } = await read(chunked(new Uint8Array(8), 3), { expectedBytes });
    expect(end).toEqual({ kind: 'incomplete' });
  });

  it('takes a body that breaks off as incomplete', async () => {
    async function* breaking() {
      yield new Uint8Array(3);
      throw new Error('aborted');
    }
    const { end, pieces } = await read(breaking(), { expectedBytes: 6, chunkBytes: 3 });
    expect(end).toEqual({ kind: 'incomplete' });
    expect(pieces).toHaveLength(1);
  });

  it('closes the source when more comes than was announced, and when the taker throws', async () => {
    const large = watched([new Uint8Array(3), new Uint8Array(3)]);
    await read(large, { expectedBytes: 4 });
    expect(large.isClosed).toBe(true);
    const failing = watched([new Uint8Array(3)]);
    const reading = readChunks(failing, { ...patient, expectedBytes: 3, chunkBytes: 3 }, () => {
      throw new Error('disk full');
    });
    await expect(reading).rejects.toThrow('disk full');
    expect(failing.isClosed).toBe(true);
  });

  it('waits for the taker before it reads on', async () => {
    const order: string[] = [];
    async function* source() {
      order.push('read 0');
      yield new Uint8Array(3);
      order.push('read 1');
      yield new Uint8Array(3);
    }
    await readChunks(
      source(),
      { ...patient, expectedBytes: 6, chunkBytes: 3 },
      async (_piece, index) => {
        await Promise.resolve();
        order.push(`took ${index}`);
      },
    );
    expect(order).toEqual(['read 0', 'took 0', 'read 1', 'took 1']);
  });
});

async function read(
  source: AsyncIterable<Uint8Array>,
  options: Pick<ReadChunksOptions, 'expectedBytes'> & Partial<ReadChunksOptions>,
) {
  const pieces: Uint8Array[] = [];
  const end = await readChunks(source, { ...patient, ...options }, (piece) => {
    pieces.push(piece);
  });
  return { end, pieces };
}

async function* chunked(content: Uint8Array, chunkBytes: number) {
  for (let at = 0; at < content.byteLength; at += chunkBytes) {
    yield content.subarray(at, at + chunkBytes);
  }
}

/** A source that counts how often it was asked, and notices being closed early. */
function watched(chunks: readonly Uint8Array[]) {
  const source = {
    asked: 0,
    isClosed: false,
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const value = chunks[source.asked];
        source.asked += 1;
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
