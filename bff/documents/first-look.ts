// The first look at a document, at its name and its first bytes: what can never be accepted need not be received.

import { toTypeExtension } from './document-extensions.ts';
import { refuse, type InspectionRefusal } from './inspectors/verdict.ts';

/** Only what has a mark of its own can be told by its first bytes; text is what nothing else is. */
type MarkedType = 'pdf' | 'jpg' | 'png' | 'zip';

const marks: readonly (readonly [MarkedType, Buffer])[] = [
  ['pdf', Buffer.from('%PDF-')],
  ['jpg', Buffer.from([0xff, 0xd8, 0xff])],
  ['png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['zip', Buffer.from('PK\x03\x04', 'latin1')],
];

/** What stands at the beginning of each type, by the type's extension. */
const markOfType: Readonly<Record<string, MarkedType | undefined>> = {
  pdf: 'pdf',
  jpg: 'jpg',
  png: 'png',
  docx: 'zip',
  xlsx: 'zip',
};

/**
 * @param extension from the file's name, without dot, in any case
 * @param allowedExtensions from the partner's settings, for example `['pdf', 'jpg']`
 */
export function lookAtName(
  extension: string,
  allowedExtensions: readonly string[],
): InspectionRefusal | undefined {
  const allowed = allowedExtensions.map(toTypeExtension);
  return allowed.includes(toTypeExtension(extension)) ? undefined : refuse('extension-not-allowed');
}

/**
 * Parses nothing, so it is safe anywhere.
 *
 * @param beginning the first piece of the document, or all of it
 */
export function lookAtBeginning(
  beginning: Uint8Array,
  extension: string,
  allowedExtensions: readonly string[],
): InspectionRefusal | undefined {
  if (beginning.byteLength === 0) return refuse('no-bytes');
  const mark = marks.find(([, signature]) => startsWith(beginning, signature))?.[0];
  if (mark === markOfType[toTypeExtension(extension)]) return undefined;
  // A document of a type that is allowed, under another's name, is the applicant's to name; any other is not accepted at all.
  const isAllowed =
    mark === undefined ||
    allowedExtensions.some((allowed) => markOfType[toTypeExtension(allowed)] === mark);
  return refuse(isAllowed ? 'content-differs' : 'content-not-allowed');
}

function startsWith(bytes: Uint8Array, signature: Buffer): boolean {
  return signature.equals(bytes.subarray(0, signature.length));
}
