// PDFs that are not whole, or that cost a reader or the inspection too much: at least one for each rule.

import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { toBytes } from '../good-files/good-file.ts';
import {
  plainBodies,
  toFlateStream,
  toObjectStream,
  toStream,
  updatePdf,
  writePdf,
} from '../good-files/pdf-writer.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';
import { add, encrypt, insert, locked, plain, text, toPacked } from './pdf-places.ts';

const encryptedFolder = new URL('../../fixtures/encrypted-javascript/', import.meta.url);
const withoutCipher = locked.replace('/V 1/R 2', '/V 4/R 4/CF<<>>/StmF/Identity');

const otherFilters = [
  'ASCIIHexDecode',
  'AHx',
  'ASCII85Decode',
  'A85',
  'LZWDecode',
  'LZW',
  'RunLengthDecode',
  'RL',
  'CCITTFaxDecode',
  'CCF',
  'DCTDecode',
  'DCT',
  'JBIG2Decode',
  'JPXDecode',
  'Crypt',
];

const unsafe = toBadFiles('pdf', [
  ...otherFilters.map(
    (name) =>
      [
        'pdf-object-stream-filter',
        `${name} before the usual filter`,
        () => add(toPacked('', `[/${name}/FlateDecode]`)),
      ] as const,
  ),
  ['pdf-object-stream-filter', 'twice the same filter', () => add(toPacked('', '[/Fl/Fl]'))],
  ['pdf-object-stream-filter', 'another filter', () => add(toPacked('', '/LZWDecode'))],
  ['pdf-object-stream-filter', 'a filter that stands elsewhere', () => add(toPacked('', ' 9 0 R'))],
  [
    'pdf-object-stream-filter',
    'a predictor',
    () => add(toPacked('', '/FlateDecode/DecodeParms<</Predictor 12>>')),
  ],
  [
    'pdf-object-stream-filter',
    'a place that stands elsewhere',
    () => add(toStream('/N 1/First 9 0 R', '')),
  ],
  ['pdf-object-stream-damaged', 'data that are not deflated', () => add(toPacked('xxxxxxxx'))],
  [
    'pdf-object-stream-damaged',
    'deflated data that break',
    () => add(toPacked('\x78\x9c\xff\xff')),
  ],
  [
    'pdf-object-stream-damaged',
    'data on the line of their word',
    () =>
      toBytes(
        add(toObjectStream({ 9: '1' }))
          .toString('latin1')
          .replace('stream\nx', 'stream\tx'),
      ),
  ],
  [
    'pdf-inflates-too-far',
    'an object stream of 20 MB',
    () => add(toPacked(deflateSync(Buffer.alloc(20_000_000, 0x20)))),
  ],
  [
    'pdf-inflates-too-far',
    'object streams of 2 MB together',
    () => {
      const half = toPacked(deflateSync(Buffer.alloc(1_000_000, 0x20)));
      return writePdf([...plainBodies, half, half]);
    },
  ],
  [
    'pdf-too-many-objects',
    'an index of a million numbers',
    () => add(toFlateStream('/N 1/First 4', '9 0 '.repeat(100_000))),
  ],
  ['pdf-nesting', 'ten thousand brackets', () => add('['.repeat(10_000))],
  [
    'pdf-too-many-objects',
    'more than two hundred thousand objects',
    () => insert('1 0 obj\n'.repeat(200_001)),
  ],
  ['pdf-too-much-text', 'objects in strings in objects', () => insert('1 0 obj('.repeat(20_000))],
  [
    'pdf-object-stream-filter',
    'a plain object stream in a document whose encryption changes nothing',
    () => encrypt(withoutCipher, toStream('/N 1/First 4', '9 0 1')),
  ],
  [
    'pdf-encryption-unknown',
    'an encrypted object stream whose number is hidden',
    () =>
      toBytes(
        readFileSync(new URL('rc4-40.pdf', encryptedFolder), 'latin1').replace(
          / 0 obj(\s*<<[^>]*\/ObjStm)/,
          '%\n0 obj$1',
        ),
      ),
  ],
  ['pdf-encryption-unknown', 'encryption by nothing', () => encrypt('9 0 R')],
  [
    'pdf-encryption-unknown',
    'encryption of no version',
    () => encrypt(locked.replace('/V 1', '/V 3')),
  ],
  [
    'pdf-encryption-unknown',
    'a key that stands elsewhere',
    () => encrypt(locked.replace('-4', '9 0 R')),
  ],
  ['pdf-encryption-unknown', 'a key twice', () => encrypt(locked.replace('/R 2', '/R 2/R 3'))],
  [
    'pdf-encryption-unknown',
    'an encryption that only an older version has',
    () => updatePdf(encrypt(locked), ['<<>>'], 6),
  ],
  [
    'pdf-encryption-unknown',
    'more trailers than programs write',
    () => insert('trailer<</Encrypt null>>\n'.repeat(65)),
  ],
  ['pdf-encryption-unknown', 'two encryptions', () => encrypt(`${locked}/Info<</O<00>/U<00>>>`)],
  [
    'pdf-encryption-unknown',
    'another encryption in an update',
    () =>
      insert(`trailer<</Encrypt${locked}>>\ntrailer<</Encrypt${locked.replace('-4', '-8')}>>\n`),
  ],
  [
    'pdf-object-stream-filter',
    'a plain object stream in a locked document',
    () => encrypt(locked, toStream('/N 1/First 4', '9 0 1')),
  ],
]);

const notWhole = toBadFiles('pdf', [
  ['content-differs', 'a page of text', () => toBytes('Statement of March')],
  ['content-differs', 'something before its header', () => toBytes(`\n${text}`)],
  ['content-differs', 'no version', () => toBytes(text.replace('%PDF-1.7', '%PDF-x.y'))],
  ['pdf-end-missing', 'cut off', () => plain.subarray(0, -20)],
  [
    'pdf-end-missing',
    'no place of the cross-reference',
    () => toBytes(text.replace(/startxref\n\d+/, '')),
  ],
  [
    'pdf-end-missing',
    'a word for a place',
    () => toBytes(text.replace(/startxref\n\d+/, 'startxref\nx')),
  ],
  ['pdf-catalog-missing', 'no catalog', () => toBytes(text.replace('/Root', '/Ruth'))],
  ['trailing-bytes', 'text behind its end', () => toBytes(`${text}<!-- cached -->`)],
  [
    'trailing-bytes',
    'a picture behind its end',
    () => Buffer.concat([plain, Buffer.from([0xff, 0xd8])]),
  ],
]);

export const brokenPdfs: readonly BadFile[] = [...unsafe, ...notWhole];
