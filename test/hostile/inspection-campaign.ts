// Documents that try to use up time and memory: what they cost the process that inspects them, and what the BFF notices.

import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { measureMemory, watchChildMemory } from '../../bench/memory.ts';
import { startUnrefTimer } from '../../bff/runtime/timers.ts';
import {
  createInspectionPool,
  type InspectionPool,
  type Verdict,
} from '../../bff/documents/inspection-pool.ts';
import type { Campaign, CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import { getLargePdf } from '../support/files.ts';
import { sendFilesOverHttp } from './files-over-http.ts';
import { listImageBombs } from './files/image-bombs.ts';
import { listPdfBombs } from './files/pdf-bombs.ts';
import { zipBombs } from './files/zip-bombs.ts';
import { inspectionDefaults } from '../../bff/config/settings.ts';

const mebibyte = 2 ** 20;
const bombBytes = 8_000_000;
const honestBytes = 25 * mebibyte;
const riseLimitMegabytes = 60;
const loopLimitMs = 100;
/** The watchdog looks every 20 ms; this much may be taken between two looks. */
const overshootMegabytes = 150;

export const inspectionCampaigns: readonly Campaign[] = [
  { group: 'inspection', name: 'bombs through the BFF', seconds: 280, run: runBombs },
  { group: 'inspection', name: 'an honest 25 MB scan', seconds: 1, run: runHonest },
  { group: 'inspection-limits', name: 'exhaustion of a child', seconds: 60, run: runExhaustion },
];

/**
 * The BFF is a process of its own here, so that its memory is not that of this one. The delay of its event loop is for
 * information: SQLite writes and erases every byte of these files on the same thread.
 */
async function runBombs({ share }: CampaignContext): Promise<CampaignRow> {
  const step = Math.max(1, Math.round(1 / share));
  const all = [...listPdfBombs(bombBytes), ...zipBombs, ...listImageBombs(bombBytes)];
  const bombs = all.filter((_, index) => index % step === 0);
  const result = await sendFilesOverHttp(bombs);
  const { files, refused, slowest, slowestMs, childPeakMegabytes, riseMegabytes } = result;
  return {
    engine: 'SQLite',
    runs: `${files} files`,
    notes: `${refused} refused, slowest ${slowestMs} ms (${slowest}), child at most ${childPeakMegabytes} MB, BFF + ${riseMegabytes} MB, event loop p99 ${result.eventLoopP99Ms} ms`,
    problems: [
      ...result.problems,
      ...toProblem(childPeakMegabytes, inspectionDefaults.memoryMegabytes, 'MB in a child'),
      ...toProblem(riseMegabytes, riseLimitMegabytes, 'MB more in the BFF'),
    ],
  };
}

/** Generic exhaustion with the default limits, whatever the real inspection would stop earlier. */
async function runExhaustion(): Promise<CampaignRow> {
  const program = new URL('../bff/documents/children/scripted-child.ts', import.meta.url);
  const acts = [
    ['hang', ['timeout']],
    // Near its limit the collector takes all time there is; on a busy machine that takes longer than the timeout.
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
      problems.push(...toProblem(result.peakMegabytes, limit, `MB in a child (${act})`));
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
      ...toProblem(rise, riseLimitMegabytes, 'MB more in the parent'),
      ...toProblem(p99, loopLimitMs, 'ms of delay in the event loop'),
    ],
  };
}

/** For information: how long a large document takes on its way and in the child. */
async function runHonest(): Promise<CampaignRow> {
  const bytes = await readFile((await getLargePdf(honestBytes)).path);
  const { verdict, tookMs, peakMegabytes } = await inspectOnce(undefined, bytes);
  return {
    engine: '',
    runs: '1 file',
    notes: `${tookMs} ms, child ${peakMegabytes} MB`,
    problems: verdict.kind === 'accepted' ? [] : [JSON.stringify(verdict)],
  };
}

interface Cost {
  readonly verdict: Verdict;
  /** Without the start of the first child. */
  readonly tookMs: number;
  readonly peakMegabytes: number;
}

async function inspectOnce(program: URL | undefined, bytes: Uint8Array): Promise<Cost> {
  const pool = createInspectionPool({
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

function toProblem(value: number, limit: number, what: string): string[] {
  return value <= limit ? [] : [`${value} ${what}, and ${limit} are allowed`];
}
