// Decompression bombs as images, and images and texts that take a careless reader quadratic time.

import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import {
  comment,
  toChunk,
  toSegment,
  writePlainJpeg,
  writePlainPng,
} from '../../support/file-writers/image-writer.ts';
import { deflateRepeated } from './inflation.ts';

const endOfImage = Buffer.from([0xff, 0xd9]);

/** @param size approximate size of the large files in bytes. */
export function listImageBombs(size: number): readonly HostileFile[] {
  return [
    toBomb('png', 'refused', 'a picture of 50,000 by 50,000', () =>
      writePlainPng([], { width: 50_000, height: 50_000 }, deflateRepeated(100)),
    ),
    toBomb('png', 'refused', 'a picture of 50,000 by 50,000 without most of it', () =>
      writePlainPng([], { width: 50_000, height: 50_000 }),
    ),
    toBomb('png', 'refused', 'a width of two billion', () =>
      writePlainPng([], { width: 0x7fffffff, height: 1 }),
    ),
    toBomb('png', 'refused', 'no width', () => writePlainPng([], { width: 0, height: 16 })),
    toBomb('png', 'either', 'more picture than its size', () =>
      writePlainPng([], undefined, deflateRepeated(300)),
    ),
    toBomb('png', 'either', 'a compressed text of 1,000:1', () =>
      writePlainPng([toChunk('zTXt', Buffer.concat([toBytes('a\0\0'), deflateRepeated(300)]))]),
    ),
    toBomb('png', 'either', 'a compressed profile of 1,000:1', () =>
      writePlainPng([toChunk('iCCP', Buffer.concat([toBytes('a\0\0'), deflateRepeated(300)]))]),
    ),
    toBomb('png', 'either', 'empty chunks', () =>
      writePlainPng(Array.from({ length: size / 12 }, () => emptyChunk)),
    ),
    toBomb('png', 'either', 'empty pieces of the picture', () =>
      writePlainPng(Array.from({ length: size / 12 }, () => emptyPiece)),
    ),
    toBomb('png', 'refused', 'a chunk of two billion bytes', () =>
      withLength(writePlainPng(), 33, 0x7fffffff),
    ),
    toBomb('png', 'refused', 'a chunk of four billion bytes', () =>
      withLength(writePlainPng(), 33, 0xffffffff),
    ),
    toBomb('jpg', 'refused', 'a picture of 65,500 by 65,500', () => withFrame(65_500, 65_500)),
    toBomb('jpg', 'refused', 'no width', () => withFrame(0, 16)),
    toBomb('jpg', 'either', 'empty comments', () =>
      writePlainJpeg(Array.from({ length: size / 4 }, () => emptyComment)),
    ),
    toBomb('jpg', 'either', 'fill bytes', () => writePlainJpeg([Buffer.alloc(size, 0xff)])),
    toBomb('jpg', 'either', 'restarts', () =>
      beforeEnd(Buffer.alloc(size, Buffer.from([0xff, 0xd0]))),
    ),
    toBomb('jpg', 'either', 'zeros in the picture', () =>
      beforeEnd(Buffer.alloc(size, Buffer.from([0xff, 0]))),
    ),
    toBomb('jpg', 'either', 'scans', () =>
      beforeEnd(Buffer.alloc(size, Buffer.from([0xff, 0xda, 0, 2]))),
    ),
    toBomb('jpg', 'either', 'pictures after the picture', () =>
      Buffer.concat([writePlainJpeg(), Buffer.alloc(size, Buffer.from([0xff, 0xd8, 0xff, 0xd9]))]),
    ),
    toBomb('jpg', 'either', 'whole pictures after the picture', () =>
      Buffer.alloc(
        Math.floor(size / writePlainJpeg().length) * writePlainJpeg().length,
        writePlainJpeg(),
      ),
    ),
    toBomb('jpg', 'either', 'beginnings of pictures after the picture', () =>
      Buffer.concat([writePlainJpeg(), Buffer.alloc(size, Buffer.from([0xff, 0xd8, 0xff, 0xe0]))]),
    ),
    toBomb('jpg', 'either', 'beginnings of ZIP archives', () =>
      writePlainJpeg(
        Array.from({ length: size / 60_000 }, () =>
          toSegment(comment, Buffer.alloc(60_000, 'PK\x05\x06')),
        ),
      ),
    ),
    toBomb('jpg', 'either', 'less-than signs', () =>
      writePlainJpeg(
        Array.from({ length: size / 60_000 }, () => toSegment(comment, Buffer.alloc(60_000, '<'))),
      ),
    ),
    toBomb('jpg', 'refused', 'a segment longer than the file', () =>
      writePlainJpeg([Buffer.from([0xff, 0xfe, 0xff, 0xff])]),
    ),
    toBomb('jpg', 'either', 'a segment of no length', () =>
      writePlainJpeg([Buffer.from([0xff, 0xfe, 0, 0])]),
    ),
    toBomb('jpg', 'refused', 'no end', () => writePlainJpeg().subarray(0, -2)),
    toBomb('txt', 'either', 'a line of 8 MB', () => Buffer.alloc(size, 'a')),
    toBomb('txt', 'refused', 'halves of characters', () => Buffer.alloc(size, 0xc3)),
    toBomb('txt', 'either', 'blanks, then a bracket', () =>
      Buffer.concat([Buffer.alloc(size, ' '), toBytes('<html>')]),
    ),
    toBomb('csv', 'either', 'commas', () => Buffer.alloc(size, ',')),
    toBomb('csv', 'either', 'quotes', () => Buffer.alloc(size, '"')),
    toBomb('csv', 'either', 'formulas', () => Buffer.alloc(size, '=1,\n')),
    toBomb('csv', 'either', 'blanks before formulas', () =>
      Buffer.alloc(size, ' '.repeat(1000).concat('=1,')),
    ),
  ];
}

const emptyChunk = toChunk('prVt', new Uint8Array());
const emptyPiece = toChunk('IDAT', new Uint8Array());
const emptyComment = toSegment(comment, new Uint8Array());

function toBomb(
  extension: string,
  expected: HostileFile['expected'],
  name: string,
  make: () => Uint8Array,
): HostileFile {
  return { group: 'bomb', name: `${extension} of ${name}`, extension, expected, make };
}

function withLength(png: Buffer, at: number, length: number): Buffer {
  png.writeUInt32BE(length, at);
  return png;
}

function withFrame(width: number, height: number): Buffer {
  const picture = writePlainJpeg();
  const frame = picture.indexOf(Buffer.from([0xff, 0xc0]));
  picture.writeUInt16BE(height, frame + 5);
  picture.writeUInt16BE(width, frame + 7);
  return picture;
}

function beforeEnd(bytes: Buffer): Buffer {
  return Buffer.concat([writePlainJpeg().subarray(0, -2), bytes, endOfImage]);
}
