// A browser's session history in memory: entries, Back, and Forward.

import type { HistoryEnvironment } from '../../widget/app/history.ts';

export interface FakeHistory {
  readonly environment: HistoryEnvironment;
  /** The state of each entry. */
  readonly entries: readonly unknown[];
  /** The state of the current entry. */
  readonly current: unknown;
  readonly listeners: number;
  /** Simulates a slow browser: Back completes when a test calls `arrive`, or never. */
  isSlow: boolean;
  arrive(): void;
  /** Drops the entries below the current one, as a browser does whose history is full. */
  dropBelow(): void;
  /** Lets the timeout for Back expire. */
  wait(): void;
  /** Pushes an entry, as the host page could. */
  push(state: unknown): void;
  go(steps: number): void;
}

/** @param first state of the first entry, set by the host page. */
export function createFakeHistory(first: unknown = null): FakeHistory {
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

  return {
    environment: {
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
      wait: (callback) => void waiting.push(callback),
      onTraverse: (callback) => {
        listeners.add(callback);
        return () => listeners.delete(callback);
      },
    },
    get entries() {
      return entries;
    },
    get current() {
      return entries[position];
    },
    get listeners() {
      return listeners.size;
    },
    get isSlow() {
      return isSlow;
    },
    set isSlow(slow) {
      isSlow = slow;
    },
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
    push,
    go,
  };
}
