// Carries one claim from its attempt to its recorded end, however long the journal refuses to take it.

import type { After } from '../after.ts';
import { attemptDelivery, toBrokenSettlement, type AttemptOptions } from './attempt.ts';
import { reportSettlement, toSubject, type DeliveryEvent } from './delivery-events.ts';
import type { Claim, Settlement } from './journal.ts';

/** Between two tries to record a result. */
const retryMs = 5_000;

export interface RecorderOptions extends AttemptOptions {
  readonly after: After;
  readonly leaseMs: number;
  readonly onEvent: (event: DeliveryEvent) => void;
}

export interface Recorder {
  /** Attempts the claim; resolves once its result is recorded, another claim has taken it over, or it was given up. */
  deliver(claim: Claim): Promise<void>;
  /** Whether the journal refuses a result just now. Until it is taken, its row might be claimed and sent again. */
  isStalled(): boolean;
  /** Records nothing from now on and tries nothing again. */
  giveUp(): void;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { journal, after, leaseMs, onEvent } = options;
  /** Ends of the pauses under way. */
  const pauses = new Set<() => void>();
  let unrecorded = 0;
  let hasGivenUp = false;

  async function attempt(claim: Claim): Promise<Settlement> {
    try {
      return await attemptDelivery(claim, options);
    } catch (error) {
      // Whatever it is: one broken row must not keep the others from being delivered.
      onEvent({ event: 'delivery-broken', ...toSubject(claim), error });
      return toBrokenSettlement(claim, options);
    }
  }

  /** False when it was not taken. The service tells an ApplicationID once only, so a result is held until the journal takes it. */
  async function record(claim: Claim, settlement: Settlement): Promise<boolean> {
    let isRefused = false;
    try {
      for (;;) {
        if (hasGivenUp) return false;
        try {
          return await journal.settle(claim, settlement);
        } catch (error) {
          if (!isRefused) unrecorded += 1;
          isRefused = true;
          onEvent({ event: 'delivery-stalled', error });
        }
        await pause(retryMs);
      }
    } finally {
      if (isRefused) unrecorded -= 1;
    }
  }

  function pause(ms: number): Promise<void> {
    if (hasGivenUp) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = after(ms, end);
      pauses.add(end);
    });
  }

  /** So that nothing else claims the row before its result is recorded. */
  function extendLease(claim: Claim): () => void {
    const extendAfterMs = leaseMs / 3;
    let cancel = after(extendAfterMs, function extend() {
      if (hasGivenUp) return;
      cancel = after(extendAfterMs, extend);
      journal.extendLease(claim, leaseMs).catch((error: unknown) => {
        onEvent({ event: 'delivery-stalled', error });
      });
    });
    return () => cancel();
  }

  return {
    async deliver(claim) {
      if (hasGivenUp) return;
      const stopExtending = extendLease(claim);
      try {
        const settlement = await attempt(claim);
        if (await record(claim, settlement)) reportSettlement(claim, settlement, onEvent);
      } finally {
        stopExtending();
      }
    },

    isStalled: () => unrecorded > 0,

    giveUp() {
      hasGivenUp = true;
      for (const end of pauses) end();
    },
  };
}
