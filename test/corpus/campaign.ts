// `npm run test:campaigns -- --only=real-files`: runs every file of the corpus through the inspector in both modes.

import { join } from 'node:path';
import type { Campaign, CampaignRow } from '../campaigns/campaign.ts';
import { createCorpusCache } from './corpus-cache.ts';
import {
  createInspectionProcess,
  type InspectionOutcome,
  type InspectionProcess,
} from './inspection-process.ts';
import { deviations, judgeVerdict, type Deviation } from './judge-verdict.ts';
import { knownDeviations } from './known-deviations.ts';
import { modes, readManifest, type CorpusFile, type Mode } from './manifest.ts';

const defaultFolder = join(import.meta.dirname, '../../test-output/corpus');

interface Result {
  readonly file: CorpusFile;
  readonly mode: Mode;
  readonly outcome: InspectionOutcome;
  readonly deviation: Deviation | undefined;
}

export const realFilesCampaign: Campaign = {
  group: 'real-files',
  name: 'real files',
  seconds: 222,
  isOptIn: true,
  run: ({ share }) => runRealFiles(share),
};

async function runRealFiles(share: number): Promise<CampaignRow> {
  const cache = createCorpusCache({ folder: process.env['CORPUS_FOLDER'] ?? defaultFolder });
  const inspections = createInspectionProcess();
  const files = chooseFiles(share);
  const results: Result[] = [];
  const missing: string[] = [];
  try {
    for (const file of files) {
      try {
        results.push(...(await inspectInBothModes(file, await cache.obtain(file), inspections)));
      } catch (error) {
        // One source that is gone must not hide the verdicts of all others; it counts as a problem.
        missing.push(`${file.class}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    inspections.close();
  }
  for (const mode of modes) process.stdout.write(`\n${toTable(mode, results)}\n\n`);
  const deviating = results.filter(({ deviation }) => deviation !== undefined);
  const problems = deviating.filter(({ file }) => !knownDeviations.has(file.sha256)).map(toProblem);
  const outdated = files
    .filter(({ sha256 }) => knownDeviations.has(sha256))
    .filter((known) => !deviating.some(({ file }) => file === known))
    .map(({ sha256 }) => `${sha256} no longer deviates: remove it from known-deviations.ts`);
  return {
    engine: '',
    runs: `${files.length} files`,
    notes: `${files.filter(({ heldOut }) => heldOut).length} held out, ${missing.length} not available, ${deviating.length - problems.length} known deviations`,
    problems: [...missing, ...problems, ...outdated],
  };
}

/** `CORPUS_SET` is `shown`, `held-out` or, by default, `all`. */
function chooseFiles(share: number): CorpusFile[] {
  const set = process.env['CORPUS_SET'] ?? 'all';
  if (!['shown', 'held-out', 'all'].includes(set)) {
    throw new Error(`CORPUS_SET is ${set}. Use shown, held-out or all.`);
  }
  const step = Math.max(1, Math.round(1 / share));
  return readManifest()
    .filter(({ heldOut }) => set === 'all' || heldOut === (set === 'held-out'))
    .filter((_, index) => index % step === 0);
}

async function inspectInBothModes(
  file: CorpusFile,
  path: string,
  inspections: InspectionProcess,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const mode of modes) {
    const outcome = await inspections.inspect({ path, extension: file.extension, mode });
    results.push({ file, mode, outcome, deviation: judgeVerdict(file, mode, outcome) });
  }
  return results;
}

function toProblem({ file, mode, outcome, deviation }: Result): string {
  const said = outcome.verdict === 'accept' ? 'accepted' : outcome.detail;
  return `${mode}: ${deviation}, ${said}: ${file.class}/${file.sha256.slice(0, 8)} ${file.source}`;
}

function toTable(mode: Mode, all: readonly Result[]): string {
  const results = all.filter((result) => result.mode === mode);
  const classes = [...new Set(results.map(({ file }) => file.class))];
  const head = [
    `${mode} mode`,
    'files',
    ...deviations.map((name) => `${name}s`),
    'median ms',
    'p95 ms',
  ];
  return [
    head,
    head.map(() => '---'),
    ...classes.map((name) =>
      toLine(
        name,
        results.filter(({ file }) => file.class === name),
      ),
    ),
    toLine('all', results),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function toLine(name: string, results: readonly Result[]): string[] {
  const times = results.map(({ outcome }) => outcome.ms).sort((a, b) => a - b);
  const counts = deviations.map(
    (one) => results.filter(({ deviation }) => deviation === one).length,
  );
  const at = (share: number): string =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  return [name, String(results.length), ...counts.map(String), at(0.5), at(0.95)];
}
