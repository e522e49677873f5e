// Good files, and mutations of them for fuzzing: flipped bits, wrong lengths, and parts that are moved, repeated, removed, or
// inserted. A second parser looks for active content in the mutants that the inspection accepts.

import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFStream,
} from '@cantoo/pdf-lib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { toBytes } from '../../../support/files/bytes.ts';
import {
  exif,
  toChunk,
  toSegment,
  writePlainJpeg,
  writePlainPng,
} from '../../../support/files/images.ts';
import { listDocxParts, listXlsxParts, writeZip } from '../../../support/files/office.ts';
import {
  addObjects,
  statementObjects,
  writeEncrypted,
  writePdfText,
} from '../../../support/files/pdf.ts';
import { createBankStatement } from '../../../support/files/realistic-files.ts';
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

type Mutate = (bytes: Buffer, random: () => number, others: readonly GoodFile[]) => Buffer;

const hostilePieces = [
  '5 0 obj<</S/JavaScript/JS(app.alert\\(1\\))>>endobj\n',
  '<</S/Launch/F(cmd.exe)>>',
  '/OpenAction<</S/URI/URI(https://evil.example)>>',
  '/AA<</O 5 0 R>>',
  '/Names<</EmbeddedFiles<</Names[(a)<</EF<</F 4 0 R>>>>]>>>>',
  '<html><script>alert(1)</script></html>',
  '<?php system($_GET[0]); ?>',
  '%PDF-1.7\n',
  '%%EOF\n',
  'endstream endobj\n',
  '(',
  '<<',
].map(toBytes);
const archive = writeZip([{ name: 'word/vbaProject.bin', data: 'VBA' }]);
const lies = [0, 1, 2, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff] as const;

const mutations: Readonly<Record<string, Mutate>> = {
  'bits turned over': (bytes, random) => {
    const copy = Buffer.from(bytes);
    const times = 1 + Math.floor(random() * 16);
    for (let time = 0; time < times; time += 1) {
      const at = chooseProcess(copy.length, random);
      copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    return copy;
  },
  'a length that lies': (bytes, random) => {
    const copy = Buffer.from(bytes);
    const width = [1, 2, 4][Math.floor(random() * 3)] ?? 4;
    const value = (lies[Math.floor(random() * lies.length)] ?? 0) % 256 ** width;
    if (copy.length < width) return copy;
    const at = chooseProcess(copy.length - width + 1, random);
    if (random() < 0.5) copy.writeUIntLE(value, at, width);
    else copy.writeUIntBE(value, at, width);
    return copy;
  },
  'digits changed': (bytes, random) => {
    const copy = Buffer.from(bytes);
    const digits = [...copy.keys()].filter((at) => copy[at]! >= 0x30 && copy[at]! <= 0x39);
    for (let time = 0; time < 6; time += 1) {
      copy[digits[chooseProcess(digits.length, random)] ?? 0] = 0x30 + Math.floor(random() * 10);
    }
    return copy;
  },
  'cut off': (bytes, random) => bytes.subarray(0, chooseProcess(bytes.length, random)),
  'a stretch left out': (bytes, random) => {
    const [start, end] = pickStretch(bytes, random);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  'a stretch doubled': (bytes, random) => {
    const [start, end] = pickStretch(bytes, random);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
  },
  'a stretch moved': (bytes, random) => {
    const [start, end] = pickStretch(bytes, random);
    const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
    return insert(rest, bytes.subarray(start, end), random);
  },
  'two stretches swapped': (bytes, random) => {
    const [start, end] = pickStretch(bytes, random);
    const middle = Math.floor((start + end) / 2);
    return Buffer.concat([
      bytes.subarray(0, start),
      bytes.subarray(middle, end),
      bytes.subarray(start, middle),
      bytes.subarray(end),
    ]);
  },
  'noise put in': (bytes, random) => {
    const noise = Buffer.from(
      Array.from({ length: 1 + chooseProcess(64, random) }, () => random() * 256),
    );
    return insert(bytes, noise, random);
  },
  'a hostile piece put in': (bytes, random) => {
    const pieces = [...hostilePieces, archive];
    return insert(bytes, pieces[chooseProcess(pieces.length, random)] ?? archive, random);
  },
  'a hostile piece put over': (bytes, random) => {
    const piece = hostilePieces[chooseProcess(hostilePieces.length, random)] ?? archive;
    const copy = Buffer.from(bytes);
    copy.set(
      piece.subarray(0, copy.length),
      chooseProcess(Math.max(1, copy.length - piece.length), random),
    );
    return copy;
  },
  'part of another file put in': (bytes, random, others) => {
    const other = Buffer.from(others[chooseProcess(others.length, random)]?.bytes ?? archive);
    const [start, end] = pickStretch(other, random);
    return insert(bytes, other.subarray(start, end), random);
  },
};

/** Deterministic. It uses each good file and each mutation in turn. */
export function* createMutants(goodFiles: readonly GoodFile[], count: number): Generator<Mutant> {
  const kinds = Object.entries(mutations);
  for (let seed = 1; seed <= count; seed += 1) {
    const random = createRandom(seed * 2_654_435_761);
    const good = goodFiles[seed % goodFiles.length]!;
    const [kind, mutate] = kinds[Math.floor(seed / goodFiles.length) % kinds.length]!;
    let bytes = mutate(Buffer.from(good.bytes), random, goodFiles);
    // A quarter of the files get a second mutation of another kind.
    if (random() < 0.25)
      bytes = kinds[chooseProcess(kinds.length, random)]![1](bytes, random, goodFiles);
    yield { ...good, bytes, kind, seed };
  }
}

function chooseProcess(limit: number, random: () => number): number {
  return Math.floor(random() * Math.max(0, limit));
}

/** Returns a range of up to a quarter of the bytes. */
function pickStretch(bytes: Uint8Array, random: () => number): [number, number] {
  const start = chooseProcess(bytes.length, random);
  return [start, Math.min(bytes.length, start + 1 + chooseProcess(bytes.length / 4, random))];
}

function insert(bytes: Buffer, inserted: Uint8Array, random: () => number): Buffer {
  const at = chooseProcess(bytes.length + 1, random);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
}

export async function listGoodFiles(): Promise<readonly GoodFile[]> {
  const statement = await createBankStatement();
  const emptyExif = toBytes('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0');
  const updated = addObjects(writePdfText(), statementObjects.slice(2, 3));
  return [
    toFile('a small PDF', 'pdf', toBytes(writePdfText())),
    toFile('an updated PDF', 'pdf', toBytes(updated)),
    toFile('a PDF with object streams', 'pdf', statement),
    toFile('a PDF without object streams', 'pdf', await withoutObjectStreams(statement)),
    toFile('an encrypted PDF', 'pdf', toBytes(writeEncrypted(''))),
    toFile('a JPEG', 'jpg', writePlainJpeg()),
    toFile('a JPEG of a camera', 'jpg', writePlainJpeg([toSegment(exif, emptyExif)])),
    toFile('a PNG', 'png', writePlainPng()),
    toFile(
      'a PNG with a text',
      'png',
      writePlainPng([toChunk('tEXt', toBytes('Software\0a scanner'))]),
    ),
    toFile('a document', 'docx', writeZip(listDocxParts())),
    toFile('a spreadsheet', 'xlsx', writeZip(listXlsxParts())),
    toFile('a text', 'txt', toBytes('Statement of March\nBalance: 1,000.00\n'.repeat(20))),
    toFile('a table', 'csv', toBytes('date,payee,amount\n2026-03-01,RENT,-12.50\n'.repeat(20))),
  ];
}

function toFile(name: string, extension: string, bytes: Uint8Array): GoodFile {
  return { name, extension, bytes };
}

async function withoutObjectStreams(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  return document.save({ useObjectStreams: false });
}

export interface Opinion {
  /** False if the other library cannot read the file. An accepted file may be damaged. */
  readonly isReadable: boolean;
  /** Content for which the file should have been refused. */
  readonly bad: readonly string[];
}

const badParts = /vbaProject|activeX|embeddings|\.\.\//i;
const badActions = new Set(['Launch', 'Rendition', 'Movie', 'Sound', 'RichMediaExecute']);
const badAnnotations = new Set(['FileAttachment', 'RichMedia', 'Movie', 'Sound', '3D']);
const actionKeys = ['OpenAction', 'A', 'PA', 'NA', 'Next'];

export async function askSecondOpinion(extension: string, bytes: Uint8Array): Promise<Opinion> {
  switch (extension) {
    case 'pdf':
      return readPdf(bytes);
    case 'jpg':
      return {
        isReadable: canRead(() => jpeg.decode(bytes, { maxMemoryUsageInMB: 64 })),
        bad: [],
      };
    case 'png':
      return { isReadable: canRead(() => PNG.sync.read(Buffer.from(bytes))), bad: [] };
    case 'docx':
    case 'xlsx':
      return { isReadable: true, bad: listLocalNames(bytes).filter((name) => badParts.test(name)) };
    default:
      return { isReadable: true, bad: bytes.includes(0) ? ['a zero in a text'] : [] };
  }
}

/** Follows all references from the catalog, and searches for actions by their keys. */
async function readPdf(bytes: Uint8Array): Promise<Opinion> {
  const { console } = globalThis;
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const { context } = await PDFDocument.load(bytes, { password: '', updateMetadata: false });
    return { isReadable: true, bad: findActs(context) };
  } catch {
    return { isReadable: false, bad: [] };
  } finally {
    console.warn = warn;
  }
}

function findActs(context: PDFContext): string[] {
  const found = new Set<string>();
  const visited = new Set<PDFObject>();
  const waiting = [context.trailerInfo.Root];
  while (waiting.length > 0) {
    const object = context.lookup(waiting.pop());
    if (!object || visited.has(object)) continue;
    visited.add(object);
    if (object instanceof PDFArray) waiting.push(...object.asArray());
    const dictionary = object instanceof PDFStream ? object.dict : object;
    if (!(dictionary instanceof PDFDict)) continue;
    waiting.push(...dictionary.values());
    for (const act of listActs(dictionary)) found.add(act);
  }
  return [...found];
}

function listActs(dictionary: PDFDict): string[] {
  const triggers = getDictionary(dictionary, 'AA')?.values() ?? [];
  const actions = [
    ...actionKeys.map((key) => getDictionary(dictionary, key)),
    ...triggers.map((value) => dictionary.context.lookup(value)),
  ];
  const names = actions.map((action) => (action instanceof PDFDict ? getName(action, 'S') : ''));
  const embedded = getDictionary(dictionary, 'EF')?.values() ?? [];
  const isAnnotation = dictionary.has(PDFName.of('Rect'));
  return [
    ...names.filter((name) => badActions.has(name)),
    ...(isAnnotation && badAnnotations.has(getName(dictionary, 'Subtype')) ? ['annotation'] : []),
    ...(embedded.some((value) => dictionary.context.lookup(value) instanceof PDFStream)
      ? ['attachment']
      : []),
  ];
}

function getDictionary(dictionary: PDFDict, key: string): PDFDict | undefined {
  const value = dictionary.lookup(PDFName.of(key));
  return value instanceof PDFDict ? value : undefined;
}

function getName(dictionary: PDFDict, key: string): string {
  const value = dictionary.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : '';
}

/** Reads the local headers, which programs use to repair an archive. */
function listLocalNames(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const names: string[] = [];
  for (
    let at = buffer.indexOf('PK\x03\x04');
    at !== -1;
    at = buffer.indexOf('PK\x03\x04', at + 4)
  ) {
    if (at + 30 > buffer.length) break;
    names.push(buffer.toString('latin1', at + 30, at + 30 + buffer.readUInt16LE(at + 26)));
  }
  return names;
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
