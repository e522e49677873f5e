// ZIP bombs, and archives whose headers make a careless reader loop.

import { deflateRawSync } from 'node:zlib';
import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import { deflateRawRepeated } from './inflation.ts';
import { listDocxParts } from '../../support/file-writers/office-writer.ts';
import {
  toDirectoryEntry,
  toEnd,
  toLocal,
  writeZip,
  type ZipEntry,
} from '../../support/file-writers/zip-writer.ts';

const megabyte = 1024 * 1024;
const docx = listDocxParts();

export const zipBombs: readonly HostileFile[] = [
  toBomb('one part of 1,000:1', () => writeZip([...docx, { name: 'word/a.xml', ...large(150) }])),
  toBomb('one part of 1,000:1 that says it is small', () =>
    writeZip([...docx, { name: 'word/a.xml', ...large(150), uncompressedSize: 100 }]),
  ),
  toBomb('relationships of 1,000:1 that say they are small', () =>
    writeZip([
      ...docx,
      {
        name: 'word/_rels/a.xml.rels',
        ...large(150, ' '),
        uncompressedSize: 100,
      },
    ]),
  ),
  toBomb('types of 1,000:1', () =>
    writeZip([{ name: '[Content_Types].xml', ...large(50, ' ') }, ...docx.slice(1)]),
  ),
  toBomb('ten parts of 12 MB', () => {
    const part = { data: '', packed: deflateRawSync(noise(12)), uncompressedSize: 12 * megabyte };
    return writeZip([...docx, ...repeat(10, (index) => ({ name: `word/${index}.xml`, ...part }))]);
  }),
  toBomb('ten thousand parts', () =>
    writeZip([...docx, ...repeatPart(10_000, (index) => `word/${index}.xml`, Buffer.alloc(0))]),
  ),
  toBomb('two thousand relationships', () =>
    writeZip([
      ...docx,
      ...repeatPart(1990, (index) => `word/_rels/${index}.rels`, Buffer.alloc(50_000, ' ')),
    ]),
  ),
  toBomb(
    'archives in archives',
    () => writeZip([...docx, { name: 'word/a.zip', data: nest(6) }]),
    'either',
  ),
  toBomb('parts that share their data', writeOverlapping),
  toBomb('parts within the data of parts', writeQuoted),
  toBomb('a directory that points at itself', () =>
    writeZip([...docx, { name: 'word/a.xml', data: 'a', offset: 0 }]),
  ),
  toBomb('a part that begins after the end', () =>
    writeZip([...docx, { name: 'word/a.xml', data: 'a', offset: 0x7fffffff }]),
  ),
  toBomb('a part longer than the file', () =>
    writeZip([...docx, { name: 'word/a.xml', data: 'a', compressedSize: 0x7fffffff }]),
  ),
  toBomb('an end record that counts 65,535', () => writeZip(docx, { entryCount: 0xffff })),
  toBomb('an end record that counts none', () => writeZip(docx, { entryCount: 0 })),
  toBomb('a directory of 4 GB', () =>
    Buffer.concat([writeZip(docx).subarray(0, -22), toEnd(0xfffffff0, 0, '', 5)]),
  ),
  toBomb('a thousand end records', () =>
    Buffer.concat([writeZip(docx), ...repeat(1000, () => toEnd(0, 0, '', 0))]),
  ),
  toBomb(
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
  toBomb('relationships of two million brackets', () =>
    writeZip([
      ...docx,
      { name: 'word/_rels/a.xml.rels', data: toBytes('<Relationship '.repeat(140_000)) },
    ]),
  ),
  toBomb(
    'a field of a million blanks',
    () =>
      writeZip([
        ...docx,
        { name: 'word/a.xml', data: `<instrText>INCLUDETEXT${' '.repeat(megabyte)}"</instrText>` },
      ]),
    'either',
  ),
  toBomb('entities of entities', () =>
    writeZip([...docx, { name: 'word/_rels/a.xml.rels', data: writeLaughs() }]),
  ),
];

function toBomb(
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
