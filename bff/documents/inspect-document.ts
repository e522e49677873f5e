// What a whole document is: told by its structure from the first byte to the last, whatever its name says.

import { toTypeExtension } from './document-extensions.ts';
import { lookAtBeginning, lookAtName } from './first-look.ts';
import { findForeign } from './inspectors/foreign.ts';
import { inspectJpeg } from './inspectors/jpeg.ts';
import { inspectOffice } from './inspectors/office.ts';
import { inspectPdf } from './inspectors/pdf.ts';
import { inspectPng } from './inspectors/png.ts';
import { askSecondOpinion } from './inspectors/second-opinion.ts';
import { inspectCsv, inspectText } from './inspectors/text.ts';
import { refuse, type InspectionDetail, type InspectionRefusal } from './inspectors/verdict.ts';

export type { InspectionDetail } from './inspectors/verdict.ts';

export interface WholeBytes {
  readonly bytes: Uint8Array;
  /** From the file's name, without dot, in any case; may be empty. */
  readonly extension: string;
}

export type Inspection =
  | {
      readonly kind: 'accepted';
      /** The type's own: `jpg` for a `.jpeg`. */
      readonly extension: string;
      /** A PDF that cannot be opened without a password or a certificate; not one that is merely protected from changes. */
      readonly needsPassword: boolean;
    }
  | InspectionRefusal;

/** What an inspector returns: why the document is refused, or what is known of it. */
type Finding = InspectionDetail | { readonly needsPassword: boolean };

/**
 * Needs no file and no network, and takes time in proportion to the size; still it runs where it can be killed, since it
 * parses what strangers wrote. Never throws for what the bytes are.
 *
 * @param allowedExtensions from the partner's settings, for example `['pdf', 'jpg']`
 */
export async function inspectDocument(
  document: WholeBytes,
  allowedExtensions: readonly string[],
): Promise<Inspection> {
  const { bytes, extension } = document;
  const refusal =
    lookAtName(extension, allowedExtensions) ??
    lookAtBeginning(bytes, extension, allowedExtensions);
  if (refusal) return refusal;
  const claimed = toTypeExtension(extension);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const finding = await inspectAs(claimed, buffer);
  if (typeof finding === 'string') return refuse(finding);
  const objection = await askSecondOpinion(buffer, claimed);
  if (objection) return refuse(objection);
  return { kind: 'accepted', extension: claimed, needsPassword: finding.needsPassword };
}

async function inspectAs(type: string, bytes: Buffer): Promise<Finding> {
  switch (type) {
    case 'pdf':
      return findForeign(bytes, type) ?? inspectPdf(bytes);
    case 'jpg':
      return findForeign(bytes, type) ?? inspectJpeg(bytes) ?? opensFreely;
    case 'png':
      return findForeign(bytes, type) ?? inspectPng(bytes) ?? opensFreely;
    case 'docx':
    case 'xlsx':
      return (await inspectOffice(bytes, type)) ?? opensFreely;
    case 'txt':
      return inspectText(bytes) ?? opensFreely;
    case 'csv':
      return inspectCsv(bytes) ?? opensFreely;
    default:
      // An extension that no inspector knows: the settings allow none such.
      return 'extension-not-allowed';
  }
}

const opensFreely = { needsPassword: false } as const;
