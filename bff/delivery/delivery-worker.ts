// The loop that brings what the store holds to the funding service, whatever happens in between.

import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { FundingService, Readiness } from '../funding-service/funding-service.ts';
import type { StartTimer } from '../runtime/timers.ts';
import { toRowId } from '../store/claims.ts';
import { type Claim, type DeliveryKind, deliveryKinds } from '../store/store.ts';
import { type Carried, createRecorder } from './attempt-runner.ts';
import type { AttemptOptions } from './attempt.ts';
import type { DeliveryEvent } from './delivery-events.ts';
import { type Awaited, createWaiters, type Wanted } from './result-waiters.ts';

/** Longer than any one call; it is extended while an attempt, with a renewed token in its middle, takes longer still. */
const defaultLeaseMs = 180_000;
/** After the store itself failed. */
const stallMs = 5_000;
/** An operator's command, or another process, may have made something due; a clock may have been set back. */
const longestSleepMs = 10_000;
const longestSharedSleepMs = 2_000;
/** What is due and could not be claimed is another's, or waits for a sibling; the end of a call wakes the loop anyhow. */
const shortestSleepMs = 250;

export interface DeliveryOptions extends AttemptOptions {
  readonly startTimer: StartTimer;
  /** Calls at the same time; default 8. */
  readonly maxConcurrent?: number;
  /** How long a row stays claimed when nobody extends it, as after the end of the process; default 180,000. */
  readonly leaseMs?: number;
  readonly onEvent: (event: DeliveryEvent) => void;
}

export interface Delivery {
  /** Takes over what an ended process left, then delivers until `stop`; that is once, and for good. */
  start(): Promise<void>;
  /**
   * Claims nothing any more, and waits for the calls under way to be recorded.
   *
   * @param giveUp once it is aborted, nothing more is recorded and this resolves at once, even while the store refuses or
   * the service does not answer. What was under way stays `sending` and is found again as an attempt of unknown outcome.
   * Default: waits as long as it takes.
   * @returns whether everything that was claimed is recorded.
   */
  stop(giveUp?: AbortSignal): Promise<boolean>;
  /** Something new is due. */
  wake(): void;
  /** Delivers everything that is due and may be sent now and waits for it, also without `start`. */
  runDue(): Promise<void>;
  /**
   * Resolves once the row has been tried and the result recorded, at the latest after `timeoutMs`. At once where no result is
   * to be expected: the row's operation is paused, or the delivery was stopped. What is waited for is sent before the backlog.
   */
  waitForResult(row: Awaited, timeoutMs: number): Promise<void>;
}

/** What is looked for in the store: one row, or whichever of the kind is due. */
interface Target {
  readonly kind: DeliveryKind;
  readonly id?: string;
}

interface UnderWay {
  readonly carried: Carried;
  readonly running: Promise<void>;
}

/** One loop a process; nothing is claimed before `start` or `runDue`. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { store, startTimer, onEvent, maxConcurrent = 8, leaseMs = defaultLeaseMs } = options;
  const slots = createSlots({ fundingService: options.fundingService, maxConcurrent });
  const recorder = createRecorder({ ...options, leaseMs });
  const waiters = createWaiters({ store, startTimer, isHopeless, onWanted: wake });
  /** By the ids of their rows. */
  const underWay = new Map<string, UnderWay>();
  let phase: 'new' | 'started' | 'stopped' = 'new';
  let isWoken = false;
  let pumping: Promise<void> | undefined;
  let cancelTimer: () => void = () => undefined;

  /** Fills the free slots; false when nothing was due. */
  async function fillSlots(mayClaim: () => boolean): Promise<boolean> {
    waiters.releaseHopeless();
    /** Rows, and kinds of which nothing more is due. */
    const done = new Set<string>();
    let hasClaimed = false;
    // A store that refuses a result may refuse the next as well, and what is not recorded is lost with the process.
    while (mayClaim() && !recorder.isStalled()) {
      const next = findNext(done);
      if (next === undefined) break;
      const found = await claim(next);
      if (next.id !== undefined) done.add(next.id);
      else if (found === 'none') done.add(next.kind);
      if (found === 'launched') hasClaimed = true;
    }
    return hasClaimed;
  }

  /** What somebody waits for comes before everything else. */
  function findNext(done: ReadonlySet<string>): Target | undefined {
    const wanted = waiters
      .listWanted()
      .find(({ kind, id }) => !done.has(id) && !underWay.has(id) && slots.isFree(kind));
    if (wanted) return wanted;
    const kind = slots.listFree().find((free) => !done.has(free));
    return kind && { kind };
  }

  async function claim({ kind, id }: Target): Promise<'launched' | 'passed-over' | 'none'> {
    // Taken before the store answers, so that there is never one too many.
    const release = slots.take(kind);
    const underWayBefore = new Map(underWay);
    let isLaunched = false;
    try {
      const claimed = await store.claimDue(kind, leaseMs, id);
      if (claimed === undefined) return 'none';
      if (claimed.kind === 'unreadable') {
        onEvent({ event: 'row-unreadable', kind: claimed.deliveryKind, id: claimed.id });
        waiters.tell(claimed.id);
        return 'passed-over';
      }
      // Asked of those from before: one that ended meanwhile may be recorded, although this claim is the later one.
      const own = underWayBefore.get(toRowId(claimed));
      if (own) {
        adopt(own, claimed);
        return 'passed-over';
      }
      launch(claimed, release);
      isLaunched = true;
      return 'launched';
    } finally {
      if (!isLaunched) release();
    }
  }

  /**
   * Its lease ran out here, as after the machine slept: the attempt goes on by the new right. The row stays as it was sent,
   * without the uncertain attempt that the store counts for it.
   */
  function adopt({ carried }: UnderWay, { fencingToken }: Claim): void {
    carried.claim = { ...carried.claim, fencingToken };
  }

  function launch(claim: Claim, release: () => void): void {
    const id = toRowId(claim);
    const carried: Carried = { claim };
    const running = recorder
      .deliver(carried)
      .catch(stall)
      .finally(() => {
        underWay.delete(id);
        release();
        waiters.tell(id);
        wake();
      });
    underWay.set(id, { carried, running });
  }

  async function pump(): Promise<void> {
    for (;;) {
      isWoken = false;
      await fillSlots(() => phase === 'started');
      await sleepUntilDue();
      if (!isWoken || phase !== 'started') return;
    }
  }

  /** With every slot taken, the end of a call wakes the loop; with a probe under way, its end. */
  async function sleepUntilDue(): Promise<void> {
    const free = recorder.isStalled() ? [] : slots.listFree();
    const dueMs = free.length > 0 ? await store.findNextDueMs(free) : undefined;
    cancelTimer();
    if (phase !== 'started') return;
    const longestMs = store.isShared ? longestSharedSleepMs : longestSleepMs;
    const sleepMs = Math.min(dueMs ?? longestMs, slots.findPauseEndMs() ?? longestMs, longestMs);
    cancelTimer = startTimer(Math.max(sleepMs, shortestSleepMs), wake);
  }

  function wake(): void {
    isWoken = true;
    if (phase !== 'started') return;
    pumping ??= pump()
      .catch(stall)
      .finally(() => {
        pumping = undefined;
        // Woken after the last look at the store and before this: nobody else would look.
        if (isWoken) wake();
      });
  }

  function stall(error: unknown): void {
    onEvent({ event: 'delivery-stalled', error });
    cancelTimer();
    if (phase === 'started') cancelTimer = startTimer(stallMs, wake);
  }

  function isHopeless({ kind, id }: Wanted): boolean {
    return !underWay.has(id) && (phase === 'stopped' || slots.isPaused(kind));
  }

  function allRecorded(): Promise<unknown> {
    return Promise.all([...underWay.values()].map(({ running }) => running));
  }

  async function drain(): Promise<void> {
    await pumping;
    cancelTimer();
    while (underWay.size > 0) await allRecorded();
  }

  return {
    async start() {
      await store.recover();
      // It may have been stopped meanwhile.
      if (phase !== 'new') return;
      phase = 'started';
      wake();
    },

    stop(giveUp) {
      phase = 'stopped';
      cancelTimer();
      waiters.releaseHopeless();
      return new Promise((resolve) => {
        const end = () => {
          resolve(pumping === undefined && underWay.size === 0);
          recorder.giveUp();
        };
        if (giveUp?.aborted) end();
        giveUp?.addEventListener('abort', end, { once: true });
        void drain().then(() => {
          giveUp?.removeEventListener('abort', end);
          resolve(true);
        });
      });
    },

    wake,

    async runDue() {
      while ((await fillSlots(() => true)) || underWay.size > 0) await allRecorded();
    },

    waitForResult: (row, timeoutMs) => waiters.wait(row, timeoutMs),
  };
}

/** Each call of these may be long, and they arrive in heaps. */
const maxOfAttachmentKind = 2;
/** Never taken by children, so that uploads which hang do not keep a new lead waiting. */
const keptForApplications = 2;

const operations: Readonly<Record<DeliveryKind, PartnerOperation>> = {
  application: 'create-lead',
  document: 'upload-file',
  'bank-report': 'asset-report',
  contact: 'contact-user',
};

export interface SlotsOptions {
  readonly fundingService: Pick<FundingService, 'readiness'>;
  /** Calls at the same time. */
  readonly maxConcurrent: number;
}

export interface Slots {
  /** Whether one more of the kind may be claimed now. */
  isFree(kind: DeliveryKind): boolean;
  /** The free kinds; the one that has not been taken for longest comes first, so that no backlog shuts out another. */
  listFree(): readonly DeliveryKind[];
  /** Takes one, to be given back by calling the answer. */
  take(kind: DeliveryKind): () => void;
  /** Whether the kind's operation is not to be called now. */
  isPaused(kind: DeliveryKind): boolean;
  /** Milliseconds until the first pause that has a known end is over. */
  findPauseEndMs(): number | undefined;
}

/** All free at first. */
export function createSlots({ fundingService, maxConcurrent }: SlotsOptions): Slots {
  const maxAttachments = Math.max(1, maxConcurrent - keptForApplications);
  /** One entry for each that is taken. */
  const taken = new Set<{ readonly kind: DeliveryKind; readonly isProbe: boolean }>();
  let order: readonly DeliveryKind[] = deliveryKinds;

  function hasRoom(kind: DeliveryKind): boolean {
    if (taken.size >= maxConcurrent) return false;
    if (kind === 'application') return true;
    const attachments = [...taken].filter((slot) => slot.kind !== 'application');
    const ofKind = attachments.filter((slot) => slot.kind === kind);
    return attachments.length < maxAttachments && ofKind.length < maxOfAttachmentKind;
  }

  function isFree(kind: DeliveryKind): boolean {
    if (!hasRoom(kind)) return false;
    switch (readinessOf(kind).kind) {
      case 'ready':
        return true;
      case 'half-open':
        return ![...taken].some((slot) => slot.kind === kind && slot.isProbe);
      case 'unavailable':
        return false;
    }
  }

  function readinessOf(kind: DeliveryKind): Readiness {
    return fundingService.readiness(operations[kind]);
  }

  return {
    isFree,
    listFree: () => order.filter(isFree),

    take(kind) {
      const slot = { kind, isProbe: readinessOf(kind).kind === 'half-open' };
      taken.add(slot);
      order = [...order.filter((other) => other !== kind), kind];
      return () => taken.delete(slot);
    },

    isPaused: (kind) => readinessOf(kind).kind === 'unavailable',

    findPauseEndMs() {
      const ends = deliveryKinds
        .map(readinessOf)
        .map((readiness) => (readiness.kind === 'unavailable' ? readiness.retryAfterMs : undefined))
        .filter((ms) => ms !== undefined);
      return ends.length > 0 ? Math.min(...ends) : undefined;
    },
  };
}
