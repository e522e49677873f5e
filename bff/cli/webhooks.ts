// `webhooks`: shows events and how far their delivery is, and sends them again.

import { toEventId, toEventType } from '../events/webhook-event.ts';
import {
  type EventConsumer,
  eventConsumers,
  type EventCount,
  type GivenUpEvent,
  type ListedEvent,
} from '../store/store.ts';
import {
  type Call,
  type Command,
  CommandError,
  type CommandIo,
  type CommandReport,
  findApplication,
  findReference,
  onStore,
  readArguments,
  readReference,
  type StoreContext,
  toReferenceText,
  UsageError,
} from './command.ts';
import {
  consumerNames,
  toCount,
  toDuration,
  toEventsText,
  toSection,
  toTable,
  toTime,
  toTimeAndAge,
} from './format.ts';

const maxListed = 20;

export const webhooks: Command = {
  name: 'webhooks',
  parameters:
    '[show <reference> | retry [<reference>] [--from <number>] [--since <time>] | dismiss [<reference>] | remove (webhook | hook)]',
  summary: 'shows events for your systems, and sends them again',
  about: [
    `Without an argument: counts the events for \`WEBHOOK_URL\` and for the hook \`onStatus\` that wait, lists those whose attempts fail, and lists those that were given up after three days, oldest first (at most ${maxListed} each).`,
  ],
  arguments: {
    show: 'lists all events of one application: number, time, type, `webhook-id`, and whether your system has it. `dismissed`: it is not sent, because you dismissed it, or because the BFF had no receiver for a time.',
    retry:
      'sends what waits or was given up at once, also after `410 Gone`. Later events of the same applications are sent again too, in their order and with the same `webhook-id`.',
    dismiss: 'dismisses the events that were given up, and ends their alarm.',
    remove:
      'ends the events for the webhook or for the hook, and their alarms. First remove `WEBHOOK_URL`, or the hook `onStatus`, and restart every process. By itself, the store removes it at the next start, and with PostgreSQL after three days.',
    '<reference>': 'limits `retry` or `dismiss` to one application.',
  },
  options: {
    from: {
      type: 'string',
      about:
        'with `retry` and a reference: also sends the events that were sent, from this number on.',
    },
    since: {
      type: 'string',
      about:
        'with `retry`: also sends what was sent since then, for example after you have restored a backup of your system: `2026-11-20`, or `2026-11-20T10:00:00Z`.',
    },
  },
  guide: 'operate/webhooks.md',
  async run(call, io) {
    const [word, ...others] = call.positionals;
    const since = readSince(call);
    const fromSequence = readFrom(call);
    if (word !== 'retry' && since !== undefined) {
      throw new UsageError('--since belongs to "webhooks retry".');
    }
    if (fromSequence !== undefined && (word !== 'retry' || others.length === 0)) {
      throw new UsageError('--from belongs to "webhooks retry <reference>".');
    }
    if (word === undefined) return onStore(io, showEvents);
    const ofOthers = { ...call, positionals: others };
    if (word === 'show') {
      const reference = readReference(ofOthers);
      return onConsumers(io, async (context) =>
        showApplication(await findId(reference, context), context),
      );
    }
    if (word === 'remove') {
      const consumer = readConsumer(ofOthers);
      return onConsumers(io, (context) => removeConsumer(consumer, context));
    }
    if (word !== 'retry' && word !== 'dismiss') {
      throw new UsageError(
        'webhooks has no such argument. It takes show, retry, dismiss, or remove.',
      );
    }
    const reference = others.length === 0 ? undefined : readReference(ofOthers);
    return onConsumers(io, async (context) => {
      const { store } = context;
      const applicationId = reference === undefined ? undefined : await findId(reference, context);
      return word === 'retry'
        ? reportRetry(await store.retryEvents({ applicationId, since, fromSequence }))
        : reportDismissal(await store.dismissGivenUpEvents(applicationId));
    });
  },
};

function readConsumer(call: Call): EventConsumer {
  const [name] = readArguments(call, 'webhook | hook');
  const consumer = eventConsumers.find((each) => each === name);
  if (consumer) return consumer;
  throw new UsageError('webhooks remove takes webhook or hook.');
}

async function findId(reference: string, { store }: StoreContext): Promise<string> {
  return (await findApplication(await findReference(reference, store), store)).id;
}

function readFrom({ options }: Call): number | undefined {
  const text = options['from'];
  if (typeof text !== 'string') return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError('--from is not the number of an event. Use one that "webhooks show" lists.');
}

function readSince({ options }: Call): number | undefined {
  const text = options['since'];
  if (typeof text !== 'string') return undefined;
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(
    text,
  );
  const at = isTime ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError('--since is not a time. Use 2026-11-20 or 2026-11-20T10:00:00Z.');
}

/** Runs `work` on the configured store. Throws a `CommandError` if the BFF sends no events. */
function onConsumers(
  io: CommandIo,
  work: (context: StoreContext) => Promise<CommandReport>,
): Promise<CommandReport> {
  return onStore(io, async (context) => {
    if ((await context.store.countEvents()).length > 0) return work(context);
    throw new CommandError(
      'no-webhook',
      'The BFF sends no events. Set WEBHOOK_URL, or export onStatus from the module of BFF_HOOKS, and start the BFF.',
    );
  });
}

async function removeConsumer(
  consumer: EventConsumer,
  { config, store }: StoreContext,
): Promise<CommandReport> {
  if (consumer === 'webhook' && config.webhook) {
    throw new CommandError(
      'wrong-state',
      'WEBHOOK_URL is set. Unset it, restart every process of the BFF, and run the command again.',
    );
  }
  const isRemoved = await store.removeEventConsumer(consumer);
  const name = consumerNames[consumer];
  const text = isRemoved
    ? `The BFF records no more events for the ${name}. A process that still has it adds it again within an hour.`
    : `The BFF sends no events to the ${name}.`;
  return { json: { consumer, isRemoved }, text };
}

/** The BFF sends these nothing until `webhooks retry`. */
function listStopped(events: readonly EventCount[]): ReadonlySet<EventConsumer> {
  return new Set(
    events.flatMap(({ consumer, stoppedAt }) => (stoppedAt === undefined ? [] : [consumer])),
  );
}

async function showEvents({ store, clock }: StoreContext): Promise<CommandReport> {
  const now = clock();
  const events = await store.countEvents();
  const stopped = listStopped(events);
  const failing = (await store.listFailingEvents(maxListed)).map((event) =>
    withoutStopped(event, stopped),
  );
  const givenUp = await store.listGivenUpEvents(maxListed);
  const total = events.reduce((sum, { givenUp: count }) => sum + count, 0);
  const lines = givenUp.map((event) => describeGivenUp(event, now));
  if (total > givenUp.length) lines.push(`and ${total - givenUp.length} more`);
  return {
    json: {
      at: now,
      events,
      failing: failing.map(toJson),
      givenUp: givenUp.map(
        ({ applicationId, consumer, sequence, happenedAt, givenUpAt, ...row }) => ({
          reference: applicationId,
          consumer,
          type: toEventType(row),
          sequence,
          happenedAt,
          givenUpAt,
        }),
      ),
    },
    text: [
      events.map((count) => toEventsText(count, now)).join('\n') || 'The BFF sends no events.',
      ...(failing.length > 0
        ? [
            toSection(
              'Failing',
              failing.map((event) => describeFailing(event, now)),
            ),
          ]
        : []),
      ...(lines.length > 0 ? [toSection('Given up', lines)] : []),
    ].join('\n\n'),
  };
}

async function showApplication(
  applicationId: string,
  { store, clock }: StoreContext,
): Promise<CommandReport> {
  const now = clock();
  const stopped = listStopped(await store.countEvents());
  const events = (await store.listEvents(applicationId)).map((event) =>
    withoutStopped(event, stopped),
  );
  const rows = events.map((event) => [
    event.sequence,
    toTime(event.happenedAt),
    toEventType(event),
    toEventId(event),
    consumerNames[event.consumer],
    describeDelivery(event, now),
  ]);
  const lines = rows.length === 0 ? ['no events'] : toTable(rows).split('\n');
  return {
    json: { at: now, reference: applicationId, events: events.map(toJson) },
    text: toSection(toReferenceText(applicationId), lines),
  };
}

/** An event of a stopped consumer has no next attempt. */
function withoutStopped(event: ListedEvent, stopped: ReadonlySet<EventConsumer>): ListedEvent {
  return stopped.has(event.consumer) ? { ...event, nextAt: undefined } : event;
}

function toJson(event: ListedEvent): object {
  const { applicationId, consumer, sequence, happenedAt, state } = event;
  const { failedAttempts, lastOutcome, nextAt } = event;
  return {
    reference: applicationId,
    consumer,
    id: toEventId(event),
    type: toEventType(event),
    sequence,
    happenedAt,
    state,
    failedAttempts,
    lastOutcome,
    nextAt: nextAt === 0 ? happenedAt : nextAt,
  };
}

/** For example `waiting: 3 failed attempts, the last with http-500, next in 4 min`. */
function describeDelivery(event: ListedEvent, now: number): string {
  const { state, failedAttempts, lastOutcome, nextAt } = event;
  if (state === 'given-up') return 'given up';
  const failures =
    failedAttempts === 0
      ? []
      : [`${toCount(failedAttempts, 'failed attempt')}, the last with ${lastOutcome ?? 'unknown'}`];
  const isDue = nextAt !== undefined && nextAt <= now;
  const next = nextAt === undefined || isDue ? [] : [`next in ${toDuration(nextAt - now)}`];
  const details = [...failures, ...next].join(', ');
  return details === '' ? state : `${state}: ${details}`;
}

function describeFailing(event: ListedEvent, now: number): string {
  return `${toSubject(event)}\n  ${describeDelivery(event, now)}`;
}

function describeGivenUp(event: GivenUpEvent, now: number): string {
  return `${toSubject(event)}\n  of ${toTimeAndAge(event.happenedAt, now)}`;
}

function toSubject(event: GivenUpEvent | ListedEvent): string {
  const { applicationId, consumer, sequence } = event;
  const subject = `${toEventType(event)} (${sequence})  ${consumerNames[consumer]}`;
  return `${toReferenceText(applicationId)}  ${subject}`;
}

function reportRetry(events: number): CommandReport {
  const text =
    events === 0
      ? 'There is no event to send.'
      : `${toCount(events, 'event')} will be sent. A running BFF begins within seconds.`;
  return { json: { events }, text };
}

function reportDismissal(events: number): CommandReport {
  const text =
    events === 0 ? 'No event was given up.' : `${toCount(events, 'event')} will not be sent.`;
  return { json: { events }, text };
}
