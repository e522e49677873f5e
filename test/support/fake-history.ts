// A browser's session history without a browser: entries, and Back and Forward between them.

import type { HistoryEnvironment } from '../../widget/flow/history.ts';

export interface FakeHistory {
  readonly environment: HistoryEnvironment;
  /** The state of every entry. */
  readonly entries: readonly unknown[];
  readonly listeners: number;
  /** As the page itself would. */
  push(state: unknown): void;
  go(steps: number): void;
}

/** @param first what the page keeps in the entry that is there at the beginning. */
export function createFakeHistory(first: unknown = null): FakeHistory {
  let entries: unknown[] = [first];
  let current = 0;
  const listeners = new Set<() => void>();

  function push(state: unknown): void {
    current += 1;
    entries = [...entries.slice(0, current), structuredClone(state)];
  }

  function go(steps: number): void {
    const wanted = current + steps;
    if (wanted < 0 || wanted >= entries.length) return;
    current = wanted;
    for (const listener of listeners) listener();
  }

  return {
    environment: {
      read: () => entries[current],
      push,
      replace: (state) => {
        entries[current] = structuredClone(state);
      },
      back: () => go(-1),
      onTraverse: (callback) => {
        listeners.add(callback);
        return () => listeners.delete(callback);
      },
    },
    get entries() {
      return entries;
    },
    get listeners() {
      return listeners.size;
    },
    push,
    go,
  };
}
