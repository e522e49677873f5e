// Writes small PDF files as text with one character per byte, so that a test can make each offset and name wrong (ISO 32000-2,
// 7.5).

import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { toBytes, toText } from './bytes.ts';

/** The number of an object, and its text between `obj` and `endobj`. */
export type PdfObject = readonly [number: number, body: string];

/** `at` is the offset of the object in the file, `index` its position in the object stream `within`. */
export type PdfEntry =
  | { readonly number: number; readonly at: number }
  | { readonly number: number; readonly within: number; readonly index: number };

export interface ObjectStream {
  readonly body: string;
  readonly others?: readonly PdfObject[];
  readonly trailer?: string;
}

export interface PdfOptions {
  /** Default: 1.7. */
  readonly version?: string;
  readonly lineEnd?: '\n' | '\r' | '\r\n';
  /** Entries of the trailer in addition to `/Root` and `/Size`. */
  readonly trailer?: string;
}

/** A catalog, the page tree, a page with one line of text, its content, and its font. */
export const plainBodies: readonly string[] = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
  toStream('', 'BT /F1 12 Tf 72 720 Td (Statement of March) Tj ET'),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
];

/** The same with their numbers. */
export const plainObjects: readonly PdfObject[] = toObjects(plainBodies, 1);

/** @param bodies have the numbers 1, 2, and so on. The first is the catalog. */
export function writePdf(
  bodies: readonly string[],
  { version = '1.7', lineEnd = '\n', trailer = '' }: PdfOptions = {},
): Buffer {
  const head = `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`.replaceAll('\n', lineEnd);
  return toBytes(addObjects(head, toObjects(bodies, 1), `/Root 1 0 R${trailer}`, lineEnd));
}

/** The plain document with more entries in its catalog or page, or with an annotation, and more objects from number 6 on. */
export interface PdfRow {
  readonly name: string;
  readonly catalog?: string;
  readonly page?: string;
  readonly annotation?: string;
  readonly objects?: readonly string[];
}

export function writePdfRow(row: Omit<PdfRow, 'name'>): Buffer {
  const objects = new Map([...plainObjects, ...listChanges(row)]);
  return writePdf([...objects.values()]);
}

/** The objects that differ from those of the plain document. */
export function listChanges({
  catalog,
  annotation,
  page = annotation && `/Annots[<</Type/Annot/Rect[0 0 9 9]${annotation}>>]`,
  objects = [],
}: Omit<PdfRow, 'name'>): readonly PdfObject[] {
  const [[, plainCatalog], , [, plainPage]] = plainObjects as [PdfObject, PdfObject, PdfObject];
  const pageStart = page?.includes('/Resources') ? /\/Resources.*$/ : />>$/;
  return [
    ...(catalog ? [[1, plainCatalog.replace(/>>$/, () => `${catalog}>>`)] as const] : []),
    ...(page ? [[3, plainPage.replace(pageStart, () => `${page}>>`)] as const] : []),
    ...toObjects(objects, 6),
  ];
}

export function withCatalog(catalog: string): Buffer {
  return writePdfRow({ catalog });
}

/** Adds an incremental update (7.5.6). @param first the number of the first object. */
export function updatePdf(pdf: Buffer, bodies: readonly string[], first: number): Buffer {
  return toBytes(addObjects(toText(pdf), toObjects(bodies, first)));
}

function toObjects(bodies: readonly string[], first: number): PdfObject[] {
  return bodies.map((body, index) => [first + index, body]);
}

/** A change of the text of the plain document, with one character per byte. */
export interface PdfChange {
  /** Instead of the plain document. */
  readonly text?: string;
  readonly replace?: readonly [string, string];
  readonly before?: string;
  readonly after?: string;
  /** Of `before` and `after`. */
  readonly times?: number;
}

export function changePlainPdf(change: PdfChange): Buffer {
  const { text = toText(writePdf(plainBodies)), replace = ['', ''] } = change;
  const { before = '', after = '', times = 1 } = change;
  const [from, to] = replace;
  return toBytes(before.repeat(times) + text.replace(from, () => to) + after.repeat(times));
}

export function writePdfText(
  objects: readonly PdfObject[] = plainObjects,
  head = '%PDF-1.7\n',
): string {
  return addObjects(head, objects);
}

/** Adds the objects and a table that lists them. */
export function addObjects(
  before: string,
  objects: readonly PdfObject[],
  trailer = '/Root 1 0 R',
  lineEnd = '\n',
): string {
  const write = (number: number, body: string) => writeObject(number, body, lineEnd);
  const [text, entries] = placeObjects(before, objects, write);
  return addTable(text, entries, trailer, lineEnd);
}

/** Adds the objects, and returns where they are. @param skipped bytes of each written object before its number. */
export function placeObjects(
  before: string,
  objects: readonly PdfObject[],
  write: (number: number, body: string) => string = writeObject,
  skipped = 0,
): [text: string, entries: { readonly number: number; readonly at: number }[]] {
  let text = before;
  const entries = objects.map(([number, body]) => {
    const at = text.length + skipped;
    text += write(number, body);
    return { number, at };
  });
  return [text, entries];
}

export function writeObject(number: number, body: string, lineEnd = '\n'): string {
  return `${number} 0 obj${lineEnd}${body}${lineEnd}endobj${lineEnd}`;
}

/** @param dictionary the entries before `/Length`. */
export function toStream(
  dictionary: string,
  data: string | Uint8Array,
  length: string | number = data.length,
): string {
  const text = typeof data === 'string' ? data : toText(data);
  return `<<${dictionary}/Length ${length}>>\nstream\n${text}\nendstream`;
}

export function toFlateStream(dictionary: string, data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? toBytes(data) : data;
  return toStream(`${dictionary}/Filter/FlateDecode`, deflateSync(bytes));
}

/** Adds a cross-reference table, its trailer, and the end of the file. */
export function addTable(
  before: string,
  entries: readonly { readonly number: number; readonly at: number }[],
  trailer = '/Root 1 0 R',
  lineEnd = '\n',
): string {
  // Each entry has 20 bytes (7.5.4).
  const entryEnd = lineEnd.padStart(2);
  const rows = entries.map(
    ({ number, at }) => `${number} 1${lineEnd}${String(at).padStart(10, '0')} 00000 n${entryEnd}`,
  );
  const free = before.includes('startxref') ? '' : `0 1${lineEnd}0000000000 65535 f${entryEnd}`;
  return [
    `${before}xref`,
    `${free}${rows.join('')}trailer`,
    `<<${trailer}/Size 99${toPrevious(before)}>>`,
    'startxref',
    before.length,
    `%%EOF${lineEnd}`,
  ].join(lineEnd);
}

/** Adds a cross-reference stream (7.5.8) as object 90. A table cannot list objects that are in an object stream. */
export function addCrossReferenceStream(
  before: string,
  entries: readonly PdfEntry[],
  trailer = '/Root 1 0 R',
): string {
  const rows = entries.map((entry) => {
    const row = Buffer.alloc(7);
    row.writeUInt8('at' in entry ? 1 : 2, 0);
    row.writeUInt32BE('at' in entry ? entry.at : entry.within, 1);
    row.writeUInt16BE('at' in entry ? 0 : entry.index, 5);
    return row;
  });
  const index = entries.map(({ number }) => `${number} 1`).join(' ');
  const dictionary = `/Type/XRef${trailer}/Size 99/W[1 4 2]/Index[${index}]${toPrevious(before)}`;
  const stream = writeObject(90, toFlateStream(dictionary, Buffer.concat(rows)));
  return `${before}${stream}startxref\n${before.length}\n%%EOF\n`;
}

const indexEntryLength = 12;

/** Returns the content of an object stream (7.5.7) before it is encoded, and its dictionary entries. */
export function packObjects(
  objects: readonly PdfObject[],
  isWithoutFirst = false,
): { readonly data: Buffer; readonly dictionary: string } {
  // The entries have a fixed length, because their offsets depend on the length of the index.
  const first = objects.length * indexEntryLength;
  let bodies = '';
  const index = objects.map(([number, body]) => {
    const offset = bodies.length + (isWithoutFirst ? first : 0);
    bodies += `${body}\n`;
    return `${number} ${offset}`.padEnd(indexEntryLength);
  });
  return {
    data: toBytes(`${index.join('').slice(0, -1)}\n${bodies}`),
    dictionary: `/N ${objects.length}${isWithoutFirst ? '' : `/First ${first}`}`,
  };
}

/** Returns an object stream that no table refers to. */
export function toObjectStream(objects: readonly PdfObject[]): string {
  const { data, dictionary } = packObjects(objects);
  return toFlateStream(`/Type/ObjStm${dictionary}`, data);
}

/** Adds an object stream as object 80, and a cross-reference stream that lists its objects. `others` are added as well. */
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

/** Padding of passwords (algorithm 2). */
const padding = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
const fileId = Buffer.alloc(16, 7);

/** The plain document with an encrypted page content. */
export function writeEncrypted(password: string): string {
  const content = toStream('', encryptStream(password, 4, toBytes('0 0 m 100 100 l S')));
  return addObjects(
    '%PDF-1.7\n',
    plainObjects.with(3, [4, content]),
    toEncryptingTrailer(password),
  );
}

/** Encrypts the data of the stream with this object number. */
export function encryptStream(password: string, number: number, data: Uint8Array): Buffer {
  const objectKey = md5(toKey(password), Buffer.from([number, 0, 0, 0, 0])).subarray(0, 10);
  return rc4(objectKey, data);
}

/** Readers open a file with an empty password without asking. */
export function toEncryptingTrailer(password: string): string {
  const user = rc4(toKey(password), padding).toString('hex');
  const id = fileId.toString('hex');
  return `/Root 1 0 R/ID[<${id}><${id}>]/Encrypt<</Filter/Standard/V 1/R 2/O<${padding.toString('hex')}>/U<${user}>/P ${permissions.readInt32LE()}>>`;
}

function toKey(password: string): Buffer {
  const padded = Buffer.concat([toBytes(password), padding]).subarray(0, 32);
  return md5(padded, padding, permissions, fileId).subarray(0, 5);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

/** RC4, which OpenSSL no longer supports. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let other = 0;
  for (let index = 0; index < 256; index += 1) {
    other = (other + at(state, index) + at(key, index % key.length)) % 256;
    swap(state, index, other);
  }
  let first = 0;
  let second = 0;
  return Buffer.from(
    data.map((byte) => {
      first = (first + 1) % 256;
      second = (second + at(state, first)) % 256;
      swap(state, first, second);
      return byte ^ at(state, (at(state, first) + at(state, second)) % 256);
    }),
  );
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function swap(bytes: Uint8Array, one: number, other: number): void {
  const first = at(bytes, one);
  bytes[one] = at(bytes, other);
  bytes[other] = first;
}

/**
 * @param text printable ASCII.
 * @param bytes the size of the file. Default: as small as possible.
 */
export function createTextPdf(text: string, bytes?: number): Uint8Array<ArrayBuffer> {
  const smallest = write(text, 0);
  if (bytes === undefined) return new Uint8Array(smallest);
  let padding = bytes - smallest.length;
  // The lengths inside the file grow with the padding, so that it may take several attempts.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const file = write(text, Math.max(0, padding));
    if (file.length === bytes) return new Uint8Array(file);
    padding += bytes - file.length;
  }
  throw new RangeError(`A PDF with this text cannot have ${bytes} bytes`);
}

function write(text: string, padding: number): Buffer {
  const line = text.replaceAll(/[\\()]/g, String.raw`\$&`);
  const content = `BT /F1 12 Tf 54 720 Td (${line}) Tj ET${' '.repeat(padding)}`;
  return writePdf(plainBodies.with(3, toStream('', content)));
}
