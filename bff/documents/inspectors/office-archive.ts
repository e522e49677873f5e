// The archive of an office document (APPNOTE.TXT 6.3.10): what its directory says is what is there, byte for byte, and no more.

import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { InspectionDetail } from './verdict.ts';

const maxEntries = 2000;
const maxAllBytes = 100 * 10 ** 6;
/** Of all contents to the file. Sheets of numbers come near 20. */
const maxRatio = 100;
const spareBytes = 10 ** 6;

/** Behind the content of an entry: its sizes and checksum once more, with a mark and 8 bytes a size (4.3.9). */
const longestDescriptor = 24;
/** Room that some programs leave so that contents begin at round positions. */
const maxGap = longestDescriptor + 8;
const endOfDirectoryLength = 22;
const directoryEntryLength = 46;
const zip64EndLength = 56 + 20;

const unixTypeMask = 0xf000;
const unixLink = 0xa000;

/** The entries, or what is wrong with them together. */
export async function listEntries(
  archive: ZipFile,
  bytes: Buffer,
): Promise<readonly Entry[] | InspectionDetail> {
  if (archive.entryCount > maxEntries) return 'office-too-many-parts';
  // A comment could be the end of another archive, or of another document.
  if (archive.comment.length > 0) return 'office-structure';
  const entries: Entry[] = [];
  try {
    for await (const entry of archive.eachEntry()) {
      const wrong = inspectEntry(entry);
      if (wrong) return wrong;
      entries.push(entry);
    }
    return (
      inspectSizes(entries, bytes) ?? (await inspectPlaces(archive, entries, bytes)) ?? entries
    );
  } catch {
    // The library throws plain errors for whatever is wrong with an entry or its name.
    return 'office-structure';
  }
}

/**
 * An entry's content with its size and checksum proven, only the beginning of it when it is not to be kept. `undefined` when
 * they are not as said.
 */
export async function readContent(
  archive: ZipFile,
  entry: Entry,
  bytes: Buffer,
  isKept: boolean,
): Promise<Buffer | undefined> {
  const kept: Buffer[] = [];
  let length = 0;
  let checksum = 0;
  try {
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry);
    const packed = bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize);
    for await (const chunk of entry.compressionMethod === 0 ? [packed] : inflate(packed)) {
      if (!Buffer.isBuffer(chunk)) return undefined;
      length += chunk.length;
      if (length > entry.uncompressedSize) return undefined;
      checksum = crc32(chunk, checksum);
      if (isKept || kept.length === 0) kept.push(chunk);
    }
  } catch {
    // What cannot be inflated is not as said.
    return undefined;
  }
  const isAsSaid = length === entry.uncompressedSize && checksum === entry.crc32;
  return isAsSaid ? Buffer.concat(kept) : undefined;
}

/** Piece by piece: the whole may be large, and is not kept. */
function inflate(packed: Buffer): AsyncIterable<unknown> {
  const inflater = createInflateRaw();
  inflater.end(packed);
  return inflater;
}

function inspectEntry(entry: Entry): InspectionDetail | undefined {
  if (entry.isEncrypted()) return 'office-encrypted';
  if (!entry.canDecodeFileData() || entry.fileComment.length > 0) return 'office-structure';
  if (((entry.externalFileAttributes >>> 16) & unixTypeMask) === unixLink) return 'office-path';
  return undefined;
}

function inspectSizes(entries: readonly Entry[], bytes: Buffer): InspectionDetail | undefined {
  const all = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  const most = Math.min(maxAllBytes, maxRatio * bytes.length + spareBytes);
  if (all > most) return 'office-inflates-too-far';
  const names = new Set(entries.map(({ fileName }) => fileName.toLowerCase()));
  return names.size === entries.length ? undefined : 'office-path';
}

/** The contents stand one behind the other from the first byte to the directory, each under the name that the directory gives it. */
async function inspectPlaces(
  archive: ZipFile,
  entries: readonly Entry[],
  bytes: Buffer,
): Promise<InspectionDetail | undefined> {
  const sorted = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const entry of sorted) {
    const start = entry.relativeOffsetOfLocalHeader;
    if (start < end) return 'office-overlap';
    if (start - end > (end === 0 ? 0 : maxGap)) return 'office-structure';
    const header = await archive.readLocalFileHeaderPromise(entry);
    const isSame =
      header.fileName.equals(entry.fileNameRaw) &&
      header.compressionMethod === entry.compressionMethod &&
      isSameSize(header.compressedSize, entry.compressedSize) &&
      isSameSize(header.uncompressedSize, entry.uncompressedSize);
    if (!isSame) return 'office-structure';
    end = header.fileDataStart + entry.compressedSize;
  }
  return inspectDirectoryPlace(entries, end, bytes);
}

/** Zero: it follows the content. All ones: it stands among the extra fields (4.4.8). */
function isSameSize(local: number, central: number): boolean {
  return local === central || local === 0 || local === 0xff_ff_ff_ff;
}

/** Nothing but the directory stands between the last content and the end. */
function inspectDirectoryPlace(
  entries: readonly Entry[],
  contentEnd: number,
  bytes: Buffer,
): InspectionDetail | undefined {
  const directoryLength = entries.reduce(
    (sum, { fileNameLength, extraFieldLength }) =>
      sum + directoryEntryLength + fileNameLength + extraFieldLength,
    0,
  );
  const rest = bytes.length - contentEnd - directoryLength - endOfDirectoryLength;
  if (rest < 0) return 'office-overlap';
  return rest <= maxGap + zip64EndLength ? undefined : 'office-structure';
}
