// Polls only while a part of the state asks for it.

import type { Poller } from './polling.ts';
import type { AppState, Reaction } from './store.ts';

/**
 * Returns a reaction that runs the poller while `toKey` returns a key. Another key restarts it.
 *
 * @param toKey returns undefined to stop the poller.
 */
export function pollWhile(
  poller: Poller,
  toKey: (state: AppState) => string | undefined,
): Reaction {
  let key: string | undefined;
  return (_before, after) => {
    const next = toKey(after);
    if (next === key) return;
    key = next;
    if (next === undefined) poller.stop();
    else poller.start();
  };
}
