// Decides whether a whole document is accepted, by its content and whatever its name says. docs/security.md, "Files", has the policy.
// This runs in the program that inspects documents, which may be killed: the parsers read what strangers wrote.

import { fileTypeFromBuffer } from 'file-type';
import {
  type InspectionDetail,
  type InspectionRefusal,
  refuse,
  toTypeExtension,
} from './refusals.ts';
import { checkSignature, checkExtension } from './check-signature.ts';
import { inspectOffice } from './inspect-office.ts';
import { inspectPdf, type ScriptPolicy } from './inspect-pdf.ts';
import { inspectJpeg, inspectPng } from './inspect-image.ts';
import { inspectCsv, inspectText } from './inspect-text.ts';

export type { InspectionDetail } from './refusals.ts';

/** The partner's settings for documents. */
export interface InspectionOptions {
  /** For example `['pdf', 'jpg']`. */
  readonly allowedExtensions: readonly string[];
  /** Default: `accept`. */
  readonly scripts?: ScriptPolicy;
}

export type Inspection =
  | {
      readonly kind: 'accepted';
      /** The type's own: `jpg` for a `.jpeg`. */
      readonly extension: string;
    }
  | InspectionRefusal;

/**
 * Never throws for what the bytes are. A hostile document can use up memory or time.
 *
 * @param extension from the file's name, without dot, in any case; may be empty
 */
export async function inspectDocument(
  bytes: Uint8Array,
  extension: string,
  options: InspectionOptions,
): Promise<Inspection> {
  const { allowedExtensions, scripts = 'accept' } = options;
  const refusal =
    checkExtension(extension, allowedExtensions) ??
    checkSignature(bytes, extension, allowedExtensions);
  if (refusal) return refusal;
  const type = toTypeExtension(extension);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const detail =
    (await inspectAs(type, buffer, scripts)) ??
    ((await isOtherType(buffer, type)) ? 'content-differs' : undefined);
  return detail ? refuse(detail) : { kind: 'accepted', extension: type };
}

/**
 * Names that file-type, which knows some two hundred types, may give to a document of ours. It knows a type by its first bytes:
 * nothing for text or for a PDF behind a byte order mark, and a program or a bitmap for text that begins with two such letters.
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

async function isOtherType(bytes: Buffer, type: string): Promise<boolean> {
  let detected: string | undefined;
  try {
    detected = (await fileTypeFromBuffer(bytes))?.ext;
  } catch {
    // It does not promise to survive hostile bytes (its README, "Security"), so what it cannot read is refused.
    return true;
  }
  return detectedTypes[type]?.includes(detected) === false;
}

async function inspectAs(
  type: string,
  bytes: Buffer,
  scripts: ScriptPolicy,
): Promise<InspectionDetail | undefined> {
  switch (type) {
    case 'pdf':
      return (await inspectPdf(bytes, scripts)) ?? inspectTail(bytes);
    case 'jpg':
      return inspectJpeg(bytes) ?? inspectTail(bytes);
    case 'png':
      return inspectPng(bytes) ?? inspectTail(bytes);
    case 'docx':
    case 'xlsx':
      return inspectOffice(bytes, type);
    case 'txt':
      return inspectText(bytes);
    case 'csv':
      return inspectCsv(bytes);
    default:
      // The settings allow only extensions that are known here.
      return 'extension-not-allowed';
  }
}

const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1');
const directoryEntry = Buffer.from('PK\x01\x02', 'latin1');
const endOfDirectoryBytes = 22;
const longestComment = 0xffff;

/**
 * Anything may follow the end of a PDF or a picture, except the end of a ZIP archive: a file that is both opens as either. An
 * archive is read from its end, where its last record names its own length (APPNOTE 4.3.16), so that no other file is taken for one.
 */
function inspectTail(bytes: Buffer): InspectionDetail | undefined {
  const end = bytes.lastIndexOf(endOfDirectory);
  if (end < Math.max(0, bytes.length - endOfDirectoryBytes - longestComment)) return undefined;
  if (end + endOfDirectoryBytes > bytes.length) return undefined;
  const isLast = end + endOfDirectoryBytes + bytes.readUInt16LE(end + 20) === bytes.length;
  return isLast && bytes.lastIndexOf(directoryEntry, end) !== -1 ? 'also-an-archive' : undefined;
}
