// Pictures that are damaged, too large, or something else besides: at least one for each rule.

import { readFixture } from '../good-files/fixture-files.ts';
import { toBytes } from '../good-files/good-file.ts';
import {
  createFilm,
  createSamsungTrailer,
  insertSegments,
  toBox,
  toSegment,
  withSize,
} from '../good-files/jpeg-writer.ts';
import { toChunk, toHeader, toPicture, writePng } from '../good-files/png-writer.ts';
import { writeZip } from '../good-files/zip-writer.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';

const jpeg = readFixture('baseline.jpg');
const png = writePng(toHeader(), toPicture());
const zip = writeZip([{ name: 'a.txt', data: 'a' }]);
const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
const scanAt = jpeg.indexOf(Buffer.from([0xff, 0xda]));
const scan = jpeg.subarray(scanAt, -2);

const jpegs = toBadFiles('jpg', [
  ['content-differs', 'a page', () => toBytes('<!doctype html>')],
  ['jpeg-end-missing', 'the first bytes only', () => jpeg.subarray(0, 4)],
  ['jpeg-end-missing', 'cut off in its picture', () => jpeg.subarray(0, -40)],
  ['jpeg-end-missing', 'cut off in a segment', () => jpeg.subarray(0, 30)],
  ['jpeg-end-missing', 'cut off in a marker', () => jpeg.subarray(0, scanAt + 1)],
  ['jpeg-end-missing', 'cut off behind a marker', () => jpeg.subarray(0, scanAt + 2)],
  ['jpeg-structure', 'no picture', () => Buffer.from('ffd8ffd9ffd9ffd9', 'hex')],
  [
    'jpeg-structure',
    'no frame',
    () => Buffer.concat([jpeg.subarray(0, 2), scan, jpeg.subarray(-2)]),
  ],
  [
    'jpeg-structure',
    'bytes between segments',
    () => insertSegments(jpeg, toSegment(0xfe, toBytes('x')), toBytes('xx')),
  ],
  [
    'jpeg-structure',
    'a segment shorter than its length',
    () => insertSegments(jpeg, Buffer.from([0xff, 0xfe, 0, 1])),
  ],
  ['jpeg-structure', 'a second beginning', () => insertSegments(jpeg, Buffer.from([0xff, 0xd8]))],
  ['jpeg-structure', 'two frames', () => insertSegments(jpeg, jpeg.subarray(frameAt, scanAt))],
  [
    'jpeg-structure',
    'a frame of three bytes',
    () =>
      Buffer.concat([
        jpeg.subarray(0, frameAt),
        toSegment(0xc0, Buffer.alloc(3)),
        jpeg.subarray(scanAt),
      ]),
  ],
  ['jpeg-structure', 'no width', () => withSize(jpeg, 0, 100)],
  ['jpeg-structure', 'a frame of another length', () => changed(jpeg, frameAt + 9, 4)],
  ['jpeg-coding', 'a height that comes later', () => withSize(jpeg, 100, 0)],
  ['jpeg-coding', 'a frame without loss', () => changed(jpeg, frameAt + 1, 0xc3)],
  ['jpeg-coding', 'twelve bits', () => changed(jpeg, frameAt + 4, 12)],
  ['too-many-pixels', '12,000 by 10,001', () => withSize(jpeg, 12_000, 10_001)],
  ['jpeg-too-many-scans', 'a hundred and one scans', () => withScans(101)],
  [
    'jpeg-script',
    'a script in its first segment',
    () => insertSegments(jpeg, toSegment(0xe0, Buffer.alloc(0x2f2a - 2, '*/=alert(1)/*'))),
  ],
  ['trailing-bytes', 'text behind it', () => Buffer.concat([jpeg, toBytes('cached')])],
  ['trailing-bytes', 'a program behind it', () => Buffer.concat([jpeg, toBytes('MZ\x90\0')])],
  [
    'trailing-bytes',
    'half a picture behind it',
    () => Buffer.concat([jpeg, jpeg.subarray(0, -60)]),
  ],
  [
    'trailing-bytes',
    'twenty pictures behind it',
    () => Buffer.concat(Array.from({ length: 21 }, () => jpeg)),
  ],
  [
    'trailing-bytes',
    'half a film behind it',
    () => Buffer.concat([jpeg, createFilm().subarray(0, -3)]),
  ],
  [
    'trailing-bytes',
    'a film of unknown boxes',
    () => Buffer.concat([jpeg, createFilm(), toBox('evil', Buffer.alloc(9))]),
  ],
  [
    'trailing-bytes',
    'a film that begins in its middle',
    () => Buffer.concat([jpeg, toBox('moov', Buffer.alloc(8)), createFilm()]),
  ],
  [
    'trailing-bytes',
    "something before Samsung's notes",
    () => Buffer.concat([jpeg, toBytes('hidden'), notes()]),
  ],
  [
    'trailing-bytes',
    "something among Samsung's notes",
    () =>
      Buffer.concat([jpeg, notes().subarray(0, 30), Buffer.alloc(40, 'x'), notes().subarray(30)]),
  ],
  [
    'trailing-bytes',
    "Samsung's notes of no count",
    () => Buffer.concat([jpeg, createSamsungTrailer([])]),
  ],
  ['foreign-archive', 'an archive in a comment', () => insertSegments(jpeg, toSegment(0xfe, zip))],
  [
    'foreign-archive',
    'an archive in its film',
    () => Buffer.concat([jpeg, createFilm(), toBox('mdat', zip)]),
  ],
  [
    'foreign-archive',
    'a 7z archive',
    () => insertSegments(jpeg, toSegment(0xfe, toBytes("7z\xbc\xaf'\x1c"))),
  ],
  [
    'foreign-archive',
    'a RAR archive',
    () => insertSegments(jpeg, toSegment(0xfe, toBytes('Rar!\x1a\x07\x01\0'))),
  ],
  [
    'foreign-document',
    'a PDF in a comment',
    () => insertSegments(jpeg, toSegment(0xfe, toBytes('%PDF-1.7\n'))),
  ],
  [
    'foreign-markup',
    'a page in a comment',
    () => insertSegments(jpeg, toSegment(0xfe, toBytes('<HTML>'))),
  ],
  [
    'foreign-markup',
    'a script in its notes',
    () => insertSegments(jpeg, toSegment(0xe1, toBytes('Exif\0\0<script src=x>'))),
  ],
  [
    'foreign-markup',
    'PHP in a comment',
    () => insertSegments(jpeg, toSegment(0xfe, toBytes('<?php system(1);'))),
  ],
]);

const pngs = toBadFiles('png', [
  ['content-differs', 'a GIF', () => toBytes('GIF89a\x01\0\x01\0\0\0\0;')],
  ['png-end-missing', 'the first bytes only', () => png.subarray(0, 10)],
  ['png-end-missing', 'cut off in a chunk', () => png.subarray(0, 50)],
  ['png-end-missing', 'no last chunk', () => png.subarray(0, -12)],
  ['png-checksum', 'one bit turned', () => changed(png, 45, 0x55)],
  ['png-structure', 'no header', () => writePng(toPicture())],
  ['png-structure', 'two headers', () => writePng(toHeader(), toHeader(), toPicture())],
  ['png-structure', 'no picture', () => writePng(toHeader())],
  [
    'png-structure',
    'a picture in two places',
    () => writePng(toHeader(), toPicture(), toChunk('tEXt'), toPicture()),
  ],
  [
    'png-structure',
    'a chunk one must know',
    () => writePng(toHeader(), toChunk('CgBI'), toPicture()),
  ],
  [
    'png-structure',
    'a chunk without a name',
    () => writePng(toHeader(), toChunk('a\0b<'), toPicture()),
  ],
  [
    'png-structure',
    'a colour type that is none',
    () => writePng(toHeader({ colour: 5 }), toPicture()),
  ],
  ['png-structure', 'a depth that is none', () => writePng(toHeader({ depth: 7 }), toPicture())],
  ['png-structure', 'no width', () => writePng(toHeader({ width: 0 }), toPicture())],
  [
    'png-structure',
    'a header of another length',
    () => writePng(toChunk('IHDR', Buffer.alloc(12)), toPicture()),
  ],
  [
    'png-structure',
    'a last chunk with data',
    () => Buffer.concat([png.subarray(0, -12), toChunk('IEND', Buffer.alloc(1))]),
  ],
  [
    'too-many-pixels',
    '50,000 by 50,000',
    () => writePng(toHeader({ width: 50_000, height: 50_000 }), toPicture()),
  ],
  ['trailing-bytes', 'text behind it', () => Buffer.concat([png, toBytes('cached')])],
  ['foreign-archive', 'an archive behind it', () => Buffer.concat([png, zip])],
  [
    'foreign-archive',
    'an archive in a chunk',
    () => writePng(toHeader(), toChunk('zzZz', zip), toPicture()),
  ],
  [
    'foreign-document',
    'a PDF in a text',
    () => writePng(toHeader(), toChunk('tEXt', toBytes('a\0%PDF-1.4')), toPicture()),
  ],
  [
    'foreign-markup',
    'a page in a text',
    () => writePng(toHeader(), toChunk('tEXt', toBytes('a\0<!DOCTYPE HTML>')), toPicture()),
  ],
]);

export const badImages: readonly BadFile[] = [...jpegs, ...pngs];

function notes(): Buffer {
  return createSamsungTrailer([
    { type: 0x0a01, name: 'Image_UTC_Data', data: toBytes('1774939200000') },
  ]);
}

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}

function withScans(count: number): Buffer {
  return Buffer.concat([
    jpeg.subarray(0, scanAt),
    ...Array.from({ length: count }, () => scan),
    jpeg.subarray(-2),
  ]);
}
