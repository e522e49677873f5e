import { describe, expect, it } from 'vitest';
import {
  createUploadBody,
  encodePieces,
  toBase64Length,
} from '../../../bff/funding-service/upload-body.ts';
import type { FileUpload } from '../../../bff/funding-service/funding-service.ts';
import { createNoise } from '../../support/random.ts';

const leadId = 'a0B000000000001AAA';
const pieceBytes = 262_143;

describe('createUploadBody', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'carries a file of %i bytes, with its length known before',
    async (bytes) => {
      const content = createNoise(bytes, 7);
      const body = createUploadBody(leadId, fileOf(content, 3));
      const sent = await collect(body.open());
      expect(body.bytes).toBe(sent.byteLength);
      expect(JSON.parse(sent.toString())).toEqual({
        leadId,
        file: {
          name: 'statement',
          ext: 'pdf',
          category: 'Bank Statements - Mar',
          file: Buffer.from(content).toString('base64'),
        },
      });
    },
  );

  it.each([-2, -1, 0, 1, 2, 3])('carries a piece and %i bytes', async (more) => {
    const content = createNoise(pieceBytes + more, 3);
    const body = createUploadBody(leadId, fileOf(content, pieceBytes));
    const sent = await collect(body.open());
    expect(body.bytes).toBe(sent.byteLength);
    expect(decodeFile(sent).equals(content)).toBe(true);
  });

  it('carries five megabytes, and the same again when opened again', async () => {
    const content = createNoise(5_000_000, 11);
    const body = createUploadBody(leadId, fileOf(content, pieceBytes));
    const first = await collect(body.open());
    expect(first.byteLength).toBe(body.bytes);
    expect(decodeFile(first).equals(content)).toBe(true);
    expect((await collect(body.open())).equals(first)).toBe(true);
  });

  it('counts bytes, not characters, of names beyond ASCII, and escapes quotes', async () => {
    const file = { ...fileOf(createNoise(4, 1), 3), name: 'Übersicht "März" 📄' };
    const body = createUploadBody(leadId, file);
    const sent = await collect(body.open());
    expect(body.bytes).toBe(sent.byteLength);
    expect(JSON.parse(sent.toString())).toMatchObject({ file: { name: file.name } });
  });

  it('never holds more than one piece', async () => {
    let open = 0;
    let most = 0;
    async function* counted() {
      for (let index = 0; index < 50; index += 1) {
        open += 1;
        most = Math.max(most, open);
        yield new Uint8Array(300);
        open -= 1;
      }
    }
    const body = createUploadBody(leadId, {
      ...fileOf(new Uint8Array(), 3),
      bytes: 15_000,
      content: counted,
    });
    for await (const part of body.open()) expect(part.byteLength).toBeLessThanOrEqual(400);
    expect(most).toBe(1);
  });
});

describe('encodePieces', () => {
  it.each<[string, number[], number]>([
    ['a piece before the last that is no multiple of three', [3, 4, 3], 10],
    ['one that ends in a multiple of three all the same', [4, 5], 9],
    ['more than announced', [3, 3], 5],
    ['less than announced', [3, 3], 7],
    ['nothing, though something was announced', [], 1],
  ])('throws on %s', async (_name, lengths, bytes) => {
    const pieces = from(lengths.map((length) => new Uint8Array(length)));
    await expect(collect(encodePieces(pieces, bytes))).rejects.toThrow(RangeError);
  });

  it('yields nothing past the announced length', async () => {
    const sent: Uint8Array[] = [];
    const encoding = async () => {
      const pieces = from([new Uint8Array(3), new Uint8Array(3)]);
      for await (const part of encodePieces(pieces, 3)) sent.push(part);
    };
    await expect(encoding()).rejects.toThrow(RangeError);
    expect(Buffer.concat(sent).toString()).toBe('AAAA');
  });

  it('takes empty pieces and views into larger memory', async () => {
    const memory = createNoise(30, 5);
    const pieces = from([memory.subarray(3, 9), new Uint8Array(0), memory.subarray(9, 13)]);
    const sent = await collect(encodePieces(pieces, 10));
    expect(Buffer.from(sent.toString(), 'base64').equals(memory.subarray(3, 13))).toBe(true);
  });
});

describe('toBase64Length', () => {
  it.each([
    [0, 0],
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 8],
  ])('%i bytes become %i characters', (bytes, expected) => {
    expect(toBase64Length(bytes)).toBe(expected);
  });
});

function fileOf(content: Uint8Array, pieceBytes: number): FileUpload {
  return {
    name: 'statement',
    extension: 'pdf',
    category: 'Bank Statements - Mar',
    bytes: content.byteLength,
    content: async function* pieces() {
      for (let at = 0; at < content.byteLength; at += pieceBytes) {
        yield content.subarray(at, at + pieceBytes);
      }
    },
  };
}

async function* from(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

async function collect(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  for await (const part of parts) collected.push(part);
  return Buffer.concat(collected);
}

function decodeFile(sent: Buffer): Buffer {
  const { file } = JSON.parse(sent.toString()) as { file: { file: string } };
  return Buffer.from(file.file, 'base64');
}
