// PDFs with active content: written plainly, obfuscated, encrypted, and with a table that does not match the objects, under both
// script policies. For each obfuscation, we saw MuPDF or PDF.js find the content.

import { deflateSync } from 'node:zlib';
import { type ActiveContent, activeContents } from '../../../support/bad-files/active-pdfs.ts';
import { toBytes } from '../../../support/files/bytes.ts';
import {
  addObjects,
  addObjectStream,
  encryptStream,
  listChanges,
  packObjects,
  type PdfObject,
  plainObjects,
  toEncryptingTrailer,
  toStream,
  writeEncrypted,
  writePdfText,
} from '../../../support/files/pdf.ts';
import type { HostileFile } from './hostile-file.ts';
import { inconsistentTables } from './inconsistent-tables.ts';
import { type Obfuscate, obfuscations } from './obfuscations.ts';

const policies = ['accept', 'refuse'] as const;

const writePlainly: Obfuscate = (_plain, objects) =>
  writePdfText([...new Map([...plainObjects, ...objects])]);

/** Each content in each obfuscation under each policy. */
export const activePdfs: readonly HostileFile[] = Object.entries({
  'written plainly': writePlainly,
  ...obfuscations,
  ...inconsistentTables,
}).flatMap(([how, obfuscate]) =>
  activeContents.flatMap((content) =>
    policies.map((scripts) => ({
      group: 'active PDF',
      name: `${content.name}, ${how}, scripts: ${scripts}`,
      extension: 'pdf',
      scripts,
      expected: toExpected(content, obfuscate, scripts),
      make: () => toBytes(obfuscate(writePdfText(), listChanges(content))),
    })),
  ),
);

/** Allowed content must be accepted if it is written plainly. An obfuscated file may be too damaged to open. */
function toExpected(
  { detail, isStrict }: ActiveContent,
  obfuscate: Obfuscate,
  scripts: (typeof policies)[number],
): HostileFile['expected'] {
  if (detail && (!isStrict || scripts === 'refuse')) return 'refused';
  return obfuscate === writePlainly ? 'accepted' : 'either';
}

const forbidden = activeContents.filter(({ detail, isStrict }) => detail && !isStrict);

export const encryptedPdfs: readonly HostileFile[] = [
  toFile('that opens without a password', 'accepted', () => writeEncrypted('')),
  toFile('that asks for a password', 'refused', () => writeEncrypted('secret')),
  ...forbidden.flatMap((content) => {
    const objects = listChanges(content);
    return [
      toFile(`with ${content.name}, its names readable`, 'refused', () =>
        addObjects(writeEncrypted(''), objects, toEncryptingTrailer('')),
      ),
      toFile(`with ${content.name} in an encrypted object stream`, 'refused', () =>
        addEncryptedObjectStream('', objects),
      ),
      toFile(`with ${content.name} in an object stream behind a password`, 'refused', () =>
        addEncryptedObjectStream('secret', objects),
      ),
    ];
  }),
];

function addEncryptedObjectStream(password: string, objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  const encrypted = encryptStream(password, 80, deflateSync(data));
  return addObjectStream(writeEncrypted(password), objects, {
    body: toStream(`/Type/ObjStm${dictionary}/Filter/FlateDecode`, encrypted),
    trailer: toEncryptingTrailer(password),
  });
}

function toFile(what: string, expected: HostileFile['expected'], make: () => string): HostileFile {
  const name = `PDF ${what}`;
  return { group: 'encrypted PDF', name, extension: 'pdf', expected, make: () => toBytes(make()) };
}
