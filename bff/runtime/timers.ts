// Timers as they are handed in, so that tests can move them.

/** Calls `run` once after `ms` milliseconds; the answer cancels it. */
export type StartTimer = (ms: number, run: () => void) => () => void;

/** Real ones, which do not keep the process alive: something else does, and what they are for may end with it. */
export const startUnrefTimer: StartTimer = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/** Real ones, for waits that nothing else keeps the process alive for: Node would end in the middle of them. */
export const startKeepAliveTimer: StartTimer = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Ends after `ms` milliseconds. */
export function delay(ms: number, startTimer: StartTimer): Promise<void> {
  return new Promise((resolve) => {
    startTimer(ms, resolve);
  });
}

/**
 * What is answered in time, or `late` after `ms` milliseconds; the signal is aborted then, since nobody waits any more.
 * Rejects with what `ask` throws.
 */
export async function withTimeout<Answer, Late>(
  ms: number,
  startTimer: StartTimer,
  ask: (signal: AbortSignal) => Answer | Promise<Answer>,
  late: Late,
): Promise<Answer | Late> {
  const patience = new AbortController();
  const { signal } = patience;
  const cancel = startTimer(ms, () => patience.abort());
  const tooLate = new Promise<Late>((resolve) => {
    signal.addEventListener('abort', () => resolve(late));
  });
  try {
    return await Promise.race([ask(signal), tooLate]);
  } finally {
    cancel();
  }
}
