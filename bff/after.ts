// Timers as they are handed in, so that tests can move them.

/** Calls `run` once after `ms` milliseconds; the answer cancels it. */
export type After = (ms: number, run: () => void) => () => void;

/** Real ones, which do not keep the process alive: something else does, and what they are for may end with it. */
export const afterOnTimer: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/** Real ones, for waits that nothing else keeps the process alive for: Node would end in the middle of them. */
export const afterKeepingAlive: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Ends after `ms` milliseconds. */
export function passing(ms: number, after: After): Promise<void> {
  return new Promise((resolve) => {
    after(ms, resolve);
  });
}
