// Sends the events of one consumer: in the order of each application, and again until the consumer takes them.

import type { Environment } from '../../shared/api/configuration.ts';
import type { WebhookEventType } from '../../shared/api/webhook-event.ts';
import { type StartTimer, withTimeout } from '../runtime/timers.ts';
import type { ClaimStore, EventClaim, EventConsumer, EventStore } from '../store/store.ts';
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
/** Time between two looks into the store: other processes and commands record events too. */
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
  readonly consumer: EventConsumer;
  readonly send: SendEvent;
  readonly store: EventStore & Pick<ClaimStore, 'isShared'>;
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
   * @returns true if none is due any more.
   */
  runDue(maxMs?: number): Promise<boolean>;
}

export function createEventWorker(options: EventWorkerOptions): EventWorker {
  const { consumer, send, store, environment, clock, startTimer, random, onEvent } = options;
  let phase: 'new' | 'started' | 'stopped' = 'new';
  /** Lanes, each of which sends one event after the other. */
  const lanes = new Set<Promise<void>>();
  let failures = 0;
  let pausedUntil = -Infinity;
  let isWoken = false;
  let running: Promise<void> | undefined;
  let cancelTimer: () => void = () => undefined;

  const isStarted = () => phase === 'started';
  const isUnavailable = () => failures >= maxFailures;
  const mayClaim = () =>
    clock() >= pausedUntil && lanes.size < (isUnavailable() ? 1 : maxConcurrent);

  /** Each lane that finds an event starts another, so that a single event costs one vain claim. */
  function startLane(mayRun: () => boolean): void {
    if (!mayRun() || !mayClaim()) return;
    const lane = runLane(mayRun)
      .catch((error: unknown) => {
        onEvent({ event: 'status-events-stalled', consumer, error });
        pausedUntil = clock() + storeRetryMs;
      })
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  }

  async function runLane(mayRun: () => boolean): Promise<void> {
    while (mayRun() && clock() >= pausedUntil) {
      const claim = await store.claimEvent(consumer, leaseMs);
      if (!claim) return;
      startLane(mayRun);
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
    if (result.kind === 'gone') await store.stopEventConsumer(consumer);
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
    pausedUntil = -Infinity;
  }

  function pause(retryAfterMs = 0): void {
    failures += 1;
    const pauseMs = isUnavailable()
      ? Math.min(minPauseMs * 2 ** Math.min(failures - maxFailures, 20), maxPauseMs)
      : 0;
    // 429 and 503 are about the receiver, not about this event.
    const ms = Math.round(
      Math.max(pauseMs * (0.9 + random() / 5), Math.min(retryAfterMs, maxPauseMs)),
    );
    if (ms === 0) return;
    pausedUntil = Math.max(pausedUntil, clock() + ms);
    if (failures === maxFailures) onEvent({ event: 'status-events-paused', consumer, ms });
  }

  async function findSleepMs(): Promise<number> {
    try {
      return Math.min((await store.findNextEventMs(consumer)) ?? maxSleepMs, maxSleepMs);
    } catch (error) {
      onEvent({ event: 'status-events-stalled', consumer, error });
      return storeRetryMs;
    }
  }

  /** Sends what is due, and sets the timer for the next time. */
  async function run(): Promise<void> {
    isWoken = false;
    startLane(isStarted);
    await allLanes();
    const sleepMs = await findSleepMs();
    if (!isStarted()) return;
    cancelTimer = startTimer(Math.max(sleepMs, pausedUntil - clock(), minSleepMs), look);
  }

  function look(): void {
    isWoken = true;
    // There may be fewer lanes in progress than events.
    if (lanes.size > 0) startLane(isStarted);
    if (running || !isStarted()) return;
    cancelTimer();
    running = run().finally(() => {
      running = undefined;
      if (isWoken) look();
    });
  }

  async function allLanes(): Promise<void> {
    while (lanes.size > 0) await Promise.all(lanes);
  }

  return {
    start() {
      if (phase !== 'new') return;
      phase = 'started';
      look();
    },

    async stop() {
      phase = 'stopped';
      cancelTimer();
      await running;
      await allLanes();
    },

    wake: look,

    async runDue(maxMs = Infinity) {
      const endAt = clock() + maxMs;
      const mayRun = () => phase !== 'stopped' && clock() < endAt;
      startLane(mayRun);
      await allLanes();
      const dueMs = await store.findNextEventMs(consumer);
      return dueMs === undefined || dueMs > 0;
    },
  };
}
