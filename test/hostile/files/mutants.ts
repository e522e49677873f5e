// Mutated good files, for fuzzing: flipped bits, wrong lengths, and parts that are moved, repeated, removed, or inserted.

import { createRandom } from '../../support/random.ts';
import { toBytes } from '../../support/file-writers/bytes.ts';
import { writeZip } from '../../support/file-writers/zip-writer.ts';

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
