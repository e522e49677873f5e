// A browser's session history in memory: entries, Back, and Forward.

import type { HistoryEnvironment } from '../../widget/app/history.ts';

export type FakeHistory = ReturnType<typeof createFakeHistory>;

/** @param first state of the first entry, set by the host page. */
export function createFakeHistory(first: unknown = null) {
  let entries: unknown[] = [first];
  let position = 0;
  let isSlow = false;
  let backs = 0;
  let waiting: (() => void)[] = [];
  const listeners = new Set<() => void>();

  function push(state: unknown): void {
    position += 1;
    entries = [...entries.slice(0, position), structuredClone(state)];
  }

  function go(steps: number): void {
    const wanted = position + steps;
    if (wanted < 0 || wanted >= entries.length) return;
    position = wanted;
    for (const listener of listeners) listener();
  }

  const environment: HistoryEnvironment = {
    read: () => entries[position],
    push,
    replace: (state) => {
      entries[position] = structuredClone(state);
    },
    back: () => {
      if (position === 0) return false;
      if (isSlow) backs += 1;
      else go(-1);
      return true;
    },
    /** Lets the timeout for Back expire. */
    wait: (callback) => void waiting.push(callback),
    onTraverse: (callback) => {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
  };

  return {
    environment,
    /** The state of each entry. */
    get entries() {
      return entries;
    },
    /** The state of the current entry. */
    get current() {
      return entries[position];
    },
    get listeners() {
      return listeners.size;
    },
    /** Simulates a slow browser: Back completes when a test calls `arrive`, or never. */
    get isSlow() {
      return isSlow;
    },
    set isSlow(slow) {
      isSlow = slow;
    },
    /** Drops the entries below the current one, as a browser does whose history is full. */
    dropBelow() {
      entries.splice(0, position);
      position = 0;
    },
    arrive() {
      const steps = backs;
      backs = 0;
      if (steps > 0) go(-steps);
    },
    wait() {
      const due = waiting;
      waiting = [];
      for (const callback of due) callback();
    },
    /** Pushes an entry, as the host page could. */
    push,
    go,
  };
}
