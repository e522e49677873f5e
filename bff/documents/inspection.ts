// What a document is: its first bytes must agree with its extension, and both with the types the partner accepts.

import { fileTypeFromBuffer } from 'file-type';

/** Enough for the signatures of all types accepted by default; file-type itself asks for 4,100 bytes. */
export const sampleBytes = 16_384;

/** What a partner may accept, and does by default. Lower-case, without dot; `jpeg` is the same type as `jpg`; one of them accepts both. */
export const documentExtensions = ['pdf', 'jpg', 'jpeg', 'png'] as const;

export interface InspectedDocument {
  /** From the file's name, without dot, in any case; may be empty. */
  readonly extension: string;
  /** The beginning of the file; the whole of it when it is shorter than `sampleBytes`. */
  readonly beginning: Uint8Array;
}

/** `extension` is the detected type's own (`jpg` for a `.jpeg`); a `code` is one of our problem codes. */
export type Inspection =
  | { readonly kind: 'accepted'; readonly extension: string }
  | {
      readonly kind: 'refused';
      readonly code: 'document-empty' | 'document-type-refused' | 'document-type-mismatch';
    };

/**
 * `allowedExtensions` comes from the partner's settings. Types without a signature (`txt`, `csv`) cannot be told, so they
 * are never accepted.
 */
export async function inspectDocument(
  document: InspectedDocument,
  allowedExtensions: readonly string[],
): Promise<Inspection> {
  if (document.beginning.byteLength === 0) return refused('document-empty');
  const allowed = new Set(allowedExtensions.map(toTypeExtension));
  const claimed = toTypeExtension(document.extension);
  if (!allowed.has(claimed)) return refused('document-type-refused');

  const detected = await detect(document.beginning.subarray(0, sampleBytes));
  if (!detected) return refused('document-type-mismatch');
  if (!allowed.has(detected)) return refused('document-type-refused');
  if (detected !== claimed) return refused('document-type-mismatch');
  return { kind: 'accepted', extension: detected };
}

/** The extension of the type that the bytes show, if they show one. */
async function detect(beginning: Uint8Array): Promise<string | undefined> {
  try {
    const type = await fileTypeFromBuffer(beginning);
    if (!type) return undefined;
    // A PDF's header may stand further in for a lenient reader; what stands before it is not a document's.
    if (type.ext === 'pdf' && !startsWith(beginning, '%PDF-')) return undefined;
    return toTypeExtension(type.ext);
  } catch {
    // The detector does not promise to survive hostile bytes (its README, "Security"); what it cannot read is not what it claims.
    return undefined;
  }
}

function refused(code: Extract<Inspection, { kind: 'refused' }>['code']): Inspection {
  return { kind: 'refused', code };
}

/** Spellings of one type. */
function toTypeExtension(extension: string): string {
  const lower = extension.toLowerCase();
  if (lower === 'jpeg') return 'jpg';
  return lower === 'tiff' ? 'tif' : lower;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(text, 'latin1').equals(bytes.subarray(0, text.length));
}
