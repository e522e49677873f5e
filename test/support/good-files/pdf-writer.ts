// Writes small PDFs object by object, with a cross-reference table whose offsets are right.

import { deflateSync } from 'node:zlib';
import { toBytes } from './good-file.ts';

/** The body of each object; the first has number 1, and is the catalog. */
export type PdfBodies = readonly string[];

export interface PdfOptions {
  /** Default: 1.7. */
  readonly version?: string;
  /** Default: line feed. */
  readonly lineEnd?: '\n' | '\r' | '\r\n';
  /** Entries of the trailer besides `/Root` and `/Size`. */
  readonly trailer?: string;
}

/** A catalog, and one page with one line of text. */
export const plainBodies: PdfBodies = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
  toStream('', 'BT /F1 12 Tf 72 720 Td (Statement of March) Tj ET'),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
];

export function writePdf(bodies: PdfBodies, options: PdfOptions = {}): Buffer {
  const { version = '1.7', lineEnd = '\n', trailer = '' } = options;
  const head = `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`.replaceAll('\n', lineEnd);
  return toBytes(appendSection(head, bodies, 1, { lineEnd, trailer, previous: undefined }));
}

/** An incremental update (ISO 32000-2, 7.5.6): objects from `first` on, and a section of their own. */
export function updatePdf(pdf: Buffer, bodies: PdfBodies, first: number): Buffer {
  const text = pdf.toString('latin1');
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1];
  return toBytes(appendSection(text, bodies, first, { lineEnd: '\n', trailer: '', previous }));
}

interface Section {
  readonly lineEnd: string;
  readonly trailer: string;
  readonly previous: string | undefined;
}

function appendSection(before: string, bodies: PdfBodies, first: number, section: Section): string {
  const { lineEnd, trailer, previous } = section;
  let text = before;
  const offsets = bodies.map((body, index) => {
    const offset = text.length;
    text += `${first + index} 0 obj${lineEnd}${body}${lineEnd}endobj${lineEnd}`;
    return offset;
  });
  const place = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n\r\n`);
  const prev = previous === undefined ? '' : `/Prev ${previous}`;
  return [
    `${text}xref`,
    `${first} ${bodies.length}`,
    `${entries.join('')}trailer`,
    `<</Root 1 0 R/Size ${first + bodies.length}${prev}${trailer}>>`,
    'startxref',
    String(place),
    `%%EOF${lineEnd}`,
  ].join(lineEnd);
}

/** @param data one character a byte */
export function toStream(dictionary: string, data: string): string {
  return `<<${dictionary}/Length ${data.length}>>\nstream\n${data}\nendstream`;
}

export function toFlateStream(dictionary: string, data: string): string {
  return toStream(
    `${dictionary}/Filter/FlateDecode`,
    deflateSync(toBytes(data)).toString('latin1'),
  );
}

/** Objects in a stream (7.5.7), by their numbers; a cross-reference to them is not written. */
export function toObjectStream(objects: Readonly<Record<number, string>>): string {
  const bodies = Object.values(objects);
  const index = Object.keys(objects).map((number, at) => {
    const offset = bodies.slice(0, at).reduce((sum, body) => sum + body.length + 1, 0);
    return `${number} ${offset}`;
  });
  const head = `${index.join(' ')} `;
  return toFlateStream(
    `/Type/ObjStm/N ${bodies.length}/First ${head.length}`,
    head + bodies.join('\n'),
  );
}
