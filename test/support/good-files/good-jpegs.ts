// JPEGs with the segments and trailers of phones, cameras, and editors, which the inspection accepts.

import { readFile } from 'node:fs/promises';
import { getPhotoJpeg } from '../files/realistic-files.ts';
import { readFixture } from './fixture-files.ts';
import { toBytes } from '../files/bytes.ts';
import { createExif, insertSegments, toSegment, withSize } from '../files/images.ts';
import { readRows } from '../files/rows.ts';
import type { GoodFile } from './good-file.ts';

interface SamsungBlock {
  readonly type: number;
  readonly name: string;
  readonly data: Uint8Array;
}

const picture = readFixture('baseline.jpg');
const smaller = readFixture('grey.jpg');
/** With an index of several images (CIPA DC-007). Readers find the images by their signatures. */
const index = toBytes('MPF\0MM\0*\0\0\0\x08\0\0\0\0\0\0');
const indexed = insertSegments(picture, toSegment(0xe2, index));

const samsungNote = { type: 0x0a01, name: 'Image_UTC_Data', data: toBytes('1774939200000') };
const samsungFilm = { type: 0x0a30, name: 'MotionPhoto_Data', data: createFilm() };

const made: Readonly<Record<string, GoodFile['make']>> = {
  'a photo of several megabytes': async () => readFile((await getPhotoJpeg()).path),
  'of 120 megapixels': () => withSize(picture, 12_000, 10_000),
  'with EXIF': () => insertSegments(picture, createExif()),
  'with EXIF instead of JFIF': () => insertSegments(withoutJfif(picture), createExif()),
  'with fill bytes before its markers': () => insertSegments(picture, toBytes('\xff\xff\xff')),
  'padded with zeros': () => Buffer.concat([picture, Buffer.alloc(5000)]),
  'with a line break after its end': () => Buffer.concat([picture, toBytes('\r\n')]),
  'with a second image after its end (MPF)': () => Buffer.concat([indexed, smaller]),
  'with three images, and padding between them': () =>
    Buffer.concat([
      indexed,
      Buffer.alloc(300),
      smaller,
      Buffer.alloc(20),
      readFixture('progressive.jpg'),
    ]),
  'with a video after its end (Google motion photo)': () => Buffer.concat([picture, createFilm()]),
  'with a gain map and a video after its end': () =>
    Buffer.concat([indexed, smaller, createFilm()]),
  'with a Samsung trailer': () => Buffer.concat([picture, createSamsungTrailer([samsungNote])]),
  'with a Samsung trailer that contains a video': () =>
    Buffer.concat([picture, createSamsungTrailer([samsungFilm, samsungNote])]),
  'with a gain map and a Samsung trailer': () =>
    Buffer.concat([indexed, smaller, createSamsungTrailer([samsungNote, samsungNote])]),
};

interface SegmentRow {
  readonly name: string;
  readonly marker: number;
  readonly texts: readonly string[];
}

export const goodJpegs: readonly GoodFile[] = [
  ...readRows<SegmentRow>('jpeg-segments.ndjson', import.meta.url).map((row) => ({
    name: row.name,
    extension: 'jpg',
    make: () => withSegments(row),
  })),
  ...Object.entries(made).map(([name, make]) => ({ name, extension: 'jpg', make })),
  ...['jpeg', 'JPG'].map((extension) => ({
    name: `with the extension ${extension}`,
    extension,
    make: () => picture,
  })),
];

function withSegments({ marker, texts }: SegmentRow): Buffer {
  return insertSegments(picture, ...texts.map((text) => toSegment(marker, toBytes(text))));
}

/** Removes the first segment of libjpeg. */
function withoutJfif(jpeg: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(4 + jpeg.readUInt16BE(4))]);
}

/** The boxes of a short film, which motion photos contain (ISO/IEC 14496-12). */
function createFilm(): Buffer {
  return Buffer.concat([
    toBox('ftyp', toBytes('mp42\0\0\0\0isommp42')),
    toBox('moov', toBox('mvhd', Buffer.alloc(100))),
    toBox('mdat', Buffer.alloc(700, 0x5a)),
    toBox('free', Buffer.alloc(4)),
  ]);
}

function toBox(type: string, data: Uint8Array): Buffer {
  const head = Buffer.concat([Buffer.alloc(4), toBytes(type)]);
  head.writeUInt32BE(data.length + 8);
  return Buffer.concat([head, data]);
}

/** The blocks and their directory (ExifTool, `Samsung.pm`). */
function createSamsungTrailer(blocks: readonly SamsungBlock[]): Buffer {
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
