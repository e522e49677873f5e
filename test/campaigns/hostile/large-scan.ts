// Measures time and memory of the inspection process for a large valid document.

import { readFile } from 'node:fs/promises';
import { watchChildMemory } from '../../../bench/memory.ts';
import { inspectionDefaults } from '../../../bff/config/settings.ts';
import { createInspectionPool } from '../../../bff/documents/inspection-pool.ts';
import { startUnrefTimer } from '../../../bff/runtime/timers.ts';
import { getLargePdf } from '../../support/files/realistic-files.ts';
import type { CampaignRow } from '../campaign.ts';

const mebibyte = 2 ** 20;

/** The time excludes the start of the first process. */
export async function runLargeScan(): Promise<CampaignRow> {
  const bytes = await readFile((await getLargePdf(25 * mebibyte)).path);
  const pool = createInspectionPool({ ...inspectionDefaults, startTimer: startUnrefTimer });
  const inspect = (document: Uint8Array) =>
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
    const peakMegabytes = Math.round(memory.readPeakBytes() / mebibyte);
    return {
      runs: 1,
      unit: 'file',
      notes: `${tookMs} ms, inspection process ${peakMegabytes} MB`,
      problems: verdict.kind === 'accepted' ? [] : [JSON.stringify(verdict)],
    };
  } finally {
    memory.stop();
    await pool.close();
  }
}
