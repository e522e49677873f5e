// Takes small JPEGs apart and puts segments, films and trailers where cameras put them.

import { toBytes } from './good-file.ts';

/** `FF`, its code, and the length before the data (ITU-T T.81, B.1.1.4). */
export function toSegment(code: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** Segments right behind the first marker. */
export function insertSegments(jpeg: Uint8Array, ...segments: readonly Uint8Array[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** With other numbers in its first frame, and the same picture. */
export function withSize(jpeg: Uint8Array, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frameAt = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(height, frameAt + 5);
  copy.writeUInt16BE(width, frameAt + 7);
  return copy;
}

/** Big-endian TIFF with one directory: orientation, and a place to a degree. */
export function createExif(): Buffer {
  const tiff = toBytes('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0');
  return toSegment(0xe1, Buffer.concat([toBytes('Exif\0\0'), tiff]));
}

/** The boxes of a short film, as motion photos have it (ISO/IEC 14496-12). */
export function createFilm(): Buffer {
  return Buffer.concat([
    toBox('ftyp', toBytes('mp42\0\0\0\0isommp42')),
    toBox('moov', toBox('mvhd', Buffer.alloc(100))),
    toBox('mdat', Buffer.alloc(700, 0x5a)),
    toBox('free', Buffer.alloc(4)),
  ]);
}

export function toBox(type: string, data: Uint8Array): Buffer {
  const head = Buffer.concat([Buffer.alloc(4), toBytes(type)]);
  head.writeUInt32BE(data.length + 8);
  return Buffer.concat([head, data]);
}

/** A block of a Samsung trailer: its type, the name of its kind, and its data. */
export interface SamsungBlock {
  readonly type: number;
  readonly name: string;
  readonly data: Uint8Array;
}

/** Blocks, then their directory (ExifTool, `Samsung.pm`). */
export function createSamsungTrailer(blocks: readonly SamsungBlock[]): Buffer {
  const written = blocks.map(({ type, name, data }) => {
    const head = Buffer.alloc(8);
    head.writeUInt16LE(type, 2);
    head.writeUInt32LE(name.length, 4);
    return { type, bytes: Buffer.concat([head, toBytes(name), data]) };
  });
  const directory = Buffer.alloc(12 + 12 * blocks.length);
  directory.write('SEFH', 'latin1');
  directory.writeUInt32LE(106, 4);
  directory.writeUInt32LE(blocks.length, 8);
  let distance = 0;
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const { type, bytes } = written[index]!;
    distance += bytes.length;
    directory.writeUInt16LE(type, 12 + 12 * index + 2);
    directory.writeUInt32LE(distance, 12 + 12 * index + 4);
    directory.writeUInt32LE(bytes.length, 12 + 12 * index + 8);
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(directory.length);
  return Buffer.concat([...written.map(({ bytes }) => bytes), directory, length, toBytes('SEFT')]);
}
