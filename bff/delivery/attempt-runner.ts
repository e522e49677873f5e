// Runs one delivery attempt and records its result, retrying the write while the store is unavailable.

import type { StartTimer } from '../runtime/timers.ts';
import type { Claim } from '../store/store.ts';
import { attemptDelivery, type AttemptOptions } from './attempt.ts';
import { type DeliveryEvent, reportResult, toSubject } from './delivery-events.ts';
import { type DeliveryResult, retryLater } from './retry-policy.ts';

/** Delay between attempts to record a result. */
const recordRetryMs = 5_000;
/** After this long, the failure is treated as specific to the row, so that it stops blocking other deliveries. */
const maxStallMs = 60_000;

export interface AttemptRunnerOptions extends AttemptOptions {
  readonly startTimer: StartTimer;
  readonly leaseMs: number;
  readonly onEvent: (event: DeliveryEvent) => void;
}

/** A delivery in progress. */
export interface ActiveDelivery {
  /** Replaced when this worker claims the row again after its lease expired. The row is still sent only once. */
  claim: Claim;
}

export interface AttemptRunner {
  /** Sends the row. Resolves when the result is recorded, another worker owns the row, or `abandon()` was called. */
  run(delivery: ActiveDelivery): Promise<void>;
  /** True while the store rejects a result (for at most `maxStallMs` per delivery). */
  isStalled(): boolean;
  /** Stops recording results. Rows in progress stay `sending` and are recovered at the next start. */
  abandon(): void;
}

export function createAttemptRunner(options: AttemptRunnerOptions): AttemptRunner {
  const { store, startTimer, leaseMs, onEvent } = options;
  /** Functions that end the current delays. */
  const delays = new Set<() => void>();
  /** One entry per delivery whose result the store rejects, until `maxStallMs` have passed. */
  const stalls = new Set<() => void>();
  let isAbandoned = false;

  async function attempt(claim: Claim): Promise<DeliveryResult> {
    try {
      return await attemptDelivery(claim, options);
    } catch (error) {
      onEvent({ event: 'delivery-broken', ...toSubject(claim), error });
      // An attempt throws before it sends, or after an incomplete request, which the funding service cannot process.
      return retryLater(claim, { outcome: 'broken' }, options.random);
    }
  }

  /** Retries until the store responds, because the funding service reports an ApplicationID only once. */
  async function recordWithRetries(
    delivery: ActiveDelivery,
    result: DeliveryResult,
  ): Promise<boolean> {
    let endStall: (() => void) | undefined;
    try {
      for (;;) {
        if (isAbandoned) return false;
        try {
          return await record(delivery, result);
        } catch (error) {
          endStall ??= startStall();
          onEvent({ event: 'delivery-stalled', error });
        }
        await delay(recordRetryMs);
      }
    } finally {
      endStall?.();
    }
  }

  /** Returns false if another worker owns the row. The worker may replace the claim while the store is writing. */
  async function record(delivery: ActiveDelivery, result: DeliveryResult): Promise<boolean> {
    for (;;) {
      const { claim } = delivery;
      if (await store.recordResult(claim, result)) return true;
      if (delivery.claim === claim) return false;
    }
  }

  function startStall(): () => void {
    return startTracked(stalls, maxStallMs, () => undefined);
  }

  function delay(ms: number): Promise<void> {
    if (isAbandoned) return Promise.resolve();
    return new Promise((resolve) => {
      startTracked(delays, ms, resolve);
    });
  }

  /** Adds an entry that ends by itself after `ms`, or when it is called. */
  function startTracked(entries: Set<() => void>, ms: number, onEnd: () => void): () => void {
    const end = () => {
      cancel();
      entries.delete(end);
      onEnd();
    };
    const cancel = startTimer(ms, end);
    entries.add(end);
    return end;
  }

  /** Keeps other workers from claiming the row before its result is recorded. */
  function keepLease(delivery: ActiveDelivery): () => void {
    const intervalMs = leaseMs / 3;
    let cancel = startTimer(intervalMs, function extend() {
      if (isAbandoned) return;
      cancel = startTimer(intervalMs, extend);
      store.extendLease(delivery.claim, leaseMs).catch((error: unknown) => {
        onEvent({ event: 'delivery-stalled', error });
      });
    });
    return () => cancel();
  }

  return {
    async run(delivery) {
      if (isAbandoned) return;
      const stopExtending = keepLease(delivery);
      try {
        const result = await attempt(delivery.claim);
        if (await recordWithRetries(delivery, result)) {
          reportResult(delivery.claim, result, onEvent);
        }
      } finally {
        stopExtending();
      }
    },

    isStalled: () => stalls.size > 0,

    abandon() {
      isAbandoned = true;
      for (const end of delays) end();
    },
  };
}
