// Writes small PNGs of every kind, chunk by chunk.

import { crc32, deflateSync } from 'node:zlib';
import { toBytes } from './good-file.ts';

const signature = toBytes('\x89PNG\r\n\x1a\n');

export interface PngHeader {
  /** Default: 8. */
  readonly width?: number;
  /** Default: 8. */
  readonly height?: number;
  /** Default: 8. */
  readonly depth?: number;
  /** Default: 2, red, green and blue. */
  readonly colour?: number;
}

export function writePng(...chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([signature, ...chunks, toChunk('IEND')]);
}

export function toChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([toBytes(type), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length);
  numbers.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
}

export function toHeader(header: PngHeader = {}): Buffer {
  const { width = 8, height = 8, depth = 8, colour = 2 } = header;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour], 8);
  return toChunk('IHDR', data);
}

const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** All pixels zero, which every kind of picture has. */
export function toPicture(header: PngHeader = {}): Buffer {
  const { width = 8, height = 8, depth = 8, colour = 2 } = header;
  const bytesInRow = 1 + Math.ceil((width * depth * (samples[colour] ?? 1)) / 8);
  return toChunk('IDAT', deflateSync(Buffer.alloc(height * bytesInRow)));
}
