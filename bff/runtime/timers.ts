// Timers as a dependency, so that tests control time.

/** Calls `run` once after `ms` milliseconds. The returned function cancels the timer. */
export type StartTimer = (ms: number, run: () => void) => () => void;

/** The process can exit while this timer is pending. */
export const startUnrefTimer: StartTimer = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/** The process stays alive while this timer is pending. */
export const startKeepAliveTimer: StartTimer = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Resolves after `ms` milliseconds. */
export function delay(ms: number, startTimer: StartTimer): Promise<void> {
  return new Promise((resolve) => {
    startTimer(ms, resolve);
  });
}

/**
 * Resolves to the result of `start`, or to `late` after `ms` milliseconds, and then aborts the signal. Rejects with the error
 * of `start`.
 */
export async function withTimeout<Result, Late>(
  ms: number,
  startTimer: StartTimer,
  start: (signal: AbortSignal) => Result | Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  const controller = new AbortController();
  const { promise: timeout, resolve } = Promise.withResolvers<Late>();
  const cancel = startTimer(ms, () => {
    resolve(late);
    controller.abort();
  });
  try {
    return await Promise.race([start(controller.signal), timeout]);
  } finally {
    cancel();
  }
}
