// The processors and the disk of this machine: who used them, how fast they are now, and which process runs on which (Linux only).

import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Probe, toMedian } from './goals.ts';
import { listChildren } from './memory.ts';

/** `sysconf(_SC_CLK_TCK)` of Linux, in which /proc reports times. */
const ticksPerSecond = 100;

/** Processor time of a process with its children, in seconds, including those that have ended. */
export function readCpuSeconds(processId: number): number {
  const own = readOwnTicks(processId) / ticksPerSecond;
  return listThreadsChildren(processId).reduce((sum, child) => sum + readCpuSeconds(child), own);
}

function readOwnTicks(processId: number): number {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The name in parentheses may contain spaces. Fields 14 to 17 of proc(5): utime, stime, cutime, cstime.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    // The process ended after it was listed.
    return 0;
  }
}

function listThreadsChildren(processId: number): readonly number[] {
  try {
    return listChildren(processId);
  } catch {
    return [];
  }
}

/** Busy time of all processors since the start of the machine in seconds, including what a hypervisor took away. */
export function readBusySeconds(): number {
  const [, user = 0, nice = 0, system = 0, , , , , steal = 0] = readFileSync('/proc/stat', 'utf8')
    .slice(0, 200)
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + steal) / ticksPerSecond;
}

/** Measures how much of one processor other programs use from now on. */
export function watchForeignUse(): () => number {
  const read = () => ({
    at: performance.now(),
    busy: readBusySeconds(),
    ours: readCpuSeconds(process.pid),
  });
  const before = read();
  return () => {
    const after = read();
    const foreign = after.busy - before.busy - (after.ours - before.ours);
    return Math.max(0, foreign / ((after.at - before.at) / 1000));
  };
}

const hashRounds = 60;
const syncs = 40;

/** Times a fixed piece of work on the processor, and small durable writes. @param folder on the disk of the stores. */
export function probeMachine(folder: string): Probe {
  // Otherwise the probe measures the writes of the measurement before it, which the disk has yet to do.
  spawnSync('sync');
  const block = Buffer.alloc(1024 * 1024, 1);
  const processorTimes = Array.from({ length: 5 }, () =>
    time(() => {
      for (let round = 0; round < hashRounds; round += 1) {
        createHash('sha256').update(block).digest();
      }
    }),
  );
  const path = join(folder, 'probe');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096, 2);
  const diskTimes = Array.from({ length: syncs }, () =>
    time(() => {
      writeSync(file, page);
      fsyncSync(file);
    }),
  );
  closeSync(file);
  rmSync(path);
  return { processorMs: toMedian(processorTimes), diskMs: toMedian(diskTimes) };
}

function time(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

export interface Cores {
  /** Runs the measured process. */
  readonly measured: string;
  /** Run the load and the stub. */
  readonly load: string;
}

/** Returns undefined if processes cannot be assigned to processors here. */
export function findCores(): Cores | undefined {
  if (spawnSync('taskset', ['-V']).status !== 0) return undefined;
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const cores = (list ?? '').split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  const [measured, ...load] = cores;
  if (measured === undefined || load.length === 0) return undefined;
  return { measured: String(measured), load: load.join(',') };
}

/** Assigns this process, and the processes that it starts from now on. */
export function pinThisProcess(cores: string): void {
  spawnSync('taskset', ['-a', '-p', '-c', cores, String(process.pid)]);
}

export function describeMachine(folder: string): string {
  const all = cpus();
  const { diskMs } = probeMachine(folder);
  return `${all.length} processors (${all[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, fsync of 4 KiB in ${diskMs.toFixed(2)} ms`;
}
