// Checks a document by its name and its first bytes, before all of it is received. This runs in the BFF's own process, so it parses
// nothing and loads no parser.

import { type InspectionRefusal, refuse, toTypeExtension } from './refusals.ts';

/** Types that begin with a signature. Text has none. `ole` is what Office makes of a document with a password, and older Office files. */
type SignedType = 'pdf' | 'jpg' | 'png' | 'zip' | 'ole';

const signatures: readonly (readonly [Exclude<SignedType, 'pdf'>, Buffer])[] = [
  ['jpg', Buffer.from([0xff, 0xd8, 0xff])],
  ['png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['zip', Buffer.from('PK\x03\x04', 'latin1')],
  ['ole', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
];

/** The signatures that each type may begin with, by the type's extension. */
const signaturesOfType: Readonly<Record<string, readonly SignedType[] | undefined>> = {
  pdf: ['pdf'],
  jpg: ['jpg'],
  png: ['png'],
  docx: ['zip', 'ole'],
  xlsx: ['zip', 'ole'],
};

/** Viewers look for a PDF's header this far into the file. */
const headerSearchBytes = 1024;

/**
 * Anything may stand before the header (a byte order mark, the lines of a printer job, the header of an old Macintosh) but the
 * beginning of another type: here the text and letters by which programs recognize one, in `inspect-document.ts` the rest.
 */
const otherBeginning = /^(\xef\xbb\xbf)?\s*(<|#!|%!|@echo|\{\\rtf|MZ|BM|PK|GIF8|Rar!|7z|\x7fELF)/i;

/**
 * @param extension from the file's name, without dot, in any case
 * @param allowedExtensions from the partner's settings, for example `['pdf', 'jpg']`
 */
export function checkExtension(
  extension: string,
  allowedExtensions: readonly string[],
): InspectionRefusal | undefined {
  const allowed = allowedExtensions.map(toTypeExtension);
  return allowed.includes(toTypeExtension(extension)) ? undefined : refuse('extension-not-allowed');
}

/** @param beginning at least the first 1,024 bytes of the document, or all of it */
export function checkSignature(
  beginning: Uint8Array,
  extension: string,
  allowedExtensions: readonly string[],
): InspectionRefusal | undefined {
  if (beginning.byteLength === 0) return refuse('no-bytes');
  const found = findSignature(beginning);
  const expected = signaturesOfType[toTypeExtension(extension)];
  if (found === undefined ? expected === undefined : expected?.includes(found)) return undefined;
  // A type that is allowed, under another type's name, is the applicant's to rename. Any other type is not accepted at all.
  const isAllowed =
    found === undefined ||
    found === 'ole' ||
    allowedExtensions.some((allowed) =>
      signaturesOfType[toTypeExtension(allowed)]?.includes(found),
    );
  return refuse(isAllowed ? 'content-differs' : 'content-not-allowed');
}

/**
 * Where the PDF begins, or -1. Only a harmless prefix is passed over, so that a program, an archive or a web page with a PDF's
 * header inside is not taken for a PDF.
 */
export function findPdfHeader(bytes: Uint8Array): number {
  const beginning = Buffer.from(bytes.subarray(0, headerSearchBytes)).toString('latin1');
  const start = beginning.indexOf('%PDF-');
  return otherBeginning.test(beginning.slice(0, start)) ? -1 : start;
}

function findSignature(beginning: Uint8Array): SignedType | undefined {
  const found = signatures.find(([, signature]) =>
    signature.equals(beginning.subarray(0, signature.length)),
  );
  return found?.[0] ?? (findPdfHeader(beginning) === -1 ? undefined : 'pdf');
}
