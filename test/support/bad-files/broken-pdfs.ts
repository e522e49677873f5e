// PDFs that are truncated, unreadable, protected by a password, or another type.

import { readFileSync } from 'node:fs';
import { readFixture } from '../good-files/fixture-files.ts';
import { toBytes, toText } from '../files/bytes.ts';
import { plainBodies, updatePdf, writePdf } from '../files/pdf.ts';
import { writeZip } from '../files/office.ts';
import { toBadFiles, toStrictPdfs, type BadFile } from './bad-file.ts';

const plain = writePdf(plainBodies);
/** One character per byte. */
const text = toText(plain);
const linearized = readFixture('qpdf-linearized.pdf');
const packed = readFixture('qpdf-linearized-object-streams.pdf');
const updated = updatePdf(plain, ['<</Title(April)>>'], 6);

/** An encryption dictionary that does not accept an empty password. */
const locked = `<</Filter/Standard/V 1/R 2/P -4/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>>>`;

const cutOff = toBadFiles('pdf', [
  [
    'pdf-cut-off',
    'truncated in its cross-reference table',
    () => toBytes(text.slice(0, text.indexOf('xref\n') + 30)),
  ],
  ['pdf-cut-off', 'truncated in its objects', () => plain.subarray(0, 300)],
  ['pdf-cut-off', 'truncated to 90 percent', () => cut(readFixture('chromium.pdf'), 0.9)],
  ['pdf-cut-off', 'linearized, truncated to 50 percent', () => cut(linearized, 0.5)],
  ['pdf-cut-off', 'linearized, truncated to 90 percent', () => cut(linearized, 0.9)],
  ['pdf-cut-off', 'with object streams, truncated to 50 percent', () => cut(packed, 0.5)],
  [
    'pdf-cut-off',
    'truncated in an incremental update',
    () => updated.subarray(0, updated.indexOf('xref', plain.length)),
  ],
]);

const unreadable = toBadFiles('pdf', [
  ['content-differs', 'plain text', () => toBytes('Statement of March')],
  ['content-differs', 'a web page with a PDF inside', () => toBytes(`<html>${text}`)],
  ['content-differs', 'a program with a PDF inside', () => toBytes(`MZ\x90\0${text}`)],
  ['content-differs', 'a script with a PDF inside', () => toBytes(`\n#!/bin/sh\n${text}`)],
  ['content-differs', 'a header after 1,024 bytes', () => toBytes(' '.repeat(1024) + text)],
  ['pdf-unreadable', 'only a header', () => toBytes('%PDF-1.7\n%%EOF\n')],
  ['pdf-unreadable', 'a header with a web page', () => toBytes('%PDF-1.7\n<html><p>Log in</html>')],
  [
    'pdf-unreadable',
    'no catalog',
    () => toBytes(text.replace('/Root', '/Ruth').replace('/Catalog', '/Kitchen')),
  ],
  [
    'pdf-unreadable',
    'no page',
    () => writePdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']),
  ],
  [
    'also-an-archive',
    'an archive after its end',
    () => Buffer.concat([plain, writeZip([{ name: 'a.txt', data: 'a' }])]),
  ],
]);

const passwords = toBadFiles('pdf', [
  ['pdf-password', 'a user password', () => encrypt(locked)],
  [
    'pdf-password',
    'a user password in a referenced encryption dictionary',
    () => writePdf([...plainBodies, locked], { trailer: '/ID[<00><00>]/Encrypt 6 0 R' }),
  ],
  [
    'pdf-password',
    'a certificate',
    () => encrypt('<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/Recipients[<00>]>>'),
  ],
  [
    'pdf-password',
    'a user password that differs from the owner password',
    () =>
      readFileSync(
        new URL('../../fixtures/encrypted-javascript/aes-256-owner.pdf', import.meta.url),
      ),
  ],
  ...[
    'qpdf-locked-aes-128.pdf',
    'qpdf-locked-aes-256.pdf',
    'qpdf-locked-rc4-128.pdf',
    'qpdf-owner-empty-aes-256.pdf',
  ].map((name) => ['pdf-password', name, () => readFixture(name)] as const),
]);

const repaired = toStrictPdfs([
  ['pdf-repaired', 'a wrong offset of the cross-reference table', () => insert('% moved\n')],
  [
    'pdf-repaired',
    'no cross-reference table',
    () => toBytes(text.replace(/xref\n[^]*trailer/, 'trailer')),
  ],
]);

export const brokenPdfs: readonly BadFile[] = [...cutOff, ...unreadable, ...passwords, ...repaired];

function cut(bytes: Buffer, share: number): Buffer {
  return bytes.subarray(0, Math.round(bytes.length * share));
}

/** Inserts text before the table, so that the offset of the table is wrong. */
function insert(between: string): Buffer {
  return toBytes(text.replace(/\nxref\n/, () => `\n${between}xref\n`));
}

function encrypt(encryption: string): Buffer {
  return writePdf(plainBodies, { trailer: `/ID[<00><00>]/Encrypt ${encryption}` });
}
