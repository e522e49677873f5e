// The encrypted content of attachments. A store on an SQLite file keeps it in files, each with a key of its own (see
// docs/decisions/0004-keys-content-and-erasure.md). Other stores keep it in rows, one for each chunk, encrypted with the application's key.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { collectStreamedBuffers } from '../runtime/buffer-collection.ts';
import {
  type EncryptedFile,
  decryptChunk,
  encryptChunk,
  tagBytes,
} from '../runtime/encrypted-file.ts';
import { freeMemory } from '../runtime/free-memory.ts';
import { type ContentFiles, readWhole, writeWhole } from './content-files.ts';
import type { ApplicationCipher } from './encryption.ts';
import type { Store } from './store.ts';

const keyBytes = 32;
/**
 * First byte of the row of a content in a file, where an encrypted chunk has the number of its format. The rest of the row is the
 * encrypted key of the file.
 */
const fileMarker = 2;

export interface ContentWriter {
  /**
   * @param chunk All chunks except the last have `chunkBytes` bytes.
   * @returns false when the attachment was discarded meanwhile.
   */
  write(chunk: Uint8Array): Promise<boolean>;
  /** Resolves when all chunks are on disk. */
  finish(): Promise<void>;
  /** Call it at the end, also after an error. */
  close(): Promise<void>;
}

/** The parts of a store that hold content. */
export type ContentStore = Pick<Store, 'addChunk' | 'readChunk' | 'contentFiles'>;

/** @returns undefined when the attachment was discarded meanwhile. */
export async function createContentWriter(
  store: ContentStore,
  cipher: ApplicationCipher,
  attachmentId: string,
  chunkBytes: number,
): Promise<ContentWriter | undefined> {
  const { contentFiles } = store;
  if (!contentFiles) return createRowWriter(store, cipher, attachmentId);
  const key = randomBytes(keyBytes);
  // Before the file: `removeUnusedFiles` deletes a file without a row.
  const row = toFileRow(cipher, attachmentId, key, chunkBytes);
  if (!(await store.addChunk(attachmentId, 0, row))) return undefined;
  const file = await contentFiles.create(attachmentId);
  return createFileWriter(contentFiles, file, createSecretKey(key));
}

function createRowWriter(
  store: ContentStore,
  cipher: ApplicationCipher,
  attachmentId: string,
): ContentWriter {
  let number = 0;
  return {
    write(chunk) {
      const encrypted = cipher.encrypt('chunk', `${attachmentId}/${number}`, chunk);
      number += 1;
      return store.addChunk(attachmentId, number - 1, encrypted);
    },
    finish: async () => undefined,
    close: async () => undefined,
  };
}

function createFileWriter(files: ContentFiles, file: FileHandle, key: KeyObject): ContentWriter {
  let number = 0;
  return {
    async write(chunk) {
      const parts = encryptChunk(key, number, chunk);
      number += 1;
      await writeWhole(file, parts);
      freeMemory(parts[0]);
      return true;
    },
    finish: () => files.sync(file),
    // After `finish`, closing cannot lose anything. Without it, the upload failed.
    close: () => file.close().catch(() => undefined),
  };
}

/** Yields the decrypted chunks of an attachment. Ends early when the content is erased meanwhile. Throws like `decrypt`. */
export async function* readContent(
  store: ContentStore,
  cipher: ApplicationCipher,
  attachmentId: string,
): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const encrypted = await store.readChunk(attachmentId, number);
    if (encrypted === undefined) return;
    if (number === 0 && encrypted[0] === fileMarker) {
      yield* readFile(store, cipher, attachmentId, encrypted);
      return;
    }
    yield cipher.decrypt('chunk', `${attachmentId}/${number}`, encrypted);
    collectStreamedBuffers(encrypted.byteLength);
  }
}

/** Returns undefined if the content is not in a file, or was erased. */
export async function findContentFile(
  store: ContentStore,
  cipher: ApplicationCipher,
  attachmentId: string,
): Promise<EncryptedFile | undefined> {
  const path = store.contentFiles?.toPath(attachmentId);
  const row = path === undefined ? undefined : await store.readChunk(attachmentId, 0);
  if (path === undefined || row?.[0] !== fileMarker) return undefined;
  return { path, ...fromFileRow(cipher, attachmentId, row) };
}

async function* readFile(
  store: ContentStore,
  cipher: ApplicationCipher,
  attachmentId: string,
  row: Uint8Array,
): AsyncGenerator<Buffer> {
  const { key: keyText, chunkBytes } = fromFileRow(cipher, attachmentId, row);
  const key = createSecretKey(keyText, 'base64');
  const file = await store.contentFiles?.open(attachmentId);
  if (!file) {
    const isErased = (await store.readChunk(attachmentId, 0)) === undefined;
    if (isErased) return;
    throw new RangeError('The file of an attachment is missing.');
  }
  try {
    const encrypted = Buffer.allocUnsafeSlow(chunkBytes + tagBytes);
    for (let number = 0; ; number += 1) {
      const bytes = await readWhole(file, encrypted);
      if (bytes === 0) return;
      yield decryptChunk(key, number, encrypted.subarray(0, bytes));
    }
  } finally {
    await file.close();
  }
}

function toFileRow(
  cipher: ApplicationCipher,
  attachmentId: string,
  key: Uint8Array,
  chunkBytes: number,
): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(chunkBytes);
  const encrypted = cipher.encrypt('contentKey', attachmentId, Buffer.concat([key, size]));
  return Buffer.concat([Uint8Array.of(fileMarker), encrypted]);
}

function fromFileRow(
  cipher: ApplicationCipher,
  attachmentId: string,
  row: Uint8Array,
): Omit<EncryptedFile, 'path'> {
  const decrypted = cipher.decrypt('contentKey', attachmentId, row.subarray(1));
  return {
    key: decrypted.toString('base64', 0, keyBytes),
    chunkBytes: decrypted.readUInt32BE(keyBytes),
  };
}
