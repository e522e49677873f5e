// Erases what need not be kept any longer, every few minutes, and makes the disk forget what was erased.

import type { StartTimer } from '../runtime/timers.ts';
import type { ClaimStore, RetentionPolicy, RetentionStore } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** An hour longer than a session lives, so that nobody is just using what is taken away. */
const abandonedMs = 25 * 60 * 60 * 1000;

/** Not at once, where a start has more urgent work. */
const firstPurgeMs = 30_000;
const purgeEveryMs = 10 * 60_000;
/** What is erased within this time is overwritten together. */
const scrubAfterMs = 10_000;
/** Where several processes ask for it, and it costs more: a vacuum of whole tables. */
const sharedScrubAfterMs = 60_000;

/** What the loop tells the operator's log. */
export type RetentionEvent =
  | { readonly event: 'purged'; readonly rows: number }
  /** An application that the service never confirmed, or something sent after it, is gone for good. */
  | { readonly event: 'undelivered-erased'; readonly reference: string }
  | { readonly event: 'retention-failed'; readonly error: unknown };

export interface RetentionWorkerOptions {
  readonly store: RetentionStore & Pick<ClaimStore, 'isShared'>;
  readonly policy: RetentionPolicy;
  readonly startTimer: StartTimer;
  /** 0 to 1, below 1; several processes then do not purge at the same moment. */
  readonly random: () => number;
  readonly onEvent: (event: RetentionEvent) => void;
}

export interface RetentionWorker {
  /** Purges soon, and then every ten minutes. */
  start(): void;
  /** Begins nothing any more; resolves when a purge under way has ended. */
  stop(): Promise<void>;
  /** Purges now, also without `start`; resolves when that has ended, also when it failed. */
  run(): Promise<void>;
  /** Something was erased by others: once started, the disk is made to forget it a little later. */
  scheduleScrub(): void;
}

/** One loop a process; any number of processes may run it on one store. */
export function createRetentionWorker(options: RetentionWorkerOptions): RetentionWorker {
  const { store, policy, startTimer, random, onEvent } = options;
  let isStarted = false;
  let purging: Promise<void> = Promise.resolve();
  let cancelPurge: () => void = () => undefined;
  let cancelScrub: (() => void) | undefined;

  function run(): Promise<void> {
    purging = purging.then(purge).catch(fail);
    return purging;
  }

  async function purge(): Promise<void> {
    const { rows, undelivered } = await store.purge(policy);
    for (const reference of undelivered) onEvent({ event: 'undelivered-erased', reference });
    if (rows > 0) onEvent({ event: 'purged', rows });
    // Always: the pieces of a file that was there already are dropped without a word.
    void scrub();
  }

  /** Nobody waits for it: on a large shared database it takes its time, and what it did not do, the next one does. */
  async function scrub(): Promise<void> {
    try {
      if (!(await store.scrub())) scheduleScrub();
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    onEvent({ event: 'retention-failed', error });
    scheduleScrub();
  }

  function scheduleScrub(): void {
    if (!isStarted) return;
    cancelScrub ??= startTimer(store.isShared ? sharedScrubAfterMs : scrubAfterMs, () => {
      cancelScrub = undefined;
      void scrub();
    });
  }

  function purgeIn(ms: number): void {
    cancelPurge = startTimer(ms * (0.9 + random() / 5), () => {
      void run().then(() => {
        if (isStarted) purgeIn(purgeEveryMs);
      });
    });
  }

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      purgeIn(firstPurgeMs);
    },

    async stop() {
      isStarted = false;
      cancelPurge();
      cancelScrub?.();
      cancelScrub = undefined;
      await purging;
    },

    run,
    scheduleScrub,
  };
}

/** The partner's choice in days as the store takes it. */
export function toRetentionPolicy(days: {
  readonly recordDays: number;
  readonly undeliveredDays: number;
  readonly rejectedDays: number;
  readonly evidenceDays: number;
}): RetentionPolicy {
  return {
    recordMs: days.recordDays * dayMs,
    undeliveredMs: days.undeliveredDays * dayMs,
    rejectedMs: days.rejectedDays * dayMs,
    evidenceMs: days.evidenceDays * dayMs,
    abandonedMs,
  };
}
