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

/** By the detail and the name. */
type Makers = Readonly<
  Partial<Record<InspectionDetail, Readonly<Record<string, () => Uint8Array>>>>
>;

export function toBadFiles(extension: string, makers: Makers, isStrict = false): BadFile[] {
  // The type above allows only details as keys.
  const details = Object.entries(makers) as [InspectionDetail, Record<string, BadFile['make']>][];
  return details.flatMap(([detail, files]) =>
    Object.entries(files).map(([name, make]) => ({ name, extension, detail, isStrict, make })),
  );
}
