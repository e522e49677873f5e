// A page and a clock that tests control.

import type { PollingEnvironment } from '../../widget/app/polling.ts';

export type ManualPolling = ReturnType<typeof createManualPolling>;

export function createManualPolling() {
  let isHidden = false;
  let lastHandle = 0;
  const timers = new Map<number, () => void>();
  const listeners = new Set<() => void>();
  const delays: number[] = [];

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }

  const environment: PollingEnvironment = {
    setTimeout: (callback, ms) => {
      delays.push(ms);
      lastHandle += 1;
      timers.set(lastHandle, callback);
      return lastHandle;
    },
    clearTimeout: (handle) => timers.delete(handle),
    isHidden: () => isHidden,
    onVisibilityChange: (callback) => {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    random: () => 0.5,
  };

  return {
    environment,
    /** Number of active timers and listeners. */
    get waiting() {
      return timers.size;
    },
    get listeners() {
      return listeners.size;
    },
    /** The delay of each timer that was started, in milliseconds. */
    delays,
    /** Waits for operations in progress. */
    settle,
    /** Runs the oldest timer, and waits for its effects. */
    async tick() {
      const [oldest] = timers;
      if (oldest) {
        timers.delete(oldest[0]);
        oldest[1]();
      }
      await settle();
    },
    async setHidden(hidden: boolean) {
      isHidden = hidden;
      for (const listener of listeners) listener();
      await settle();
    },
  };
}
