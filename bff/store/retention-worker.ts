// Purges the store every few minutes, and scrubs erased data from the disk.

import type { StartTimer } from '../runtime/timers.ts';
import type { ClaimStore, RetentionPolicy, RetentionStore } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** An hour longer than a session lives. */
const abandonedMs = 25 * 60 * 60 * 1000;

const firstPurgeMs = 30_000;
const purgeEveryMs = 10 * 60_000;
/** Erasures within this time are scrubbed together. */
const scrubDelayMs = 10_000;
/** On a shared database every process scrubs, and a scrub is a vacuum of whole tables. */
const sharedScrubDelayMs = 60_000;

export type RetentionEvent =
  | { readonly event: 'purged'; readonly rows: number }
  /** An application, or an attachment of it, was erased undelivered. */
  | { readonly event: 'undelivered-erased'; readonly reference: string }
  | { readonly event: 'retention-failed'; readonly error: unknown };

export interface RetentionWorkerOptions {
  readonly store: RetentionStore & Pick<ClaimStore, 'isShared'>;
  readonly policy: RetentionPolicy;
  readonly startTimer: StartTimer;
  /** Returns 0 to 1, exclusive. Spreads the purges of several processes. */
  readonly random: () => number;
  readonly onEvent: (event: RetentionEvent) => void;
}

export interface RetentionWorker {
  /** Purges after 30 seconds, then every ten minutes. */
  start(): void;
  /** Resolves when a purge in progress has ended. */
  stop(): Promise<void>;
  /** Call after data was erased. Does nothing before `start`. */
  scheduleScrub(): void;
}

/** Runs once per process. Several processes may share a store. */
export function createRetentionWorker(options: RetentionWorkerOptions): RetentionWorker {
  const { store, policy, startTimer, random, onEvent } = options;
  let isStarted = false;
  let purging: Promise<void> = Promise.resolve();
  let cancelPurge: () => void = () => undefined;
  let cancelScrub: (() => void) | undefined;

  async function purge(): Promise<void> {
    try {
      const { rows, undelivered } = await store.purge(policy);
      for (const reference of undelivered) onEvent({ event: 'undelivered-erased', reference });
      if (rows > 0) onEvent({ event: 'purged', rows });
      // Always, because discarded uploads do not call `scheduleScrub`. Not awaited, because a vacuum can take long.
      void scrub();
    } catch (error) {
      fail(error);
    }
  }

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
    cancelScrub ??= startTimer(store.isShared ? sharedScrubDelayMs : scrubDelayMs, () => {
      cancelScrub = undefined;
      void scrub();
    });
  }

  function schedulePurge(delayMs: number): void {
    cancelPurge = startTimer(delayMs * (0.9 + random() / 5), () => {
      purging = purge().then(() => {
        if (isStarted) schedulePurge(purgeEveryMs);
      });
    });
  }

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      schedulePurge(firstPurgeMs);
    },

    async stop() {
      isStarted = false;
      cancelPurge();
      cancelScrub?.();
      cancelScrub = undefined;
      await purging;
    },

    scheduleScrub,
  };
}

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
