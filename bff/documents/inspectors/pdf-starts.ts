// Where reading a PDF may begin: readers follow offsets to any place of the file, or look for objects themselves, so every such place counts.

import { unknownNumber } from './pdf-facts.ts';
import type { RunPlaces } from './pdf-runs.ts';
import { isWhite } from './pdf-tokens.ts';

/** A statement of a thousand pages has some ten thousand; each is an object to a reader, and takes memory. */
const maxStarts = 200_000;

/** Of the digits, blanks and nothing else that stand before `obj`. */
const longestNumbers = 40;

/** The places of the words; their contents begin behind them. */
export interface PdfStarts extends RunPlaces {
  /** The number and generation of the object at that index, when they stand before it with nothing but blanks between. */
  getNumbers(index: number): { readonly number: number; readonly generation: number };
}

/**
 * Objects begin with `obj` (7.3.10), even within the data of a stream, a string or a comment. What follows a stream or the
 * word `trailer` belongs to no object. `undefined` when there are too many.
 */
export function findStarts(bytes: Buffer): PdfStarts | undefined {
  const positions = [0];
  const isFound =
    collect(bytes, 'obj', positions) &&
    collect(bytes, 'trailer', positions) &&
    collect(bytes, 'endstream', positions);
  if (!isFound) return undefined;
  positions.sort((a, b) => a - b);
  return {
    positions,
    getContent(index) {
      const position = positions[index] ?? 0;
      return position + getLength(bytes[position]);
    },
    getNumbers(index) {
      const position = positions[index] ?? 0;
      const before = bytes.toString('latin1', Math.max(0, position - longestNumbers), position);
      const match = /(\d+)[\0\t\n\f\r \x80\xff]+(\d+)[\0\t\n\f\r \x80\xff]*$/.exec(before);
      return match
        ? { number: Number(match[1]), generation: Number(match[2]) }
        : { number: unknownNumber, generation: 0 };
    },
  };
}

/** Whether all were collected. */
function collect(bytes: Buffer, word: string, positions: number[]): boolean {
  const mark = Buffer.from(word);
  let at = bytes.indexOf(mark);
  while (at !== -1) {
    if (word !== 'obj' || isAfterNumbers(bytes, at)) positions.push(at);
    if (positions.length > maxStarts) return false;
    at = bytes.indexOf(mark, at + 1);
  }
  return true;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isSign = (byte: number): boolean => byte === 0x2b || byte === 0x2d || byte === 0x2e;
const isLineEnd = (byte: number): boolean => byte === 10 || byte === 13;

/** Readers want two numbers before the word, apart by blanks or comments. Compressed data that hold the word fall away here. */
function isAfterNumbers(bytes: Buffer, word: number): boolean {
  let at = word;
  for (let numbers = 0; numbers < 2; numbers += 1) {
    const blanks = skipBack(bytes, at, isWhite);
    // Behind a comment only its line can be told from here, not what stands before it.
    if (isBehindComment(bytes, blanks, at)) return true;
    if (numbers === 1 && blanks === at) return false;
    at = skipBack(bytes, blanks, (byte) => isDigit(byte) || isSign(byte));
    if (at === blanks) return false;
  }
  return true;
}

/** Whether there is the end of a line in `[start, end)`, and a comment in the line that ends there. */
function isBehindComment(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (isLineEnd(bytes[at] ?? 0)) {
      const line = skipBack(bytes, at, (byte) => !isLineEnd(byte));
      return bytes.subarray(line, at).includes(0x25);
    }
  }
  return false;
}

function skipBack(bytes: Buffer, end: number, isSkipped: (byte: number) => boolean): number {
  let at = end;
  while (at > 0 && isSkipped(bytes[at - 1] ?? 0)) at -= 1;
  return at;
}

function getLength(firstByte: number | undefined): number {
  if (firstByte === 0x6f) return 'obj'.length;
  if (firstByte === 0x74) return 'trailer'.length;
  // The file's beginning is a comment.
  return firstByte === 0x65 ? 'endstream'.length : 0;
}
