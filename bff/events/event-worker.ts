// Sends the events of one consumer: in the order of each application, and again until the consumer takes them.

import type { Environment } from '../../shared/api/configuration.ts';
import type { WebhookEventType } from '../../shared/api/webhook-event.ts';
import { type StartTimer, withTimeout } from '../runtime/timers.ts';
import type { EventClaim, EventConsumer, EventReceiver, EventStore } from '../store/store.ts';
import { eventTimeoutMs, type SendEvent, type SendResult } from './send-webhook.ts';
import { toEventId, toEventType, toWebhookEvent } from './webhook-event.ts';

/** Longer than an attempt and the write of its result, so that no other process sends the same event. */
const leaseMs = 60_000;
/** Events at the same time, each of another application. */
const maxConcurrent = 4;
/** Delays after the first, second, … failed attempt: the schedule of the specification, 75 hours. */
const delaysMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1000,
);
/** An attempt that fails so long after the first one is the last. */
const giveUpMs = 72 * 60 * 60 * 1000;
/** After so many failures in a row, the consumer is taken for unavailable, and gets one event at a time, after a pause. */
const maxFailures = 5;
const minPauseMs = 5_000;
const maxPauseMs = 5 * 60_000;
/** The store is read at least this often: other processes and commands record events too. */
const maxSleepMs = 2_000;
const minSleepMs = 100;
const storeRetryMs = 5_000;

interface EventSubject {
  readonly consumer: EventConsumer;
  readonly reference: string;
  readonly type: WebhookEventType;
  readonly attempts: number;
}

export type EventWorkerEvent =
  /** The consumer has an event. */
  | (EventSubject & { readonly event: 'status-event-sent' })
  /** An attempt failed. The event is sent again after `delayMs`. */
  | (EventSubject & {
      readonly event: 'status-event-failed';
      readonly outcome: string;
      readonly delayMs: number;
      readonly error?: unknown;
    })
  /** An event failed for three days. An operator can send it again: `webhooks retry`. */
  | (EventSubject & { readonly event: 'status-event-given-up'; readonly outcome: string })
  /** The consumer fails again and again. It gets one event after each pause. */
  | {
      readonly event: 'status-events-paused';
      readonly consumer: EventConsumer;
      readonly ms: number;
    }
  /** The consumer takes events again. */
  | { readonly event: 'status-events-resumed'; readonly consumer: EventConsumer }
  /** The receiver answered 410 Gone. Nothing more is sent until an operator runs `webhooks retry` or changes WEBHOOK_URL. */
  | { readonly event: 'status-events-stopped'; readonly consumer: EventConsumer }
  /** The store cannot be read or written. */
  | {
      readonly event: 'status-events-stalled';
      readonly consumer: EventConsumer;
      readonly error: unknown;
    };

export interface EventWorkerOptions {
  readonly receiver: EventReceiver;
  readonly send: SendEvent;
  readonly store: EventStore;
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  /** Returns 0 to 1, exclusive. */
  readonly random: () => number;
  readonly onEvent: (event: EventWorkerEvent) => void;
}

export interface EventWorker {
  /** Sends events until `stop`. */
  start(): void;
  /** Claims no more events, and resolves when the attempts in progress are recorded. Those that it abandons are sent again. */
  stop(): Promise<void>;
  /** Call it when an event may have been recorded. */
  wake(): void;
  /**
   * Sends the events that are due, for at most `maxMs` milliseconds, and resolves when the attempts are recorded: up to 15 s later.
   * Works without `start`.
   *
   * @returns true if another call at this time would send nothing: none is due, or the receiver gets none before a pause is over.
   */
  runDue(maxMs?: number): Promise<boolean>;
}

export function createEventWorker(options: EventWorkerOptions): EventWorker {
  const { receiver, send, store, environment, clock, startTimer, random, onEvent } = options;
  const consumer = receiver.name;
  let phase: 'new' | 'started' | 'stopped' = 'new';
  /** Each loop sends one event after the other. */
  const loops = new Set<Promise<void>>();
  let failures = 0;
  /** A pause after failures ends with the next success. */
  let unavailableUntil = -Infinity;
  /** A pause that the receiver asked for, or that the store needs. */
  let waitUntil = -Infinity;
  let isWoken = false;
  let running: Promise<void> | undefined;
  let cancelTimer: () => void = () => undefined;

  const isStarted = () => phase === 'started';
  const isUnavailable = () => failures >= maxFailures;
  const mayClaim = () => findPauseMs() <= 0 && loops.size < (isUnavailable() ? 1 : maxConcurrent);

  function findPauseMs(): number {
    const now = clock();
    // No pause is longer. One that ends later began before the clock was set back.
    unavailableUntil = Math.min(unavailableUntil, now + maxPauseMs);
    waitUntil = Math.min(waitUntil, now + maxPauseMs);
    return Math.max(unavailableUntil, waitUntil) - now;
  }

  /** Each loop that finds an event starts another, so that a single event costs one claim that finds none. */
  function startLoop(mayRun: () => boolean): void {
    if (!mayRun() || !mayClaim()) return;
    const loop = runLoop(mayRun)
      .catch((error: unknown) => {
        onEvent({ event: 'status-events-stalled', consumer, error });
        waitUntil = Math.max(waitUntil, clock() + storeRetryMs);
      })
      .finally(() => loops.delete(loop));
    loops.add(loop);
  }

  async function runLoop(mayRun: () => boolean): Promise<void> {
    while (mayRun() && findPauseMs() <= 0) {
      const claim = await store.claimEvent(receiver, leaseMs);
      if (!claim) return;
      startLoop(mayRun);
      await deliver(claim);
      if (isUnavailable()) return;
    }
  }

  async function deliver(claim: EventClaim): Promise<void> {
    const { event: row, attempts } = claim;
    const subject = { consumer, reference: row.applicationId, type: toEventType(row), attempts };
    let error: unknown;
    const result = await withTimeout<SendResult, SendResult>(
      eventTimeoutMs,
      startTimer,
      (signal) => send(toEventId(row), toWebhookEvent(row, environment), signal),
      { kind: 'failed', outcome: 'timeout' },
    ).catch((thrown: unknown): SendResult => {
      error = thrown;
      return { kind: 'failed', outcome: 'threw' };
    });
    if (result.kind === 'sent') {
      if (!(await store.recordEventSent(claim))) return;
      onEvent({ event: 'status-event-sent', ...subject });
      recover();
      return;
    }
    const { outcome } = result;
    if (result.kind === 'gone') await store.stopEventReceiver(receiver);
    const delayMs = toDelayMs(attempts, result);
    if (result.kind === 'failed' && claim.claimedAt - claim.firstAttemptAt >= giveUpMs) {
      if (!(await store.recordEventGivenUp(claim, outcome))) return;
      onEvent({ event: 'status-event-given-up', ...subject, outcome });
    } else {
      if (!(await store.recordEventFailed(claim, outcome, delayMs))) return;
      onEvent({ event: 'status-event-failed', ...subject, outcome, delayMs, error });
    }
    if (result.kind === 'gone') onEvent({ event: 'status-events-stopped', consumer });
    else pause(result.retryAfterMs);
  }

  function toDelayMs(attempts: number, result: SendResult): number {
    const scheduled = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0;
    const wanted = result.kind === 'failed' ? (result.retryAfterMs ?? 0) : 0;
    // A restored receiver does not get all events at the same time.
    return Math.max(Math.round(scheduled * (0.9 + random() / 5)), wanted);
  }

  function recover(): void {
    if (isUnavailable()) onEvent({ event: 'status-events-resumed', consumer });
    failures = 0;
    unavailableUntil = -Infinity;
  }

  function pause(retryAfterMs = 0): void {
    failures += 1;
    // 429 and 503 are about the receiver, not about this event.
    waitUntil = Math.max(waitUntil, clock() + Math.min(retryAfterMs, maxPauseMs));
    if (!isUnavailable()) return;
    const pauseMs = minPauseMs * 2 ** Math.min(failures - maxFailures, 20);
    const spreadMs = Math.min(Math.round(pauseMs * (0.9 + random() / 5)), maxPauseMs);
    unavailableUntil = Math.max(unavailableUntil, clock() + spreadMs);
    if (failures === maxFailures) {
      onEvent({ event: 'status-events-paused', consumer, ms: findPauseMs() });
    }
  }

  async function findSleepMs(): Promise<number> {
    try {
      return Math.min((await store.findNextEventMs(receiver)) ?? maxSleepMs, maxSleepMs);
    } catch (error) {
      onEvent({ event: 'status-events-stalled', consumer, error });
      return storeRetryMs;
    }
  }

  /** Sends what is due, and sets the timer for the next time. */
  async function run(): Promise<void> {
    isWoken = false;
    startLoop(isStarted);
    await allLoops();
    const sleepMs = await findSleepMs();
    if (!isStarted()) return;
    cancelTimer = startTimer(Math.max(sleepMs, findPauseMs(), minSleepMs), poll);
  }

  function poll(): void {
    isWoken = true;
    // There may be fewer loops in progress than events.
    if (loops.size > 0) startLoop(isStarted);
    if (running || !isStarted()) return;
    cancelTimer();
    running = run().finally(() => {
      running = undefined;
      if (isWoken) poll();
    });
  }

  async function allLoops(): Promise<void> {
    while (loops.size > 0) await Promise.all(loops);
  }

  return {
    start() {
      if (phase !== 'new') return;
      phase = 'started';
      poll();
    },

    async stop() {
      phase = 'stopped';
      cancelTimer();
      await running;
      await allLoops();
    },

    wake: poll,

    async runDue(maxMs = Infinity) {
      const endAt = clock() + maxMs;
      const mayRun = () => phase !== 'stopped' && clock() < endAt;
      startLoop(mayRun);
      await allLoops();
      const dueMs = await store.findNextEventMs(receiver);
      return dueMs === undefined || dueMs > 0 || findPauseMs() > 0;
    },
  };
}
