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
  /** Oldest first. */
  const entries = new Map<string, { readonly value: Promise<Value>; expiresAt: number }>();

  /** Ends at the first entry that is still valid, because a look at all entries would cost more with each applicant. */
  function removeExpired(now: number): void {
    for (const [key, { expiresAt }] of entries) {
      if (expiresAt > now) return;
      entries.delete(key);
    }
  }

  return async (...args) => {
    const key = args.join(' ');
    const now = clock();
    removeExpired(now);
    const cached = entries.get(key);
    if (cached && cached.expiresAt > now) return cached.value;
    // A new entry comes last. `set` alone would leave it at the place of the old one.
    entries.delete(key);
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
