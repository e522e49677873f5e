// Content of attachments on an SQLite file, where it is in files, and in rows.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createContentWriter, findContentFile, readContent } from '../../../bff/store/content.ts';
import { readEncryptedFile } from '../../../bff/runtime/encrypted-file.ts';
import { freeChunks } from '../../../bff/runtime/free-memory.ts';
import { type ApplicationCipher, createEncryption } from '../../../bff/store/encryption.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Store } from '../../../bff/store/store.ts';
import { createNoise } from '../../support/random.ts';
import { strongKey } from '../config/config-source.ts';
import { createAttachment, createNewApplication } from './contract/rows.ts';

const chunkBytes = 3_000;
const encryption = createEncryption({ keys: { 1: strongKey(1) }, currentId: '1' });
const content = Buffer.from(createNoise(2 * chunkBytes + 17, 5));

let folder: string;
let store: Store;
let cipher: ApplicationCipher;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'content-'));
  store = await open(`file:${join(folder, 'store.db')}`);
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
});

describe.each(['file:', 'file::memory:'])('the content of an attachment in %s', (url) => {
  beforeEach(async () => {
    if (url === 'file:') return;
    await store.close();
    store = await open(url);
  });

  it.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, content.byteLength])(
    'is read as it was written, with %i bytes',
    async (bytes) => {
      await write(content.subarray(0, bytes));
      expect((await read()).equals(content.subarray(0, bytes))).toBe(true);
    },
  );

  it('takes the memory of one chunk at a time if the consumer keeps none', async () => {
    await write(content);
    const chunks: Buffer[] = [];
    for await (const chunk of freeChunks(readContent(store, cipher, 'd1'))) {
      chunks.push(chunk);
      const sizes = chunks.map(({ byteLength }) => byteLength);
      expect(sizes).toEqual([...chunks.slice(1).map(() => 0), chunk.byteLength]);
    }
    expect(chunks).toHaveLength(3);
  });

  it('is not written for an attachment that was discarded', async () => {
    await store.erase('a1');
    const writer = await createContentWriter(store, cipher, 'd1', chunkBytes);
    expect(await writer?.write(content)).toBeFalsy();
  });

  it('ends where it was erased', async () => {
    await write(content);
    await store.erase('a1');
    expect((await read()).byteLength).toBe(0);
  });
});

describe('the file of an attachment', () => {
  it('has no other reader than this user', async () => {
    await write(content);
    expect(statSync(contentFolder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(contentFolder(), 'd1')).mode & 0o777).toBe(0o600);
  });

  it('contains no plaintext', async () => {
    await write(Buffer.alloc(chunkBytes * 2, 'canary'));
    expect(readFileSync(join(contentFolder(), 'd1')).includes('canary')).toBe(false);
  });

  it.each<[string, (file: Buffer) => Buffer]>([
    ['a changed byte', (file) => (file.writeUInt8(file.readUInt8(9) ^ 1, 9), file)],
    ['chunks in another order', (file) => Buffer.concat([chunk(file, 1), chunk(file, 0)])],
    ['a chunk that was cut off', (file) => file.subarray(0, -1)],
  ])('cannot be read with %s', async (_name, change) => {
    await write(content);
    const path = join(contentFolder(), 'd1');
    writeFileSync(path, change(readFileSync(path)));
    await expect(read()).rejects.toThrow(/authenticate data/);
    await expect(readInOtherProcess()).rejects.toThrow(/authenticate data|length/);
  });

  it.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, content.byteLength])(
    'can be read by another process, with %i bytes',
    async (bytes) => {
      await write(content.subarray(0, bytes));
      const memory = await readInOtherProcess(bytes);
      expect(memory.equals(content.subarray(0, bytes))).toBe(true);
    },
  );

  it.each([-1, 1, chunkBytes])('cannot be read with %i bytes more than it has', async (more) => {
    await write(content);
    await expect(readInOtherProcess(content.byteLength + more)).rejects.toThrow(/length/);
  });

  it('is not found after its key was erased', async () => {
    await write(content);
    await store.erase('a1');
    expect(await findContentFile(store, cipher, 'd1')).toBeUndefined();
  });

  it('cannot be read with the key of another attachment', async () => {
    await write(content);
    await store.beginAttachment(createAttachment('d2'), 9);
    const row = await store.readChunk('d1', 0);
    await store.addChunk('d2', 0, row!);
    await expect(read('d2')).rejects.toThrow(/authenticate data/);
  });

  it('is missed if its key is in the store', async () => {
    await write(content);
    rmSync(join(contentFolder(), 'd1'));
    await expect(read()).rejects.toThrow(/missing/);
  });

  it('is removed when its upload is discarded', async () => {
    await write(content);
    await store.discardAttachment('d1');
    expect(readdirSync(contentFolder())).toEqual([]);
  });

  it('is removed after its key was erased', async () => {
    await write(content);
    await store.beginAttachment(createAttachment('d2'), 9);
    await write(content, 'd2');
    await complete('d1');
    await store.withdrawDocument('a1', 1);
    await store.scrub();
    expect(readdirSync(contentFolder())).toEqual(['d2']);
    expect((await read('d2')).equals(content)).toBe(true);
  });

  it('is removed after a process ended during its upload', async () => {
    await write(content);
    await store.recover();
    await store.scrub();
    expect(readdirSync(contentFolder())).toEqual([]);
  });

  it('stays while its document waits, also after a restart', async () => {
    await write(content);
    await complete('d1');
    await store.close();
    store = await openStore(`file:${join(folder, 'store.db')}`);
    await store.recover();
    await store.scrub();
    expect((await read()).equals(content)).toBe(true);
  });
});

const contentFolder = () => join(folder, 'store.db-content');

/** Opens a store with an application `a1` and an incomplete attachment `d1`. */
async function open(url: string): Promise<Store> {
  const opened = await openStore(url);
  const created = encryption.createCipher('a1');
  cipher = created.cipher;
  await opened.addApplication(createNewApplication({ id: 'a1', key: created.key }), []);
  await opened.beginAttachment(createAttachment('d1'), 9);
  return opened;
}

async function write(bytes: Buffer, id = 'd1'): Promise<void> {
  const writer = await createContentWriter(store, cipher, id, chunkBytes);
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
    expect(await writer!.write(bytes.subarray(at, at + chunkBytes))).toBe(true);
  }
  await writer!.finish();
  await writer!.close();
}

async function read(id = 'd1'): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readContent(store, cipher, id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** As a child process that inspects documents. */
async function readInOtherProcess(bytes = content.byteLength): Promise<Buffer> {
  const file = await findContentFile(store, cipher, 'd1');
  const memory = Buffer.alloc(bytes);
  readEncryptedFile(file!, memory);
  return memory;
}

function complete(id: string) {
  return store.completeAttachment(id, { fingerprint: id, bytes: 1, limit: 9 });
}

/** A chunk of the file, with its authentication tag. */
function chunk(file: Buffer, number: number): Buffer {
  const bytes = chunkBytes + 16;
  return file.subarray(number * bytes, (number + 1) * bytes);
}
