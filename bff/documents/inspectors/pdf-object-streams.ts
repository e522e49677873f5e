// Objects that a PDF packs into a stream (7.5.7): unpacked within bounds, and read like the others.

import { constants, inflateRawSync } from 'node:zlib';
import type { PdfEncryption } from './pdf-encryption.ts';
import { unknownNumber } from './pdf-facts.ts';
import type { PdfObjects } from './pdf-objects.ts';
import { readRuns } from './pdf-runs.ts';
import type { ObjectStreamDictionary } from './pdf-stream-signs.ts';
import { PdfTokens } from './pdf-tokens.ts';
import type { InspectionDetail } from './verdict.ts';

/** Programs write some hundred objects into one, 20 to 200 KB. */
const maxStreamBytes = 16 * 2 ** 20;
const maxAllBytes = 32 * 2 ** 20;
const maxObjects = 50_000;
/** Of all streams to the file; structure that repeats itself comes near 30. */
const maxRatio = 100;
const spareBytes = 2 ** 20;

const space = 0x20;
const lineFeed = 10;
const carriageReturn = 13;

export interface ObjectStream extends ObjectStreamDictionary {
  /** Behind the word `stream`. */
  readonly position: number;
  readonly number: number;
  readonly generation: number;
}

/** Bytes that may yet be inflated, of all streams together. */
interface Budget {
  left: number;
}

export function readObjectStreams(
  bytes: Buffer,
  streams: readonly ObjectStream[],
  objects: PdfObjects,
  encryption: PdfEncryption,
): InspectionDetail | undefined {
  const budget = { left: Math.min(maxAllBytes, maxRatio * bytes.length + spareBytes) };
  for (const stream of streams) {
    const detail = readObjectStream(bytes, stream, objects, encryption, budget);
    if (detail) return detail;
  }
  return undefined;
}

function readObjectStream(
  bytes: Buffer,
  stream: ObjectStream,
  objects: PdfObjects,
  encryption: PdfEncryption,
  budget: Budget,
): InspectionDetail | undefined {
  // No program packs objects otherwise, and each filter more would be one more place to hide in.
  if (stream.filter === 'other') return 'pdf-object-stream-filter';
  const start = getDataStart(bytes, stream.position);
  if (start === undefined) return 'pdf-object-stream-damaged';
  const unpacked = unpack(bytes.subarray(start), stream, encryption, budget);
  if (!Buffer.isBuffer(unpacked)) return unpacked;
  if (!stream.isCertain && !startsWithNumber(unpacked)) return undefined;
  return readObjects(unpacked, stream.first, objects);
}

/** @param rest of the file, from where the data begin; `undefined` when nobody reads them without the password */
function unpack(
  rest: Buffer,
  stream: ObjectStream,
  encryption: PdfEncryption,
  budget: Budget,
): Buffer | InspectionDetail | undefined {
  if (encryption.kind === 'none') {
    return stream.filter === 'none' ? cutData(rest) : inflate(rest, budget);
  }
  // What is deflated shows by that that it was decrypted rightly, and no program leaves it otherwise.
  if (stream.filter === 'none') return 'pdf-object-stream-filter';
  const data = cutData(rest);
  if (encryption.kind !== 'open') return unpackLocked(data, budget);
  const decrypted = encryption.decrypt(stream, data);
  return decrypted ? inflate(decrypted, budget) : 'pdf-encryption-unknown';
}

/**
 * The document may only pretend to be locked: what inflates all the same is looked at, as far as it goes. Of what is truly
 * encrypted, one in a thousand begins like deflated data, and breaks off soon.
 */
function unpackLocked(data: Buffer, budget: Budget): Buffer | InspectionDetail | undefined {
  if (!isZlib(data)) return undefined;
  const whole = inflate(data, budget);
  return whole === 'pdf-object-stream-damaged' ? inflateToBreak(data, budget) : whole;
}

/** The longest beginning that inflates; the inflater gives nothing of one that breaks. */
function inflateToBreak(data: Buffer, budget: Budget): Buffer | InspectionDetail {
  let inflated: Buffer | InspectionDetail = Buffer.alloc(0);
  let low = 2;
  let high = data.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const result = inflate(data.subarray(0, middle), { ...budget });
    if (result === 'pdf-object-stream-damaged') high = middle - 1;
    else {
      inflated = result;
      low = middle;
    }
  }
  return inflated;
}

/** Data begin on the next line (7.3.8.1); readers disagree on where, when anything but blanks stands before its end. */
function getDataStart(bytes: Buffer, position: number): number | undefined {
  let at = position;
  while (bytes[at] === space) at += 1;
  if (bytes[at] === lineFeed) return at + 1;
  if (bytes[at] !== carriageReturn) return undefined;
  return bytes[at + 1] === lineFeed ? at + 2 : at + 1;
}

/** A colour profile begins with its length in four bytes, and a name. */
function startsWithNumber(bytes: Buffer): boolean {
  const tokens = new PdfTokens(bytes);
  return tokens.next() === 'word' && /^[+-]?\d+$/.test(tokens.readWord());
}

function cutData(bytes: Buffer): Buffer {
  const end = bytes.indexOf('endstream');
  return bytes.subarray(0, end === -1 ? bytes.length : end);
}

/** RFC 1950, 2.2; a preset dictionary has no place in a PDF. */
function isZlib([method = 0, flags = 0]: Buffer): boolean {
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0 && (flags & 0x20) === 0;
}

/** The data end where the inflated end; readers do not look at the checksum behind it, so neither does this. */
function inflate(data: Buffer, budget: Budget): Buffer | InspectionDetail {
  if (!isZlib(data)) return 'pdf-object-stream-damaged';
  // One byte rather than none, which the inflater takes for a mistake.
  const maxOutputLength = Math.max(1, Math.min(maxStreamBytes, budget.left));
  try {
    const inflated = inflateRawSync(data.subarray(2), {
      maxOutputLength,
      // Without it, what is cut off would be an error, and is read to where it ends instead.
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    budget.left -= inflated.length;
    return inflated;
  } catch (error) {
    const isTooLong =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLong ? 'pdf-inflates-too-far' : 'pdf-object-stream-damaged';
  }
}

/** From the beginning, and from each place of the index: readers go there, whatever is open before it. */
function readObjects(
  bytes: Buffer,
  first: number,
  objects: PdfObjects,
): InspectionDetail | undefined {
  const index = readIndex(bytes, first);
  if (index.length > maxObjects) return 'pdf-too-many-objects';
  const positions = [...new Set([0, ...index.map(({ position }) => position)])];
  return readRuns(bytes, { positions, getContent: (at) => positions[at] ?? 0 }, objects, () => ({
    getNumber: (position) => findNumber(index, position),
  }));
}

interface IndexEntry {
  readonly number: number;
  readonly position: number;
}

/** Pairs of numbers before the objects: an object's own, and where it stands behind `first`. */
function readIndex(bytes: Buffer, first: number): IndexEntry[] {
  const tokens = new PdfTokens(bytes);
  const entries: IndexEntry[] = [];
  while (entries.length <= maxObjects && tokens.next() === 'word') {
    const number = Number(tokens.readWord());
    if (tokens.next() !== 'word') break;
    const position = first + Number(tokens.readWord());
    if (position >= 0 && position < bytes.length) entries.push({ number, position });
  }
  return entries.sort((a, b) => a.position - b.position);
}

/** The last that begins there or before. */
function findNumber(index: readonly IndexEntry[], position: number): number {
  let low = 0;
  let high = index.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((index[middle]?.position ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return index[low - 1]?.number ?? unknownNumber;
}
