// Encrypted PDFs: their names can be read, and what is in their streams cannot.

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
  toFile('that opens without a password', 'encrypted', () => writeEncrypted('')),
  toFile('that asks for a password', 'encrypted', () => writeEncrypted('secret')),
  ...activeContents.map(({ name, objects }) =>
    toFile(`with ${name}, its names in the open`, 'refused', () =>
      addObjects(writeEncrypted(''), objects, toEncryptingTrailer('')),
    ),
  ),
  // What is inside these can be read only with the password, so they are marked; the next to look is a scanner, or the lender's reader.
  ...['', 'secret'].flatMap((password) =>
    activeContents.map(({ name, objects }) =>
      toFile(
        `with ${name} in an object stream, encrypted ${password === '' ? 'without' : 'with'} a password`,
        'encrypted',
        () => addEncryptedObjectStream(password, objects),
      ),
    ),
  ),
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
