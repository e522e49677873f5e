// The one place where the corpus calls the product: a change of the inspector's signature or of its reasons is a change here.

import { inspectDocument } from '../../bff/documents/inspect-document.ts';
import type { InspectionDetail } from '../../bff/documents/refusals.ts';
import type { Mode, RefusalKind } from './manifest.ts';
import { documentExtensions } from '../../bff/config/settings.ts';

export type Verdict =
  | { readonly verdict: 'accept' }
  | {
      readonly verdict: 'refuse';
      readonly kind: RefusalKind | 'other';
      /** The inspector's own word. */
      readonly detail: string;
    };

export async function inspectFile(
  bytes: Uint8Array,
  extension: string,
  mode: Mode,
): Promise<Verdict> {
  const scripts = mode === 'strict' ? 'refuse' : 'accept';
  const options = { allowedExtensions: documentExtensions, scripts } as const;
  const result = await inspectDocument(bytes, extension, options);
  if (result.kind === 'accepted') return { verdict: 'accept' };
  return { verdict: 'refuse', kind: toKind(result.detail), detail: result.detail };
}

const kinds: Readonly<Partial<Record<InspectionDetail, RefusalKind>>> = {
  'content-differs': 'type',
  'content-not-allowed': 'type',
  'pdf-cut-off': 'damaged',
  'pdf-unreadable': 'damaged',
  'pdf-repaired': 'damaged',
  'pdf-password': 'password',
  'pdf-script': 'script',
  'pdf-launch': 'launch',
  'pdf-remote-target': 'remote',
  'pdf-sends-itself': 'remote',
  'pdf-media': 'media',
  'pdf-xfa': 'xfa',
  'pdf-attachment': 'attachment',
  'jpeg-structure': 'damaged',
  'jpeg-cut-off': 'damaged',
  'jpeg-coding': 'damaged',
  'png-structure': 'damaged',
  'png-checksum': 'damaged',
  'png-cut-off': 'damaged',
  'office-structure': 'damaged',
  'office-macros': 'macro',
  'office-embedded-object': 'embedded-object',
  'office-password': 'password',
};

function toKind(detail: InspectionDetail): RefusalKind | 'other' {
  return kinds[detail] ?? 'other';
}
