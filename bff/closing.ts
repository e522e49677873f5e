// Ends what runs behind the app in order, and within a time that is told, whatever does not answer any more.

import type { After } from './after.ts';
import type { Delivery } from './journal/delivery.ts';
import type { Retention } from './journal/retention-loop.ts';

/** For writing down how the aborted calls ended, and again for closing the journal. */
const recordMs = 5_000;

export interface ClosingParts {
  readonly delivery: Delivery;
  readonly retention: Retention;
  /** With what is kept beside it. */
  readonly journal: { close(): Promise<unknown> };
  readonly abortCalls: () => void;
  readonly after: After;
}

/** `unrecorded`: the journal did not take everything in time; what it does not know is found as uncertain at the next start. */
export type Closed = 'recorded' | 'unrecorded';

/**
 * Claims nothing any more, waits up to `deadlineMs` for the calls under way, aborts what is left, has it recorded, and closes
 * the journal. Never throws, and answers at the latest 10 s after the deadline.
 */
export async function closeInOrder(parts: ClosingParts, deadlineMs: number): Promise<Closed> {
  const { delivery, retention, journal, abortCalls, after } = parts;
  const giveUp = new AbortController();
  const stopped = Promise.all([delivery.stop(giveUp.signal), retention.stop()]);
  let isRecorded = await isDoneWithin(deadlineMs, stopped, after);
  if (!isRecorded) {
    abortCalls();
    isRecorded = await isDoneWithin(recordMs, stopped, after);
  }
  // Whatever still tries to record would try for ever on a closed journal.
  giveUp.abort();
  const isClosed = await isDoneWithin(recordMs, journal.close(), after);
  return isRecorded && isClosed ? 'recorded' : 'unrecorded';
}

/** False also when it fails: then it will not be done later either. */
function isDoneWithin(ms: number, work: Promise<unknown>, after: After): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = after(ms, () => resolve(false));
    work
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(cancel);
  });
}
