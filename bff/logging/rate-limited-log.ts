// Keeps what happens ten thousand times from being written ten thousand times.

import type { BaseEvent, Log } from './log.ts';

/** @param kind of a closed list; @param toEvent is told how many there were since the last line, this one included. */
export type RateLimitedLog<Event extends BaseEvent> = (
  kind: string,
  toEvent: (count: number) => Event,
) => void;

/** Writes the first of a kind at once, then one within `pauseMs`. */
export function createRateLimitedLog<Event extends BaseEvent>(
  log: Log<Event>,
  clock: () => number,
  pauseMs: number,
): RateLimitedLog<Event> {
  const rarely = createRarely<string>(clock, pauseMs);
  return function logRateLimited(kind, toEvent) {
    const count = rarely(kind);
    if (count !== undefined) log(toEvent(count));
  };
}

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
    // Before the last time: the clock was set back.
    const isDue = last === undefined || now - last.at >= pauseMs || now < last.at;
    told.set(thing, isDue ? { at: now, since: 0 } : { at: last.at, since: count });
    return isDue ? count : undefined;
  };
}
