// A clock and timers that only the test advances.

import type { StartTimer } from '../../bff/runtime/timers.ts';
import { waitLimitMs } from './time-limit.ts';

export const testNow = Date.parse('2026-11-20T10:00:00.000Z');

export type ManualTime = ReturnType<typeof createManualTime>;

export function createManualTime(start: number = testNow) {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let now = start;

  function findNext(until: number) {
    return [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  }

  return {
    /** Epoch milliseconds. */
    clock: () => now,
    startTimer: ((ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    }) satisfies StartTimer,
    /** Advances the clock, and runs the timers that expire, in order. */
    advance(ms: number) {
      const end = now + ms;
      for (let next = findNext(end); next; next = findNext(end)) {
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
    /** Milliseconds until each active timer expires, ascending. */
    listTimers: () => [...timers].map(({ at }) => at - now).sort((a, b) => a - b),
  };
}

/** Runs pending work, without advancing the clock, until `isDone`. */
export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + waitLimitMs;
  while (performance.now() < end) {
    if (await isDone()) return;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  throw new Error('The condition was not met');
}
