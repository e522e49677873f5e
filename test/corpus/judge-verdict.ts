// Compares what the inspector said about a file with what the manifest expects.

import type { InspectionOutcome } from './inspection-process.ts';
import type { CorpusFile, Mode } from './manifest.ts';

export const deviations = [
  'false refusal',
  'false acceptance',
  'wrong reason',
  'no verdict',
] as const;
export type Deviation = (typeof deviations)[number];

export type Expectation = Pick<CorpusFile, 'default' | 'strict' | 'kinds' | 'strictKinds'>;

export function judgeVerdict(
  expected: Expectation,
  mode: Mode,
  outcome: InspectionOutcome,
): Deviation | undefined {
  if (expected[mode] === 'either') return undefined;
  // The product refuses a file that its process does not survive, as `document-not-checked`.
  if (outcome.verdict === 'none') return expected[mode] === 'refuse' ? undefined : 'no verdict';
  if (expected[mode] === 'accept') {
    return outcome.verdict === 'accept' ? undefined : 'false refusal';
  }
  if (outcome.verdict === 'accept') return 'false acceptance';
  const kinds = (mode === 'strict' ? expected.strictKinds : undefined) ?? expected.kinds ?? [];
  return kinds.some((kind) => kind === outcome.kind) ? undefined : 'wrong reason';
}
