// Files of other types with accepted extensions, and files that target scanners and type detectors.

import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import { writePlainJpeg, writePlainPng } from '../../support/file-writers/image-writer.ts';
import { listDocxParts, listXlsxParts } from '../../support/file-writers/office-writer.ts';
import { writePdfText } from '../../support/file-writers/pdf-writer.ts';
import { writeZip } from '../../support/file-writers/zip-writer.ts';

/** Split, so that no scanner finds it in this file (eicar.org). */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(
  '',
);

const compoundFile = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)]);

/** CVE-2026-31808: an ASF header object whose inner object is shorter than its header. A detector that adds up sizes loops forever. */
const stallingAsf = Buffer.concat([
  Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
  toLittleEndian(55n),
  Buffer.from('010000000102', 'hex'),
  Buffer.from('00'.repeat(16), 'hex'),
  toLittleEndian(0n),
  Buffer.alloc(1),
]);

const contents: readonly (readonly [string, Uint8Array])[] = [
  ['SVG', toBytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  [
    'SVG with a declaration',
    toBytes('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['HTML', toBytes('<!doctype html><script>alert(1)</script>')],
  ['HTML after blanks', toBytes('\n\n   <html><script>alert(1)</script></html>')],
  [
    'HTML after a byte order mark',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), toBytes('<html></html>')]),
  ],
  ['HTML in UTF-16', Buffer.from('\ufeff<html><script>alert(1)</script></html>', 'utf16le')],
  [
    'XML',
    toBytes(
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ),
  ],
  ['RTF', toBytes('{\\rtf1{\\object\\objocx}}')],
  ['old office file', compoundFile],
  [
    'HEIC',
    Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      toBytes('ftypheic\0\0\0\0heicmif1'),
      Buffer.alloc(200),
    ]),
  ],
  [
    'GIF',
    toBytes(
      'GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;',
    ),
  ],
  ['BMP', Buffer.concat([toBytes('BM'), Buffer.alloc(200)])],
  ['TIFF', Buffer.concat([toBytes('II*\0'), Buffer.alloc(200)])],
  ['WebP', Buffer.concat([toBytes('RIFF\x40\0\0\0WEBPVP8 '), Buffer.alloc(64)])],
  ['ZIP', writeZip([{ name: 'a.txt', data: 'a' }])],
  ['RAR', Buffer.concat([toBytes('Rar!\x1a\x07\x01\0'), Buffer.alloc(64)])],
  ['7z', Buffer.concat([Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), Buffer.alloc(64)])],
  ['gzip', Buffer.from('1f8b08000000000000034b04000043beb7e801000000', 'hex')],
  [
    'program for Windows',
    Buffer.concat([
      toBytes('MZ'),
      Buffer.alloc(58),
      Buffer.from([0x40, 0, 0, 0]),
      toBytes('PE\0\0'),
    ]),
  ],
  [
    'program for Linux',
    Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]), Buffer.alloc(64)]),
  ],
  ['shell script', toBytes('#!/bin/sh\necho\n')],
  ['JavaScript', toBytes('alert(1)')],
  ['PHP', toBytes('<?php system($_GET[0]); ?>')],
  ['PostScript', toBytes('%!PS-Adobe-3.0\n(%PDF-1.7) pop\n')],
  [
    'FDF',
    toBytes('%FDF-1.2\n1 0 obj<</FDF<</JavaScript<<>>>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ],
  [
    'document with macros',
    writeZip([...listDocxParts('docm'), { name: 'word/vbaProject.bin', data: 'VBA' }]),
  ],
  [
    'spreadsheet with macros',
    writeZip([...listXlsxParts('xlsm'), { name: 'xl/vbaProject.bin', data: 'VBA' }]),
  ],
  ['PDF', toBytes(writePdfText())],
  ['JPEG', writePlainJpeg()],
  ['PNG', writePlainPng()],
  ['document', writeZip(listDocxParts())],
  ['spreadsheet', writeZip(listXlsxParts())],
  ['text of a scanner', toBytes(eicar)],
  ['file that stalls a detector', stallingAsf],
  ['one byte', Buffer.from([0x25])],
  ['nothing', Buffer.alloc(0)],
  ['only zeros', Buffer.alloc(4096)],
  ['a signature of a PDF alone', toBytes('%PDF-1.7')],
  ['a signature of a JPEG alone', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['a signature of a PNG alone', writePlainPng().subarray(0, 8)],
];

/** The contents that match these extensions. */
const matchingContents: Readonly<Record<string, string>> = {
  pdf: 'PDF',
  jpg: 'JPEG',
  png: 'PNG',
  docx: 'document',
  xlsx: 'spreadsheet',
};
/** Contents that are valid text. */
const plainTexts = new Set(['JavaScript', 'text of a scanner', 'one byte']);

export const disguises: readonly HostileFile[] = [
  'pdf',
  'jpg',
  'png',
  'docx',
  'xlsx',
  'txt',
  'csv',
  'svg',
  'exe',
  '',
].flatMap((extension) =>
  contents
    .filter(([name]) => matchingContents[extension] !== name)
    .map(([name, bytes]) => ({
      group: 'disguise',
      name: `${name} as .${extension}`,
      extension,
      expected:
        ['txt', 'csv'].includes(extension) && plainTexts.has(name)
          ? ('either' as const)
          : ('refused' as const),
      make: () => bytes,
    })),
);

function toLittleEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
