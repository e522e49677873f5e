// Ends a test that waits for something that never happens. A time limit would depend on how busy the machine is.
import { eventLoopUtilization } from 'node:perf_hooks';
import { afterEach, beforeEach } from 'vitest';

const checkMs = 1_000;
const maxIdleChecks = 15;

let timer: NodeJS.Timeout | undefined;

beforeEach(() => {
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
  clearInterval(timer);
});
