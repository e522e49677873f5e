// Keeps an answer for a few seconds, and lets everybody who asks meanwhile share the one question under way.

export interface ShortCache<Value> {
  /** A failure is handed to all who share it and is not kept. */
  ask(key: string, question: () => Promise<Value>): Promise<Value>;
}

interface Entry<Value> {
  readonly answer: Promise<Value>;
  /** Epoch milliseconds; set when the answer is there. */
  until: number;
}

/** @param clock epoch milliseconds. */
export function createShortCache<Value>(keepMs: number, clock: () => number): ShortCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  function dropOld(): void {
    const now = clock();
    for (const [key, { until }] of entries) {
      if (until <= now) entries.delete(key);
    }
  }

  return {
    async ask(key, question) {
      dropOld();
      const known = entries.get(key);
      if (known) return known.answer;
      const entry: Entry<Value> = { answer: question(), until: Infinity };
      entries.set(key, entry);
      try {
        return await entry.answer;
      } catch (error) {
        entries.delete(key);
        throw error;
      } finally {
        entry.until = clock() + keepMs;
      }
    },
  };
}
