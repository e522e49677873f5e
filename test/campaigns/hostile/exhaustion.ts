// Measures time and memory of the inspection process for documents that try to exhaust them, and for a large valid one.

import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { measureMemory, watchChildMemory } from '../../../bench/memory.ts';
import { inspectionDefaults } from '../../../bff/config/settings.ts';
import { createInspectionPool, type Verdict } from '../../../bff/documents/inspection-pool.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import { getLargePdf } from '../../support/files/realistic-files.ts';
import { above, type CampaignRow } from '../campaign.ts';

const mebibyte = 2 ** 20;
/** A process can allocate this much memory between two checks of the watchdog, which runs every 20 ms. */
const overshootMegabytes = 150;

/** What a test program does, because the product's inspection stops such documents earlier, and how it must end. */
const acts: Readonly<Record<string, readonly string[]>> = {
  hang: ['timeout'],
  // Near the memory limit, garbage collection can take longer than the timeout on a busy machine.
  'fill arrays': ['memory', 'timeout'],
  'fill buffers': ['memory'],
  flood: ['crash'],
  segfault: ['crash'],
};

export async function runExhaustion(): Promise<CampaignRow> {
  const program = new URL('../../bff/documents/children/scripted-child.ts', import.meta.url);
  const notes: string[] = [];
  const problems: string[] = [];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const { riseBytes } = await measureMemory(process.pid, async () => {
    delay.enable();
    for (const [act, expected] of Object.entries(acts)) {
      const { verdict, tookMs, peakMegabytes } = await inspectOnce(Buffer.from(act), { program });
      notes.push(`${act}: ${tookMs} ms, ${peakMegabytes} MB`);
      const limit = inspectionDefaults.memoryMegabytes + overshootMegabytes;
      problems.push(...above(peakMegabytes, limit, `MB in an inspection process (${act})`));
      if (verdict.kind !== 'not-checked' || !expected.includes(verdict.reason))
        problems.push(`${act}: ${JSON.stringify(verdict)}`);
    }
    delay.disable();
  });
  const rise = Math.round(riseBytes / mebibyte);
  const p99 = Math.round(delay.percentile(99) / 1e6);
  return {
    runs: notes.length,
    unit: 'documents, 2 attempts each',
    notes: `${notes.join('; ')}; parent + ${rise} MB, event loop p99 ${p99} ms`,
    problems: [
      ...problems,
      ...above(rise, 60, 'MB of growth in the parent process'),
      ...above(p99, 100, 'ms of event loop delay'),
    ],
  };
}

export async function runLargeScan(): Promise<CampaignRow> {
  const bytes = await readFile((await getLargePdf(25 * mebibyte)).path);
  const { verdict, tookMs, peakMegabytes } = await inspectOnce(bytes);
  const problems = verdict.kind === 'accepted' ? [] : [JSON.stringify(verdict)];
  const notes = `${tookMs} ms, inspection process ${peakMegabytes} MB`;
  return { runs: 1, unit: 'file', notes, problems };
}

/** The time excludes the start of the first process. */
async function inspectOnce(bytes: Uint8Array, options: { readonly program?: URL } = {}) {
  const pool = createInspectionPool({
    ...inspectionDefaults,
    startTimer: startUnrefTimer,
    ...options,
  });
  const inspect = (document: Uint8Array): Promise<Verdict> =>
    pool.inspect({
      extension: 'pdf',
      options: { allowedExtensions: ['pdf', 'png'] },
      bytes: document.byteLength,
      async *content() {
        for (let at = 0; at < document.byteLength; at += 262_143)
          yield document.subarray(at, at + 262_143);
      },
    });
  const memory = watchChildMemory(process.pid);
  try {
    await inspect(Buffer.from('first'));
    const startedAt = performance.now();
    const verdict = await inspect(bytes);
    const tookMs = Math.round(performance.now() - startedAt);
    return { verdict, tookMs, peakMegabytes: Math.round(memory.readPeakBytes() / mebibyte) };
  } finally {
    memory.stop();
    await pool.close();
  }
}
