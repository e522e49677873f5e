// Content of attachments on an SQLite file, where it is in files, and in rows.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readEncryptedFile } from '../../../bff/runtime/encrypted-file.ts';
import { freeChunks } from '../../../bff/runtime/free-memory.ts';
import { createContentWriter, findContentFile, readContent } from '../../../bff/store/content.ts';
import { type ApplicationCipher, createEncryption } from '../../../bff/store/encryption.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Store } from '../../../bff/store/store.ts';
import { createNoise } from '../../support/random.ts';
import { strongKey } from '../config/config-source.ts';
import { createAttachment, createNewApplication } from './contract/rows.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const chunkBytes = 3_000;
const encryption = createEncryption({ keys: { 1: strongKey(1) }, currentId: '1' });
const content = Buffer.from(createNoise(2 * chunkBytes + 17, 5));
const sizes = [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, content.byteLength];

describe.each(['file', 'rows'])('the content of an attachment in %s', (place) => {
  let folder: string;
  let contentFolder: string;
  let file: string;
  let url: string;
  let store: Store;
  let cipher: ApplicationCipher;

  /** The store has an application `a1` and an incomplete attachment `d1`. */
  beforeEach(async () => {
    folder = createFolder();
    contentFolder = join(folder, 'store.db-content');
    file = join(contentFolder, 'd1');
    url = place === 'file' ? `file:${join(folder, 'store.db')}` : 'file::memory:';
    store = await openStore(url);
    const created = encryption.createCipher('a1');
    cipher = created.cipher;
    await store.addApplication(createNewApplication({ key: created.key }), []);
    await store.beginAttachment(createAttachment('d1'), 9);
    return () => store.close();
  });

  async function write(bytes = content, id = 'd1'): Promise<void> {
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
    const found = await findContentFile(store, cipher, 'd1');
    const memory = Buffer.alloc(bytes);
    readEncryptedFile(found!, memory);
    return memory;
  }

  it.each(sizes)('is read as it was written, with %i bytes', async (size) => {
    const bytes = content.subarray(0, size);
    await write(bytes);
    expect((await read()).equals(bytes)).toBe(true);
    const other = place === 'file' ? await readInOtherProcess(size) : bytes;
    expect(other.equals(bytes)).toBe(true);
  });

  it('takes the memory of one chunk at a time if the consumer keeps none', async () => {
    await write();
    const chunks: Buffer[] = [];
    for await (const chunk of freeChunks(readContent(store, cipher, 'd1'))) {
      chunks.push(chunk);
      const kept = chunks.map(({ byteLength }) => byteLength);
      expect(kept).toEqual([...chunks.slice(1).map(() => 0), chunk.byteLength]);
    }
    expect(chunks).toHaveLength(3);
  });

  it('is not written for an attachment that was discarded', async () => {
    await store.erase('a1');
    const writer = await createContentWriter(store, cipher, 'd1', chunkBytes);
    expect(await writer?.write(content)).toBeFalsy();
  });

  it('ends where it was erased', async () => {
    await write();
    await store.erase('a1');
    expect((await read()).byteLength).toBe(0);
    expect(await findContentFile(store, cipher, 'd1')).toBeUndefined();
  });

  if (place === 'rows') return;

  it('has no other reader than this user, and no plaintext', async () => {
    await write(Buffer.alloc(chunkBytes * 2, 'canary'));
    expect(statSync(contentFolder).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes('canary')).toBe(false);
  });

  /** A chunk of the file, with its authentication tag. */
  const chunk = (bytes: Buffer, number: number) =>
    bytes.subarray(number * (chunkBytes + 16), (number + 1) * (chunkBytes + 16));

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['a changed byte', (bytes) => (bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9), bytes)],
    ['chunks in another order', (bytes) => Buffer.concat([chunk(bytes, 1), chunk(bytes, 0)])],
    ['a chunk that was cut off', (bytes) => bytes.subarray(0, -1)],
  ])('cannot be read with %s', async (_name, change) => {
    await write();
    writeFileSync(file, change(readFileSync(file)));
    await expect(read()).rejects.toThrow(/authenticate data/);
    await expect(readInOtherProcess()).rejects.toThrow(/authenticate data|length/);
  });

  it.each([-1, 1, chunkBytes])('cannot be read with %i bytes more than it has', async (more) => {
    await write();
    await expect(readInOtherProcess(content.byteLength + more)).rejects.toThrow(/length/);
  });

  it('cannot be read with the key of another attachment', async () => {
    await write();
    await store.beginAttachment(createAttachment('d2'), 9);
    await store.addChunk('d2', 0, (await store.readChunk('d1', 0))!);
    await expect(read('d2')).rejects.toThrow(/authenticate data/);
  });

  it('is missed if its key is in the store', async () => {
    await write();
    rmSync(file);
    await expect(read()).rejects.toThrow(/missing/);
  });

  it('is removed when its upload is discarded', async () => {
    await write();
    await store.discardAttachment('d1');
    expect(readdirSync(contentFolder)).toEqual([]);
  });

  it('is removed after its key was erased, or a process ended during its upload', async () => {
    for (const id of ['d2', 'd3']) await store.beginAttachment(createAttachment(id), 9);
    for (const id of ['d1', 'd2', 'd3']) await write(content, id);
    for (const id of ['d1', 'd2']) {
      await store.completeAttachment(id, { fingerprint: id, bytes: 1, limit: 9 });
    }
    await store.withdrawDocument('a1', 1);
    await store.close();
    store = await openStore(url);
    await store.recover();
    await store.scrub();
    expect(readdirSync(contentFolder)).toEqual(['d2']);
    expect((await read('d2')).equals(content)).toBe(true);
  });
});
