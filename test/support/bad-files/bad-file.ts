// A document that has to be refused, and why.

import type { InspectionDetail } from '../../../bff/documents/inspect-document.ts';

export interface BadFile {
  /** In words. */
  readonly name: string;
  /** Without dot. */
  readonly extension: string;
  readonly detail: InspectionDetail;
  readonly make: () => Uint8Array;
}

/** Rows of one type. */
export function toBadFiles(
  extension: string,
  rows: readonly (readonly [InspectionDetail, string, () => Uint8Array])[],
): readonly BadFile[] {
  return rows.map(([detail, name, make]) => ({ name, extension, detail, make }));
}
