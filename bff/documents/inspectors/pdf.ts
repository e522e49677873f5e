// A PDF (ISO 32000-2): whole, and nothing in it that acts by itself, calls out, or carries another file.

import { isFilling } from './filling.ts';
import { openEncryption, type PdfEncryption } from './pdf-encryption.ts';
import { unknownNumber } from './pdf-facts.ts';
import { PdfObjects } from './pdf-objects.ts';
import { readObjectStreams, type ObjectStream } from './pdf-object-streams.ts';
import { readRuns } from './pdf-runs.ts';
import { findStarts, type PdfStarts } from './pdf-starts.ts';
import { PdfTokens } from './pdf-tokens.ts';
import type { InspectionDetail } from './verdict.ts';

/**
 * Looks at every object of the file, wherever it stands: also those that no cross-reference names, that an update replaced,
 * that are packed into object streams, or that stand within other data. Does not look at the contents of pages, images, fonts
 * and metadata: they are data to a reader, and cannot act.
 */
export function inspectPdf(bytes: Buffer): InspectionDetail | { readonly needsPassword: boolean } {
  if (!/^%PDF-[12]\.\d/.test(bytes.toString('latin1', 0, 8))) return 'content-differs';
  const ending = inspectEnd(bytes);
  if (ending) return ending;
  const starts = findStarts(bytes);
  if (!starts) return 'pdf-too-many-objects';

  const objects = new PdfObjects();
  const streams: ObjectStream[] = [];
  const active = readFile(bytes, starts, objects, streams);
  if (active) return active;
  if (objects.facts.catalogs.length === 0) return 'pdf-catalog-missing';
  const encryption = openEncryption(bytes, objects.facts, starts);
  if (!encryption) return 'pdf-encryption-unknown';
  return (
    readObjectStreams(bytes, streams, objects, encryption) ??
    inspectOpenings(objects) ?? { needsPassword: needsPassword(encryption) }
  );
}

function needsPassword(encryption: PdfEncryption): boolean {
  return encryption.kind === 'open' ? encryption.needsPassword : encryption.kind === 'locked';
}

/** The last line is `%%EOF`, before it the place of the last cross-reference (7.5.5). */
function inspectEnd(bytes: Buffer): InspectionDetail | undefined {
  const end = bytes.lastIndexOf('%%EOF');
  const last = bytes.lastIndexOf('startxref', Math.max(0, end));
  if (end === -1 || last === -1) return 'pdf-end-missing';
  const tokens = new PdfTokens(bytes, last + 'startxref'.length, end);
  const hasPlace = tokens.next() === 'word' && /^\d+$/.test(tokens.readWord());
  if (!hasPlace || tokens.next() !== 'end') return 'pdf-end-missing';
  const isFilled = bytes.subarray(end + '%%EOF'.length).every(isFilling);
  return isFilled ? undefined : 'trailing-bytes';
}

function readFile(
  bytes: Buffer,
  starts: PdfStarts,
  objects: PdfObjects,
  streams: ObjectStream[],
): InspectionDetail | undefined {
  return readRuns(bytes, starts, objects, (index) => ({
    getNumber: () => starts.getNumbers(index).number,
    readStream(dictionary, position) {
      streams.push({ ...dictionary, position, ...starts.getNumbers(index) });
      return undefined;
    },
  }));
}

/** Opening the document shows one of its places, or asks to print, and nothing else. */
function inspectOpenings({ facts }: PdfObjects): InspectionDetail | undefined {
  const { openings, unfitForOpening } = facts;
  const isUnfit = (number: number): boolean =>
    unfitForOpening.has(number) || unfitForOpening.has(unknownNumber);
  return [...openings].some(isUnfit) ? 'pdf-open-action' : undefined;
}
