// Timers as they are handed in, so that tests can move them.

/** Calls `run` once after `ms` milliseconds; the answer cancels it. */
export type After = (ms: number, run: () => void) => () => void;

/** Real ones, which do not keep the process alive. */
export const afterOnTimer: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};
