// The loop that brings what the journal holds to the funding service, whatever happens in between.

import type { After } from '../after.ts';
import { attemptDelivery, toBrokenSettlement, type AttemptOptions } from './attempt.ts';
import { reportSettlement, toSubject, type DeliveryEvent } from './delivery-events.ts';
import type { ApplicationState, ChildState, Claim, Settlement } from './journal.ts';

/** Longer than the pause between two extensions; an attempt may take longer still, with a renewed token in its middle. */
const leaseMs = 180_000;
/** Extended until the attempt is recorded, so that nothing else claims its row meanwhile. */
const extendAfterMs = 60_000;
/** After the journal itself failed. */
const stallMs = 5_000;
/** Never sleeps longer than this, so that a clock that was set back does no harm. */
const longestSleepMs = 60_000;

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

/** One loop a journal; nothing is claimed before `start` or `runDue`. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { journal, clock, after, onEvent, maxConcurrent = 8 } = options;
  const inFlight = new Set<Promise<void>>();
  const waiting = new Map<string, Set<() => void>>();
  let isStarted = false;
  let isWoken = false;
  let pumping: Promise<void> | undefined;
  /** Results the journal has refused so far. Meanwhile nothing is claimed: one of their rows might be sent again. */
  let unrecorded = 0;
  let cancelTimer: () => void = () => undefined;

  async function deliver(claim: Claim): Promise<void> {
    const stopExtending = extendWhileRunning(claim);
    const settlement = await attempt(claim);
    const isRecorded = await record(claim, settlement);
    stopExtending();
    if (isRecorded) reportSettlement(claim, settlement, onEvent);
    for (const resolve of waiting.get(toKey(toAwaited(claim))) ?? []) resolve();
  }

  /** False when the claim was taken over. An ApplicationID is told once only: it is held until the journal takes it. */
  async function record(claim: Claim, settlement: Settlement): Promise<boolean> {
    let isStalled = false;
    for (;;) {
      try {
        const isRecorded = await journal.settle(claim, settlement);
        if (isStalled) unrecorded -= 1;
        return isRecorded;
      } catch (error) {
        if (!isStalled) unrecorded += 1;
        isStalled = true;
        onEvent({ event: 'delivery-stalled', error });
        await pause(stallMs);
      }
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      after(ms, resolve);
    });
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

  function canRecord(): boolean {
    return unrecorded === 0;
  }

  /** Fills the free slots; false when nothing was due. */
  async function claimDue(mayClaim: () => boolean): Promise<boolean> {
    let hasClaimed = false;
    while (mayClaim() && canRecord() && inFlight.size < maxConcurrent) {
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
        // Woken after the last look at the journal and before this: nobody else would look.
        if (isWoken) wake();
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
      try {
        // Looked up only now: a result recorded before would never be told.
        if (await isPending(row)) await result;
      } finally {
        cancelTimeout();
        waiters.delete(release);
        if (waiters.size === 0) waiting.delete(key);
      }
    },
  };
}

function toAwaited(claim: Claim): Awaited {
  return claim.kind === 'application'
    ? { table: 'application', id: claim.application.id }
    : { table: 'child', id: claim.child.id };
}

function toKey({ table, id }: Awaited): string {
  return `${table}/${id}`;
}
