// Images that are damaged, too large, or also another type: at least one for each detail.

import { readFixture } from '../good-files/fixture-files.ts';
import { toBytes } from '../files/bytes.ts';
import { toChunk, toHeader, toPicture, toSegment, withSize, writePng } from '../files/images.ts';
import { writeZip } from '../files/office.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';

const jpeg = readFixture('baseline.jpg');
const png = writePng(toHeader(), toPicture());
const zip = writeZip([{ name: 'a.txt', data: 'a' }]);
const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
const scanAt = jpeg.indexOf(Buffer.from([0xff, 0xda]));
const scan = jpeg.subarray(scanAt, -2);

export const badImages: readonly BadFile[] = [
  ...toBadFiles('jpg', {
    'content-differs': { 'a web page': () => toBytes('<!doctype html>') },
    'jpeg-cut-off': {
      'only the first bytes': () => jpeg.subarray(0, 4),
      'truncated in the image data': () => jpeg.subarray(0, -40),
      'truncated in a segment': () => jpeg.subarray(0, 30),
      'truncated in a marker': () => jpeg.subarray(0, scanAt + 1),
      'truncated after a marker': () => jpeg.subarray(0, scanAt + 2),
    },
    'jpeg-structure': {
      'no image data': () => Buffer.from('ffd8ffd9ffd9ffd9', 'hex'),
      'no frame': () => Buffer.concat([jpeg.subarray(0, 2), scan, jpeg.subarray(-2)]),
      'a frame segment of three bytes': () => {
        const segment = toSegment(0xc0, Buffer.alloc(3));
        return Buffer.concat([jpeg.subarray(0, frameAt), segment, jpeg.subarray(scanAt)]);
      },
    },
    'jpeg-coding': {
      'a width of 0': () => withSize(jpeg, 0, 100),
      'a height of 0, which a later segment defines': () => withSize(jpeg, 100, 0),
      'a lossless frame': () => changed(jpeg, frameAt + 1, 0xc3),
      'a precision of 12 bits': () => changed(jpeg, frameAt + 4, 12),
    },
    'also-an-archive': { 'an archive after its end': () => Buffer.concat([jpeg, zip]) },
    'too-many-pixels': { '12,000 by 10,001 pixels': () => withSize(jpeg, 12_000, 10_001) },
  }),
  ...toBadFiles('png', {
    'content-differs': { 'a GIF': () => toBytes('GIF89a\x01\0\x01\0\0\0\0;') },
    'png-cut-off': {
      'only the first bytes': () => png.subarray(0, 10),
      'truncated in a chunk': () => png.subarray(0, 50),
      'no IEND chunk': () => png.subarray(0, -12),
    },
    'png-checksum': { 'one changed byte': () => changed(png, 45, 0x55) },
    'png-structure': {
      'no header': () => writePng(toPicture()),
      'a width of 0': () => writePng(toHeader({ width: 0 }), toPicture()),
      'two headers': () => writePng(toHeader(), toHeader(), toPicture()),
      'no image data': () => writePng(toHeader()),
      'a chunk with an invalid type': () => writePng(toHeader(), toChunk('a\0b<'), toPicture()),
      'a header with a wrong length': () =>
        writePng(toChunk('IHDR', Buffer.alloc(12)), toPicture()),
    },
    'also-an-archive': { 'an archive after its end': () => Buffer.concat([png, zip]) },
    'too-many-pixels': {
      '50,000 by 50,000 pixels': () =>
        writePng(toHeader({ width: 50_000, height: 50_000 }), toPicture()),
    },
  }),
];

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}
