// `status`: shows what is waiting for the funding service, what has an alarm, and what needs the operator.

import { toShortReference } from '../../shared/api/short-reference.ts';
import {
  type Alarm,
  type AlarmCode,
  countWaiting,
  sumCounts,
  toAlarms,
  type WaitingCount,
} from '../store/alarms.ts';
import {
  applicationStates,
  attachmentStates,
  deliveryKinds,
  type StateCount,
  type RowNeedingOperator,
  type StoreIdentity,
} from '../store/store.ts';
import {
  type Command,
  type CommandReport,
  onStore,
  readArguments,
  type StoreContext,
  toReferenceText,
} from './command.ts';
import {
  kindNames,
  toCount,
  toDuration,
  toEventsText,
  toSection,
  toTable,
  toTime,
  toTimeAndAge,
} from './format.ts';

const maxListed = 20;

export const status: Command = {
  name: 'status',
  parameters: '',
  summary: 'shows what is waiting, alarms, and what needs attention',
  about: [
    'The first line shows the store, when it was created, and how many applications it has received. The command exits with 0 if there is no alarm and with 3 if there is one, so that a scheduled job can notify you.',
    `It lists at most ${maxListed} rows that need attention, the oldest first.`,
  ],
  guide: 'operate/alarms.md',
  async run(call, io) {
    readArguments(call);
    return onStore(io, reportStatus);
  },
};

interface WaitingKind extends WaitingCount {
  /** The reference of the oldest row; `undefined` if no row is waiting, or if it was delivered just now. */
  readonly oldestReference: string | undefined;
}

async function reportStatus({ config, store, clock }: StoreContext): Promise<CommandReport> {
  const now = clock();
  const identity = await store.readIdentity();
  const counts = await store.countStates();
  const refused = await store.countRefused();
  const events = await store.countEvents();
  const alarms = toAlarms(counts, refused, now, events);
  const waiting = await Promise.all(
    countWaiting(counts).map(async (each): Promise<WaitingKind> => {
      const { kind, oldestAt } = each;
      const oldestReference =
        oldestAt === undefined ? undefined : await store.findWaitingReference(kind, oldestAt);
      return { ...each, oldestReference };
    }),
  );
  const inNeed = (await store.listRowsNeedingOperator(maxListed))
    .toSorted((a, b) => a.since - b.since)
    .slice(0, maxListed);
  const inNeedCounts = counts
    .filter(({ state }) => state === 'held' || state === 'unconfirmed')
    .concat(refused);
  return {
    exitCode: alarms.length > 0 ? 3 : 0,
    json: {
      environment: config.environment,
      store: identity,
      at: now,
      rows: counts,
      waiting,
      alarms: alarms.map(({ code, count, oldestAgeMs }) => ({
        code,
        count,
        oldestAgeSeconds: Math.floor(oldestAgeMs / 1000),
      })),
      needsOperator: inNeed.map((row) => ({
        ...row,
        shortReference: toShortReference(row.reference),
      })),
      needsOperatorCount: sumCounts(inNeedCounts),
      events,
    },
    text: [
      toStoreText(identity),
      toWaitingText(waiting, now),
      toAlarmText(alarms),
      toNeedText(inNeed, inNeedCounts, now),
      ...events.map((count) => toEventsText(count, now)),
      toCountTable(counts),
    ].join('\n\n'),
  };
}

function toStoreText({ id, createdAt, applicationsReceived }: StoreIdentity): string {
  const received = toCount(applicationsReceived, 'application');
  return `Store ${id.slice(0, 8)}, created ${toTime(createdAt)}, has received ${received}.`;
}

function toWaitingText(waiting: readonly WaitingKind[], now: number): string {
  const lines = waiting.flatMap(({ kind, count, oldestAt, oldestReference }) => {
    if (oldestAt === undefined) return [];
    const oldest = `oldest ${toDuration(now - oldestAt)}`;
    const first = `${toCount(count, kindNames[kind])} waiting for the funding service (${oldest})`;
    return oldestReference === undefined
      ? [first]
      : [first, `  oldest: ${toReferenceText(oldestReference)}`];
  });
  return lines.join('\n') || 'Nothing is waiting for the funding service.';
}

const showOne = 'Run "show <reference>" for the reason';
const checkConnection = 'Check that the BFF runs and that it can reach the funding service.';
const askSupport = `${showOne}, then contact the funding service's support.`;

const alarmFixes: Readonly<Record<AlarmCode, string>> = {
  'application-held': `${showOne}, fix it, then run "retry <reference>".`,
  'attachment-held': `${showOne}, fix it, then run "retry <reference>".`,
  'application-unconfirmed': 'Ask the funding service for the ApplicationID, then run "resolve".',
  'application-late': checkConnection,
  'attachment-late': checkConnection,
  'application-refused': askSupport,
  'attachment-refused': askSupport,
  'row-unreadable': 'Restore the store from a backup, or erase the application.',
  'events-stopped': 'The receiver answered 410 Gone. Run "webhooks retry", or change WEBHOOK_URL.',
  'events-given-up': 'Run "webhooks" to see them, then "webhooks retry" or "webhooks dismiss".',
  'events-late': 'Check the receiver with "doctor --webhook", and search the log for status-event.',
};

function toAlarmText(alarms: readonly Alarm[]): string {
  if (alarms.length === 0) return 'No alarms.';
  const lines = alarms.map(
    ({ code, count, oldestAgeMs }) =>
      `${code}: ${toCount(count, 'row')}, oldest ${toDuration(oldestAgeMs)}\n  ${alarmFixes[code]}`,
  );
  return toSection('Alarms', lines);
}

function toNeedText(
  rows: readonly RowNeedingOperator[],
  counts: readonly StateCount[],
  now: number,
): string {
  const kinds = deliveryKinds.flatMap((kind) => {
    const count = sumCounts(counts.filter((row) => row.kind === kind));
    return count === 0 ? [] : [toCount(count, kindNames[kind])];
  });
  const total = sumCounts(counts);
  if (total === 0) return 'Nothing needs attention.';
  const names = new Intl.ListFormat('en-US').format(kinds);
  const [only] = rows;
  const reference = total === 1 && only ? only.reference : '<reference>';
  const lines = rows.map(
    (row) =>
      `${toReferenceText(row.reference)}  ${kindNames[row.kind]}  ${toNeed(row)}\n  since ${toTimeAndAge(row.since, now)}`,
  );
  if (total > rows.length) lines.push(`and ${total - rows.length} more`);
  return toSection(
    `${names} ${total === 1 ? 'needs' : 'need'} attention: run "show ${reference}"`,
    lines,
  );
}

function toNeed({ state, heldReason, lastOutcome }: RowNeedingOperator): string {
  if (state === 'waiting') return `refused: ${lastOutcome ?? 'unknown'}`;
  return heldReason === undefined ? state : `${state}: ${heldReason}`;
}

/** One row per state, one column per kind. A cell is empty if the kind does not have the state. */
function toCountTable(counts: readonly StateCount[]): string {
  const states = ['receiving', ...applicationStates] as const;
  return toTable([
    ['', ...deliveryKinds.map((kind) => `${kindNames[kind]}s`)],
    ...states.map((state) => [
      state,
      ...deliveryKinds.map((kind) => {
        const known: readonly string[] =
          kind === 'application' ? applicationStates : attachmentStates;
        const found = counts.find((row) => row.kind === kind && row.state === state);
        return known.includes(state) ? (found?.count ?? 0) : '';
      }),
    ]),
  ]);
}
