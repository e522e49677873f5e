// Writes small PNG and JPEG files from chunks and segments that a test can add, change, or leave out.

import { crc32, deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { toBytes } from './bytes.ts';

const pngSignature = toBytes('\x89PNG\r\n\x1a\n');

export interface PngHeader {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  /** Default: 2, which means red, green, and blue. */
  readonly color?: number;
}

/** Adds the signature and the end chunk. */
export function writePng(...chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([pngSignature, ...chunks, toChunk('IEND')]);
}

/** Length, type, data, checksum (PNG, 5.3). */
export function toChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([toBytes(type), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

export function toHeader({ width = 8, height = 8, depth = 8, color = 2 }: PngHeader = {}): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([depth, color], 8);
  return toChunk('IHDR', data);
}

const samplesByColor: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Pixels of zeros, which are valid for each color type. */
export function toPicture({ width = 8, height = 8, depth = 8, color = 2 }: PngHeader = {}): Buffer {
  const bytesPerRow = 1 + Math.ceil((width * depth * (samplesByColor[color] ?? 1)) / 8);
  return toChunk('IDAT', deflateSync(Buffer.alloc(height * bytesPerRow)));
}

const plainSize = { width: 16, height: 16 };

/** A PNG of 16 by 16 pixels, with more chunks before the pixels. */
export function writePlainPng(
  chunks: readonly Uint8Array[] = [],
  header: PngHeader = plainSize,
  picture: Uint8Array = toPicture(plainSize),
): Buffer {
  return Buffer.concat([pngSignature, toHeader(header), ...chunks, picture, toChunk('IEND')]);
}

export const comment = 0xfe;
export const exif = 0xe1;

/** A baseline JPEG of 16 by 16 pixels, with more segments after the JFIF header. */
export function writePlainJpeg(segments: readonly Uint8Array[] = []): Buffer {
  const afterJfif = 4 + plainJpeg.readUInt16BE(4);
  return Buffer.concat([
    plainJpeg.subarray(0, afterJfif),
    ...segments,
    plainJpeg.subarray(afterJfif),
  ]);
}

/** Encoded once, because the encoder computes its tables each time. */
const plainJpeg = encodePlainJpeg();

function encodePlainJpeg(): Buffer {
  const { width, height } = plainSize;
  const data = Buffer.from(Array.from({ length: width * height * 4 }, (_, at) => (at * 7) % 256));
  return jpeg.encode({ data, width, height }, 80).data;
}

/** Marker, length, data (ITU-T T.81, B.1.1.4). */
export function toSegment(marker: number, data: Uint8Array): Buffer {
  const segment = Buffer.alloc(data.length + 4);
  segment.writeUInt16BE(0xff00 | marker, 0);
  segment.writeUInt16BE(data.length + 2, 2);
  segment.set(data, 4);
  return segment;
}

/** @param distance from the end. */
export function insertBefore(bytes: Buffer, distance: number, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, -distance), inserted, bytes.subarray(-distance)]);
}

/** Inserts segments after the start marker. */
export function insertSegments(jpegBytes: Uint8Array, ...segments: readonly Uint8Array[]): Buffer {
  return Buffer.concat([jpegBytes.subarray(0, 2), ...segments, jpegBytes.subarray(2)]);
}

/** Changes the size in the first frame, and leaves the pixels as they are. */
export function withSize(jpegBytes: Uint8Array, width: number, height: number): Buffer {
  const copy = Buffer.from(jpegBytes);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

/** An EXIF segment: big-endian TIFF, one directory with the orientation. */
export function createExif(): Buffer {
  const tiff = toBytes('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0');
  return toSegment(exif, Buffer.concat([toBytes('Exif\0\0'), tiff]));
}
