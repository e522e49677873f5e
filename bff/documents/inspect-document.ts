// Decides from the whole content of a document whether it is accepted. docs/security/documents.md, explains the policy. This runs
// in a child process, because the parsers read untrusted content.

import { fileTypeFromBuffer } from 'file-type';
import { checkExtension, checkSignature, normalizeExtension } from './check-signature.ts';
import { inspectJpeg, inspectPng } from './inspect-image.ts';
import { inspectOffice } from './inspect-office.ts';
import { inspectPdf, type ScriptPolicy } from './inspect-pdf.ts';
import { inspectCsv, inspectText } from './inspect-text.ts';
import { type InspectionDetail, type InspectionRefusal, refuse } from './refusals.ts';

/** From the partner's settings. */
export interface InspectionOptions {
  /** For example `['pdf', 'jpg']`. */
  readonly allowedExtensions: readonly string[];
  /** Default: `accept`. */
  readonly scripts?: ScriptPolicy;
}

export type Inspection =
  | {
      readonly kind: 'accepted';
      /** The usual extension of the type: `jpg` for a `.jpeg` file. */
      readonly extension: string;
    }
  | InspectionRefusal;

/**
 * Does not throw for any content. A hostile document can make it run without end or use up memory.
 *
 * @param extension from the file name, in any case, without the dot. May be empty.
 */
export async function inspectDocument(
  bytes: Uint8Array,
  extension: string,
  { allowedExtensions, scripts = 'accept' }: InspectionOptions,
): Promise<Inspection> {
  const refusal =
    checkExtension(extension, allowedExtensions) ??
    checkSignature(bytes, extension, allowedExtensions);
  if (refusal) return refusal;
  const type = normalizeExtension(extension);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const detail =
    (await inspectType(type, buffer, scripts)) ?? (await detectOtherType(type, buffer));
  return detail ? refuse(detail) : { kind: 'accepted', extension: type };
}

async function inspectType(
  type: string,
  bytes: Buffer,
  scripts: ScriptPolicy,
): Promise<InspectionDetail | undefined> {
  switch (type) {
    case 'pdf':
      return (await inspectPdf(bytes, scripts)) ?? inspectEnd(bytes);
    case 'jpg':
      return inspectJpeg(bytes) ?? inspectEnd(bytes);
    case 'png':
      return inspectPng(bytes) ?? inspectEnd(bytes);
    case 'docx':
    case 'xlsx':
      return inspectOffice(bytes, type);
    case 'txt':
      return inspectText(bytes);
    case 'csv':
      return inspectCsv(bytes);
    default:
      // The settings allow no other extension.
      return 'extension-not-allowed';
  }
}

const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1');
const directoryEntry = Buffer.from('PK\x01\x02', 'latin1');
const endOfDirectoryBytes = 22;
const maxCommentBytes = 0xffff;

/**
 * Refuses a PDF or an image that ends as a ZIP archive. Any other content after the end is accepted. Programs read an archive
 * from its end, and its last record contains its own length (APPNOTE 4.3.16), so no other file matches.
 */
function inspectEnd(bytes: Buffer): InspectionDetail | undefined {
  // A search of the whole document would take longer than everything else that is read of a scan.
  const start = Math.max(0, bytes.length - endOfDirectoryBytes - maxCommentBytes);
  const found = bytes.subarray(start).lastIndexOf(endOfDirectory);
  if (found === -1) return undefined;
  const end = start + found;
  if (end + endOfDirectoryBytes > bytes.length) return undefined;
  const isLast = end + endOfDirectoryBytes + bytes.readUInt16LE(end + 20) === bytes.length;
  return isLast && bytes.lastIndexOf(directoryEntry, end) !== -1 ? 'also-an-archive' : undefined;
}

/**
 * The types that file-type may detect for each of our types. It knows about 200 types by their first bytes. It detects nothing
 * for text and for a PDF after a byte order mark, and a program or a bitmap for text that begins with `MZ` or `BM`.
 */
const detectedTypes: Readonly<Record<string, readonly (string | undefined)[] | undefined>> = {
  pdf: ['pdf', 'ai', undefined],
  jpg: ['jpg'],
  png: ['png', 'apng'],
  docx: ['docx', 'zip', 'cfb'],
  xlsx: ['xlsx', 'zip', 'cfb'],
  txt: [undefined, 'bmp', 'exe'],
  csv: [undefined, 'bmp', 'exe'],
};

async function detectOtherType(type: string, bytes: Buffer): Promise<InspectionDetail | undefined> {
  try {
    const detected = (await fileTypeFromBuffer(bytes))?.ext;
    return detectedTypes[type]?.includes(detected) === false ? 'content-differs' : undefined;
  } catch {
    // file-type may throw on hostile content (its README, "Security").
    return 'content-differs';
  }
}
