// Writes small PDF files by hand, as text with one character a byte, so that every offset and name can be made wrong (ISO 32000-1, 7.5).

import { deflateSync } from 'node:zlib';
import { toBytes, toText } from './hostile-file.ts';

/** A number and what stands between `obj` and `endobj`. */
export type PdfObject = readonly [number: number, body: string];

/** Where an object is: `at` in the file, or `index` in the object stream `within`. */
export type PdfEntry =
  | { readonly number: number; readonly at: number }
  | { readonly number: number; readonly within: number; readonly index: number };

export interface ObjectStream {
  readonly body: string;
  readonly others?: readonly PdfObject[];
  readonly trailer?: string;
}

const entryLength = 12;

/** Objects 1 to 4: a catalog, the tree of pages, a page with one line of text, and that text. */
export const statementObjects: readonly PdfObject[] = [
  [1, '<</Type/Catalog/Pages 2 0 R>>'],
  [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
  [3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<<>>>>'],
  [4, toStream('', toBytes('0 0 m 100 100 l S'))],
];

/** A whole file with a cross-reference table. */
export function writePdf(
  objects: readonly PdfObject[] = statementObjects,
  head = '%PDF-1.7\n',
): string {
  return addObjects(head, objects, '/Root 1 0 R');
}

/** An incremental update (7.5.6): the objects as they are, and a section that names them. */
export function addObjects(
  before: string,
  objects: readonly PdfObject[],
  trailer = '/Root 1 0 R',
): string {
  let text = before;
  const entries: { number: number; at: number }[] = [];
  for (const [number, body] of objects) {
    entries.push({ number, at: text.length });
    text += writeObject(number, body);
  }
  return addTable(text, entries, trailer);
}

export function writeObject(number: number, body: string): string {
  return `${number} 0 obj\n${body}\nendobj\n`;
}

/** The body of a stream object; `dictionary` comes before its `/Length`. */
export function toStream(
  dictionary: string,
  data: Uint8Array,
  length: string | number = data.length,
): string {
  return `<<${dictionary}/Length ${length}>>\nstream\n${toText(data)}\nendstream`;
}

/** A cross-reference table, its trailer and the end of the file. */
export function addTable(
  before: string,
  entries: readonly { readonly number: number; readonly at: number }[],
  trailer = '/Root 1 0 R',
): string {
  const rows = entries.map(({ number, at }) => `${number} 1\n${toDigits(at)} 00000 n \n`).join('');
  const free = before.includes('startxref') ? '' : '0 1\n0000000000 65535 f \n';
  return `${before}xref\n${free}${rows}trailer\n<<${trailer}/Size 99${toPrevious(before)}>>\nstartxref\n${before.length}\n%%EOF\n`;
}

/** A cross-reference stream (7.5.8) as object 90; the only kind of section that can name what is inside an object stream. */
export function addCrossReferenceStream(
  before: string,
  entries: readonly PdfEntry[],
  trailer = '/Root 1 0 R',
): string {
  const rows = entries.map((entry) =>
    'at' in entry ? [1, entry.at, 0] : [2, entry.within, entry.index],
  );
  const data = Buffer.concat(
    rows.map(([type = 0, middle = 0, last = 0]) => {
      const row = Buffer.alloc(7);
      row.writeUInt8(type, 0);
      row.writeUInt32BE(middle, 1);
      row.writeUInt16BE(last, 5);
      return row;
    }),
  );
  const index = entries.map(({ number }) => `${number} 1`).join(' ');
  const dictionary = `/Type/XRef${trailer}/Size 99/W[1 4 2]/Index[${index}]/Filter/FlateDecode${toPrevious(before)}`;
  return `${before}${writeObject(90, toStream(dictionary, deflateSync(data)))}startxref\n${before.length}\n%%EOF\n`;
}

/** What an object stream (7.5.7) holds before it is encoded, and the entries of its dictionary that say so. */
export function packObjects(
  objects: readonly PdfObject[],
  isWithoutFirst = false,
): { readonly data: Buffer; readonly dictionary: string } {
  // As long for each object, so that the index is as long whatever it says.
  const first = objects.length * entryLength;
  let bodies = '';
  const index = objects.map(([number, body]) => {
    const offset = bodies.length + (isWithoutFirst ? first : 0);
    bodies += `${body}\n`;
    return `${number} ${offset}`.padEnd(entryLength);
  });
  return {
    data: toBytes(`${index.join('').slice(0, -1)}\n${bodies}`),
    dictionary: `/N ${objects.length}${isWithoutFirst ? '' : `/First ${first}`}`,
  };
}

/** Objects as an object stream, number 80, with the section that names them. `body` is the whole of object 80; `others` stand beside it. */
export function addObjectStream(
  before: string,
  objects: readonly PdfObject[],
  { body, others = [], trailer }: ObjectStream,
): string {
  const entries: PdfEntry[] = objects.map(([number], index) => ({ number, within: 80, index }));
  let text = before;
  for (const [number, content] of [[80, body] as const, ...others]) {
    entries.push({ number, at: text.length });
    text += writeObject(number, content);
  }
  return addCrossReferenceStream(text, entries, trailer);
}

function toPrevious(before: string): string {
  const at = before.lastIndexOf('startxref\n');
  return at === -1 ? '' : `/Prev ${Number.parseInt(before.slice(at + 10), 10)}`;
}

function toDigits(offset: number): string {
  return String(offset).padStart(10, '0');
}
