// Checks the file extension and the first bytes of a document, before the BFF receives the rest. This runs in the BFF's own
// process, so it does not parse the content and loads no parser.

import { type InspectionRefusal, refuse } from './refusals.ts';

/** `ole` is the container of encrypted Office documents and of older Office files. */
type Signature = 'pdf' | 'jpg' | 'png' | 'zip' | 'ole';

const signatures: readonly (readonly [Signature, Buffer])[] = [
  ['jpg', Buffer.from([0xff, 0xd8, 0xff])],
  ['png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['zip', Buffer.from('PK\x03\x04', 'latin1')],
  ['ole', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
];

/** The signatures that a document with this extension may have. Text files have none. */
const expectedSignatures: Readonly<Record<string, readonly Signature[] | undefined>> = {
  pdf: ['pdf'],
  jpg: ['jpg'],
  png: ['png'],
  docx: ['zip', 'ole'],
  xlsx: ['zip', 'ole'],
};

/** Viewers search this many bytes for the header of a PDF. */
const headerSearchBytes = 1024;

/**
 * A PDF may have a prefix: a byte order mark, the lines of a printer job, or the header of an old Macintosh file. The prefix
 * must not be the beginning of another type. These are signatures that consist of text; inspect-document.ts checks the others.
 */
const otherSignature = /^(\xef\xbb\xbf)?\s*(<|#!|%!|@echo|\{\\rtf|MZ|BM|PK|GIF8|Rar!|7z|\x7fELF)/i;

/** Returns the extension in lower case, with one spelling for each type. */
export function normalizeExtension(extension: string): string {
  const lower = extension.toLowerCase();
  return lower === 'jpeg' ? 'jpg' : lower;
}

/**
 * @param extension in any case, without the dot. May be empty.
 * @param allowedExtensions from the partner's settings, for example `['pdf', 'jpg']`.
 */
export function checkExtension(
  extension: string,
  allowedExtensions: readonly string[],
): InspectionRefusal | undefined {
  const allowed = allowedExtensions.map(normalizeExtension);
  return allowed.includes(normalizeExtension(extension))
    ? undefined
    : refuse('extension-not-allowed');
}

/** @param beginning at least the first 1,024 bytes of the document, or all of it. */
export function checkSignature(
  beginning: Uint8Array,
  extension: string,
  allowedExtensions: readonly string[],
): InspectionRefusal | undefined {
  if (beginning.byteLength === 0) return refuse('no-bytes');
  const found = findSignature(beginning);
  const expected = expectedSignatures[normalizeExtension(extension)];
  if (found === undefined ? expected === undefined : expected?.includes(found)) return undefined;
  // The applicant can fix a wrong extension by renaming the file, but cannot fix a type that the partner does not accept.
  const isWrongExtension =
    found === undefined ||
    found === 'ole' ||
    allowedExtensions.some((allowed) =>
      expectedSignatures[normalizeExtension(allowed)]?.includes(found),
    );
  return refuse(isWrongExtension ? 'content-differs' : 'content-not-allowed');
}

/**
 * Returns the offset of the PDF header, or -1. A program, an archive, or a web page with a PDF header inside is not a PDF, so
 * its header is not found.
 */
export function findPdfHeader(bytes: Uint8Array): number {
  const beginning = Buffer.from(bytes.subarray(0, headerSearchBytes)).toString('latin1');
  const start = beginning.indexOf('%PDF-');
  return otherSignature.test(beginning.slice(0, start)) ? -1 : start;
}

function findSignature(beginning: Uint8Array): Signature | undefined {
  const found = signatures.find(([, bytes]) => bytes.equals(beginning.subarray(0, bytes.length)));
  return found?.[0] ?? (findPdfHeader(beginning) === -1 ? undefined : 'pdf');
}
