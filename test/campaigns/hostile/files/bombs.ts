// Files that exhaust time or memory: small files that become large, files that never end, and files that make a parser repeat
// its work.

import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { toBytes } from '../../../support/files/bytes.ts';
import {
  comment,
  toChunk,
  toSegment,
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
  statementObjects,
  toStream,
  writeObject,
  writePdfText,
} from '../../../support/files/pdf.ts';
import type { HostileFile } from './hostile-file.ts';

const megabyte = 1024 * 1024;
const docx = listDocxParts();
const emptyChunk = toChunk('prVt', new Uint8Array());
const emptyPiece = toChunk('IDAT', new Uint8Array());
const emptyComment = toSegment(comment, new Uint8Array());
const endOfImage = Buffer.from([0xff, 0xd9]);
/** Of Adler-32 (RFC 1950, section 8.2). */
const modulus = 65_521n;

/** @param size approximate size of the large files in bytes. */
export function listPdfBombs(size: number): readonly HostileFile[] {
  return [
    toPdfBomb('an object stream of 1,000:1', 'either', () =>
      withObjectStream(deflateRepeated(300, ' ')),
    ),
    toPdfBomb('an object stream deflated twice', 'either', () =>
      withObjectStream(deflateSync(deflateRepeated(100)), '/Filter[/FlateDecode/FlateDecode]'),
    ),
    toPdfBomb('forty object streams of 5 MB', 'either', () => {
      const stream = toStream(
        '/Type/ObjStm/N 1/First 4/Filter/FlateDecode',
        deflateSync(toBytes(`5 0 ${'7 '.repeat(2_500_000)}`)),
      );
      return writePdfText([
        ...statementObjects,
        ...Array.from({ length: 40 }, (_, index) => [100 + index, stream] as const),
      ]);
    }),
    toPdfBomb(
      'a cross-reference stream of 1,000:1',
      'either',
      () =>
        `${writePdfText()}${writeObject(90, toStream('/Type/XRef/Size 99999999/W[1 4 2]/Root 1 0 R/Filter/FlateDecode', deflateRepeated(200)))}startxref\n600\n%%EOF\n`,
    ),
    toPdfBomb('a page of 1,000:1', 'either', () =>
      writePdfText([
        ...statementObjects.slice(0, 3),
        [4, toStream('/Filter/FlateDecode', deflateRepeated(200))],
      ]),
    ),
    toPdfBomb('arrays in arrays', 'either', () => withObject('['.repeat(size))),
    toPdfBomb('arrays in arrays that end', 'either', () =>
      withObject('['.repeat(size / 2) + ']'.repeat(size / 2)),
    ),
    toPdfBomb('dictionaries in dictionaries', 'either', () => withObject('<</A'.repeat(size / 4))),
    toPdfBomb('brackets in a string', 'either', () => withObject('('.repeat(size))),
    toPdfBomb('strings that never end', 'either', () =>
      withObject('('.repeat(4) + ' 1 0 obj ('.repeat(size / 10)),
    ),
    toPdfBomb('hexadecimal strings that never end', 'either', () =>
      withObject(' 1 0 obj <'.repeat(size / 10)),
    ),
    toPdfBomb('objects that never end', 'either', () => '1 0 obj '.repeat(size / 8)),
    toPdfBomb('objects whose dictionaries never end', 'either', () => '1 0 obj<<'.repeat(size / 9)),
    toPdfBomb('streams that never end', 'either', () =>
      '1 0 obj<</Length 9>>stream\n'.repeat(size / 27),
    ),
    toPdfBomb('object streams that never end', 'either', () =>
      '1 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\n'.repeat(size / 60),
    ),
    toPdfBomb('ends of streams', 'either', () => 'endstream '.repeat(size / 10)),
    toPdfBomb('millions of small objects', 'either', () => '1 0 obj 1 endobj '.repeat(size / 17)),
    toPdfBomb('trailers', 'either', () => 'trailer<</Root 1 0 R>>'.repeat(size / 22)),
    toPdfBomb('trailers that never end', 'either', () => 'trailer<<'.repeat(size / 9)),
    toPdfBomb('numbers that might begin an object', 'either', () => '0 '.repeat(size / 2)),
    toPdfBomb('digits', 'either', () => withObject('7'.repeat(size))),
    toPdfBomb('blanks', 'either', () => withObject(' '.repeat(size))),
    toPdfBomb(
      'blanks between the number and its object',
      'either',
      () => `7${' '.repeat(size)}0 obj`,
    ),
    toPdfBomb('slashes', 'either', () => withObject('/'.repeat(size))),
    toPdfBomb('one long name', 'either', () => withObject(`/${'A'.repeat(size)}`)),
    toPdfBomb('escapes', 'either', () => withObject(`/${'#41'.repeat(size / 3)}`)),
    toPdfBomb('halves of escapes', 'either', () => withObject('/#4'.repeat(size / 3))),
    toPdfBomb('comments', 'either', () => '%\n'.repeat(size / 2)),
    toPdfBomb('percent signs', 'either', () => withObject('%'.repeat(size))),
    toPdfBomb('less-than signs', 'either', () => withObject('<'.repeat(size))),
    toPdfBomb('greater-than signs', 'either', () => withObject('>'.repeat(size))),
    toPdfBomb('backslashes in a string', 'either', () => withObject(`(${'\\'.repeat(size)}`)),
    toPdfBomb('actions at opening', 'either', () =>
      withObject('/OpenAction 1 0 R'.repeat(size / 17)),
    ),
    toPdfBomb('actions at opening, in each other', 'either', () =>
      withObject('<</OpenAction<</S/GoTo/Next'.repeat(size / 27)),
    ),
    toPdfBomb('a cross-reference that precedes itself', 'either', () =>
      writePdfText().replace('/Size 99', `/Size 99/Prev ${writePdfText().indexOf('xref\n')}`),
    ),
    toPdfBomb('two cross-references that precede each other', 'either', () => {
      const once = addObjects(writePdfText(), []);
      return once.replace('/Size 99', `/Size 99/Prev ${once.lastIndexOf('xref\n0')}`);
    }),
    toPdfBomb('an object stream that extends itself', 'either', () =>
      addObjectStream(writePdfText(), [[5, '7']], {
        body: toStream('/Type/ObjStm/N 1/First 4/Extends 80 0 R', toBytes('5 0 7')),
      }),
    ),
    toPdfBomb('an object stream within itself', 'either', () =>
      addObjectStream(writePdfText(), [[80, '7']], {
        body: toStream('/Type/ObjStm/N 1/First 5', toBytes('80 0 7')),
      }),
    ),
    toPdfBomb('an object stream of two billion objects', 'either', () =>
      addObjectStream(writePdfText(), [[5, '7']], {
        body: toStream('/Type/ObjStm/N 2147483647/First 4', toBytes('5 0 7')),
      }),
    ),
    toPdfBomb('an object stream that begins before itself', 'either', () =>
      addObjectStream(writePdfText(), [[5, '7']], {
        body: toStream('/Type/ObjStm/N -1/First -999999', toBytes('5 0 7')),
      }),
    ),
    toPdfBomb('a length that is itself', 'either', () =>
      addObjects(writePdfText(), [[5, '<</Length 5 0 R>>\nstream\n\nendstream']]),
    ),
    toPdfBomb('a filter that is itself', 'either', () =>
      addObjects(writePdfText(), [
        [5, '<</Type/ObjStm/N 1/First 4/Filter 5 0 R/Length 3>>\nstream\nabc\nendstream'],
      ]),
    ),
    toPdfBomb('an action at opening that is itself', 'either', () =>
      addObjects(writePdfText(), [
        [1, '<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R>>'],
        [5, '5 0 R'],
      ]),
    ),
    toPdfBomb('a chain of a hundred thousand actions', 'either', () =>
      addObjects(
        writePdfText([
          [1, '<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R>>'],
          ...statementObjects.slice(1),
        ]),
        Array.from({ length: 100_000 }, (_, index) => [5 + index, `${6 + index} 0 R`] as const),
      ),
    ),
    toPdfBomb('a section of two billion entries', 'either', () =>
      writePdfText().replace('0 1\n', '0 2147483647\n'),
    ),
  ];
}

function withObject(body: string): string {
  return addObjects(writePdfText(), [[5, body]]);
}

function withObjectStream(data: Uint8Array, filter = '/Filter/FlateDecode'): string {
  return addObjectStream(writePdfText(), [[5, '7']], {
    body: toStream(`/Type/ObjStm/N 1/First 4${filter}`, data),
  });
}

/** Inserts a text without the header of a PDF into a valid PDF. */
function toPdfBomb(
  name: string,
  expected: HostileFile['expected'],
  make: () => string,
): HostileFile {
  return {
    group: 'bomb',
    name: `PDF of ${name}`,
    extension: 'pdf',
    expected,
    make: () => {
      const text = make();
      return toBytes(text.startsWith('%PDF') ? text : addObjects(`${writePdfText()}${text}\n`, []));
    },
  };
}

/** @param size approximate size of the large files in bytes. */
export function listImageBombs(size: number): readonly HostileFile[] {
  return [
    toFileBomb('png', 'refused', 'a picture of 50,000 by 50,000', () =>
      writePlainPng([], { width: 50_000, height: 50_000 }, deflateRepeated(100)),
    ),
    toFileBomb('png', 'refused', 'a picture of 50,000 by 50,000 without most of it', () =>
      writePlainPng([], { width: 50_000, height: 50_000 }),
    ),
    toFileBomb('png', 'refused', 'a width of two billion', () =>
      writePlainPng([], { width: 0x7fffffff, height: 1 }),
    ),
    toFileBomb('png', 'refused', 'no width', () => writePlainPng([], { width: 0, height: 16 })),
    toFileBomb('png', 'either', 'more picture than its size', () =>
      writePlainPng([], undefined, deflateRepeated(300)),
    ),
    toFileBomb('png', 'either', 'a compressed text of 1,000:1', () =>
      writePlainPng([toChunk('zTXt', Buffer.concat([toBytes('a\0\0'), deflateRepeated(300)]))]),
    ),
    toFileBomb('png', 'either', 'a compressed profile of 1,000:1', () =>
      writePlainPng([toChunk('iCCP', Buffer.concat([toBytes('a\0\0'), deflateRepeated(300)]))]),
    ),
    toFileBomb('png', 'either', 'empty chunks', () =>
      writePlainPng(Array.from({ length: size / 12 }, () => emptyChunk)),
    ),
    toFileBomb('png', 'either', 'empty pieces of the picture', () =>
      writePlainPng(Array.from({ length: size / 12 }, () => emptyPiece)),
    ),
    toFileBomb('png', 'refused', 'a chunk of two billion bytes', () =>
      withLength(writePlainPng(), 33, 0x7fffffff),
    ),
    toFileBomb('png', 'refused', 'a chunk of four billion bytes', () =>
      withLength(writePlainPng(), 33, 0xffffffff),
    ),
    toFileBomb('jpg', 'refused', 'a picture of 65,500 by 65,500', () => withFrame(65_500, 65_500)),
    toFileBomb('jpg', 'refused', 'no width', () => withFrame(0, 16)),
    toFileBomb('jpg', 'either', 'empty comments', () =>
      writePlainJpeg(Array.from({ length: size / 4 }, () => emptyComment)),
    ),
    toFileBomb('jpg', 'either', 'fill bytes', () => writePlainJpeg([Buffer.alloc(size, 0xff)])),
    toFileBomb('jpg', 'either', 'restarts', () =>
      beforeEnd(Buffer.alloc(size, Buffer.from([0xff, 0xd0]))),
    ),
    toFileBomb('jpg', 'either', 'zeros in the picture', () =>
      beforeEnd(Buffer.alloc(size, Buffer.from([0xff, 0]))),
    ),
    toFileBomb('jpg', 'either', 'scans', () =>
      beforeEnd(Buffer.alloc(size, Buffer.from([0xff, 0xda, 0, 2]))),
    ),
    toFileBomb('jpg', 'either', 'pictures after the picture', () =>
      Buffer.concat([writePlainJpeg(), Buffer.alloc(size, Buffer.from([0xff, 0xd8, 0xff, 0xd9]))]),
    ),
    toFileBomb('jpg', 'either', 'whole pictures after the picture', () =>
      Buffer.alloc(
        Math.floor(size / writePlainJpeg().length) * writePlainJpeg().length,
        writePlainJpeg(),
      ),
    ),
    toFileBomb('jpg', 'either', 'beginnings of pictures after the picture', () =>
      Buffer.concat([writePlainJpeg(), Buffer.alloc(size, Buffer.from([0xff, 0xd8, 0xff, 0xe0]))]),
    ),
    toFileBomb('jpg', 'either', 'beginnings of ZIP archives', () =>
      writePlainJpeg(
        Array.from({ length: size / 60_000 }, () =>
          toSegment(comment, Buffer.alloc(60_000, 'PK\x05\x06')),
        ),
      ),
    ),
    toFileBomb('jpg', 'either', 'less-than signs', () =>
      writePlainJpeg(
        Array.from({ length: size / 60_000 }, () => toSegment(comment, Buffer.alloc(60_000, '<'))),
      ),
    ),
    toFileBomb('jpg', 'refused', 'a segment longer than the file', () =>
      writePlainJpeg([Buffer.from([0xff, 0xfe, 0xff, 0xff])]),
    ),
    toFileBomb('jpg', 'either', 'a segment of no length', () =>
      writePlainJpeg([Buffer.from([0xff, 0xfe, 0, 0])]),
    ),
    toFileBomb('jpg', 'refused', 'no end', () => writePlainJpeg().subarray(0, -2)),
    toFileBomb('txt', 'either', 'a line of 8 MB', () => Buffer.alloc(size, 'a')),
    toFileBomb('txt', 'refused', 'halves of characters', () => Buffer.alloc(size, 0xc3)),
    toFileBomb('txt', 'either', 'blanks, then a bracket', () =>
      Buffer.concat([Buffer.alloc(size, ' '), toBytes('<html>')]),
    ),
    toFileBomb('csv', 'either', 'commas', () => Buffer.alloc(size, ',')),
    toFileBomb('csv', 'either', 'quotes', () => Buffer.alloc(size, '"')),
    toFileBomb('csv', 'either', 'formulas', () => Buffer.alloc(size, '=1,\n')),
    toFileBomb('csv', 'either', 'blanks before formulas', () =>
      Buffer.alloc(size, ' '.repeat(1000).concat('=1,')),
    ),
  ];
}

function toFileBomb(
  extension: string,
  expected: HostileFile['expected'],
  name: string,
  make: () => Uint8Array,
): HostileFile {
  return { group: 'bomb', name: `${extension} of ${name}`, extension, expected, make };
}

function withLength(png: Buffer, at: number, length: number): Buffer {
  png.writeUInt32BE(length, at);
  return png;
}

function withFrame(width: number, height: number): Buffer {
  const picture = writePlainJpeg();
  const frame = picture.indexOf(Buffer.from([0xff, 0xc0]));
  picture.writeUInt16BE(height, frame + 5);
  picture.writeUInt16BE(width, frame + 7);
  return picture;
}

function beforeEnd(bytes: Buffer): Buffer {
  return Buffer.concat([writePlainJpeg().subarray(0, -2), bytes, endOfImage]);
}

export const zipBombs: readonly HostileFile[] = [
  toZipBomb('one part of 1,000:1', () =>
    writeZip([...docx, { name: 'word/a.xml', ...large(150) }]),
  ),
  toZipBomb('one part of 1,000:1 that says it is small', () =>
    writeZip([...docx, { name: 'word/a.xml', ...large(150), uncompressedSize: 100 }]),
  ),
  toZipBomb('relationships of 1,000:1 that say they are small', () =>
    writeZip([
      ...docx,
      {
        name: 'word/_rels/a.xml.rels',
        ...large(150, ' '),
        uncompressedSize: 100,
      },
    ]),
  ),
  toZipBomb('types of 1,000:1', () =>
    writeZip([{ name: '[Content_Types].xml', ...large(50, ' ') }, ...docx.slice(1)]),
  ),
  toZipBomb('ten parts of 12 MB', () => {
    const part = { data: '', packed: deflateRawSync(noise(12)), uncompressedSize: 12 * megabyte };
    return writeZip([...docx, ...repeat(10, (index) => ({ name: `word/${index}.xml`, ...part }))]);
  }),
  toZipBomb('ten thousand parts', () =>
    writeZip([...docx, ...repeatPart(10_000, (index) => `word/${index}.xml`, Buffer.alloc(0))]),
  ),
  toZipBomb('two thousand relationships', () =>
    writeZip([
      ...docx,
      ...repeatPart(1990, (index) => `word/_rels/${index}.rels`, Buffer.alloc(50_000, ' ')),
    ]),
  ),
  toZipBomb(
    'archives in archives',
    () => writeZip([...docx, { name: 'word/a.zip', data: nest(6) }]),
    'either',
  ),
  toZipBomb('parts that share their data', writeOverlapping),
  toZipBomb('parts within the data of parts', writeQuoted),
  toZipBomb('a directory that points at itself', () =>
    writeZip([...docx, { name: 'word/a.xml', data: 'a', offset: 0 }]),
  ),
  toZipBomb('a part that begins after the end', () =>
    writeZip([...docx, { name: 'word/a.xml', data: 'a', offset: 0x7fffffff }]),
  ),
  toZipBomb('a part longer than the file', () =>
    writeZip([...docx, { name: 'word/a.xml', data: 'a', compressedSize: 0x7fffffff }]),
  ),
  toZipBomb('an end record that counts 65,535', () => writeZip(docx, { entryCount: 0xffff })),
  toZipBomb('an end record that counts none', () => writeZip(docx, { entryCount: 0 })),
  toZipBomb('a directory of 4 GB', () =>
    Buffer.concat([writeZip(docx).subarray(0, -22), toEnd(0xfffffff0, 0, '', 5)]),
  ),
  toZipBomb('a thousand end records', () =>
    Buffer.concat([writeZip(docx), ...repeat(1000, () => toEnd(0, 0, '', 0))]),
  ),
  toZipBomb(
    'names of 60,000 characters',
    () =>
      writeZip([
        ...docx,
        ...repeat(100, (index) => ({
          name: `word/${String(index).repeat(20_000)}`.slice(0, 60_000),
          data: '',
        })),
      ]),
    'either',
  ),
  toZipBomb('relationships of two million brackets', () =>
    writeZip([
      ...docx,
      { name: 'word/_rels/a.xml.rels', data: toBytes('<Relationship '.repeat(140_000)) },
    ]),
  ),
  toZipBomb(
    'a field of a million blanks',
    () =>
      writeZip([
        ...docx,
        { name: 'word/a.xml', data: `<instrText>INCLUDETEXT${' '.repeat(megabyte)}"</instrText>` },
      ]),
    'either',
  ),
  toZipBomb('entities of entities', () =>
    writeZip([...docx, { name: 'word/_rels/a.xml.rels', data: writeLaughs() }]),
  ),
];

function toZipBomb(
  name: string,
  make: () => Uint8Array,
  expected: HostileFile['expected'] = 'refused',
): HostileFile {
  return {
    group: 'bomb',
    name: `document with ${name}`,
    extension: 'docx',
    expected,
    make,
  };
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
function large(
  megabytes: number,
  character = '\0',
): Pick<ZipEntry, 'data' | 'packed' | 'uncompressedSize'> {
  return {
    data: '',
    packed: deflateRawRepeated(megabytes, character),
    uncompressedSize: megabytes * megabyte,
  };
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
  const before = writeZip(docx);
  const offset = 0;
  const big: ZipEntry = { name: 'word/0.xml', data: Buffer.alloc(megabyte) };
  const local = toLocal(big);
  const entries = repeat(1500, (index) =>
    toDirectoryEntry({ ...big, name: `word/${index}.xml` }, local, offset),
  );
  const body = Buffer.concat([local.header, local.packed, before.subarray(0, -22)]);
  const directory = Buffer.concat(entries);
  return Buffer.concat([body, directory, toEnd(directory.length, body.length, '', entries.length)]);
}

/** The data of each part is a stored block that quotes the next header, so that all parts share one kernel (Fifield, "A better zip bomb", 2019). */
function writeQuoted(): Buffer {
  const kernel = toLocal({ name: 'word/999.xml', ...large(4) });
  let tail = Buffer.concat([kernel.header, kernel.packed]);
  const offsets = [0];
  const headers: Buffer[] = [];
  for (let index = 0; index < 100; index += 1) {
    const quoted = tail.subarray(0, 30 + 12);
    const block = Buffer.from([0, quoted.length, 0, ~quoted.length & 0xff, 0xff]);
    const { header } = toLocal({ name: `word/${String(index).padStart(3, '0')}.xml`, data: '' });
    header.writeUInt32LE(block.length + tail.length, 18);
    tail = Buffer.concat([header, block, tail]);
    headers.push(header);
    offsets.push(tail.length);
  }
  const entries = headers.map((header, index) =>
    toDirectoryEntry(
      {
        name: `word/${String(index).padStart(3, '0')}.xml`,
        data: '',
        compressedSize: header.readUInt32LE(18),
        uncompressedSize: 4 * megabyte,
      },
      kernel,
      tail.length - (offsets[index + 1] ?? 0),
    ),
  );
  const good = writeZip(docx, { before: tail });
  const directoryAt = good.readUInt32LE(good.length - 6);
  const directory = Buffer.concat([good.subarray(directoryAt, -22), ...entries]);
  return Buffer.concat([
    good.subarray(0, directoryAt),
    directory,
    toEnd(directory.length, directoryAt, '', docx.length + entries.length),
  ]);
}

function writeLaughs(): string {
  const lines = repeat(9, (index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${lines.join('')}]><Relationships>&l9;</Relationships>`;
}

/** A repeated character in the zlib format (RFC 1950). */
function deflateRepeated(megabytes: number, character = '\0'): Buffer {
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    deflateRawRepeated(megabytes, character),
    toChecksum(BigInt(megabytes * megabyte), BigInt(character.charCodeAt(0))),
  ]);
}

/** A repeated character in the raw format (RFC 1951). A full flush ends each megabyte at a byte boundary and resets the window, so the block can be repeated. */
function deflateRawRepeated(megabytes: number, character = '\0'): Buffer {
  const block = deflateRawSync(Buffer.alloc(megabyte, character, 'latin1'), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const emptyLastBlock = Buffer.from([0x03, 0x00]);
  return Buffer.concat([...Array.from({ length: megabytes }, () => block), emptyLastBlock]);
}

/** Adler-32 of a byte that is repeated `count` times. */
function toChecksum(count: bigint, byte: bigint): Buffer {
  const first = (1n + count * byte) % modulus;
  const second = (count + (byte * count * (count + 1n)) / 2n) % modulus;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Number((second << 16n) | first));
  return checksum;
}
