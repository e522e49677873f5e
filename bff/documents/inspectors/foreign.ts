// Signs of another type anywhere in a document: a file that is two things at once is read as the one that does harm.

import type { InspectionDetail } from './verdict.ts';

/** 7-Zip and RAR readers look for these behind other data, as they stand in self-extracting programs. */
const archiveMarks = [
  Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  Buffer.from('Rar!\x1a\x07', 'latin1'),
];

const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1');
const directoryEntry = Buffer.from('PK\x01\x02', 'latin1');
const pdfMark = Buffer.from('%PDF-');

/** In lower case, without `<`. What follows a tag's name must end it, or compressed data would hold one now and then. */
const markup = ['html', 'script', '?php', '!doctype html', 'iframe'] as const;
const longestMarkup = 13;
const markupInitials = new Set([...'hHsS?!iI'].map((sign) => sign.charCodeAt(0)));
const lessThan = 0x3c;

/** @param type what the document is taken for; only a PDF may hold the mark of one */
export function findForeign(bytes: Buffer, type: string): InspectionDetail | undefined {
  if (hasArchive(bytes)) return 'foreign-archive';
  if (type !== 'pdf' && hasPdf(bytes)) return 'foreign-document';
  if (hasMarkup(bytes)) return 'foreign-markup';
  return undefined;
}

/** `<html` and its like in any case: as a page this would run wherever somebody serves it as one. */
export function hasMarkup(bytes: Buffer): boolean {
  let at = bytes.indexOf(lessThan);
  while (at !== -1) {
    if (markupInitials.has(bytes[at + 1] ?? 0) && isMarkup(bytes, at + 1)) return true;
    at = bytes.indexOf(lessThan, at + 1);
  }
  return false;
}

function isMarkup(bytes: Buffer, start: number): boolean {
  const text = bytes.toString('latin1', start, start + longestMarkup + 1).toLowerCase();
  const name = markup.find((word) => text.startsWith(word));
  return name !== undefined && /^[\s>/]/.test(text.slice(name.length));
}

/** A ZIP archive's directory has entries and an end (APPNOTE 4.3.12, 4.3.16), whose other fields readers do not agree to believe. Four bytes alone are met by chance. */
function hasArchive(bytes: Buffer): boolean {
  if (archiveMarks.some((mark) => bytes.includes(mark))) return true;
  const end = bytes.lastIndexOf(endOfDirectory);
  return end !== -1 && bytes.subarray(0, end).includes(directoryEntry);
}

function hasPdf(bytes: Buffer): boolean {
  let at = bytes.indexOf(pdfMark);
  while (at !== -1) {
    const digit = bytes[at + pdfMark.length] ?? 0;
    if (digit >= 0x31 && digit <= 0x32) return true;
    at = bytes.indexOf(pdfMark, at + 1);
  }
  return false;
}
