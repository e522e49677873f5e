// Inspects hostile files with the product's inspection pool, and compares the verdicts with the expected ones.

import { inspectionDefaults } from '../../../bff/config/settings.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import {
  createInspectionPool,
  type InspectionPool,
  type Verdict,
} from '../../../bff/documents/inspection-pool.ts';
import { activePdfs, encryptedPdfs } from './files/active-pdfs.ts';
import { disguises, polyglots } from './files/disguises.ts';
import { createMutants, type GoodFile, listGoodFiles } from './files/mutants.ts';
import { askSecondOpinion } from './files/second-opinion.ts';
import type { HostileFile } from './files/hostile-file.ts';
import { listBombs } from './files/bombs.ts';
import { badFiles } from '../../support/bad-files/bad-files.ts';

/** @param bombBytes size of the files that take time because of their size. */
export function listHostileFiles(bombBytes: number): readonly HostileFile[] {
  return [
    ...activePdfs,
    ...encryptedPdfs,
    ...polyglots,
    ...disguises,
    ...badFiles.map(({ isStrict, ...file }): HostileFile => ({
      ...file,
      group: 'bad file',
      scripts: isStrict ? 'refuse' : 'accept',
      expected: 'refused',
    })),
    ...listBombs(bombBytes),
  ];
}

export interface FilesResult {
  readonly files: number;
  readonly refused: number;
  /** Accepted files that another library cannot read. */
  readonly unreadable: number;
  /** The file with the longest inspection, and its duration with the transfer to the child. */
  readonly slowest: string;
  readonly slowestMs: number;
  /** Wrong verdicts, and files without a verdict. */
  readonly problems: readonly string[];
}

/** Includes the types that are off by default. */
const allowedExtensions = ['pdf', 'jpg', 'jpeg', 'png', 'docx', 'xlsx', 'txt', 'csv'];

export async function runFiles(files: Iterable<HostileFile>): Promise<FilesResult> {
  return withTally(undefined, async (inspect, tally) => {
    for (const file of files) {
      const verdict = await inspect(file, toFullName(file));
      tally.problems.push(
        ...findProblem(file, verdict).map((what) => `${toFullName(file)}: ${what}`),
      );
    }
  });
}

export async function runMutants(count: number): Promise<FilesResult> {
  return withTally(mutantLimitSeconds, async (inspect, tally) => {
    for (const mutant of createMutants(await listGoodFiles(), count)) {
      const { name, kind, seed, extension, bytes } = mutant;
      const fullName = `${name}, ${kind} (${seed})`;
      const verdict = await inspect({ extension, make: () => bytes }, fullName);
      if (verdict.kind !== 'accepted') continue;
      const { isReadable, bad } = await askSecondOpinion(extension, bytes);
      if (!isReadable) tally.unreadable += 1;
      if (bad.length > 0) tally.problems.push(`${fullName}: accepted with ${bad.join(', ')}`);
    }
  });
}

/** Good files must be accepted, so that the refusal of a mutant is meaningful. */
export async function runGoodFiles(files: readonly GoodFile[]): Promise<FilesResult> {
  return withTally(undefined, async (inspect, tally) => {
    for (const { name, extension, bytes } of files) {
      const verdict = await inspect({ extension, make: () => bytes }, name);
      if (verdict.kind === 'refused') tally.problems.push(`${name}: refused as ${verdict.detail}`);
    }
  });
}

/** The repair of @libpdf/core does not end for some damaged files, so a short timeout kills the child. */
const mutantLimitSeconds = 0.5;

interface Tally {
  unreadable: number;
  readonly problems: string[];
}

type Given = Pick<HostileFile, 'extension' | 'scripts' | 'make'>;

type Inspect = (file: Given, name: string) => Promise<Verdict>;

async function withTally(
  timeoutSeconds: number | undefined,
  run: (inspect: Inspect, tally: Tally) => Promise<void>,
): Promise<FilesResult> {
  const pool = createInspectionPool({
    ...inspectionDefaults,
    startTimer: startUnrefTimer,
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  });
  const tally: Tally = { unreadable: 0, problems: [] };
  let files = 0;
  let refused = 0;
  let slowest = '';
  let slowestMs = 0;
  async function inspect(file: Given, name: string): Promise<Verdict> {
    const startedAt = performance.now();
    const verdict = await inspectWith(pool, file);
    const tookMs = Math.round(performance.now() - startedAt);
    files += 1;
    if (verdict.kind !== 'accepted') refused += 1;
    if (tookMs > slowestMs) [slowest, slowestMs] = [name, tookMs];
    // Bombs and some mutants exceed the limits. All other files must get a verdict.
    const mayFail = timeoutSeconds !== undefined || name.startsWith('bomb: ');
    if (verdict.kind === 'not-checked' && !mayFail)
      tally.problems.push(`${name}: ${verdict.reason}`);
    return verdict;
  }
  try {
    await run(inspect, tally);
  } finally {
    await pool.close();
  }
  return { files, refused, slowest, slowestMs, ...tally };
}

function inspectWith(pool: InspectionPool, { extension, scripts, make }: Given): Promise<Verdict> {
  const bytes = make();
  return pool.inspect({
    extension,
    options: { allowedExtensions, scripts },
    bytes: bytes.byteLength,
    async *content() {
      yield bytes;
    },
  });
}

function findProblem({ expected, extension }: HostileFile, verdict: Verdict): string[] {
  if (verdict.kind === 'not-checked') return [];
  if (verdict.kind === 'refused') {
    return expected === 'accepted' ? [`refused as ${verdict.detail}`] : [];
  }
  if (expected === 'refused') return ['accepted'];
  return verdict.extension === extension ? [] : [`accepted as ${verdict.extension}`];
}

function toFullName({ group, name }: HostileFile): string {
  return `${group}: ${name}`;
}
