// The loop that brings what the journal holds to the funding service, whatever happens in between.

import type { Rejection } from '../funding-service/funding-service.ts';
import { attemptDelivery, toBrokenSettlement, type AttemptOptions } from './attempt.ts';
import type { ApplicationState, Claim, ChildState, Settlement } from './journal.ts';

/** Longer than one call can take with a renewed token; extended while a call runs. */
const leaseMs = 180_000;
const extendAfterMs = 60_000;
/** After the journal itself failed. */
const stallMs = 5_000;
/** Never sleeps longer than this, so that a clock that was set back does no harm. */
const longestSleepMs = 60_000;

/** Calls `run` once after `ms` milliseconds; the answer cancels it. */
export type After = (ms: number, run: () => void) => () => void;

export type DeliveryEvent =
  | {
      readonly event: 'delivery-recorded';
      readonly kind: Claim['kind'];
      readonly reference: string;
      readonly state: Settlement['state'];
      readonly attempts: number;
    }
  /** A lead may exist under an ApplicationID we do not know; somebody has to find out. */
  | {
      readonly event: 'lead-unconfirmed';
      readonly reference: string;
      /** False: the ID was refused as used although no attempt was left in doubt, as after restoring an old journal. */
      readonly wasExpected: boolean;
    }
  /** The service refused something that is ours to mend, not the applicant's; the row waits and is tried again. */
  | {
      readonly event: 'delivery-refused';
      readonly kind: Claim['kind'];
      readonly reference: string;
      readonly reason: Rejection['reason'];
      /** The service's own name of a field. */
      readonly field?: string | undefined;
    }
  /** An attempt threw: a fault of ours. */
  | {
      readonly event: 'delivery-broken';
      readonly kind: Claim['kind'];
      readonly reference: string;
      readonly error: unknown;
    }
  /** The journal cannot be read or written. */
  | { readonly event: 'delivery-stalled'; readonly error: unknown };

export interface DeliveryOptions extends AttemptOptions {
  readonly after: After;
  /** Calls at the same time; default 8. */
  readonly maxConcurrent?: number;
  readonly onEvent: (event: DeliveryEvent) => void;
}

/** Which row somebody waits for. */
export interface Awaited {
  readonly table: 'application' | 'child';
  readonly id: string;
}

export interface Delivery {
  /** Takes over what an ended process left, then delivers until `stop`. */
  start(): Promise<void>;
  /** Claims nothing any more; resolves when the calls under way are recorded. */
  stop(): Promise<void>;
  /** Something new is due. */
  wake(): void;
  /** Delivers everything that is due now and waits for it, also without `start`. */
  runDue(): Promise<void>;
  /** Resolves once the row has been tried and the result recorded, at the latest after `timeoutMs`. */
  waitForResult(row: Awaited, timeoutMs: number): Promise<void>;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { journal, clock, after, onEvent, maxConcurrent = 8 } = options;
  const inFlight = new Set<Promise<void>>();
  const waiting = new Map<string, Set<() => void>>();
  let isStarted = false;
  let isWoken = false;
  let pumping: Promise<void> | undefined;
  let cancelTimer: () => void = () => undefined;

  async function deliver(claim: Claim): Promise<void> {
    const stopExtending = extendWhileRunning(claim);
    const settlement = await attempt(claim);
    stopExtending();
    const isRecorded = await journal.settle(claim, settlement);
    if (isRecorded) report(claim, settlement, onEvent);
    for (const resolve of waiting.get(toKey(toAwaited(claim))) ?? []) resolve();
  }

  async function attempt(claim: Claim): Promise<Settlement> {
    try {
      return await attemptDelivery(claim, options);
    } catch (error) {
      // Whatever it is: one broken row must not keep the others from being delivered.
      onEvent({ event: 'delivery-broken', ...toSubject(claim), error });
      return toBrokenSettlement(claim, options);
    }
  }

  function extendWhileRunning(claim: Claim): () => void {
    let cancel = after(extendAfterMs, function extend() {
      cancel = after(extendAfterMs, extend);
      journal.extendLease(claim, clock() + leaseMs).catch(stall);
    });
    return () => cancel();
  }

  function launch(claim: Claim): void {
    const running = deliver(claim)
      .catch(stall)
      .finally(() => {
        inFlight.delete(running);
        wake();
      });
    inFlight.add(running);
  }

  /** Fills the free slots; false when nothing was due. */
  async function claimDue(mayClaim: () => boolean): Promise<boolean> {
    let hasClaimed = false;
    while (mayClaim() && inFlight.size < maxConcurrent) {
      const now = clock();
      const claim = await journal.claimDue(now, now + leaseMs);
      if (claim === undefined) break;
      launch(claim);
      hasClaimed = true;
    }
    return hasClaimed;
  }

  async function pump(): Promise<void> {
    for (;;) {
      isWoken = false;
      await claimDue(() => isStarted);
      await sleepUntilDue();
      if (!isWoken || !isStarted) return;
    }
  }

  async function sleepUntilDue(): Promise<void> {
    const nextDue = await journal.findNextDue();
    cancelTimer();
    // With every slot taken, the end of a call wakes the loop.
    if (!isStarted || nextDue === undefined || inFlight.size >= maxConcurrent) return;
    cancelTimer = after(Math.min(Math.max(nextDue - clock(), 0), longestSleepMs), wake);
  }

  function wake(): void {
    isWoken = true;
    if (!isStarted) return;
    pumping ??= pump()
      .catch(stall)
      .finally(() => {
        pumping = undefined;
      });
  }

  function stall(error: unknown): void {
    onEvent({ event: 'delivery-stalled', error });
    cancelTimer();
    if (isStarted) cancelTimer = after(stallMs, wake);
  }

  async function isPending({ table, id }: Awaited): Promise<boolean> {
    const row = await (table === 'application'
      ? journal.findApplication(id)
      : journal.findChild(id));
    const pending: readonly (ApplicationState | ChildState)[] = ['received', 'sending'];
    return row !== undefined && pending.includes(row.state);
  }

  return {
    async start() {
      await journal.recover();
      isStarted = true;
      wake();
    },

    async stop() {
      isStarted = false;
      await pumping;
      cancelTimer();
      while (inFlight.size > 0) await Promise.all(inFlight);
    },

    wake,

    async runDue() {
      while ((await claimDue(() => true)) || inFlight.size > 0) await Promise.all(inFlight);
    },

    async waitForResult(row, timeoutMs) {
      const key = toKey(row);
      const waiters = waiting.get(key) ?? new Set();
      waiting.set(key, waiters);
      let release: () => void = () => undefined;
      const result = new Promise<void>((resolve) => {
        release = resolve;
      });
      waiters.add(release);
      const cancelTimeout = after(timeoutMs, release);
      // Looked up only now: a result recorded before would never be told.
      if (await isPending(row)) await result;
      cancelTimeout();
      waiters.delete(release);
      if (waiters.size === 0) waiting.delete(key);
    },
  };
}

function report(
  claim: Claim,
  settlement: Settlement,
  onEvent: (event: DeliveryEvent) => void,
): void {
  const { attempts } = claim.kind === 'application' ? claim.application : claim.child;
  const subject = toSubject(claim);
  onEvent({ event: 'delivery-recorded', ...subject, state: settlement.state, attempts });
  if (settlement.state === 'waiting' && settlement.fault) {
    const { reason, field } = settlement.fault;
    onEvent({ event: 'delivery-refused', ...subject, reason, field });
  }
  if (settlement.state === 'unconfirmed') {
    const wasExpected = claim.application.uncertainAttempts > 0;
    onEvent({ event: 'lead-unconfirmed', reference: subject.reference, wasExpected });
  }
}

function toSubject(claim: Claim): { readonly kind: Claim['kind']; readonly reference: string } {
  return { kind: claim.kind, reference: claim.application.id };
}

function toAwaited(claim: Claim): Awaited {
  return claim.kind === 'application'
    ? { table: 'application', id: claim.application.id }
    : { table: 'child', id: claim.child.id };
}

function toKey({ table, id }: Awaited): string {
  return `${table}/${id}`;
}
