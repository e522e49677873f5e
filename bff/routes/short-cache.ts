// A cache that shares one pending request, and keeps its result for a short time.

/**
 * Creates a function that returns the cached value of a key, or the result of `load`. A failure rejects all pending calls, and is
 * not cached.
 *
 * @param clock epoch milliseconds.
 */
export function createShortCache<Value>(
  maxAgeMs: number,
  clock: () => number,
): (key: string, load: () => Promise<Value>) => Promise<Value> {
  const entries = new Map<string, { readonly value: Promise<Value>; expiresAt: number }>();

  return async (key, load) => {
    const now = clock();
    for (const [known, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(known);
    const cached = entries.get(key);
    if (cached) return cached.value;
    const entry = { value: load(), expiresAt: Infinity };
    entries.set(key, entry);
    try {
      return await entry.value;
    } catch (error) {
      entries.delete(key);
      throw error;
    } finally {
      entry.expiresAt = clock() + maxAgeMs;
    }
  };
}
