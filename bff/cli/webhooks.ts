// `webhooks`: shows the events that were not sent, and sends them again.

import { toEventType } from '../events/webhook-event.ts';
import type { GivenUpEvent } from '../store/store.ts';
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
import { consumerNames, toCount, toEventsText, toSection, toTimeAndAge } from './format.ts';

const maxListed = 20;

export const webhooks: Command = {
  name: 'webhooks',
  parameters: '[retry | dismiss] [<reference>] [--since <time>]',
  summary: 'shows events for your systems, and sends them again',
  about: [
    `Without an argument: counts the events for \`WEBHOOK_URL\` and for the hook \`onStatus\` that wait, and lists those that were given up after three days, oldest first (at most ${maxListed}).`,
  ],
  arguments: {
    retry:
      'sends what waits or was given up at once, also after `410 Gone`. Later events of the same applications are sent again too, in their order and with the same `webhook-id`.',
    dismiss: 'forgets the events that were given up, and ends their alarm.',
    '<reference>': 'limits either to one application.',
  },
  options: {
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
    if (word !== 'retry' && since !== undefined) {
      throw new UsageError('--since belongs to "webhooks retry".');
    }
    if (word === undefined) return onStore(io, showEvents);
    if (word !== 'retry' && word !== 'dismiss') {
      throw new UsageError('webhooks has no such argument. It takes retry or dismiss.');
    }
    const reference =
      others.length === 0 ? undefined : readReference({ ...call, positionals: others });
    return onStore(io, async (context) => {
      const { store } = context;
      await requireConsumer(context);
      const applicationId =
        reference === undefined
          ? undefined
          : (await findApplication(await findReference(reference, store), store)).id;
      if (word === 'retry') return reportRetry(await store.retryEvents({ applicationId, since }));
      return reportDismissal(await store.dismissGivenUpEvents(applicationId));
    });
  },
};

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
  const givenUp = await store.listGivenUpEvents(maxListed);
  const total = events.reduce((sum, { givenUp: count }) => sum + count, 0);
  const lines = givenUp.map((event) => describeGivenUp(event, now));
  if (total > givenUp.length) lines.push(`and ${total - givenUp.length} more`);
  return {
    json: {
      at: now,
      events,
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
      ...(lines.length > 0 ? [toSection('Given up', lines)] : []),
    ].join('\n\n'),
  };
}

function describeGivenUp(event: GivenUpEvent, now: number): string {
  const { applicationId, consumer, sequence, happenedAt } = event;
  const subject = `${toEventType(event)} (${sequence})  ${consumerNames[consumer]}`;
  return `${toReferenceText(applicationId)}  ${subject}\n  of ${toTimeAndAge(happenedAt, now)}`;
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
