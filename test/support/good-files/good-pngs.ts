// PNGs of every color type, and with the chunks of scanners, screenshots, and editors, which the inspection accepts.

import { readFile } from 'node:fs/promises';
import { getScanPng } from '../files/realistic-files.ts';
import { toBytes } from '../files/bytes.ts';
import { toChunk, toHeader, toPicture, writePng, type PngHeader } from '../files/images.ts';
import { readRows } from '../files/rows.ts';
import type { GoodFile } from './good-file.ts';

/** Allowed depths by color type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** A chunk with its text or its data in hexadecimal, or `IDAT` for the whole picture. */
type ChunkRow = readonly [type: string, text?: string, hex?: string];

const chunkRows = readRows<{ readonly name: string; readonly chunks: readonly ChunkRow[] }>(
  'png-chunks.ndjson',
  import.meta.url,
);

const made: Readonly<Record<string, GoodFile['make']>> = {
  'a scan of a megabyte': async () => readFile((await getScanPng()).path),
  'padded with zeros': () => Buffer.concat([toPng({}), Buffer.alloc(512)]),
  'with a line break after its end': () => Buffer.concat([toPng({}), Buffer.from('\r\n')]),
  'a page at 600 dots per inch': () => toPng({ width: 5100, height: 6600, color: 0, depth: 1 }),
  'of 120 megapixels': () => toPng({ width: 12_000, height: 10_000, color: 0, depth: 1 }),
  ...Object.fromEntries(
    chunkRows.map(({ name, chunks }) => [
      name,
      () => writePng(toHeader(), ...chunks.map(writeChunk)),
    ]),
  ),
};

function writeChunk([type, text, hex = '']: ChunkRow): Buffer {
  if (type === 'IDAT' && text === undefined) return toPicture();
  return toChunk(type, Buffer.concat([toBytes(text ?? ''), Buffer.from(hex, 'hex')]));
}

export const goodPngs: readonly GoodFile[] = [
  ...Object.entries(made).map(([name, make]) => ({ name, extension: 'png', make })),
  ...Object.entries(depths).flatMap(([color, allowed]) =>
    allowed.map((depth) => ({
      name: `color type ${color} with ${depth} bits`,
      extension: 'png',
      make: () => toPng({ color: Number(color), depth }),
    })),
  ),
];

/** With the palette that color type 3 needs. */
function toPng(header: PngHeader): Buffer {
  const palette =
    header.color === 3 ? [toChunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))] : [];
  return writePng(toHeader(header), ...palette, toPicture(header));
}
