// Carries one claim from its attempt to its recorded end, however long the store refuses to take it.

import type { StartTimer } from '../runtime/timers.ts';
import { attemptDelivery, toBrokenResult, type AttemptOptions } from './attempt.ts';
import { reportResult, toSubject, type DeliveryEvent } from './delivery-events.ts';
import type { DeliveryResult } from './retry-policy.ts';
import type { Claim } from '../store/store.ts';

/** Between two tries to record a result. */
const retryMs = 5_000;
/** What is refused for longer is taken for a fault of that row, which must not keep the others from being delivered. */
const longestStallMs = 60_000;

export interface RecorderOptions extends AttemptOptions {
  readonly startTimer: StartTimer;
  readonly leaseMs: number;
  readonly onEvent: (event: DeliveryEvent) => void;
}

/** What is being delivered, and by which right. */
export interface Carried {
  /** May be replaced at any time by the same row under a later claim; it is attempted once all the same. */
  claim: Claim;
}

export interface Recorder {
  /** Attempts the claim; resolves once its result is recorded, another process has taken it over, or it was given up. */
  deliver(carried: Carried): Promise<void>;
  /** Whether the store refuses a result, and has not done so for longer than a minute. */
  isStalled(): boolean;
  /** Records nothing from now on and tries nothing again. */
  giveUp(): void;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { store, startTimer, leaseMs, onEvent } = options;
  /** Ends of the pauses under way. */
  const pauses = new Set<() => void>();
  /** One for each result that is refused, in its first minute. */
  const stalls = new Set<() => void>();
  let hasGivenUp = false;

  async function attempt(claim: Claim): Promise<DeliveryResult> {
    try {
      return await attemptDelivery(claim, options);
    } catch (error) {
      // Whatever it is: one broken row must not keep the others from being delivered.
      onEvent({ event: 'delivery-broken', ...toSubject(claim), error });
      return toBrokenResult(claim, options);
    }
  }

  /** False when it was not taken. The service tells an ApplicationID once only, so a result is held until the store takes it. */
  async function record(carried: Carried, result: DeliveryResult): Promise<boolean> {
    let endStall: (() => void) | undefined;
    try {
      for (;;) {
        if (hasGivenUp) return false;
        try {
          return await recordResult(carried, result);
        } catch (error) {
          endStall ??= beginStall();
          onEvent({ event: 'delivery-stalled', error });
        }
        await pause(retryMs);
      }
    } finally {
      endStall?.();
    }
  }

  /** False only when the latest claim was taken over: a later one of ours may arrive while the store still answers. */
  async function recordResult(carried: Carried, result: DeliveryResult): Promise<boolean> {
    for (;;) {
      const { claim } = carried;
      if (await store.recordResult(claim, result)) return true;
      if (carried.claim === claim) return false;
    }
  }

  function beginStall(): () => void {
    const end = () => {
      cancel();
      stalls.delete(end);
    };
    const cancel = startTimer(longestStallMs, end);
    stalls.add(end);
    return end;
  }

  function pause(ms: number): Promise<void> {
    if (hasGivenUp) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = startTimer(ms, end);
      pauses.add(end);
    });
  }

  /** So that nothing else claims the row before its result is recorded. */
  function extendLease(carried: Carried): () => void {
    const extendAfterMs = leaseMs / 3;
    let cancel = startTimer(extendAfterMs, function extend() {
      if (hasGivenUp) return;
      cancel = startTimer(extendAfterMs, extend);
      store.extendLease(carried.claim, leaseMs).catch((error: unknown) => {
        onEvent({ event: 'delivery-stalled', error });
      });
    });
    return () => cancel();
  }

  return {
    async deliver(carried) {
      if (hasGivenUp) return;
      const stopExtending = extendLease(carried);
      try {
        const result = await attempt(carried.claim);
        if (await record(carried, result)) {
          reportResult(carried.claim, result, onEvent);
        }
      } finally {
        stopExtending();
      }
    },

    isStalled: () => stalls.size > 0,

    giveUp() {
      hasGivenUp = true;
      for (const end of pauses) end();
    },
  };
}
