// Encrypted PDFs. The inspection refuses those that need a password, and inspects the content of the others.

import { deflateSync } from 'node:zlib';
import { activeContents } from './active-content.ts';
import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import {
  encryptStream,
  toEncryptingTrailer,
  writeEncrypted,
} from '../../support/file-writers/pdf-encryption.ts';
import {
  addObjectStream,
  addObjects,
  packObjects,
  toStream,
  type PdfObject,
} from '../../support/file-writers/pdf-writer.ts';

const forbidden = activeContents.filter(({ refused }) => refused === 'always');

export const encryptedPdfs: readonly HostileFile[] = [
  toFile('that opens without a password', 'accepted', () => writeEncrypted('')),
  toFile('that asks for a password', 'refused', () => writeEncrypted('secret')),
  ...forbidden.map(({ name, objects }) =>
    toFile(`with ${name}, its names in the open`, 'refused', () =>
      addObjects(writeEncrypted(''), objects, toEncryptingTrailer('')),
    ),
  ),
  ...forbidden.flatMap(({ name, objects }) => [
    toFile(`with ${name} in an object stream, encrypted without a password`, 'refused', () =>
      addEncryptedObjectStream('', objects),
    ),
    toFile(`with ${name} in an object stream, encrypted with a password`, 'refused', () =>
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
