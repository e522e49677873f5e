// The events of applications for the partner's systems: one worker for WEBHOOK_URL, and one for the hook `onStatus`.

import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { OnStatus } from '../config/hooks.ts';
import type { Transport } from '../funding-service/transport.ts';
import type { EventReceiver } from '../store/store.ts';
import { createEventWorker, type EventWorkerOptions } from './event-worker.ts';
import { createWebhookSender, type SendEvent } from './send-webhook.ts';

/** The store forgets a consumer after three days. */
const registerEveryMs = 60 * 60_000;
/** After a failure of the store. */
const registerAgainMs = 5_000;

export interface StatusEventsOptions extends Omit<
  EventWorkerOptions,
  'receiver' | 'send' | 'environment'
> {
  readonly config: Pick<Config, 'environment' | 'webhook'>;
  readonly onStatus: OnStatus | undefined;
  readonly transport: Transport;
}

export interface StatusEvents {
  /** The store records events from now on. Call it before the first request. */
  register(): Promise<void>;
  /** Registers, and sends events until `stop`. */
  start(): Promise<void>;
  /** Resolves when the attempts in progress are recorded. */
  stop(): Promise<void>;
  /** Call it when an application or an attachment has changed. */
  wake(): void;
  /** Sends the events that are due: see `EventWorker.runDue`. Works without `start`. */
  runDue(maxMs?: number): Promise<boolean>;
}

interface Consumer {
  readonly receiver: EventReceiver;
  readonly send: SendEvent;
}

export function createStatusEvents(options: StatusEventsOptions): StatusEvents {
  const { config, store, startTimer, onEvent } = options;
  const consumers = listConsumers(options);
  const workers = consumers.map((consumer) =>
    createEventWorker({ ...options, ...consumer, environment: config.environment }),
  );
  let isStopped = false;
  let cancelTimer: () => void = () => undefined;

  async function register(): Promise<void> {
    await store.registerEventConsumers(consumers.map(({ receiver }) => receiver));
  }

  function registerLater(ms: number): void {
    if (isStopped || consumers.length === 0) return;
    cancelTimer = startTimer(ms, () => {
      register().then(
        () => registerLater(registerEveryMs),
        (error: unknown) => {
          const consumer = consumers[0]?.receiver.name ?? 'webhook';
          onEvent({ event: 'status-events-stalled', consumer, error });
          registerLater(registerAgainMs);
        },
      );
    });
  }

  return {
    register,

    async start() {
      // Also without a consumer, so that the store of a BFF that had one records nothing from now on.
      await register();
      registerLater(registerEveryMs);
      for (const worker of workers) worker.start();
    },

    async stop() {
      isStopped = true;
      cancelTimer();
      await Promise.all(workers.map((worker) => worker.stop()));
    },

    wake() {
      for (const worker of workers) worker.wake();
    },

    async runDue(maxMs) {
      if (consumers.length === 0) return true;
      await register();
      const results = await Promise.all(workers.map((worker) => worker.runDue(maxMs)));
      return results.every(Boolean);
    },
  };
}

function listConsumers(options: StatusEventsOptions): readonly Consumer[] {
  const { config, onStatus } = options;
  const { webhook } = config;
  const consumers: Consumer[] = [];
  if (webhook) {
    // Without the URL itself, whose path or query can contain a token.
    const target = createHash('sha256').update(webhook.url).digest('hex');
    const send = createWebhookSender({ ...options, webhook });
    consumers.push({ receiver: { name: 'webhook', target }, send });
  }
  if (onStatus)
    consumers.push({ receiver: { name: 'hook', target: '' }, send: toSendEvent(onStatus) });
  return consumers;
}

/** The hook gets a copy that no other attempt shares. */
function toSendEvent(onStatus: OnStatus): SendEvent {
  return async (id, event, signal) => {
    await onStatus({ id, ...event }, signal);
    return { kind: 'sent' };
  };
}
