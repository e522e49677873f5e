// Encrypted PDFs: their names can be read, and what is in their streams only when they open without a password.

import { deflateSync } from 'node:zlib';
import { activeContents } from './active-content.ts';
import { toBytes, type HostileFile } from './hostile-file.ts';
import { encryptStream, toEncryptingTrailer, writeEncrypted } from './pdf-encryption.ts';
import {
  addObjectStream,
  addObjects,
  packObjects,
  toStream,
  type PdfObject,
} from './pdf-writer.ts';

export const encryptedPdfs: readonly HostileFile[] = [
  toFile('that opens without a password', 'either', () => writeEncrypted('')),
  toFile('that asks for a password', 'locked', () => writeEncrypted('secret')),
  ...activeContents.map(({ name, objects }) =>
    toFile(`with ${name}, its names in the open`, 'refused', () =>
      addObjects(writeEncrypted(''), objects, toEncryptingTrailer('')),
    ),
  ),
  ...activeContents.flatMap(({ name, objects }) => [
    toFile(`with ${name} in an object stream, encrypted without a password`, 'refused', () =>
      addEncryptedObjectStream('', objects),
    ),
    // What is inside can be read only with the password, so it is marked; the next to look is a scanner, or the lender's reader.
    toFile(`with ${name} in an object stream, encrypted with a password`, 'locked', () =>
      addEncryptedObjectStream('secret', objects),
    ),
  ]),
];

function addEncryptedObjectStream(password: string, objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  const encrypted = encryptStream(password, 80, deflateSync(data));
  return addObjectStream(writeEncrypted(password), objects, {
    body: toStream(`/Type/ObjStm${dictionary}/Filter/FlateDecode`, encrypted),
    trailer: toEncryptingTrailer(password),
  });
}

function toFile(name: string, expected: HostileFile['expected'], make: () => string): HostileFile {
  return {
    group: 'encrypted PDF',
    name: `PDF ${name}`,
    extension: 'pdf',
    expected,
    make: () => toBytes(make()),
  };
}
