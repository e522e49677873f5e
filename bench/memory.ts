// The resident memory of another process, as Linux tells it.

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MemoryUse {
  readonly baselineBytes: number;
  readonly peakBytes: number;
  readonly riseBytes: number;
  readonly samples: number;
  readonly durationMs: number;
}

const intervalMs = 20;
const settleMs = 1500;

/** The highest resident memory of a process while `work` runs, above what it has just before. */
export async function measureMemory(
  processId: number,
  work: () => Promise<void>,
): Promise<MemoryUse> {
  await sleep(settleMs);
  const baselineBytes = readResidentBytes(processId);
  resetPeak(processId);
  let peakBytes = baselineBytes;
  let samples = 0;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, readResidentBytes(processId));
    samples += 1;
  }, intervalMs);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    clearInterval(sampler);
  }
  const durationMs = performance.now() - startedAt;
  // The kernel's own mark sees what falls between two samples.
  peakBytes = Math.max(peakBytes, readBytes(processId, 'VmHWM'));
  return { baselineBytes, peakBytes, riseBytes: peakBytes - baselineBytes, samples, durationMs };
}

export function readResidentBytes(processId: number): number {
  return readBytes(processId, 'VmRSS');
}

function readBytes(processId: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc gives no ${field} of process ${processId}`);
  return Number(kilobytes) * 1024;
}

/** `5` sets the mark back to what is resident now (man 5 proc, "clear_refs"). */
function resetPeak(processId: number): void {
  writeFileSync(`/proc/${processId}/clear_refs`, '5');
}
