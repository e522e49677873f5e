// Waits for an event of another process or of a page, in Node and in browsers.

import { waitLimitMs } from './time-limit.ts';

const intervalMs = 10;

/** @param what completes the message "… did not happen". Rejects with it if the event never happens. */
export async function waitUntil(isDone: () => unknown, what = 'The expected event'): Promise<void> {
  // Its stack names the wait that has failed.
  const error = new Error(`${what} did not happen`);
  const end = performance.now() + waitLimitMs;
  while (!(await isDone())) {
    if (performance.now() > end) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, intervalMs);
    });
  }
}
