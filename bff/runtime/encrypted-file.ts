// A file of chunks, each encrypted with AES-256-GCM and followed by its authentication tag. All chunks except the last have the
// same size. The store writes such files, and the child processes that inspect documents read them.

import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { freeMemory } from './free-memory.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
export const tagBytes = 16;

/** All that a process of this machine needs to read the file. The key encrypts nothing else. */
export interface EncryptedFile {
  /** Absolute. */
  readonly path: string;
  /** Base64. */
  readonly key: string;
  readonly chunkBytes: number;
}

/** Call `freeMemory` for the first part as soon as it is used. */
export function encryptChunk(key: KeyObject, number: number, chunk: Uint8Array): [Buffer, Buffer] {
  const cipher = createCipheriv(algorithm, key, toNonce(number));
  const encrypted = cipher.update(chunk);
  cipher.final();
  return [encrypted, cipher.getAuthTag()];
}

/** Throws if the chunk was changed, was encrypted with another key, or has another number. */
export function decryptChunk(key: KeyObject, number: number, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, toNonce(number), { authTagLength: tagBytes });
  decipher.setAuthTag(encrypted.subarray(-tagBytes));
  const chunk = decipher.update(encrypted.subarray(0, -tagBytes));
  // `final` returns no more bytes in GCM, but it verifies the tag.
  decipher.final();
  return chunk;
}

/** No nonce is used twice, because each key encrypts one file. A chunk that is moved within the file cannot be decrypted. */
function toNonce(number: number): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(number, nonceBytes - 4);
  return nonce;
}

/**
 * Decrypts a whole file into the memory, synchronously. Throws if the file cannot be read or decrypted, or has another length than
 * the memory.
 */
export function readEncryptedFile(
  { path, key, chunkBytes }: EncryptedFile,
  memory: Uint8Array,
): void {
  const secretKey = createSecretKey(key, 'base64');
  const file = openSync(path, 'r');
  try {
    const chunks = Math.ceil(memory.byteLength / chunkBytes);
    if (fstatSync(file).size !== memory.byteLength + chunks * tagBytes) {
      throw new RangeError('The encrypted file has another length.');
    }
    const encrypted = Buffer.allocUnsafeSlow(chunkBytes + tagBytes);
    for (let number = 0; number < chunks; number += 1) {
      const chunk = decryptChunk(
        secretKey,
        number,
        encrypted.subarray(0, readSync(file, encrypted)),
      );
      memory.set(chunk, number * chunkBytes);
      freeMemory(chunk);
    }
  } finally {
    closeSync(file);
  }
}
