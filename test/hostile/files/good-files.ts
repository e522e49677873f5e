// Small good files of each type, from which the mutants are made.

import { PDFDocument } from '@cantoo/pdf-lib';
import { createBankStatement } from '../../support/pdf.ts';
import { writeEncrypted } from '../../support/file-writers/pdf-encryption.ts';
import { toBytes } from '../../support/file-writers/bytes.ts';
import {
  exif,
  toChunk,
  toSegment,
  writePlainJpeg,
  writePlainPng,
} from '../../support/file-writers/image-writer.ts';
import type { GoodFile } from './mutants.ts';
import { listDocxParts, listXlsxParts } from '../../support/file-writers/office-writer.ts';
import {
  addObjects,
  statementObjects,
  writePdfText,
} from '../../support/file-writers/pdf-writer.ts';
import { writeZip } from '../../support/file-writers/zip-writer.ts';

export async function listGoodFiles(): Promise<readonly GoodFile[]> {
  const statement = await createBankStatement();
  const emptyExif = toBytes('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0');
  const updated = addObjects(writePdfText(), statementObjects.slice(2, 3));
  return [
    toFile('a small PDF', 'pdf', toBytes(writePdfText())),
    toFile('an updated PDF', 'pdf', toBytes(updated)),
    toFile('a PDF with object streams', 'pdf', statement),
    toFile('a PDF without object streams', 'pdf', await withoutObjectStreams(statement)),
    toFile('an encrypted PDF', 'pdf', toBytes(writeEncrypted(''))),
    toFile('a JPEG', 'jpg', writePlainJpeg()),
    toFile('a JPEG of a camera', 'jpg', writePlainJpeg([toSegment(exif, emptyExif)])),
    toFile('a PNG', 'png', writePlainPng()),
    toFile(
      'a PNG with a text',
      'png',
      writePlainPng([toChunk('tEXt', toBytes('Software\0a scanner'))]),
    ),
    toFile('a document', 'docx', writeZip(listDocxParts())),
    toFile('a spreadsheet', 'xlsx', writeZip(listXlsxParts())),
    toFile('a text', 'txt', toBytes('Statement of March\nBalance: 1,000.00\n'.repeat(20))),
    toFile('a table', 'csv', toBytes('date,payee,amount\n2026-03-01,RENT,-12.50\n'.repeat(20))),
  ];
}

function toFile(name: string, extension: string, bytes: Uint8Array): GoodFile {
  return { name, extension, bytes };
}

async function withoutObjectStreams(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  return document.save({ useObjectStreams: false });
}
