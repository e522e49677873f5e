// What cameras and telephones write behind a JPEG: more pictures, a short film, Samsung's notes, or filling. Anything else is not theirs.

import { isFilling } from './filling.ts';
import { walkPicture } from './jpeg-picture.ts';
import type { InspectionDetail } from './verdict.ts';

/** A picture for each lens, previews and a gain map: four or five. */
const maxPictures = 16;

/** Boxes of a film at its outermost level (ISO/IEC 14496-12, 6.2.3). */
const filmBoxes = new Set([
  'ftyp',
  'moov',
  'mdat',
  'free',
  'skip',
  'wide',
  'uuid',
  'meta',
  'udta',
  'moof',
  'mfra',
  'sidx',
  'styp',
  'mpvd',
]);

/** To round up a block's length. */
const maxGap = 16;

/** The last bytes of what Samsung's cameras append, and the beginning of its directory. */
const samsungEnd = Buffer.from('SEFT');
const samsungDirectory = Buffer.from('SEFH');

export function inspectTrailer(bytes: Buffer, start: number): InspectionDetail | undefined {
  const end = findSamsungTrailer(bytes, start) ?? bytes.length;
  let at = start;
  let pictures = 0;
  while (at < end) {
    // A film comes last, and goes to the end. Its first bytes are zeros, too.
    if (bytes.toString('latin1', at + 4, at + 8) === 'ftyp') {
      return isFilm(bytes, at, end) ? undefined : 'trailing-bytes';
    }
    if (isFilling(bytes[at])) at += 1;
    else {
      const behind = isPicture(bytes, at) ? walkPicture(bytes, at) : 'trailing-bytes';
      pictures += 1;
      if (pictures > maxPictures || typeof behind === 'string' || behind > end) {
        return 'trailing-bytes';
      }
      at = behind;
    }
  }
  return undefined;
}

function isPicture(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xff && bytes[at + 1] === 0xd8;
}

/** "Motion photo": an MP4 whose boxes, one behind the other, fill what is left. */
function isFilm(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 8 <= end) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!filmBoxes.has(type) || (at === start) !== (type === 'ftyp')) return false;
    const short = bytes.readUInt32BE(at);
    // Zero: to the end. One: the length follows the type.
    const length =
      short === 0 ? end - at : short === 1 ? readLongLength(bytes, at + 8, end) : short;
    if (length < 8 || at + length > end) return false;
    at += length;
  }
  return at > start && bytes.subarray(at, end).every(isFilling);
}

function readLongLength(bytes: Buffer, at: number, end: number): number {
  return at + 8 <= end ? Number(bytes.readBigUInt64BE(at)) : 0;
}

/**
 * Where it begins: blocks of notes, one of them the film of a motion photo, then a directory of them with the distance of
 * each from the directory and its length (as ExifTool reads it, `Samsung.pm`).
 */
function findSamsungTrailer(bytes: Buffer, start: number): number | undefined {
  const tail = bytes.length - 8;
  if (tail < start || !samsungEnd.equals(bytes.subarray(tail + 4))) return undefined;
  const length = bytes.readUInt32LE(tail);
  const directory = tail - length;
  if (directory < start || length < 12) return undefined;
  if (!samsungDirectory.equals(bytes.subarray(directory, directory + 4))) return undefined;
  const count = bytes.readUInt32LE(directory + 8);
  if (12 + 12 * count !== length) return undefined;
  return findFirstBlock(bytes, start, directory, count);
}

/** The blocks follow one another up to the directory, with no room for anything else between them. */
function findFirstBlock(
  bytes: Buffer,
  start: number,
  directory: number,
  count: number,
): number | undefined {
  const blocks = Array.from({ length: count }, (_, index) => {
    const entry = directory + 12 + 12 * index;
    const position = directory - bytes.readUInt32LE(entry + 4);
    return { position, end: position + bytes.readUInt32LE(entry + 8), entry };
  }).sort((a, b) => b.position - a.position);
  let next = directory;
  for (const { position, end, entry } of blocks) {
    const isBetween = position >= start && end >= position + 8 && end <= next;
    if (!isBetween || next - end > maxGap) return undefined;
    // The block repeats its type.
    if (bytes.readUInt16LE(position + 2) !== bytes.readUInt16LE(entry + 2)) return undefined;
    next = position;
  }
  return count === 0 ? undefined : next;
}
