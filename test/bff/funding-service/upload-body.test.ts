import { describe, expect, it } from 'vitest';
import { createUploadBody } from '../../../bff/funding-service/upload-body.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { createNoise } from '../../support/random.ts';

const leadId = 'a0B000000000001AAA';
const file = { name: 'Übersicht "März" 📄', extension: 'pdf', category: 'Bank Statements - Mar' };

/** Chunks of the store, which are multiples of three bytes except for the last one. */
const storeChunkBytes = 262_143;
const small = Array.from({ length: 11 }, (_, bytes) => [bytes, 3] as const);
const large = [-2, -1, 0, 1, 2, 3].map(
  (more) => [storeChunkBytes + more, storeChunkBytes] as const,
);

describe('createUploadBody', () => {
  it.each([...small, ...large])('encodes %i bytes in chunks of %i', async (bytes, chunkBytes) => {
    const content = createNoise(bytes, 7);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes; at += chunkBytes) {
      // Views into larger memory, with an empty one before each.
      chunks.push(content.subarray(at, at), content.subarray(at, at + chunkBytes));
    }
    const body = createBody(chunks, bytes);
    const sent = await collectChunks(body.open());
    expect(body.bytes).toBe(sent.byteLength);
    const { name, extension: ext, category } = file;
    const base64 = Buffer.from(content).toString('base64');
    expect(JSON.parse(sent.toString())).toEqual({
      leadId,
      file: { name, ext, category, file: base64 },
    });
    expect((await collectChunks(body.open())).equals(sent)).toBe(true);
  });

  it('holds one chunk at a time', async () => {
    let open = 0;
    let most = 0;
    async function* content() {
      for (let index = 0; index < 50; index += 1) {
        open += 1;
        most = Math.max(most, open);
        yield new Uint8Array(300);
        open -= 1;
      }
    }
    const body = createUploadBody(leadId, { ...file, bytes: 15_000, content });
    for await (const part of body.open()) expect(part.length).toBeLessThanOrEqual(400);
    expect(most).toBe(1);
  });

  it.each<[string, number[], number]>([
    ['a chunk before the last that is not a multiple of three', [3, 4, 3], 10],
    ['two such chunks with a total that is a multiple of three', [4, 5], 9],
    ['more bytes than announced', [3, 3], 5],
    ['fewer bytes than announced', [3, 3], 7],
    ['no bytes', [], 1],
  ])('throws on %s', async (_name, lengths, bytes) => {
    const chunks = lengths.map((length) => new Uint8Array(length));
    await expect(collectChunks(createBody(chunks, bytes).open())).rejects.toThrow(RangeError);
  });

  it('sends nothing beyond the announced length', async () => {
    const sent: (Uint8Array | string)[] = [];
    const body = createBody([new Uint8Array(3), new Uint8Array(3)], 3);
    const sending = async () => {
      for await (const part of body.open()) sent.push(Buffer.from(part));
    };
    await expect(sending()).rejects.toThrow(RangeError);
    expect(sent.join('')).toMatch(/"file":"AAAA$/);
  });
});

function createBody(chunks: readonly Uint8Array[], bytes: number) {
  async function* content() {
    yield* chunks;
  }
  return createUploadBody(leadId, { ...file, bytes, content });
}
