// Limits how often the log contains an event that anybody can trigger, so that an attack cannot fill the disk.

import type { BaseEvent, Log } from './log.ts';

/** @param kind one of a closed list. @param toEvent gets the number of events of this kind since the last one in the log. */
export type RateLimitedLog<Event extends BaseEvent> = (
  kind: string,
  toEvent: (count: number) => Event,
) => void;

/** An event for refused requests. `refused` is the number of refusals since the previous event with this reason. */
export interface RefusalEvent<Name extends string, Reason extends string> {
  readonly event: Name;
  readonly requestId: string;
  readonly reason: Reason;
  readonly refused: number;
}

/** Logs the first event of a kind, and then at most one per interval. @param clock epoch milliseconds. */
export function createRateLimitedLog<Event extends BaseEvent>(
  log: Log<Event>,
  clock: () => number,
  intervalMs: number,
): RateLimitedLog<Event> {
  const kinds = new Map<string, { readonly loggedAt: number; readonly skipped: number }>();

  return function logRateLimited(kind, toEvent) {
    const now = clock();
    const { loggedAt = -Infinity, skipped = 0 } = kinds.get(kind) ?? {};
    const wasClockSetBack = now < loggedAt;
    if (now - loggedAt < intervalMs && !wasClockSetBack) {
      kinds.set(kind, { loggedAt, skipped: skipped + 1 });
      return;
    }
    kinds.set(kind, { loggedAt: now, skipped: 0 });
    log(toEvent(skipped + 1));
  };
}
