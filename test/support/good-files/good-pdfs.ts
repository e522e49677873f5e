// PDFs with unusual features of banks, scanners, authorities, and signing services, which the inspection accepts.

import { PDFDocument } from '@cantoo/pdf-lib';
import { readBankStatement } from '../files/realistic-files.ts';
import { createNoise } from '../random.ts';
import { toBytes, toText } from '../files/bytes.ts';
import {
  changePlainPdf,
  type PdfChange,
  type PdfRow,
  plainBodies,
  toFlateStream,
  toObjectStream,
  toStream,
  updatePdf,
  writePdf,
  writePdfRow,
} from '../files/pdf.ts';
import { readRows } from '../files/rows.ts';
import { readFixture } from './fixture-files.ts';
import type { GoodFile } from './good-file.ts';

const plain = writePdf(plainBodies);
const text = toText(plain);

/** Names that have a meaning in an action, an annotation, or the catalog, and nowhere else. */
const harmlessNames =
  'S A AA EF JS Next Launch Movie Sound 3D JavaScript OpenAction EmbeddedFile XFA'.split(' ');

/** Positions where a program, a bank, or an applicant may choose any name, here `NAME`. */
const harmlessPlaces = readRows<PdfRow>('harmless-places.ndjson', import.meta.url);
const rows: readonly (PdfRow & Pick<GoodFile, 'isRefusedInStrictMode'>)[] = [
  ...readRows<PdfRow>('good-pdfs.ndjson', import.meta.url),
  ...readRows<PdfRow>('../bad-files/active-contents.ndjson', import.meta.url).filter(
    (row) => !('detail' in row),
  ),
  ...harmlessNames.flatMap((name) =>
    harmlessPlaces.map((place): PdfRow =>
      JSON.parse(JSON.stringify(place).replaceAll('NAME', name)),
    ),
  ),
];

const made: readonly (readonly [string, GoodFile['make']])[] = [
  ['a statement of three pages from pdf-lib', readBankStatement],
  ['from pdf-lib, without object streams', createWithoutObjectStreams],
  ['a form from pdf-lib', createForm],
  ['a scanned page', createScan],
  ...['1.2', '1.4', '1.7', '2.0'].map(
    (version) => [`version ${version}`, () => writePdf(plainBodies, { version })] as const,
  ),
  ['with lines that end with CR', () => writePdf(plainBodies, { lineEnd: '\r' })],
  ['with lines that end with CR LF', () => writePdf(plainBodies, { lineEnd: '\r\n' })],
  ['with two incremental updates', () => updateTwice(plain)],
  ['signed', () => sign(plain)],
  [
    'with a line break before an earlier cross-reference table',
    () => updatePdf(toBytes(text.replace(/\nxref\n/, '\n\nxref\n')), ['<</Title(April)>>'], 6),
  ],
  ['that opens with an action in an object stream', openInObjectStream],
  ['with a color profile', withColorProfile],
  ['with a stream that contains PDF keywords', withKeywords],
];

export const goodPdfs: readonly GoodFile[] = [
  ...rows.map((row) => ({ ...row, extension: 'pdf', make: () => writePdfRow(row) })),
  ...made.map(([name, make]) => ({ name, extension: 'pdf', make })),
  ...readRows<PdfChange & Omit<GoodFile, 'make'>>('changed-pdfs.ndjson', import.meta.url).map(
    (row) => ({ ...row, extension: 'pdf', make: () => changePlainPdf(row) }),
  ),
];

function openInObjectStream(): Buffer {
  const stream = toObjectStream([
    [20, '<</S/GoTo/D[3 0 R/Fit]>>'],
    [21, '<</S/URI/URI(https://bank.example)>>'],
    [22, '7'],
  ]);
  return writePdfRow({ catalog: '/OpenAction 20 0 R', objects: [stream] });
}

function withColorProfile(): Buffer {
  const color = toFlateStream('/N 3/Alternate/DeviceRGB', '\0\0\x020lcms\x02\x10\0\0mntrRGB XYZ ');
  return writePdfRow({ objects: [color, toFlateStream('/N 1', `\0\0\x02H${'\0'.repeat(40)}`)] });
}

function withKeywords(): Buffer {
  const noise = toText(createNoise(20_000, 11));
  const stream = toStream('', `\x80obj\x00obj(((<<[[ endobj trailer ${noise}`);
  return writePdfRow({ objects: [stream] });
}

function updateTwice(pdf: Buffer): Buffer {
  const once = updatePdf(pdf, ['<</Title(April)>>'], 6);
  return updatePdf(once, [toStream('', 'BT (Corrected) Tj ET')], 4);
}

/** Adds a signature in two updates, as signing services do: its field, then a new catalog. */
function sign(pdf: Buffer): Buffer {
  const contents = '00'.repeat(1024);
  const signature = [
    '<</FT/Sig/T(Signature)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/V 7 0 R/P 3 0 R>>',
    `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 840 2890 300]/Contents<${contents}>/M(D:20260401060000Z)>>`,
  ];
  const form = '/AcroForm<</SigFlags 3/Fields[6 0 R]>>/Perms<</DocMDP 7 0 R>>';
  return updatePdf(updatePdf(pdf, signature, 6), [`<</Type/Catalog/Pages 2 0 R${form}>>`], 1);
}

async function createWithoutObjectStreams(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 200]).drawText('Statement');
  return document.save({ useObjectStreams: false });
}

async function createForm(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage([200, 200]);
  const form = document.getForm();
  form.createTextField('name').addToPage(page);
  form.createCheckBox('agreed').addToPage(page);
  form.createDropdown('state').addToPage(page);
  return document.save();
}

async function createScan(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const image = await document.embedJpg(new Uint8Array(readFixture('baseline.jpg')));
  document.addPage([200, 200]).drawImage(image);
  return document.save();
}
