// Keeps what happens ten thousand times from being written ten thousand times.

/**
 * @param clock epoch milliseconds.
 * @returns says how often a thing has happened since it was last told, this time included; `undefined` when it was told less
 * than `pauseMs` ago. The things have to be a closed list.
 */
export function createRarely<Thing extends string>(
  clock: () => number,
  pauseMs: number,
): (thing: Thing) => number | undefined {
  const told = new Map<Thing, { readonly at: number; readonly since: number }>();

  return function rarely(thing) {
    const now = clock();
    const last = told.get(thing);
    const count = (last?.since ?? 0) + 1;
    const isDue = last === undefined || now - last.at >= pauseMs;
    told.set(thing, isDue ? { at: now, since: 0 } : { at: last.at, since: count });
    return isDue ? count : undefined;
  };
}
