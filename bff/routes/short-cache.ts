// A cache that shares one pending request, and keeps its result for a short time.

/**
 * Returns `load` with a cache for each list of arguments. A failure rejects all pending calls, and is not cached.
 *
 * @param clock epoch milliseconds.
 */
export function createShortCache<Args extends readonly string[], Value>(
  maxAgeMs: number,
  clock: () => number,
  load: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  const entries = new Map<string, { readonly value: Promise<Value>; expiresAt: number }>();

  return async (...args) => {
    const key = args.join(' ');
    const now = clock();
    for (const [known, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(known);
    const cached = entries.get(key);
    if (cached) return cached.value;
    const entry = { value: load(...args), expiresAt: Infinity };
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
