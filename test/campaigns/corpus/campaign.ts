// `npm run test:campaigns -- --only=real-files`: inspects every file of the corpus in both modes.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createInspectionPool,
  type InspectionPool,
  type Verdict,
} from '../../../bff/documents/inspection-pool.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import type { Campaign, CampaignRow } from '../campaign.ts';
import { createCorpusCache } from './corpus-cache.ts';
import { deviations, inspectionOptions, judgeVerdict, type Deviation } from './judge-verdict.ts';
import { knownDeviations } from './known-deviations.ts';
import { modes, readManifest, type CorpusFile, type Mode } from './manifest.ts';

const defaultFolder = join(import.meta.dirname, '../../../test-output/corpus');

/** Higher than the product's limits, because the campaign measures the inspection and not the limits. */
const limits = { timeoutSeconds: 20, memoryMegabytes: 2_048, processes: 1 };

interface Result {
  readonly file: CorpusFile;
  readonly mode: Mode;
  readonly verdict: Verdict;
  /** Includes the transfer of the file to the child process. */
  readonly durationMs: number;
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
  const inspections = createInspectionPool({ startTimer: startUnrefTimer, ...limits });
  const files = chooseFiles(share);
  const results: Result[] = [];
  const missing: string[] = [];
  try {
    for (const file of files) {
      try {
        results.push(...(await inspectInBothModes(file, await cache.obtain(file), inspections)));
      } catch (error) {
        // A source that is no longer available counts as a problem and does not stop the campaign.
        missing.push(`${file.class}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await inspections.close();
  }
  for (const mode of modes) process.stdout.write(`\n${toTable(mode, results)}\n\n`);
  const deviating = results.filter(({ deviation }) => deviation !== undefined);
  const problems = deviating.filter(({ file }) => !knownDeviations.has(file.sha256)).map(toProblem);
  const outdated = files
    .filter(({ sha256 }) => knownDeviations.has(sha256))
    .filter((known) => !deviating.some(({ file }) => file === known))
    .map(({ sha256 }) => `${sha256} no longer deviates. Remove it from known-deviations.ts.`);
  return {
    engine: '',
    runs: `${files.length} files`,
    notes: `${files.filter(({ heldOut }) => heldOut).length} held out, ${missing.length} not available, ${deviating.length - problems.length} known deviations`,
    problems: [...missing, ...problems, ...outdated],
  };
}

/** `CORPUS_SET` is `shown`, `held-out`, or, by default, `all`. */
function chooseFiles(share: number): CorpusFile[] {
  const set = process.env['CORPUS_SET'] ?? 'all';
  if (!['shown', 'held-out', 'all'].includes(set)) {
    throw new Error(`CORPUS_SET is ${set}. Use shown, held-out, or all.`);
  }
  const step = Math.max(1, Math.round(1 / share));
  return readManifest()
    .filter(({ heldOut }) => set === 'all' || heldOut === (set === 'held-out'))
    .filter((_, index) => index % step === 0);
}

async function inspectInBothModes(
  file: CorpusFile,
  path: string,
  inspections: InspectionPool,
): Promise<Result[]> {
  const content = await readFile(path);
  const results: Result[] = [];
  for (const mode of modes) {
    const startedAt = performance.now();
    const verdict = await inspections.inspect({
      extension: file.extension,
      options: inspectionOptions[mode],
      bytes: content.byteLength,
      async *content() {
        yield content;
      },
    });
    const durationMs = performance.now() - startedAt;
    const deviation = judgeVerdict(file, mode, verdict);
    results.push({ file, mode, verdict, durationMs, deviation });
  }
  return results;
}

function toProblem({ file, mode, verdict, deviation }: Result): string {
  return `${mode}: ${deviation}, ${describe(verdict)}: ${file.class}/${file.sha256.slice(0, 8)} ${file.source}`;
}

function describe(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return 'accepted';
    case 'refused':
      return verdict.detail;
    case 'not-checked':
      return verdict.reason;
  }
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
  const times = results.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const counts = deviations.map(
    (one) => results.filter(({ deviation }) => deviation === one).length,
  );
  const at = (share: number): string =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  return [name, String(results.length), ...counts.map(String), at(0.5), at(0.95)];
}
