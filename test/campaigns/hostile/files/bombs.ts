// Files that exhaust time or memory: small files that become large, files that never end, and files that make a parser repeat
// its work.

import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { toBytes } from '../../../support/files/bytes.ts';
import {
  comment,
  insertBefore,
  toChunk,
  toSegment,
  withSize,
  writePlainJpeg,
  writePlainPng,
} from '../../../support/files/images.ts';
import {
  listDocxParts,
  toDirectoryEntry,
  toEnd,
  toLocal,
  writeZip,
  type ZipEntry,
} from '../../../support/files/office.ts';
import {
  addObjects,
  addObjectStream,
  type PdfObject,
  plainObjects,
  toFlateStream,
  toStream,
  writeObject,
  writePdfText,
} from '../../../support/files/pdf.ts';
import { readRows } from '../../../support/files/rows.ts';
import type { HostileFile } from './hostile-file.ts';

interface RepeatRow {
  readonly name: string;
  /** `object`: as an object of a PDF. `pdf`: between objects. `jpg`: before its end. `txt`, `csv`: the whole file. */
  readonly within: 'object' | 'pdf' | 'jpg' | 'txt' | 'csv';
  readonly start?: string;
  /** Repeated until the file is large. */
  readonly unit: string;
  readonly end?: string;
  /** Default: `either`. */
  readonly expected?: HostileFile['expected'];
}

type Makers = Readonly<Record<string, () => Uint8Array | string>>;

const rows = readRows<RepeatRow>('bombs.ndjson', import.meta.url);

/** @param size approximate size of the large files in bytes. */
export function listBombs(size: number): readonly HostileFile[] {
  return [
    ...rows.flatMap((row) =>
      listFiles(row.within === 'object' ? 'pdf' : row.within, row.expected ?? 'either', {
        [row.name]: () => repeatUnit(row, size),
      }),
    ),
    ...listFiles('pdf', 'either', eitherPdfBombs),
    ...listFiles('png', 'either', eitherPngBombs),
    ...listFiles('png', 'refused', refusedPngBombs),
    ...listFiles('jpg', 'either', eitherJpegBombs),
    ...listFiles('jpg', 'refused', refusedJpegBombs),
    ...listFiles('docx', 'either', eitherZipBombs),
    ...listFiles('docx', 'refused', refusedZipBombs),
  ];
}

function listFiles(extension: string, expected: HostileFile['expected'], makers: Makers) {
  return Object.entries(makers).map(([name, make]): HostileFile => ({
    group: 'bomb',
    name: `${extension} of ${name}`,
    extension,
    expected,
    make: () => toFile(make()),
  }));
}

function toFile(content: Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? toBytes(content) : content;
}

function repeatUnit({ within, start = '', unit, end = '' }: RepeatRow, size: number): Uint8Array {
  const text = start + unit.repeat(size / unit.length) + end;
  switch (within) {
    case 'object':
      return toBytes(withObject(text));
    case 'pdf':
      return toBytes(addObjects(`${writePdfText()}${text}\n`, []));
    case 'jpg':
      return insertBefore(writePlainJpeg(), 2, toBytes(text));
    case 'txt':
    case 'csv':
      return toBytes(text);
  }
}

const megabyte = 1024 * 1024;

const eitherPdfBombs: Makers = {
  'an object stream of 1,000:1': () => withStream(deflateRepeated(300, ' ')),
  'an object stream deflated twice': () =>
    withStream(deflateSync(deflateRepeated(100)), '/Filter[/FlateDecode/FlateDecode]'),
  'forty object streams of 5 MB': writeManyStreams,
  'a cross-reference stream of 1,000:1': () =>
    `${writePdfText()}${writeObject(90, toStream('/Type/XRef/Size 99999999/W[1 4 2]/Root 1 0 R/Filter/FlateDecode', deflateRepeated(200)))}startxref\n600\n%%EOF\n`,
  'a page of 1,000:1': () =>
    writePdfText(plainObjects.with(3, [4, toStream('/Filter/FlateDecode', deflateRepeated(200))])),
  'arrays in arrays that end': () => withObject('['.repeat(500_000) + ']'.repeat(500_000)),
  'a cross-reference that precedes itself': () =>
    withPrevious(writePdfText(), writePdfText().indexOf('xref\n')),
  'two cross-references that precede each other': () => {
    const updated = addObjects(writePdfText(), []);
    return withPrevious(updated, updated.lastIndexOf('xref\n0'));
  },
  'an object stream that extends itself': () => withStream(toBytes('6 0 7'), '/Extends 80 0 R'),
  'an object stream within itself': () =>
    addObjectStream(writePdfText(), [[80, '7']], {
      body: toStream('/Type/ObjStm/N 1/First 5', toBytes('80 0 7')),
    }),
  'an object stream of two billion objects': () =>
    withStream(toBytes('6 0 7'), '/N 2147483647/First 4'),
  'an object stream that begins before itself': () =>
    withStream(toBytes('6 0 7'), '/N -1/First -999999'),
  'a length that is itself': () => withObject('<</Length 6 0 R>>\nstream\n\nendstream'),
  'a filter that is itself': () =>
    withObject('<</Type/ObjStm/N 1/First 4/Filter 6 0 R/Length 3>>\nstream\nabc\nendstream'),
  'an action at opening that is itself': () => withAction([[6, '6 0 R']]),
  'a chain of a hundred thousand actions': () =>
    withAction(repeat(100_000, (index) => [6 + index, `${7 + index} 0 R`])),
  'a section of two billion entries': () => writePdfText().replace('0 1\n', '0 2147483647\n'),
};

function withObject(body: string): string {
  return addObjects(writePdfText(), [[6, body]]);
}

function withAction(objects: readonly PdfObject[]): string {
  const catalog = '<</Type/Catalog/Pages 2 0 R/OpenAction 6 0 R>>';
  return addObjects(writePdfText(plainObjects.with(0, [1, catalog])), objects);
}

/** @param entries replace or follow `/N` and `/First`. */
function withStream(data: Uint8Array, entries = '/Filter/FlateDecode'): string {
  const head = entries.startsWith('/N') ? entries : `/N 1/First 4${entries}`;
  return addObjectStream(writePdfText(), [[6, '7']], {
    body: toStream(`/Type/ObjStm${head}`, data),
  });
}

function withPrevious(file: string, place: number): string {
  return file.replace('/Size 99', `/Size 99/Prev ${place}`);
}

function writeManyStreams(): string {
  const data = `6 0 ${'7 '.repeat(2_500_000)}`;
  const stream = toFlateStream('/Type/ObjStm/N 1/First 4', data);
  return writePdfText([
    ...plainObjects,
    ...repeat(40, (index): PdfObject => [100 + index, stream]),
  ]);
}

const many = 400_000;
const zeros = () => deflateRepeated(300);

const refusedPngBombs: Makers = {
  'a picture of 50,000 by 50,000': () =>
    writePlainPng([], { width: 50_000, height: 50_000 }, deflateRepeated(100)),
  'a picture of 50,000 by 50,000 without most of it': () =>
    writePlainPng([], { width: 50_000, height: 50_000 }),
  'a width of two billion': () => writePlainPng([], { width: 0x7fffffff, height: 1 }),
  'no width': () => writePlainPng([], { width: 0, height: 16 }),
  'a chunk of two billion bytes': () => withChunkLength(0x7fffffff),
  'a chunk of four billion bytes': () => withChunkLength(0xffffffff),
};

const eitherPngBombs: Makers = {
  'more picture than its size': () => writePlainPng([], undefined, zeros()),
  'a compressed text of 1,000:1': () => withCompressedChunk('zTXt'),
  'a compressed profile of 1,000:1': () => withCompressedChunk('iCCP'),
  'empty chunks': () => writePlainPng(repeat(many, () => emptyChunk)),
  'empty pieces of the picture': () => writePlainPng(repeat(many, () => emptyPiece)),
};

const emptyChunk = toChunk('prVt');
const emptyPiece = toChunk('IDAT');

function withCompressedChunk(type: string): Buffer {
  return writePlainPng([toChunk(type, Buffer.concat([toBytes('a\0\0'), zeros()]))]);
}

function withChunkLength(length: number): Buffer {
  const png = writePlainPng();
  png.writeUInt32BE(length, 33);
  return png;
}

const refusedJpegBombs: Makers = {
  'a picture of 65,500 by 65,500': () => withSize(writePlainJpeg(), 65_500, 65_500),
  'no width': () => withSize(writePlainJpeg(), 0, 16),
  'a segment longer than the file': () => writePlainJpeg([toBytes('\xff\xfe\xff\xff')]),
  'no end': () => writePlainJpeg().subarray(0, -2),
};

const eitherJpegBombs: Makers = {
  'a segment of no length': () => writePlainJpeg([toBytes('\xff\xfe\0\0')]),
  'whole pictures after the picture': () => Buffer.concat(repeat(5_000, () => writePlainJpeg())),
  'beginnings of ZIP archives': () => withLargeComments('PK\x05\x06'),
  'less-than signs': () => withLargeComments('<'),
};

function withLargeComments(unit: string): Buffer {
  const segment = toSegment(comment, Buffer.alloc(60_000, unit, 'latin1'));
  return writePlainJpeg(repeat(100, () => segment));
}

const docx = listDocxParts();

const refusedZipBombs: Makers = {
  'one part of 1,000:1': () => withEntry({ ...large(150) }),
  'one part of 1,000:1 that says it is small': () =>
    withEntry({ ...large(150), uncompressedSize: 100 }),
  'relationships of 1,000:1 that say they are small': () =>
    withEntry({ name: 'word/_rels/a.xml.rels', ...large(150, ' '), uncompressedSize: 100 }),
  'types of 1,000:1': () =>
    writeZip([{ name: '[Content_Types].xml', ...large(50, ' ') }, ...docx.slice(1)]),
  'ten parts of 12 MB': () => {
    const part = { data: '', packed: deflateRawSync(noise(12)), uncompressedSize: 12 * megabyte };
    return writeZip([...docx, ...repeat(10, (index) => ({ name: `word/${index}.xml`, ...part }))]);
  },
  'ten thousand parts': () =>
    writeZip([...docx, ...repeatPart(10_000, (index) => `word/${index}.xml`, Buffer.alloc(0))]),
  'two thousand relationships': () =>
    writeZip([
      ...docx,
      ...repeatPart(1990, (index) => `word/_rels/${index}.rels`, Buffer.alloc(50_000, ' ')),
    ]),
  'parts that share their data': writeOverlapping,
  'parts within the data of parts': writeQuoted,
  'a directory that points at itself': () => withEntry({ offset: 0 }),
  'a part that begins after the end': () => withEntry({ offset: 0x7fffffff }),
  'a part longer than the file': () => withEntry({ compressedSize: 0x7fffffff }),
  'an end record that counts 65,535': () => writeZip(docx, { entryCount: 0xffff }),
  'an end record that counts none': () => writeZip(docx, { entryCount: 0 }),
  'a directory of 4 GB': () =>
    Buffer.concat([writeZip(docx).subarray(0, -22), toEnd(0xfffffff0, 0, '', 5)]),
  'a thousand end records': () =>
    Buffer.concat([writeZip(docx), ...repeat(1000, () => toEnd(0, 0, '', 0))]),
  'relationships of two million brackets': () =>
    withEntry({ name: 'word/_rels/a.xml.rels', data: '<Relationship '.repeat(140_000) }),
  'entities of entities': () => withEntry({ name: 'word/_rels/a.xml.rels', data: writeLaughs() }),
};

const eitherZipBombs: Makers = {
  'archives in archives': () => withEntry({ name: 'word/a.zip', data: nest(6) }),
  'names of 60,000 characters': () =>
    writeZip([
      ...docx,
      ...repeat(100, (index) => ({
        name: `word/${String(index).repeat(20_000)}`.slice(0, 60_000),
        data: '',
      })),
    ]),
  'a field of a million blanks': () =>
    withEntry({ data: `<instrText>INCLUDETEXT${' '.repeat(megabyte)}"</instrText>` }),
};

function withEntry(entry: Partial<ZipEntry>): Buffer {
  return writeZip([...docx, { name: 'word/a.xml', data: 'a', ...entry }]);
}

function repeat<Item>(times: number, toItem: (index: number) => Item): Item[] {
  return Array.from({ length: times }, (_, index) => toItem(index));
}

/** Deflated once. */
function repeatPart(times: number, toName: (index: number) => string, data: Buffer): ZipEntry[] {
  const packed = deflateRawSync(data);
  return repeat(times, (index) => ({ name: toName(index), data, packed }));
}

/** Compresses to a thousandth. */
function large(megabytes: number, character = '\0') {
  const packed = deflateRawRepeated(megabytes, character);
  return { data: '', packed, uncompressedSize: megabytes * megabyte };
}

/** Compresses to a tenth: each part is below the limit, and all of them are above it. */
function noise(megabytes: number): Buffer {
  const bytes = Buffer.alloc(megabytes * megabyte, 'statement of account ');
  for (let at = 0; at < bytes.length; at += 97) bytes[at] = (at * 31) % 251;
  return bytes;
}

function nest(depth: number): Buffer {
  const inner = depth === 0 ? Buffer.alloc(megabyte) : nest(depth - 1);
  return writeZip(repeat(10, (index) => ({ name: `${index}.zip`, data: inner })));
}

/** Many names for the same data. */
function writeOverlapping(): Buffer {
  const part: ZipEntry = { name: 'word/0.xml', data: Buffer.alloc(megabyte) };
  const local = toLocal(part);
  const body = Buffer.concat([local.header, local.packed, writeZip(docx).subarray(0, -22)]);
  const names = repeat(1500, (index) => `word/${index}.xml`);
  const directory = Buffer.concat(
    names.map((name) => toDirectoryEntry({ ...part, name }, local, 0)),
  );
  return Buffer.concat([body, directory, toEnd(directory.length, body.length, '', names.length)]);
}

/** The data of each part is a stored block that quotes the next header, so that all parts share one kernel (Fifield, "A better zip bomb", 2019). */
function writeQuoted(): Buffer {
  const kernel = toLocal({ name: 'word/999.xml', ...large(4) });
  let tail = Buffer.concat([kernel.header, kernel.packed]);
  const parts = repeat(100, (index) => {
    const name = `word/${String(index).padStart(3, '0')}.xml`;
    const quoted = tail.subarray(0, 30 + 12);
    const block = Buffer.from([0, quoted.length, 0, ~quoted.length & 0xff, 0xff]);
    const compressedSize = block.length + tail.length;
    const { header } = toLocal({ name, data: '' });
    header.writeUInt32LE(compressedSize, 18);
    tail = Buffer.concat([header, block, tail]);
    return { name, data: '', compressedSize, uncompressedSize: 4 * megabyte, end: tail.length };
  });
  const entries = parts.map((part) => toDirectoryEntry(part, kernel, tail.length - part.end));
  const good = writeZip(docx, { before: tail });
  const directoryAt = good.readUInt32LE(good.length - 6);
  const directory = Buffer.concat([good.subarray(directoryAt, -22), ...entries]);
  const end = toEnd(directory.length, directoryAt, '', docx.length + entries.length);
  return Buffer.concat([good.subarray(0, directoryAt), directory, end]);
}

function writeLaughs(): string {
  const lines = repeat(9, (index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${lines.join('')}]><Relationships>&l9;</Relationships>`;
}

/** A repeated character in the zlib format (RFC 1950). */
function deflateRepeated(megabytes: number, character = '\0'): Buffer {
  const count = BigInt(megabytes * megabyte);
  const byte = BigInt(character.charCodeAt(0));
  // Adler-32 (section 8.2) of a byte that is repeated.
  const modulus = 65_521n;
  const first = (1n + count * byte) % modulus;
  const second = (count + (byte * count * (count + 1n)) / 2n) % modulus;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Number((second << 16n) | first));
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    deflateRawRepeated(megabytes, character),
    checksum,
  ]);
}

/** A repeated character in the raw format (RFC 1951). A full flush ends each megabyte at a byte boundary and resets the window, so the block can be repeated. */
function deflateRawRepeated(megabytes: number, character = '\0'): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte, character, 'latin1'), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const emptyLastBlock = Buffer.from([0x03, 0x00]);
  return Buffer.concat([...repeat(megabytes, () => block), emptyLastBlock]);
}
