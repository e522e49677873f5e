// Inspects hostile files with the product's inspection pool, and compares the verdicts with the expected ones.

import { inspectionDefaults } from '../../../bff/config/settings.ts';
import {
  createInspectionPool,
  type InspectionPool,
  InspectionUnavailableError,
  type Verdict,
} from '../../../bff/documents/inspection-pool.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import { badFiles } from '../../support/bad-files/bad-files.ts';
import { above, type CampaignContext, type CampaignRow, sampleOf, scale } from '../campaign.ts';
import { activePdfs, encryptedPdfs } from './files/active-pdfs.ts';
import { listBombs } from './files/bombs.ts';
import { disguises, polyglots } from './files/disguises.ts';
import type { HostileFile } from './files/hostile-file.ts';
import { createMutants, listGoodFiles } from './files/mutants.ts';
import { askSecondOpinion } from './files/second-opinion.ts';

/** Without bombs, some of which end at the time limit of the inspection. */
export function listHostileFiles(): readonly HostileFile[] {
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
  ];
}

/** Includes the types that are off by default. */
const allowedExtensions = ['pdf', 'jpg', 'jpeg', 'png', 'docx', 'xlsx', 'txt', 'csv'];
const fileLimitMs = 2_000;
/** Of bombs in a sample. */
const smallBombBytes = 100_000;
/** The repair of @libpdf/core does not end for some damaged files, so a short timeout kills the child. */
const mutantTimeoutSeconds = 0.5;

/** All hostile files; a sample has small bombs too. */
export async function runHostileFiles({ share }: CampaignContext): Promise<CampaignRow> {
  const isSample = share < 1;
  const files = [...listHostileFiles(), ...(isSample ? listBombs(smallBombBytes) : [])];
  const inspector = startInspector();
  for (const file of sampleOf(files, share)) {
    const verdict = await inspector.inspect(file);
    for (const problem of findProblems(file, verdict)) inspector.report(file, problem);
  }
  const row = await inspector.end();
  const { slowestMs } = inspector.slowest();
  const slow = isSample ? [] : above(slowestMs, fileLimitMs, 'ms for one file');
  return { ...row, problems: [...row.problems, ...slow] };
}

/** Good files must be accepted, so that the refusal of their mutants is meaningful. */
export async function runMutants({ share }: CampaignContext): Promise<CampaignRow> {
  const goodFiles = await listGoodFiles();
  const strict = startInspector();
  for (const good of goodFiles) {
    const file = toFile(good.name, good.extension, good.bytes, 'accepted');
    for (const problem of findProblems(file, await strict.inspect(file)))
      strict.report(file, problem);
  }
  const good = await strict.end();
  const inspector = startInspector(mutantTimeoutSeconds);
  let unreadable = 0;
  for (const { name, kind, seed, extension, bytes } of createMutants(
    goodFiles,
    scale(10_000, share),
  )) {
    const file = toFile(`${name}, ${kind} (${seed})`, extension, bytes, 'either');
    const verdict = await inspector.inspect(file);
    if (verdict.kind !== 'accepted') continue;
    const { isReadable, bad } = await askSecondOpinion(extension, bytes);
    if (!isReadable) unreadable += 1;
    if (bad.length > 0) inspector.report(file, `accepted with ${bad.join(', ')}`);
  }
  const row = await inspector.end();
  return {
    ...row,
    notes: `${row.notes}, ${unreadable} accepted files not readable by another library`,
    problems: [...good.problems, ...row.problems],
  };
}

function toFile(
  name: string,
  extension: string,
  bytes: Uint8Array,
  expected: HostileFile['expected'],
): HostileFile {
  return { group: 'mutant', name, extension, expected, make: () => bytes };
}

/** Bombs and some mutants exceed the limits. All other files must get a verdict. */
function findProblems({ group, expected, extension }: HostileFile, verdict: Verdict): string[] {
  switch (verdict.kind) {
    case 'not-checked':
      return expected === 'accepted' || (group !== 'bomb' && group !== 'mutant')
        ? [verdict.reason]
        : [];
    case 'refused':
      return expected === 'accepted' ? [`refused as ${verdict.detail}`] : [];
    case 'accepted':
      if (expected === 'refused') return ['accepted'];
      return verdict.extension === extension ? [] : [`accepted as ${verdict.extension}`];
  }
}

function startInspector(timeoutSeconds: number = inspectionDefaults.timeoutSeconds) {
  const options = { ...inspectionDefaults, timeoutSeconds, startTimer: startUnrefTimer };
  const pool = createInspectionPool(options);
  const problems: string[] = [];
  let [runs, refused, slowest, slowestMs] = [0, 0, '', 0];
  return {
    slowest: () => ({ slowest, slowestMs }),
    report({ group, name }: HostileFile, problem: string): void {
      problems.push(`${group}: ${name}: ${problem}`);
    },
    async inspect({ name, extension, scripts, make }: HostileFile): Promise<Verdict> {
      const bytes = make();
      const startedAt = performance.now();
      const verdict = await inspectPatiently(pool, {
        extension,
        options: { allowedExtensions, scripts },
        bytes: bytes.byteLength,
        async *content() {
          yield bytes;
        },
      });
      const tookMs = Math.round(performance.now() - startedAt);
      runs += 1;
      if (verdict.kind !== 'accepted') refused += 1;
      if (tookMs > slowestMs) [slowest, slowestMs] = [name, tookMs];
      return verdict;
    },
    async end(): Promise<CampaignRow> {
      await pool.close();
      const notes = `${refused} refused, slowest ${slowestMs} ms (${slowest})`;
      return { runs, unit: 'files', notes, problems };
    },
  };
}

/** On a very busy machine, a child process may not start in time. The BFF would ask the applicant to try again. */
async function inspectPatiently(
  pool: InspectionPool,
  document: Parameters<InspectionPool['inspect']>[0],
): Promise<Verdict> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pool.inspect(document);
    } catch (error) {
      const isLate = error instanceof InspectionUnavailableError && error.reason === 'not-started';
      if (!isLate || tries === 5) throw error;
    }
  }
}
