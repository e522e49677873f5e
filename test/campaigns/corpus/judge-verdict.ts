// Compares the verdict of the inspection with the verdict that the manifest expects.

import type { InspectionOptions } from '../../../bff/documents/inspect-document.ts';
import type { Verdict } from '../../../bff/documents/inspection-pool.ts';
import type { InspectionDetail } from '../../../bff/documents/refusals.ts';
import { extensionSchema } from '../../../bff/config/settings.ts';
import type { CorpusFile, Mode } from './manifest.ts';
import refusalKinds from './refusal-kinds.json' with { type: 'json' };

export const inspectionOptions: Readonly<Record<Mode, InspectionOptions>> = {
  default: { allowedExtensions: extensionSchema.options, scripts: 'accept' },
  strict: { allowedExtensions: extensionSchema.options, scripts: 'refuse' },
};

/** The manifest expects no other details. */
const kindsByDetail: Readonly<Partial<Record<InspectionDetail, string>>> = refusalKinds;

export const deviations = [
  'false refusal',
  'false acceptance',
  'wrong reason',
  'no verdict',
] as const;
export type Deviation = (typeof deviations)[number];

export type Expectation = Pick<CorpusFile, 'default' | 'strict' | 'kinds' | 'strictKinds'>;

/** Returns `undefined` if the verdict is as expected. */
export function judgeVerdict(
  expected: Expectation,
  mode: Mode,
  verdict: Verdict,
): Deviation | undefined {
  if (expected[mode] === 'either') return undefined;
  // The product refuses a file without a verdict, as `document-not-checked`.
  if (verdict.kind === 'not-checked') {
    return expected[mode] === 'refuse' ? undefined : 'no verdict';
  }
  if (expected[mode] === 'accept') {
    return verdict.kind === 'accepted' ? undefined : 'false refusal';
  }
  if (verdict.kind === 'accepted') return 'false acceptance';
  const kinds = (mode === 'strict' ? expected.strictKinds : undefined) ?? expected.kinds ?? [];
  return kinds.some((kind) => kind === kindsByDetail[verdict.detail]) ? undefined : 'wrong reason';
}
