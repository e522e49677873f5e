// Small pictures by hand, so that segments and chunks can be added, lied about and left out.

import { crc32, deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { toBytes } from './hostile-file.ts';

const side = 16;

export interface PngHead {
  readonly width: number;
  readonly height: number;
}

/** RGB, 8 bits. `extra` are whole chunks between the head and the picture, `after` whatever comes after the end. */
export function writePng(
  extra: readonly Uint8Array[] = [],
  head: PngHead = { width: side, height: side },
  picture: Uint8Array = deflateSync(toRows(side)),
): Buffer {
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(head.width, 0);
  ihdr.writeUInt32BE(head.height, 4);
  ihdr.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    pngSignature,
    toChunk('IHDR', ihdr),
    ...extra,
    toChunk('IDAT', picture),
    toChunk('IEND', new Uint8Array()),
  ]);
}

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length, type, data, checksum (PNG, 5.3). */
export function toChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([toBytes(type), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Baseline, with JFIF. `extra` are whole segments right after the start of the picture. */
export function writeJpeg(extra: readonly Uint8Array[] = []): Buffer {
  const afterJfif = 4 + picture.readUInt16BE(4);
  return Buffer.concat([picture.subarray(0, afterJfif), ...extra, picture.subarray(afterJfif)]);
}

/** Encoded once: the encoder computes its tables anew each time, which takes longer than all the rest. */
const picture = encodePicture();

function encodePicture(): Buffer {
  const data = Buffer.from(Array.from({ length: side * side * 4 }, (_, at) => (at * 7) % 256));
  return jpeg.encode({ data, width: side, height: side }, 80).data;
}

export const comment = 0xfe;
export const exif = 0xe1;

/** Marker, length, data (T.81, B.1.1.4). */
export function toSegment(marker: number, data: Uint8Array): Buffer {
  const segment = Buffer.alloc(data.length + 4);
  segment.writeUInt16BE(0xff00 | marker, 0);
  segment.writeUInt16BE(data.length + 2, 2);
  segment.set(data, 4);
  return segment;
}

function toRows(side: number): Buffer {
  const rows = Buffer.alloc(side * (1 + side * 3), 0);
  for (let at = 0; at < rows.length; at += 1) {
    rows[at] = at % (1 + side * 3) === 0 ? 0 : (at * 5) % 256;
  }
  return rows;
}
