// `npm run test:campaigns -- --only=real-files`: inspects every file of the corpus in both modes.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createInspectionPool,
  type InspectionPool,
} from '../../../bff/documents/inspection-pool.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import { quantile } from '../../../bench/goals.ts';
import { groupBy } from '../../support/group-by.ts';
import { type Campaign, type CampaignRow, sampleOf } from '../campaign.ts';
import { createCorpusCache } from './corpus-cache.ts';
import { deviations, inspectionOptions, judgeVerdict } from './judge-verdict.ts';
import { modes, readManifest, type CorpusFile, type Mode } from './manifest.ts';

const defaultFolder = join(import.meta.dirname, '../../../test-output/corpus');

/** Higher than the product's limits, because the campaign measures the inspection and not the limits. */
const limits = { timeoutSeconds: 20, memoryMegabytes: 2_048, processes: 1 };

export const realFilesCampaign: Campaign = {
  group: 'real-files',
  name: 'real files',
  seconds: 222,
  isOptIn: true,
  run: ({ share }) => runRealFiles(share),
};

async function runRealFiles(share: number): Promise<CampaignRow> {
  const cache = createCorpusCache(process.env['CORPUS_FOLDER'] ?? defaultFolder);
  const inspections = createInspectionPool({ startTimer: startUnrefTimer, ...limits });
  const files = sampleOf(listFiles(process.env['CORPUS_SET'] ?? 'all'), share);
  const results: Result[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      const content = await readFile(await cache.obtain(file));
      for (const mode of modes) results.push(await inspect(file, mode, content, inspections));
    } catch (error) {
      // A source that is no longer available counts as a problem and does not stop the campaign.
      problems.push(`${file.class}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await inspections.close();
  for (const mode of modes) process.stdout.write(`\n${toTable(mode, results)}\n\n`);
  const deviating = results.filter(({ deviation }) => deviation !== undefined);
  const known = deviating.filter(({ file }) => file.deviation !== undefined);
  // An upgrade of a library requires a change of the manifest.
  const outdated = files.filter(
    (file) => file.deviation !== undefined && !known.some((result) => result.file === file),
  );
  return {
    runs: files.length,
    unit: 'files',
    notes: `${files.filter(({ heldOut }) => heldOut).length} held out, ${known.length} known deviations`,
    problems: [
      ...problems,
      ...deviating.filter((result) => !known.includes(result)).map(toProblem),
      ...outdated.map(({ sha256 }) => `${sha256} no longer deviates. Change the manifest.`),
    ],
  };
}

function listFiles(set: string): readonly CorpusFile[] {
  if (!['shown', 'held-out', 'all'].includes(set))
    throw new Error(`CORPUS_SET is ${set}. Use shown, held-out, or all.`);
  return readManifest().filter(({ heldOut }) => set === 'all' || heldOut === (set === 'held-out'));
}

type Result = Awaited<ReturnType<typeof inspect>>;

async function inspect(
  file: CorpusFile,
  mode: Mode,
  content: Uint8Array,
  inspections: InspectionPool,
) {
  const startedAt = performance.now();
  const verdict = await inspections.inspect({
    extension: file.extension,
    options: inspectionOptions[mode],
    bytes: content.byteLength,
    async *content() {
      yield content;
    },
  });
  // Includes the transfer of the file to the child process.
  const durationMs = performance.now() - startedAt;
  return { file, mode, verdict, durationMs, deviation: judgeVerdict(file, mode, verdict) };
}

function toProblem({ file, mode, verdict, deviation }: Result): string {
  const { kind, detail, reason } = { detail: '', reason: '', ...verdict };
  return `${mode}: ${deviation}, ${detail || reason || kind}: ${file.class}/${file.sha256.slice(0, 8)} ${file.source}`;
}

function toTable(mode: Mode, all: readonly Result[]): string {
  const results = all.filter((result) => result.mode === mode);
  const head = [
    `${mode} mode`,
    'files',
    ...deviations.map((name) => `${name}s`),
    'median ms',
    'p95 ms',
  ];
  const classes = [...groupBy(results, ({ file }) => file.class), ['all', results] as const];
  const rows = classes.map(([name, own]) => {
    const times = own.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
    const counts = deviations.map(
      (kind) => own.filter(({ deviation }) => deviation === kind).length,
    );
    const at = (part: number) => (times.length > 0 ? quantile(times, part).toFixed(1) : '');
    return [name, own.length, ...counts, at(0.5), at(0.95)];
  });
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
