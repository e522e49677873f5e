// A thread that ends the process when one test uses too much processor time: an endless loop stops every timer of its own thread.
import { workerData } from 'node:worker_threads';

const maxProcessorSeconds = 20;

/** The first number changes when a test starts or ends. */
const progress = workerData as Int32Array;
let last = progress[0];
let start = process.cpuUsage();

setInterval(() => {
  const { user, system } = process.cpuUsage(start);
  if (progress[0] !== last) {
    last = progress[0];
    start = process.cpuUsage();
  } else if (user + system > maxProcessorSeconds * 1_000_000) {
    process.kill(process.pid, 'SIGKILL');
  }
}, 1_000);
