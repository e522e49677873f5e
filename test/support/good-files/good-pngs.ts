// PNGs of every color type, and with the chunks of scanners, screenshots, and editors, which the inspection accepts.

import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { getScanPng } from '../files/realistic-files.ts';
import { toBytes } from '../files/bytes.ts';
import { toChunk, toHeader, toPicture, writePng, type PngHeader } from '../files/images.ts';
import type { GoodFile } from './good-file.ts';

const kinds: readonly (readonly [number, readonly number[]])[] = [
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
];

export const goodPngs: readonly GoodFile[] = [
  toFile('a scan of a megabyte', async () => readFile((await getScanPng()).path)),
  ...kinds.flatMap(([color, depths]) =>
    depths.map((depth) =>
      toFile(`color type ${color} with ${depth} bits`, () => toPng({ color, depth })),
    ),
  ),
  toFile('with several IDAT chunks', () => {
    const data = deflateSync(Buffer.alloc(8 * 25));
    return writePng(
      toHeader(),
      toChunk('IDAT', data.subarray(0, 3)),
      toChunk('IDAT', Buffer.alloc(0)),
      toChunk('IDAT', data.subarray(3)),
    );
  }),
  toFile('with text chunks', () =>
    writePng(
      toHeader(),
      toChunk('tEXt', toBytes('Software\0Scanner 2.1')),
      toChunk('zTXt', Buffer.concat([toBytes('Comment\0\0'), deflateSync(toBytes('a page'))])),
      toChunk('iTXt', toBytes('XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>')),
      toPicture(),
      toChunk('tEXt', toBytes('date:create\x002026-04-01')),
    ),
  ),
  toFile('with a color profile, a resolution, and a time', () =>
    writePng(
      toHeader(),
      toChunk('iCCP', Buffer.concat([toBytes('sRGB\0\0'), deflateSync(Buffer.alloc(100))])),
      toChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
      toChunk('pHYs', Buffer.from([0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1])),
      toChunk('tIME', Buffer.from([7, 0xea, 4, 1, 6, 0, 0])),
      toChunk('eXIf', toBytes('MM\0*\0\0\0\x08\0\0\0\0\0\0')),
      toPicture(),
    ),
  ),
  toFile('with animation chunks', () =>
    writePng(
      toHeader(),
      toChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])),
      toChunk('fcTL', Buffer.alloc(26)),
      toPicture(),
      toChunk('fcTL', Buffer.alloc(26)),
      toChunk('fdAT', Buffer.concat([Buffer.alloc(4), deflateSync(Buffer.alloc(200))])),
    ),
  ),
  toFile('with a private chunk', () =>
    writePng(toHeader(), toChunk('vpAg', Buffer.alloc(9)), toPicture()),
  ),
  toFile('with content credentials (C2PA)', () =>
    writePng(toHeader(), toChunk('caBX', toBytes('\0\0\0\x08jumb')), toPicture()),
  ),
  toFile('padded with zeros', () => Buffer.concat([toPng({}), Buffer.alloc(512)])),
  toFile('with a line break after its end', () => Buffer.concat([toPng({}), Buffer.from('\r\n')])),
  toFile('a page at 600 dots per inch', () =>
    toPng({ width: 5100, height: 6600, color: 0, depth: 1 }),
  ),
  toFile('of 120 megapixels', () => toPng({ width: 12_000, height: 10_000, color: 0, depth: 1 })),
];

function toFile(name: string, make: GoodFile['make']): GoodFile {
  return { name, extension: 'png', make };
}

/** With the palette that color type 3 needs. */
function toPng(header: PngHeader): Buffer {
  const palette =
    header.color === 3 ? [toChunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))] : [];
  return writePng(toHeader(header), ...palette, toPicture(header));
}
