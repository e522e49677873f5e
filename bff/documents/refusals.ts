// The reasons to refuse a document, and the problem code that the applicant's browser gets for each.

import type { ProblemCode } from '../../shared/api/problem-codes.ts';

/** The problem code of each detail. Operators read the detail in the log; applicants read the text of the code. */
export const refusalCodes = {
  'no-bytes': 'document-empty',
  'extension-not-allowed': 'document-type-refused',
  'content-not-allowed': 'document-type-refused',
  'content-differs': 'document-type-mismatch',
  'also-an-archive': 'document-unsafe',

  'pdf-cut-off': 'document-damaged',
  'pdf-unreadable': 'document-damaged',
  'pdf-repaired': 'document-damaged',
  'pdf-password': 'document-password',
  'pdf-launch': 'document-active-content',
  'pdf-sends-itself': 'document-active-content',
  'pdf-remote-target': 'document-active-content',
  'pdf-media': 'document-media',
  'pdf-attachment': 'document-attachments',
  'pdf-script': 'document-scripts',
  'pdf-xfa': 'document-scripts',

  'jpeg-structure': 'document-picture-damaged',
  'jpeg-cut-off': 'document-picture-damaged',
  'jpeg-coding': 'document-picture-damaged',
  'png-structure': 'document-picture-damaged',
  'png-checksum': 'document-picture-damaged',
  'png-cut-off': 'document-picture-damaged',
  'too-many-pixels': 'document-too-many-pixels',

  'office-structure': 'document-damaged',
  'office-password': 'document-password',
  'office-macros': 'document-active-content',
  'office-remote-part': 'document-active-content',
  'office-data-exchange': 'document-active-content',
  'office-embedded-object': 'document-attachments',
  'office-too-large': 'document-unsafe',
  'office-xml': 'document-unsafe',

  'text-encoding': 'document-damaged',
  'text-control': 'document-type-mismatch',
  'text-markup': 'document-type-mismatch',
  'csv-formula': 'document-active-content',
} as const satisfies Readonly<Record<string, ProblemCode>>;

export type InspectionDetail = keyof typeof refusalCodes;

export interface InspectionRefusal {
  readonly kind: 'refused';
  readonly code: (typeof refusalCodes)[InspectionDetail];
  readonly detail: InspectionDetail;
}

/** `document-not-checked`: two inspections ended without a verdict. `document-infected`: the virus scanner found something. */
export type DocumentRefusal =
  InspectionRefusal['code'] | 'document-not-checked' | 'document-infected';

export const documentRefusals: readonly DocumentRefusal[] = [
  ...new Set<DocumentRefusal>(Object.values(refusalCodes)),
  'document-not-checked',
  'document-infected',
];

export function refuse(detail: InspectionDetail): InspectionRefusal {
  return { kind: 'refused', code: refusalCodes[detail], detail };
}
