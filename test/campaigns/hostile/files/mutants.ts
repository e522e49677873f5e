// Good files, and mutations of them for fuzzing: flipped bits, wrong lengths, and parts that are moved, repeated, removed, or
// inserted.

import { PDFDocument } from '@cantoo/pdf-lib';
import { toBytes } from '../../../support/files/bytes.ts';
import {
  createExif,
  toChunk,
  writePlainJpeg,
  writePlainPng,
} from '../../../support/files/images.ts';
import { writeOffice, writeZip } from '../../../support/files/office.ts';
import {
  addObjects,
  plainObjects,
  writeEncrypted,
  writePdfText,
} from '../../../support/files/pdf.ts';
import { readBankStatement } from '../../../support/files/realistic-files.ts';
import { readRows } from '../../../support/files/rows.ts';
import { createRandom } from '../../../support/random.ts';

export interface GoodFile {
  readonly name: string;
  readonly extension: string;
  readonly bytes: Uint8Array;
}

export interface Mutant extends GoodFile {
  /** The mutation. */
  readonly kind: string;
  readonly seed: number;
}

/** Returns a whole number from 0 up to but not including the limit. */
type Choose = (limit: number) => number;

type Mutate = (bytes: Buffer, choose: Choose, others: readonly GoodFile[]) => Buffer;

const pieces = [
  ...readRows<string>('mutants.ndjson', import.meta.url).map(toBytes),
  writeZip([{ name: 'word/vbaProject.bin', data: 'VBA' }]),
];
const lengths = [0, 1, 2, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff];

const mutations: Readonly<Record<string, Mutate>> = {
  'bits turned over': (bytes, choose) => {
    for (let times = 1 + choose(16); times > 0; times -= 1) {
      const at = choose(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << choose(8));
    }
    return bytes;
  },
  'a length that lies': (bytes, choose) => {
    const width = pick([1, 2, 4], choose);
    if (bytes.length < width) return bytes;
    const value = pick(lengths, choose) % 256 ** width;
    const at = choose(bytes.length - width + 1);
    if (choose(2) === 0) bytes.writeUIntLE(value, at, width);
    else bytes.writeUIntBE(value, at, width);
    return bytes;
  },
  'digits changed': (bytes, choose) => {
    const digits = [...bytes.keys()].filter((at) => bytes[at]! >= 0x30 && bytes[at]! <= 0x39);
    for (let times = 0; times < 6; times += 1)
      bytes[digits[choose(digits.length)] ?? 0] = 0x30 + choose(10);
    return bytes;
  },
  'cut off': (bytes, choose) => bytes.subarray(0, choose(bytes.length)),
  'a stretch left out': (bytes, choose) => {
    const [before, , after] = split(bytes, choose);
    return Buffer.concat([before, after]);
  },
  'a stretch doubled': (bytes, choose) => {
    const [before, stretch, after] = split(bytes, choose);
    return Buffer.concat([before, stretch, stretch, after]);
  },
  'a stretch moved': (bytes, choose) => {
    const [before, stretch, after] = split(bytes, choose);
    return insert(Buffer.concat([before, after]), stretch, choose);
  },
  'two stretches swapped': (bytes, choose) => {
    const [before, stretch, after] = split(bytes, choose);
    const half = Math.floor(stretch.length / 2);
    return Buffer.concat([before, stretch.subarray(half), stretch.subarray(0, half), after]);
  },
  'noise put in': (bytes, choose) =>
    insert(bytes, Buffer.from(Array.from({ length: 1 + choose(64) }, () => choose(256))), choose),
  'a hostile piece put in': (bytes, choose) => insert(bytes, pick(pieces, choose), choose),
  'a hostile piece put over': (bytes, choose) => {
    const piece = pick(pieces, choose).subarray(0, bytes.length);
    bytes.set(piece, choose(Math.max(1, bytes.length - piece.length)));
    return bytes;
  },
  'part of another file put in': (bytes, choose, others) =>
    insert(bytes, split(Buffer.from(pick(others, choose).bytes), choose)[1], choose),
};

/** Deterministic. It uses each good file and each mutation in turn. */
export function* createMutants(goodFiles: readonly GoodFile[], count: number): Generator<Mutant> {
  const kinds = Object.entries(mutations);
  for (let seed = 1; seed <= count; seed += 1) {
    const random = createRandom(seed * 2_654_435_761);
    const choose: Choose = (limit) => Math.floor(random() * Math.max(0, limit));
    const good = goodFiles[seed % goodFiles.length]!;
    const [kind, mutate] = kinds[Math.floor(seed / goodFiles.length) % kinds.length]!;
    let bytes = mutate(Buffer.from(good.bytes), choose, goodFiles);
    // A quarter of the files get a second mutation of another kind.
    if (choose(4) === 0) bytes = pick(kinds, choose)[1](Buffer.from(bytes), choose, goodFiles);
    yield { ...good, bytes, kind, seed };
  }
}

function pick<Item>(items: readonly Item[], choose: Choose): Item {
  return items[choose(items.length)]!;
}

/** Returns the parts before, in, and after a stretch of up to a quarter of the bytes. */
function split(bytes: Buffer, choose: Choose): [Buffer, Buffer, Buffer] {
  const start = choose(bytes.length);
  const end = start + 1 + choose(bytes.length / 4);
  return [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)];
}

function insert(bytes: Buffer, inserted: Uint8Array, choose: Choose): Buffer {
  const at = choose(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
}

export async function listGoodFiles(): Promise<readonly GoodFile[]> {
  const statement = await readBankStatement();
  const loaded = await PDFDocument.load(statement, { updateMetadata: false });
  const unpacked = await loaded.save({ useObjectStreams: false });
  const updated = addObjects(writePdfText(), plainObjects.slice(2, 3));
  const text = toChunk('tEXt', toBytes('Software\0a scanner'));
  const files: readonly (readonly [string, string, Uint8Array])[] = [
    ['a small PDF', 'pdf', toBytes(writePdfText())],
    ['an updated PDF', 'pdf', toBytes(updated)],
    ['a PDF with object streams', 'pdf', statement],
    ['a PDF without object streams', 'pdf', unpacked],
    ['an encrypted PDF', 'pdf', toBytes(writeEncrypted(''))],
    ['a JPEG', 'jpg', writePlainJpeg()],
    ['a JPEG of a camera', 'jpg', writePlainJpeg([createExif()])],
    ['a PNG', 'png', writePlainPng()],
    ['a PNG with a text', 'png', writePlainPng([text])],
    ['a document', 'docx', writeOffice('docx')],
    ['a spreadsheet', 'xlsx', writeOffice('xlsx')],
    ['a text', 'txt', toBytes('Statement of March\nBalance: 1,000.00\n'.repeat(20))],
    ['a table', 'csv', toBytes('date,payee,amount\n2026-03-01,RENT,-12.50\n'.repeat(20))],
  ];
  return files.map(([name, extension, bytes]) => ({ name, extension, bytes }));
}
