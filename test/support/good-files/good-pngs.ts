// PNGs of every color type, and with the chunks of scanners, screenshots, and editors, which the inspection accepts.

import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { getScanPng } from '../files/realistic-files.ts';
import { toBytes } from '../files/bytes.ts';
import { toChunk, toHeader, toPicture, writePng, type PngHeader } from '../files/images.ts';
import type { GoodFile } from './good-file.ts';

/** Allowed depths by color type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const pixels = deflateSync(Buffer.alloc(8 * 25));
const ihdr = toHeader();
const idat = toPicture();

const made: Readonly<Record<string, GoodFile['make']>> = {
  'a scan of a megabyte': async () => readFile((await getScanPng()).path),
  'with several IDAT chunks': () =>
    writePng(
      ihdr,
      toChunk('IDAT', pixels.subarray(0, 3)),
      toChunk('IDAT'),
      toChunk('IDAT', pixels.subarray(3)),
    ),
  'with text chunks': () =>
    writePng(
      ihdr,
      toChunk('tEXt', toBytes('Software\0Scanner 2.1')),
      toChunk('zTXt', Buffer.concat([toBytes('Comment\0\0'), deflateSync(toBytes('a page'))])),
      toChunk('iTXt', toBytes('XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>')),
      idat,
      toChunk('tEXt', toBytes('date:create\x002026-04-01')),
    ),
  'with a color profile, a resolution, and a time': () =>
    writePng(
      ihdr,
      toChunk('iCCP', Buffer.concat([toBytes('sRGB\0\0'), deflateSync(Buffer.alloc(100))])),
      toChunk('gAMA', Buffer.from('0000b18f', 'hex')),
      toChunk('pHYs', Buffer.from('00002e2300002e2301', 'hex')),
      toChunk('tIME', Buffer.from('07ea0401060000', 'hex')),
      toChunk('eXIf', toBytes('MM\0*\0\0\0\x08\0\0\0\0\0\0')),
      idat,
    ),
  'with animation chunks': () =>
    writePng(
      ihdr,
      toChunk('acTL', Buffer.from('0000000100000000', 'hex')),
      toChunk('fcTL', Buffer.alloc(26)),
      idat,
      toChunk('fcTL', Buffer.alloc(26)),
      toChunk('fdAT', Buffer.concat([Buffer.alloc(4), deflateSync(Buffer.alloc(200))])),
    ),
  'with a private chunk': () => writePng(ihdr, toChunk('vpAg', Buffer.alloc(9)), idat),
  'with content credentials (C2PA)': () =>
    writePng(ihdr, toChunk('caBX', toBytes('\0\0\0\x08jumb')), idat),
  'padded with zeros': () => Buffer.concat([toPng({}), Buffer.alloc(512)]),
  'with a line break after its end': () => Buffer.concat([toPng({}), Buffer.from('\r\n')]),
  'a page at 600 dots per inch': () => toPng({ width: 5100, height: 6600, color: 0, depth: 1 }),
  'of 120 megapixels': () => toPng({ width: 12_000, height: 10_000, color: 0, depth: 1 }),
};

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
