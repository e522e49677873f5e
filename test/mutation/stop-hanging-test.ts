// Ends the process of a test that waits for something that never happens, or that loops without an end. A time limit would
// depend on how busy the machine is.
import { eventLoopUtilization } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach } from 'vitest';

const checkMs = 1_000;
const maxIdleChecks = 15;

/** Setup files run again for each test file, but the files share a process. */
const shared = globalThis as { mutationProgress?: Int32Array };
const progress = (shared.mutationProgress ??= watchProcessorTime());
let timer: NodeJS.Timeout | undefined;

beforeEach(() => {
  Atomics.add(progress, 0, 1);
  let last = eventLoopUtilization();
  let idleChecks = 0;
  timer = setInterval(() => {
    const current = eventLoopUtilization();
    const { utilization } = eventLoopUtilization(current, last);
    last = current;
    idleChecks = utilization < 0.01 ? idleChecks + 1 : 0;
    // Vitest replaces `process.exit`. It reports a worker that ended.
    if (idleChecks === maxIdleChecks) process.kill(process.pid, 'SIGKILL');
  }, checkMs);
});

afterEach(() => {
  Atomics.add(progress, 0, 1);
  clearInterval(timer);
});

function watchProcessorTime(): Int32Array {
  const numbers = new Int32Array(new SharedArrayBuffer(4));
  new Worker(new URL('watch-processor-time.ts', import.meta.url), { workerData: numbers }).unref();
  return numbers;
}
