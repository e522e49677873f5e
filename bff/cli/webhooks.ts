// `webhooks`: shows events and how far their delivery is, and sends them again.

import { toEventId, toEventType } from '../events/webhook-event.ts';
import type { GivenUpEvent, ListedEvent } from '../store/store.ts';
import {
  type Call,
  type Command,
  CommandError,
  type CommandReport,
  findApplication,
  findReference,
  onStore,
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
    '[show <reference> | retry [<reference>] [--from <number>] [--since <time>] | dismiss [<reference>]]',
  summary: 'shows events for your systems, and sends them again',
  about: [
    `Without an argument: counts the events for \`WEBHOOK_URL\` and for the hook \`onStatus\` that wait, lists those whose attempts fail, and lists those that were given up after three days, oldest first (at most ${maxListed} each).`,
  ],
  arguments: {
    show: 'lists all events of one application: number, time, type, `webhook-id`, and whether your system has it. `dismissed`: it is not sent, because you dismissed it, or because the BFF had no receiver for a time.',
    retry:
      'sends what waits or was given up at once, also after `410 Gone`. Later events of the same applications are sent again too, in their order and with the same `webhook-id`.',
    dismiss: 'dismisses the events that were given up, and ends their alarm.',
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
    if (word !== 'show' && word !== 'retry' && word !== 'dismiss') {
      throw new UsageError('webhooks has no such argument. It takes show, retry, or dismiss.');
    }
    const reference =
      others.length === 0 && word !== 'show'
        ? undefined
        : readReference({ ...call, positionals: others });
    return onStore(io, async (context) => {
      const { store } = context;
      await requireConsumer(context);
      const applicationId =
        reference === undefined
          ? undefined
          : (await findApplication(await findReference(reference, store), store)).id;
      if (word === 'show') return showApplication(applicationId ?? '', context);
      if (word === 'retry') {
        return reportRetry(await store.retryEvents({ applicationId, since, fromSequence }));
      }
      return reportDismissal(await store.dismissGivenUpEvents(applicationId));
    });
  },
};

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

async function requireConsumer({ store }: StoreContext): Promise<void> {
  if ((await store.countEvents()).length > 0) return;
  throw new CommandError(
    'no-webhook',
    'The BFF sends no events. Set WEBHOOK_URL, or export onStatus from the module of BFF_HOOKS, and start the BFF.',
  );
}

async function showEvents({ store, clock }: StoreContext): Promise<CommandReport> {
  const now = clock();
  const events = await store.countEvents();
  const failing = await store.listFailingEvents(maxListed);
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
  const events = await store.listEvents(applicationId);
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
