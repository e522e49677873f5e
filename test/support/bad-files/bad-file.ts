// A document that the inspection must refuse, with the detail.

import type { InspectionDetail } from '../../../bff/documents/refusals.ts';

export interface BadFile {
  /** A description. */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
  readonly detail: InspectionDetail;
  /** Refused only in the strict mode. Default: always. */
  readonly isStrict?: boolean;
  readonly make: () => Uint8Array;
}

type Row = readonly [InspectionDetail, string, () => Uint8Array];

export function toBadFiles(extension: string, rows: readonly Row[]): readonly BadFile[] {
  return rows.map(([detail, name, make]) => ({ name, extension, detail, make }));
}

/** PDFs that only the strict mode refuses. */
export function toStrictPdfs(rows: readonly Row[]): readonly BadFile[] {
  return toBadFiles('pdf', rows).map((file) => ({ ...file, isStrict: true }));
}
