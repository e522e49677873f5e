// A document that must be refused, and why.

import type { InspectionDetail } from '../../../bff/documents/refusals.ts';

export interface BadFile {
  /** In words. */
  readonly name: string;
  /** Without dot. */
  readonly extension: string;
  readonly detail: InspectionDetail;
  /** Refused in strict mode only. Default: always. */
  readonly isStrict?: boolean;
  readonly make: () => Uint8Array;
}

type Row = readonly [InspectionDetail, string, () => Uint8Array];

/** Rows of one type. */
export function toBadFiles(extension: string, rows: readonly Row[]): readonly BadFile[] {
  return rows.map(([detail, name, make]) => ({ name, extension, detail, make }));
}

/** PDFs that only the strict mode refuses. */
export function toStrictPdfs(rows: readonly Row[]): readonly BadFile[] {
  return toBadFiles('pdf', rows).map((file) => ({ ...file, isStrict: true }));
}
