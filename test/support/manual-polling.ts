// A page and a clock that tests control.

import type { PollingEnvironment } from '../../widget/app/polling.ts';

export interface ManualPolling {
  readonly environment: PollingEnvironment;
  /** Number of active timers and listeners. */
  readonly waiting: number;
  readonly listeners: number;
  /** The delay of each timer that was started, in milliseconds. */
  readonly delays: readonly number[];
  /** Runs the oldest timer, and waits for its effects. */
  tick(): Promise<void>;
  /** Waits for operations in progress. */
  settle(): Promise<void>;
  setHidden(isHidden: boolean): Promise<void>;
}

export function createManualPolling(): ManualPolling {
  let isHidden = false;
  let lastHandle = 0;
  const timers = new Map<number, () => void>();
  const listeners = new Set<() => void>();
  const delays: number[] = [];

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }

  return {
    environment: {
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
    },
    get waiting() {
      return timers.size;
    },
    get listeners() {
      return listeners.size;
    },
    delays,
    settle,
    async tick() {
      const [oldest] = timers;
      if (oldest) {
        timers.delete(oldest[0]);
        oldest[1]();
      }
      await settle();
    },
    async setHidden(hidden) {
      isHidden = hidden;
      for (const listener of listeners) listener();
      await settle();
    },
  };
}
