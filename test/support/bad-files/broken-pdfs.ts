// PDFs that are truncated, unreadable, protected by a password, or another type.

import { readFileSync } from 'node:fs';
import { readFixture } from '../good-files/fixture-files.ts';
import { toBytes, toText } from '../files/bytes.ts';
import { changePlainPdf, type PdfChange, plainBodies, updatePdf, writePdf } from '../files/pdf.ts';
import { readRows } from '../files/rows.ts';
import { writeZip } from '../files/office.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';

const plain = writePdf(plainBodies);
/** One character per byte. */
const text = toText(plain);
const linearized = readFixture('qpdf-linearized.pdf');
const packed = readFixture('qpdf-linearized-object-streams.pdf');
const updated = updatePdf(plain, ['<</Title(April)>>'], 6);

const ownerPassword = new URL(
  '../../fixtures/encrypted-javascript/aes-256-owner.pdf',
  import.meta.url,
);

/** An encryption dictionary that does not accept an empty password. */
const locked = `<</Filter/Standard/V 1/R 2/P -4/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>>>`;

export const brokenPdfs: readonly BadFile[] = [
  ...readRows<PdfChange & Omit<BadFile, 'make'>>('changed-pdfs.ndjson', import.meta.url).map(
    (row) => ({ ...row, extension: 'pdf', make: () => changePlainPdf(row) }),
  ),
  ...toBadFiles('pdf', {
    'pdf-cut-off': {
      'truncated in its cross-reference table': () =>
        toBytes(text.slice(0, text.indexOf('xref\n') + 30)),
      'truncated in its objects': () => plain.subarray(0, 300),
      'truncated to 90 percent': () => cut(readFixture('chromium.pdf'), 0.9),
      'linearized, truncated to 50 percent': () => cut(linearized, 0.5),
      'linearized, truncated to 90 percent': () => cut(linearized, 0.9),
      'with object streams, truncated to 50 percent': () => cut(packed, 0.5),
      'truncated in an incremental update': () =>
        updated.subarray(0, updated.indexOf('xref', plain.length)),
    },
    'pdf-unreadable': {
      'no catalog': () => toBytes(text.replace('/Root', '/Ruth').replace('/Catalog', '/Kitchen')),
      'no page': () =>
        writePdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']),
    },
    'also-an-archive': {
      'an archive after its end': () =>
        Buffer.concat([plain, writeZip([{ name: 'a.txt', data: 'a' }])]),
    },
    'pdf-password': {
      'a user password': () => encrypt(locked),
      'a user password in a referenced encryption dictionary': () =>
        writePdf([...plainBodies, locked], { trailer: '/ID[<00><00>]/Encrypt 6 0 R' }),
      'a certificate': () =>
        encrypt('<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/Recipients[<00>]>>'),
      'a user password that differs from the owner password': () => readFileSync(ownerPassword),
      ...Object.fromEntries(
        ['locked-aes-128', 'locked-aes-256', 'locked-rc4-128', 'owner-empty-aes-256'].map(
          (name) => [name, () => readFixture(`qpdf-${name}.pdf`)],
        ),
      ),
    },
  }),
  ...toBadFiles(
    'pdf',
    {
      'pdf-repaired': {
        'no cross-reference table': () => toBytes(text.replace(/xref\n[^]*trailer/, 'trailer')),
      },
    },
    true,
  ),
];

function cut(bytes: Buffer, share: number): Buffer {
  return bytes.subarray(0, Math.round(bytes.length * share));
}

function encrypt(encryption: string): Buffer {
  return writePdf(plainBodies, { trailer: `/ID[<00><00>]/Encrypt ${encryption}` });
}
