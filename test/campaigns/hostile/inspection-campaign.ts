// Measures time and memory of the inspection process and the BFF for documents that try to exhaust them.

import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { measureMemory, watchChildMemory } from '../../../bench/memory.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import {
  createInspectionPool,
  type InspectionPool,
  type Verdict,
} from '../../../bff/documents/inspection-pool.ts';
import type { Campaign, CampaignContext, CampaignRow } from '../campaign.ts';
import { getLargePdf } from '../../support/files/realistic-files.ts';
import { sendFilesOverHttp } from './files-over-http.ts';
import { listBombs } from './files/bombs.ts';
import { inspectionDefaults } from '../../../bff/config/settings.ts';

const mebibyte = 2 ** 20;
const bombBytes = 8_000_000;
const largeScanBytes = 25 * mebibyte;
const maxRiseMegabytes = 60;
const maxLoopDelayMs = 100;
/** A process can allocate this much memory between two checks of the watchdog, which runs every 20 ms. */
const overshootMegabytes = 150;

export const inspectionCampaigns: readonly Campaign[] = [
  { group: 'inspection', name: 'decompression bombs through the BFF', seconds: 280, run: runBombs },
  { group: 'inspection', name: 'a valid 25 MB scan', seconds: 1, run: runLargeScan },
  { group: 'inspection-limits', name: 'resource exhaustion', seconds: 60, run: runExhaustion },
];

/**
 * Runs the BFF as a separate process to measure its own memory. The delay of its event loop is reported without a limit,
 * because SQLite writes and erases these files on the same thread.
 */
async function runBombs({ share }: CampaignContext): Promise<CampaignRow> {
  const step = Math.max(1, Math.round(1 / share));
  const bombs = listBombs(bombBytes).filter((_, index) => index % step === 0);
  const result = await sendFilesOverHttp(bombs);
  const { files, refused, slowest, slowestMs, childPeakMegabytes, riseMegabytes } = result;
  return {
    engine: 'SQLite',
    runs: `${files} files`,
    notes: `${refused} refused, slowest ${slowestMs} ms (${slowest}), inspection process at most ${childPeakMegabytes} MB, BFF + ${riseMegabytes} MB, event loop p99 ${result.eventLoopP99Ms} ms`,
    problems: [
      ...result.problems,
      ...toProblem(
        childPeakMegabytes,
        inspectionDefaults.memoryMegabytes,
        'MB in an inspection process',
      ),
      ...toProblem(riseMegabytes, maxRiseMegabytes, 'MB of growth in the BFF'),
    ],
  };
}

/** Exhausts time and memory with a test program, because the product's inspection stops such documents earlier. */
async function runExhaustion(): Promise<CampaignRow> {
  const program = new URL('../../bff/documents/children/scripted-child.ts', import.meta.url);
  const acts = [
    ['hang', ['timeout']],
    // Near the memory limit, garbage collection can take longer than the timeout on a busy machine.
    ['fill arrays', ['memory', 'timeout']],
    ['fill buffers', ['memory']],
    ['flood', ['crash']],
    ['segfault', ['crash']],
  ] as const satisfies readonly (readonly [string, readonly string[]])[];
  const notes: string[] = [];
  const problems: string[] = [];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const { riseBytes } = await measureMemory(process.pid, async () => {
    delay.enable();
    for (const [act, expected] of acts) {
      const result = await inspectOnce(program, Buffer.from(act));
      notes.push(`${act}: ${result.tookMs} ms, ${result.peakMegabytes} MB`);
      const { verdict } = result;
      const reasons: readonly string[] = expected;
      const isContained = verdict.kind === 'not-checked' && reasons.includes(verdict.reason);
      if (!isContained) problems.push(`${act}: ${JSON.stringify(verdict)}`);
      const limit = inspectionDefaults.memoryMegabytes + overshootMegabytes;
      problems.push(
        ...toProblem(result.peakMegabytes, limit, `MB in an inspection process (${act})`),
      );
    }
    delay.disable();
  });
  const rise = Math.round(riseBytes / mebibyte);
  const p99 = Math.round(delay.percentile(99) / 1e6);
  return {
    engine: '',
    runs: `${acts.length} documents, 2 attempts each`,
    notes: `${notes.join('; ')}; parent + ${rise} MB, event loop p99 ${p99} ms`,
    problems: [
      ...problems,
      ...toProblem(rise, maxRiseMegabytes, 'MB of growth in the parent process'),
      ...toProblem(p99, maxLoopDelayMs, 'ms of event loop delay'),
    ],
  };
}

/** Measures a large valid document. Only its verdict is checked. */
async function runLargeScan(): Promise<CampaignRow> {
  const bytes = await readFile((await getLargePdf(largeScanBytes)).path);
  const { verdict, tookMs, peakMegabytes } = await inspectOnce(undefined, bytes);
  return {
    engine: '',
    runs: '1 file',
    notes: `${tookMs} ms, inspection process ${peakMegabytes} MB`,
    problems: verdict.kind === 'accepted' ? [] : [JSON.stringify(verdict)],
  };
}

interface Cost {
  readonly verdict: Verdict;
  /** Excludes the start of the first process. */
  readonly tookMs: number;
  readonly peakMegabytes: number;
}

async function inspectOnce(program: URL | undefined, bytes: Uint8Array): Promise<Cost> {
  const pool = createInspectionPool({
    ...inspectionDefaults,
    startTimer: startUnrefTimer,
    ...(program ? { program } : {}),
  });
  const memory = watchChildMemory(process.pid);
  try {
    await inspect(pool, Buffer.from('first'));
    const startedAt = performance.now();
    const verdict = await inspect(pool, bytes);
    const tookMs = Math.round(performance.now() - startedAt);
    return { verdict, tookMs, peakMegabytes: Math.round(memory.readPeakBytes() / mebibyte) };
  } finally {
    memory.stop();
    await pool.close();
  }
}

function inspect(pool: InspectionPool, bytes: Uint8Array): Promise<Verdict> {
  return pool.inspect({
    extension: 'pdf',
    options: { allowedExtensions: ['pdf', 'png'] },
    bytes: bytes.byteLength,
    async *content() {
      for (let at = 0; at < bytes.byteLength; at += 262_143) yield bytes.subarray(at, at + 262_143);
    },
  });
}

function toProblem(value: number, limit: number, unit: string): string[] {
  return value <= limit ? [] : [`${value} ${unit}, but at most ${limit} are allowed`];
}
