// The worker: claims due rows, runs their attempts, and wakes the requests that wait for a result.

import type { PartnerOperation } from '../../shared/funding-service/operations.ts';
import type { FundingService, Readiness } from '../funding-service/funding-service.ts';
import { withTimeout } from '../runtime/timers.ts';
import { toRowId } from '../store/claims.ts';
import {
  type AddedApplication,
  type Claim,
  type DeliveryKind,
  deliveryKinds,
} from '../store/store.ts';
import {
  type ActiveDelivery,
  type AttemptRunnerOptions,
  createAttemptRunner,
  leaseMs,
} from './attempt-runner.ts';

/** Delay after an error of the store. */
const storeRetryMs = 5_000;
/** Maximum sleep: another process or an operator's command can make a row due, and a clock can be set back. */
const maxSleepMs = 2_000;
/** Claims at the same time. A backlog reaches this number by doubling, so that a single row costs few vain claims. */
const maxClaims = 8;
/** Minimum sleep: a due row may wait for another process or for another attachment of its application. */
const minSleepMs = 250;

export interface DeliveryWorkerOptions extends AttemptRunnerOptions {
  /** Maximum concurrent deliveries. */
  readonly maxConcurrent: number;
  /** If true, `addApplication` sends without `start`, and no request waits for what only `runDue` delivers. Default: false. */
  readonly isServerless?: boolean;
}

export interface DeliveryWorker {
  /** Recovers rows of a process that ended, then delivers until `stop`. Can be started once. */
  start(): Promise<void>;
  /**
   * Claims no more rows, and waits for the deliveries in progress.
   *
   * @param abandon when aborted, `stop` resolves at once. Deliveries in progress are not recorded: their rows stay
   * `sending`, and count as uncertain attempts later. Default: no limit.
   * @returns whether all results are recorded.
   */
  stop(abandon?: AbortSignal): Promise<boolean>;
  /** Call it when a row became due. */
  wake(): void;
  /**
   * Adds an application, and sends it at once if a permit is free and no row waits for one. Otherwise the row is due when it is
   * added, and the worker claims it in turn.
   *
   * @param add adds the row. With `leaseMs`, it adds the row with a lease of this length, and returns the claim.
   */
  addApplication(
    add: (leaseMs: number | undefined) => Promise<AddedApplication>,
  ): Promise<AddedApplication>;
  /**
   * Delivers all rows that are due, and resolves when they are recorded. Works without `start`.
   *
   * @param mayClaim false when no more deliveries may begin. Default: no limit.
   */
  runDue(mayClaim?: () => boolean): Promise<void>;
  /** True if a row is due that can be sent now. False while no permit is free, or the funding service is unavailable. */
  hasDue(): Promise<boolean>;
  /** Resolves when no delivery is in progress. */
  settle(): Promise<void>;
  /**
   * Resolves when the row has a result, or after `timeoutMs`. Resolves at once if no result can be expected: the operation
   * is unavailable, or the worker is stopped. Awaited rows are sent first.
   */
  waitForResult(row: AwaitedRow, timeoutMs: number): Promise<void>;
}

export interface AwaitedRow {
  readonly kind: DeliveryKind;
  readonly id: string;
}

/** A row to claim: the one with this id, or the next one of this kind. */
interface Target {
  readonly kind: DeliveryKind;
  readonly id?: string;
}

type ClaimResult = 'started' | 'skipped' | 'none-due';

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { store, startTimer, onEvent, maxConcurrent, isServerless = false } = options;
  const semaphore = createDeliverySemaphore(options.fundingService, maxConcurrent);
  const runner = createAttemptRunner(options);
  /** By row id. */
  const running = new Map<string, { delivery: ActiveDelivery; done: Promise<void> }>();
  const isRunning = (id: string) => running.has(id);
  const waiters = createResultWaiters(options, isRunning, isHopeless, wake);
  let phase: 'new' | 'started' | 'stopped' = 'new';
  /** Work that may start a delivery. */
  const starting = new Set<Promise<unknown>>();
  let isWoken = false;
  /** True if a row may have become due. False after a delivery, which rarely makes one due. */
  let mayBeDue = false;
  /** True if no application waited for a permit when the worker last looked. */
  let isCaughtUp = false;
  let loop: Promise<void> | undefined;
  let cancelTimer: () => void = () => undefined;

  /** Claims rows until none is due or no permit is free. Returns false if it started no delivery. */
  async function startDue(mayClaim: () => boolean): Promise<boolean> {
    /** Ids of rows that were tried, and kinds without another due row. */
    const done = new Set<string>();
    let hasStarted = false;
    // While the store rejects a result, it may reject others too, and a result that is not recorded can be lost.
    for (let count = 1; mayClaim() && !runner.isStalled(); count = Math.min(2 * count, maxClaims)) {
      const claims = claimSome(count, done);
      if (claims.length === 0) break;
      const results = await Promise.allSettled(claims);
      for (const result of results) {
        if (result.status === 'rejected') throw result.reason;
        if (result.value === 'started') hasStarted = true;
      }
    }
    isCaughtUp = done.has('application');
    return hasStarted;
  }

  /** Begins up to `count` claims. The store can commit them together. */
  function claimSome(count: number, done: Set<string>): Promise<ClaimResult>[] {
    const claims: Promise<ClaimResult>[] = [];
    while (claims.length < count) {
      const target = findTarget(done);
      if (target === undefined) break;
      if (target.id !== undefined) done.add(target.id);
      const claiming = claim(target).then((result) => {
        if (target.id === undefined && result === 'none-due') done.add(target.kind);
        return result;
      });
      claims.push(claiming);
    }
    return claims;
  }

  /** Awaited rows come first. */
  function findTarget(done: ReadonlySet<string>): Target | undefined {
    const awaited = waiters
      .listPending()
      .find(({ kind, id }) => !done.has(id) && !running.has(id) && semaphore.isFree(kind));
    if (awaited) return awaited;
    const kind = semaphore.listFree().find((free) => !done.has(free));
    return kind && { kind };
  }

  async function claim({ kind, id }: Target): Promise<ClaimResult> {
    // Acquired before the store responds, so that there are never too many deliveries.
    const release = semaphore.acquire(kind);
    const runningBefore = new Map(running);
    let isStarted = false;
    try {
      const claimed = await store.claimDue(kind, leaseMs, id);
      if (claimed === undefined) return 'none-due';
      if (claimed.kind === 'unreadable') {
        onEvent({ event: 'row-unreadable', kind: claimed.deliveryKind, id: claimed.id });
        waiters.release(claimed.id);
        return 'skipped';
      }
      // A delivery that ended in the meantime may be recorded, although this claim is newer.
      const own = runningBefore.get(toRowId(claimed));
      if (own) {
        // Its lease expired, for example while the machine slept. The attempt goes on with the new fencing token. The rest
        // of the claim stays, because the store counted an uncertain attempt that there was not.
        const { fencingToken } = claimed;
        own.delivery.claim = { ...own.delivery.claim, fencingToken };
        track(own.done.then(() => startIfCurrent(claimed)).catch(handleStoreError));
        return 'skipped';
      }
      start(claimed, release);
      isStarted = true;
      return 'started';
    } finally {
      if (!isStarted) release();
    }
  }

  function start(claimed: Claim, release: () => void): void {
    const id = toRowId(claimed);
    const delivery: ActiveDelivery = { claim: claimed };
    const done = runner
      .run(delivery)
      .catch(handleStoreError)
      .finally(() => {
        running.delete(id);
        release();
        waiters.release(id);
        look();
      });
    running.set(id, { delivery, done });
  }

  /**
   * Starts a delivery whose row had another one, which has ended. The claim is current if that one was recorded before the claim,
   * or could not be recorded because of it.
   */
  async function startIfCurrent(claimed: Claim): Promise<void> {
    if (await store.extendLease(claimed, leaseMs)) start(claimed, semaphore.acquire(claimed.kind));
  }

  function track(work: Promise<unknown>): void {
    const tracked = work.finally(() => starting.delete(tracked));
    starting.add(tracked);
  }

  async function runLoop(): Promise<void> {
    for (;;) {
      isWoken = false;
      waiters.releaseHopeless();
      const hadToClaim = mayBeDue;
      mayBeDue = false;
      if (hadToClaim) await startDue(() => phase === 'started');
      const isDue = await scheduleWake();
      // A row that is due although the worker has just claimed all that it could waits for the timer.
      if (isDue && !hadToClaim) mayBeDue = true;
      else if (!isWoken) return;
      if (phase !== 'started') return;
    }
  }

  /** Kinds of which a row may be claimed, and the time until the next one is due. */
  async function findNextDue() {
    const free = runner.isStalled() ? [] : semaphore.listFree();
    return { free, dueMs: free.length > 0 ? await store.findNextDueMs(free) : undefined };
  }

  /** Returns true if a row is due that the worker may claim. The end of a delivery wakes the worker too. */
  async function scheduleWake(): Promise<boolean> {
    const { free, dueMs } = await findNextDue();
    const isDue = dueMs !== undefined && dueMs <= 0;
    if (free.includes('application') && !isDue) isCaughtUp = true;
    cancelTimer();
    if (phase !== 'started') return isDue;
    const sleepMs = Math.min(dueMs ?? maxSleepMs, ...semaphore.listRetryAfterMs(), maxSleepMs);
    cancelTimer = startTimer(Math.max(sleepMs, minSleepMs), wake);
    return isDue;
  }

  function wake(): void {
    mayBeDue = true;
    look();
  }

  /** Reads whether a row is due, and claims it. One read costs less than a claim of each kind. */
  function look(): void {
    isWoken = true;
    if (phase !== 'started') return;
    loop ??= runLoop()
      .catch(handleStoreError)
      .finally(() => {
        loop = undefined;
        // Woken between the last check of the loop and here.
        if (isWoken) look();
      });
  }

  function handleStoreError(error: unknown): void {
    onEvent({ event: 'delivery-stalled', error });
    cancelTimer();
    if (phase === 'started') cancelTimer = startTimer(storeRetryMs, wake);
  }

  /** True if the row cannot have a result soon. */
  function isHopeless({ kind, id }: AwaitedRow): boolean {
    const isUnsent = phase === 'stopped' || (isServerless && phase === 'new');
    return !running.has(id) && (isUnsent || semaphore.isUnavailable(kind));
  }

  const isIdle = () => running.size + starting.size === 0;

  async function allDone(): Promise<void> {
    await Promise.allSettled(starting);
    await Promise.all([...running.values()].map(({ done }) => done));
  }

  /**
   * Takes a permit for an application that is not added yet. Rows that wait for a permit come first: after a refusal for want
   * of one, new rows get none before the worker has found no application that is due.
   */
  function reserve(): (() => void) | undefined {
    const isActive = phase === 'started' || (isServerless && phase === 'new');
    const canSend = isActive && !runner.isStalled() && semaphore.isReady('application');
    if (!canSend) isCaughtUp = false;
    // The rows that wait belong to `runDue`, which may run in another process.
    const mayPass = isCaughtUp || (isServerless && canSend);
    return mayPass ? semaphore.acquire('application') : undefined;
  }

  async function addApplication(
    add: (leaseMs: number | undefined) => Promise<AddedApplication>,
  ): Promise<AddedApplication> {
    const release = reserve();
    if (release === undefined) {
      const added = await add(undefined);
      if (added.kind === 'added') wake();
      return added;
    }
    const result = add(leaseMs);
    starting.add(result);
    let isStarted = false;
    try {
      const added = await result;
      if (added.claim) start(added.claim, release);
      isStarted = added.claim !== undefined;
      return added;
    } finally {
      starting.delete(result);
      if (!isStarted) {
        release();
        look();
      }
    }
  }

  async function drain(): Promise<void> {
    await loop;
    cancelTimer();
    while (!isIdle()) await allDone();
  }

  return {
    async start() {
      await store.recover();
      // `stop` may have been called in the meantime.
      if (phase !== 'new') return;
      phase = 'started';
      wake();
    },

    stop(abandon) {
      phase = 'stopped';
      cancelTimer();
      waiters.releaseHopeless();
      return new Promise((resolve) => {
        const end = () => {
          resolve(loop === undefined && isIdle());
          runner.abandon();
        };
        if (abandon?.aborted) end();
        abandon?.addEventListener('abort', end, { once: true });
        void drain().then(() => resolve(true));
      });
    },

    wake,
    addApplication,

    async runDue(mayClaim = () => true) {
      for (;;) {
        waiters.releaseHopeless();
        if (!(await startDue(mayClaim)) && isIdle()) return;
        await allDone();
      }
    },

    async hasDue() {
      const { dueMs } = await findNextDue();
      return dueMs !== undefined && dueMs <= 0;
    },

    async settle() {
      while (!isIdle()) await allDone();
    },

    waitForResult: waiters.wait,
  };
}

/** Uploads may take long, and there are many of them. */
const maxPerAttachmentKind = 2;
/** Attachments never get these permits, so that slow uploads do not delay a new application. */
const reservedForApplications = 2;

const operations: Readonly<Record<DeliveryKind, PartnerOperation>> = {
  application: 'create-lead',
  document: 'upload-file',
  'bank-report': 'asset-report',
  contact: 'contact-user',
};

/** Limits concurrent deliveries per kind, and follows the funding service: the readiness of each operation, and its load. */
function createDeliverySemaphore(
  fundingService: Pick<FundingService, 'readiness' | 'maxConcurrentLeads'>,
  maxConcurrent: number,
) {
  const maxAttachments = Math.max(1, maxConcurrent - reservedForApplications);
  const permits = new Set<{ readonly kind: DeliveryKind; readonly isTrial: boolean }>();
  let order: readonly DeliveryKind[] = deliveryKinds;

  function hasCapacity(kind: DeliveryKind): boolean {
    if (permits.size >= maxConcurrent) return false;
    const attachments = [...permits].filter((permit) => permit.kind !== 'application');
    if (kind === 'application') {
      return permits.size - attachments.length < fundingService.maxConcurrentLeads();
    }
    const ofKind = attachments.filter((permit) => permit.kind === kind);
    return attachments.length < maxAttachments && ofKind.length < maxPerAttachmentKind;
  }

  /** True if the worker may claim a row of the kind now. */
  function isFree(kind: DeliveryKind): boolean {
    if (!hasCapacity(kind)) return false;
    const readiness = readinessOf(kind);
    const hasTrial = [...permits].some((permit) => permit.kind === kind && permit.isTrial);
    return readiness.kind === 'ready' || (readiness.kind === 'half-open' && !hasTrial);
  }

  function readinessOf(kind: DeliveryKind): Readiness {
    return fundingService.readiness(operations[kind]);
  }

  return {
    isFree,
    /** True if a row of the kind may be sent now, and is no trial. */
    isReady: (kind: DeliveryKind) => hasCapacity(kind) && readinessOf(kind).kind === 'ready',
    /** The kind that was acquired longest ago comes first, so that a backlog of one kind does not block another. */
    listFree: () => order.filter(isFree),

    /** Takes a permit. Call the returned function to release it. */
    acquire(kind: DeliveryKind) {
      const permit = { kind, isTrial: readinessOf(kind).kind === 'half-open' };
      permits.add(permit);
      order = [...order.filter((other) => other !== kind), kind];
      return () => permits.delete(permit);
    },

    /** True if the kind's operation is unavailable. */
    isUnavailable: (kind: DeliveryKind) => readinessOf(kind).kind === 'unavailable',

    /** Milliseconds until each unavailable operation can be called again, as far as known. */
    listRetryAfterMs: () =>
      deliveryKinds.map(readinessOf).flatMap((readiness) => {
        return readiness.kind === 'unavailable' ? (readiness.retryAfterMs ?? []) : [];
      }),
  };
}

/** Interval of the checks for a result that another process may record. */
const pollMs = 500;

interface Waiter extends AwaitedRow {
  /** True once the row was found to have no result yet. */
  isPending: boolean;
  readonly release: () => void;
}

/**
 * @param isRunning true if this process is sending the row.
 * @param onWait called when a request begins to wait for a row that the worker has to claim.
 */
function createResultWaiters(
  { store, startTimer }: DeliveryWorkerOptions,
  isRunning: (id: string) => boolean,
  isHopeless: (row: AwaitedRow) => boolean,
  onWait: () => void,
) {
  const waiters = new Set<Waiter>();

  async function hasResult({ kind, id }: AwaitedRow): Promise<boolean> {
    const row = await (kind === 'application'
      ? store.findApplication(id)
      : store.findAttachment(id));
    return row?.state !== 'received' && row?.state !== 'sending';
  }

  /** Another process may record the result, which releases no waiter of this one. */
  async function pollUntilResult(row: AwaitedRow, released: Promise<void>): Promise<void> {
    for (;;) {
      const result = await withTimeout(pollMs, startTimer, () => released, 'timeout' as const);
      if (result !== 'timeout' || (await hasResult(row))) return;
    }
  }

  return {
    /** Rejects if the store cannot find the row. */
    async wait(row: AwaitedRow, timeoutMs: number): Promise<void> {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const waiter: Waiter = { ...row, isPending: false, release };
      waiters.add(waiter);
      const cancelTimeout = startTimer(timeoutMs, release);
      try {
        // The end of the delivery releases the waiter.
        if (isRunning(row.id)) {
          await released;
          return;
        }
        // Read after the waiter was added: a result that is recorded in between releases it.
        if ((await hasResult(row)) || isHopeless(row)) return;
        waiter.isPending = true;
        onWait();
        await (store.isShared ? pollUntilResult(row, released) : released);
      } finally {
        cancelTimeout();
        waiters.delete(waiter);
      }
    },

    /** The row that was awaited first comes first. */
    listPending: () => [...waiters].filter(({ isPending }) => isPending),

    /** Ends the waiting for one row. */
    release(id: string) {
      for (const waiter of waiters) if (waiter.id === id) waiter.release();
    },

    /** Ends the waiting for rows that became hopeless. */
    releaseHopeless() {
      for (const waiter of waiters) if (waiter.isPending && isHopeless(waiter)) waiter.release();
    },
  };
}
