// What an inspector says of a document: one word of a closed list for each reason to refuse it, and the problem code that the word belongs to.

import type { DocumentRefusal } from '../document-refusals.ts';

/** The code of each detail. A detail is for the log and for operators; an applicant is told the code's sentence. */
export const refusalCodes = {
  'no-bytes': 'document-empty',
  'extension-not-allowed': 'document-type-refused',
  'content-not-allowed': 'document-type-refused',
  'content-differs': 'document-type-mismatch',

  // Any type: something of another type within or behind it.
  'foreign-archive': 'document-unsafe',
  'foreign-document': 'document-unsafe',
  'foreign-markup': 'document-unsafe',
  'trailing-bytes': 'document-unsafe',

  'pdf-end-missing': 'document-damaged',
  'pdf-catalog-missing': 'document-damaged',
  'pdf-object-stream-damaged': 'document-damaged',
  'pdf-encryption-unknown': 'document-damaged',
  'pdf-javascript': 'document-active-content',
  'pdf-launch': 'document-active-content',
  'pdf-open-action': 'document-active-content',
  'pdf-additional-action': 'document-active-content',
  'pdf-action-chain': 'document-active-content',
  'pdf-form-submission': 'document-active-content',
  'pdf-remote-target': 'document-active-content',
  'pdf-media': 'document-active-content',
  'pdf-xfa': 'document-active-content',
  'pdf-embedded-file': 'document-active-content',
  'pdf-object-stream-filter': 'document-unsafe',
  'pdf-nesting': 'document-unsafe',
  'pdf-too-many-objects': 'document-unsafe',
  'pdf-too-much-text': 'document-unsafe',
  'pdf-inflates-too-far': 'document-unsafe',

  'jpeg-structure': 'document-damaged',
  'jpeg-end-missing': 'document-damaged',
  'jpeg-coding': 'document-damaged',
  'jpeg-script': 'document-unsafe',
  'jpeg-too-many-scans': 'document-unsafe',

  'png-structure': 'document-damaged',
  'png-checksum': 'document-damaged',
  'png-end-missing': 'document-damaged',

  'too-many-pixels': 'document-too-many-pixels',

  'office-structure': 'document-damaged',
  'office-macros': 'document-active-content',
  'office-embedded-object': 'document-active-content',
  'office-remote-part': 'document-active-content',
  'office-data-exchange': 'document-active-content',
  'office-part': 'document-unsafe',
  'office-path': 'document-unsafe',
  'office-overlap': 'document-unsafe',
  'office-too-many-parts': 'document-unsafe',
  'office-inflates-too-far': 'document-unsafe',
  'office-encrypted': 'document-unsafe',
  'office-xml': 'document-unsafe',

  'text-encoding': 'document-damaged',
  'text-control': 'document-type-mismatch',
  'text-markup': 'document-type-mismatch',
  'csv-formula': 'document-active-content',
} as const satisfies Readonly<Record<string, DocumentRefusal>>;

export type InspectionDetail = keyof typeof refusalCodes;

export interface InspectionRefusal {
  readonly kind: 'refused';
  readonly code: (typeof refusalCodes)[InspectionDetail];
  readonly detail: InspectionDetail;
}

export function refuse(detail: InspectionDetail): InspectionRefusal {
  return { kind: 'refused', code: refusalCodes[detail], detail };
}
