import { describe, expect, it } from 'vitest';
import { createUploadBody } from '../../../bff/funding-service/upload-body.ts';
import type { FileUpload } from '../../../bff/funding-service/funding-service.ts';
import type { StreamedBody } from '../../../bff/funding-service/transport.ts';
import { createNoise } from '../../support/random.ts';

const leadId = 'a0B000000000001AAA';
const chunkBytes = 262_143;

describe('createUploadBody', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'encodes a file of %i bytes with the announced length',
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

  it.each([-2, -1, 0, 1, 2, 3])('encodes one chunk and %i bytes', async (more) => {
    const content = createNoise(chunkBytes + more, 3);
    const body = createUploadBody(leadId, fileOf(content, chunkBytes));
    const sent = await collect(body.open());
    expect(body.bytes).toBe(sent.byteLength);
    expect(decodeFile(sent).equals(content)).toBe(true);
  });

  it('sends the same body when it is opened again', async () => {
    const content = createNoise(5_000_000, 11);
    const body = createUploadBody(leadId, fileOf(content, chunkBytes));
    const first = await collect(body.open());
    expect(first.byteLength).toBe(body.bytes);
    expect(decodeFile(first).equals(content)).toBe(true);
    expect((await collect(body.open())).equals(first)).toBe(true);
  });

  it('counts the bytes of a name with non-ASCII characters', async () => {
    const file = { ...fileOf(createNoise(4, 1), 3), name: 'Übersicht "März" 📄' };
    const body = createUploadBody(leadId, file);
    const sent = await collect(body.open());
    expect(body.bytes).toBe(sent.byteLength);
    expect(JSON.parse(sent.toString())).toMatchObject({ file: { name: file.name } });
  });

  it('holds one chunk at a time', async () => {
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
    const body = createBody(
      lengths.map((length) => new Uint8Array(length)),
      bytes,
    );
    await expect(collect(body.open())).rejects.toThrow(RangeError);
  });

  it('sends nothing beyond the announced length', async () => {
    const sent: Buffer[] = [];
    const body = createBody([new Uint8Array(3), new Uint8Array(3)], 3);
    const sending = async () => {
      for await (const part of body.open()) sent.push(Buffer.from(part));
    };
    await expect(sending()).rejects.toThrow(RangeError);
    expect(Buffer.concat(sent).toString()).toMatch(/"file":"AAAA$/);
  });

  it('encodes empty chunks and views into larger memory', async () => {
    const memory = createNoise(30, 5);
    const chunks = [memory.subarray(3, 9), new Uint8Array(0), memory.subarray(9, 13)];
    const sent = await collect(createBody(chunks, 10).open());
    expect(decodeFile(sent).equals(memory.subarray(3, 13))).toBe(true);
  });
});

function createBody(chunks: readonly Uint8Array[], bytes: number): StreamedBody {
  async function* content() {
    yield* chunks;
  }
  return createUploadBody(leadId, { ...fileOf(new Uint8Array(), 3), bytes, content });
}

function fileOf(content: Uint8Array, chunkBytes: number): FileUpload {
  return {
    name: 'statement',
    extension: 'pdf',
    category: 'Bank Statements - Mar',
    bytes: content.byteLength,
    content: async function* chunks() {
      for (let at = 0; at < content.byteLength; at += chunkBytes) {
        yield content.subarray(at, at + chunkBytes);
      }
    },
  };
}

async function collect(parts: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const collected: Buffer[] = [];
  for await (const part of parts) collected.push(Buffer.from(part));
  return Buffer.concat(collected);
}

function decodeFile(sent: Buffer): Buffer {
  const { file } = JSON.parse(sent.toString()) as { file: { file: string } };
  return Buffer.from(file.file, 'base64');
}
