// Waits for other processes, with a limit, so that a test fails with the reason instead of hanging.

import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMs = 60_000;
const intervalMs = 20;

/** @param what completes the message "… did not happen within 60 s". */
export async function waitUntil(
  isDone: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`${what} did not happen within 60 s`);
    await sleep(intervalMs);
  }
}
