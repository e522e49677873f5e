// The one place where the corpus calls the product: a change of the inspector's signature or of its reasons is a change here.

import { documentExtensions } from '../../bff/documents/document-extensions.ts';
import { inspectDocument } from '../../bff/documents/inspect-document.ts';
import type { Mode, RefusalKind } from './manifest.ts';

export type Verdict =
  | { readonly verdict: 'accept' }
  | {
      readonly verdict: 'refuse';
      readonly kind: RefusalKind | 'other';
      /** The inspector's own word. */
      readonly detail: string;
    };

/** The inspector has one mode so far, so that both modes give the same verdict. */
export async function inspectFile(
  bytes: Uint8Array,
  extension: string,
  _mode: Mode,
): Promise<Verdict> {
  const result = await inspectDocument({ bytes, extension }, documentExtensions);
  if (result.kind === 'accepted') return { verdict: 'accept' };
  return { verdict: 'refuse', kind: toKind(result.detail), detail: result.detail };
}

const kinds: Readonly<Record<string, RefusalKind>> = {
  'content-differs': 'type',
  'content-not-allowed': 'type',
  'pdf-end-missing': 'damaged',
  'pdf-catalog-missing': 'damaged',
  'pdf-object-stream-damaged': 'damaged',
  'pdf-javascript': 'script',
  'pdf-launch': 'launch',
  'pdf-remote-target': 'remote',
  'pdf-form-submission': 'remote',
  'pdf-media': 'media',
  'pdf-xfa': 'xfa',
  'pdf-embedded-file': 'attachment',
  'jpeg-structure': 'damaged',
  'jpeg-end-missing': 'damaged',
  'jpeg-coding': 'damaged',
  'png-structure': 'damaged',
  'png-checksum': 'damaged',
  'png-end-missing': 'damaged',
  'office-structure': 'damaged',
  'office-macros': 'macro',
  'office-embedded-object': 'embedded-object',
  'office-encrypted': 'password',
};

function toKind(detail: string): RefusalKind | 'other' {
  return kinds[detail] ?? 'other';
}
