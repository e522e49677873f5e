// Measures the resident memory of another process (Linux only).

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

/** Measures the peak resident memory of a process while `work` runs, relative to the value before. */
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
  // VmHWM includes peaks between two samples.
  peakBytes = Math.max(peakBytes, readPeakBytes(processId));
  return { baselineBytes, peakBytes, riseBytes: peakBytes - baselineBytes, samples, durationMs };
}

/** Returns the peak resident memory of any child that the process had since this call. */
export function watchChildMemory(processId: number): {
  readPeakBytes(): number;
  stop(): void;
} {
  let peakBytes = 0;
  const sampler = setInterval(() => {
    for (const child of listChildren(processId)) {
      try {
        peakBytes = Math.max(peakBytes, readBytes(child, 'VmHWM'));
      } catch {
        // The child ended after it was listed.
      }
    }
  }, intervalMs / 4);
  return {
    readPeakBytes: () => peakBytes,
    stop: () => clearInterval(sampler),
  };
}

export function listChildren(processId: number): readonly number[] {
  const text = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

export function readResidentBytes(processId: number): number {
  return readBytes(processId, 'VmRSS');
}

/** The peak since `resetPeak`. */
export function readPeakBytes(processId: number): number {
  return readBytes(processId, 'VmHWM');
}

function readBytes(processId: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc has no ${field} for process ${processId}`);
  return Number(kilobytes) * 1024;
}

/** Writing `5` resets VmHWM to the current value (man 5 proc, "clear_refs"). */
export function resetPeak(processId: number): void {
  writeFileSync(`/proc/${processId}/clear_refs`, '5');
}
