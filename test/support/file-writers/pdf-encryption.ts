// Encrypts PDFs with 40-bit RC4 (ISO 32000-1, 7.6.3), the simplest algorithm, which all readers support.

import { createHash } from 'node:crypto';
import { toBytes } from './bytes.ts';
import { addObjects, statementObjects, toStream } from './pdf-writer.ts';

/** Padding of passwords (algorithm 2). */
const padding = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
const fileId = Buffer.alloc(16, 7);

/** The small statement with an encrypted page content. */
export function writeEncrypted(password: string): string {
  const content = encryptStream(password, 4, toBytes('0 0 m 100 100 l S'));
  return addObjects(
    '%PDF-1.7\n',
    [...statementObjects.slice(0, 3), [4, toStream('', content)]],
    toEncryptingTrailer(password),
  );
}

/** Encrypts the data of the stream with this object number. */
export function encryptStream(password: string, number: number, data: Uint8Array): Buffer {
  const objectKey = md5(toKey(password), Buffer.from([number, 0, 0, 0, 0])).subarray(0, 10);
  return rc4(objectKey, data);
}

/** Readers open a file with an empty password without asking. */
export function toEncryptingTrailer(password: string): string {
  const user = rc4(toKey(password), padding).toString('hex');
  const id = fileId.toString('hex');
  return `/Root 1 0 R/ID[<${id}><${id}>]/Encrypt<</Filter/Standard/V 1/R 2/O<${padding.toString('hex')}>/U<${user}>/P ${permissions.readInt32LE()}>>`;
}

function toKey(password: string): Buffer {
  const padded = Buffer.concat([toBytes(password), padding]).subarray(0, 32);
  return md5(padded, padding, permissions, fileId).subarray(0, 5);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

/** RC4, which OpenSSL no longer supports. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let other = 0;
  for (let index = 0; index < 256; index += 1) {
    other = (other + at(state, index) + at(key, index % key.length)) % 256;
    swap(state, index, other);
  }
  let first = 0;
  let second = 0;
  return Buffer.from(
    data.map((byte) => {
      first = (first + 1) % 256;
      second = (second + at(state, first)) % 256;
      swap(state, first, second);
      return byte ^ at(state, (at(state, first) + at(state, second)) % 256);
    }),
  );
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function swap(bytes: Uint8Array, one: number, other: number): void {
  const kept = at(bytes, one);
  bytes[one] = at(bytes, other);
  bytes[other] = kept;
}
