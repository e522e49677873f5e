// Runs one delivery attempt, records its result, and reports it to the log. Retries the write while the store is unavailable.

import { scanFailures, type ScanFailure } from '../documents/clamd.ts';
import type { RefusalReason } from '../funding-service/failure-texts.ts';
import type { StartTimer } from '../runtime/timers.ts';
import type { AttemptResult, Claim, DeliveryKind, HeldReason } from '../store/store.ts';
import { attemptDelivery, type AttemptOptions, infectedOutcome } from './attempt.ts';
import { type DeliveryResult, getProgress, retryLater } from './retry-policy.ts';

/** Delay between attempts to record a result. */
const recordRetryMs = 5_000;
/** After this long, the failure is treated as specific to the row, so that it stops blocking other deliveries. */
const maxStallMs = 60_000;
/** Longer than any call of the funding service. The runner extends the lease during an attempt. */
export const leaseMs = 180_000;

/** The row that an event is about. An attachment has the reference of its application. */
interface Subject {
  readonly kind: DeliveryKind;
  readonly reference: string;
}

/** Events have no personal data and no texts of the funding service. */
export type DeliveryEvent =
  | (Subject & {
      readonly event: 'delivery-recorded';
      readonly state: AttemptResult['state'];
      readonly attempts: number;
    })
  /** A lead may exist under an unknown ApplicationID. An operator must find it. */
  | {
      readonly event: 'application-unconfirmed';
      readonly reference: string;
      /** False if no earlier attempt was uncertain, for example after an old store was restored. */
      readonly wasExpected: boolean;
    }
  /** The funding service refused a value that the applicant entered. The content is kept for `retention.rejectedDays`. */
  | (Subject & {
      readonly event: 'delivery-rejected';
      readonly reason: string | undefined;
      /** JSON Pointers into the application. */
      readonly fields: readonly string[] | undefined;
    })
  /** The funding service refused the row for a reason that an operator must fix. The row is sent again. */
  | (Subject & {
      readonly event: 'delivery-refused';
      readonly reason: RefusalReason;
      /** The lead field that the funding service named. */
      readonly field?: string | undefined;
    })
  /** The virus scanner found malware in a document. It was not sent. */
  | { readonly event: 'document-infected'; readonly reference: string }
  /** The virus scanner could not scan a document. It waits. */
  | {
      readonly event: 'document-unscanned';
      readonly reference: string;
      readonly reason: ScanFailure;
    }
  /** The row waits for an operator. Its content is kept. */
  | (Subject & {
      readonly event: 'delivery-held';
      readonly reason: HeldReason;
      readonly attempts: number;
      /** Code of the latest outcome, such as `unknown` or `partner-headers-missing`. */
      readonly outcome?: string | undefined;
    })
  /** The row arrived after uncertain attempts that may have arrived too. */
  | {
      readonly event: 'possible-duplicate';
      readonly kind: 'document' | 'bank-report';
      readonly reference: string;
      /** Maximum number of copies. */
      readonly copies: number;
    }
  /** A due row has invalid values. It is held now. */
  | {
      readonly event: 'row-unreadable';
      readonly kind: DeliveryKind;
      /** Id of the row. The id of an application is its reference. */
      readonly id: string;
    }
  /** The tracking URL of the funding service is not safe to show. */
  | { readonly event: 'tracking-url-refused'; readonly reference: string }
  /** An attempt threw because of an error on our side. The row is sent again. */
  | (Subject & { readonly event: 'delivery-broken'; readonly error: unknown })
  /** The store cannot be read or written. */
  | { readonly event: 'delivery-stalled'; readonly error: unknown };

export interface AttemptRunnerOptions extends AttemptOptions {
  readonly startTimer: StartTimer;
  readonly onEvent: (event: DeliveryEvent) => void;
}

/** A delivery in progress. */
export interface ActiveDelivery {
  /** Replaced when this worker claims the row again after its lease expired. The row is still sent only once. */
  claim: Claim;
}

export function createAttemptRunner(options: AttemptRunnerOptions) {
  const { store, startTimer, onEvent } = options;
  /** Deliveries whose result the store rejects, for at most `maxStallMs` each. */
  const stalled = new Set<ActiveDelivery>();
  /** Functions that end the current delays. */
  const delays = new Set<() => void>();
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
    let cancelTimer: (() => void) | undefined;
    try {
      for (;;) {
        if (isAbandoned) return false;
        try {
          return await record(delivery, result);
        } catch (error) {
          if (!cancelTimer) {
            stalled.add(delivery);
            cancelTimer = startTimer(maxStallMs, () => stalled.delete(delivery));
          }
          onEvent({ event: 'delivery-stalled', error });
        }
        await delay(recordRetryMs);
      }
    } finally {
      cancelTimer?.();
      stalled.delete(delivery);
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

  /** Ends early when the runner is abandoned. */
  function delay(ms: number): Promise<void> {
    if (isAbandoned) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = startTimer(ms, resolve);
    delays.add(resolve);
    return promise.finally(() => {
      cancel();
      delays.delete(resolve);
    });
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
    /** Sends the row. Resolves when the result is recorded, another worker owns the row, or `abandon()` was called. */
    async run(delivery: ActiveDelivery): Promise<void> {
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

    /** True while the store rejects a result (for at most `maxStallMs` per delivery). */
    isStalled: () => stalled.size > 0,

    /** Stops recording results. Rows in progress stay `sending` and are recovered at the next start. */
    abandon() {
      isAbandoned = true;
      for (const end of delays) end();
    },
  };
}

/** Reports a recorded result. */
function reportResult(
  claim: Claim,
  result: DeliveryResult,
  onEvent: (event: DeliveryEvent) => void,
): void {
  const { attempts, uncertainAttempts } = getProgress(claim);
  const subject = toSubject(claim);
  const { kind, reference } = subject;
  const { state } = result;
  onEvent({ event: 'delivery-recorded', ...subject, state, attempts });
  const outcome = 'outcome' in result ? result.outcome : undefined;
  const scanFailure = scanFailures.find((failure) => failure === outcome);
  if (scanFailure) onEvent({ event: 'document-unscanned', reference, reason: scanFailure });
  switch (state) {
    case 'accepted':
      if (result.isTrackingUrlRefused) onEvent({ event: 'tracking-url-refused', reference });
      if (uncertainAttempts > 0 && (kind === 'document' || kind === 'bank-report')) {
        onEvent({ event: 'possible-duplicate', kind, reference, copies: uncertainAttempts + 1 });
      }
      return;
    case 'waiting':
      if (result.refusal) {
        const { reason, field } = result.refusal;
        onEvent({ event: 'delivery-refused', ...subject, reason, field });
      }
      return;
    case 'held':
      onEvent({ event: 'delivery-held', ...subject, reason: result.reason, attempts, outcome });
      return;
    case 'unconfirmed':
      onEvent({ event: 'application-unconfirmed', reference, wasExpected: uncertainAttempts > 0 });
      return;
    case 'rejected': {
      if (outcome === infectedOutcome) {
        onEvent({ event: 'document-infected', reference });
        return;
      }
      const fields = result.errors?.map(({ pointer }) => pointer);
      onEvent({ event: 'delivery-rejected', ...subject, reason: outcome, fields });
    }
  }
}

function toSubject(claim: Claim): Subject {
  return { kind: claim.kind, reference: claim.application.id };
}
