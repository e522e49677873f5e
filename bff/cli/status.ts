// `status`: how much is where in the store, what waits longest, what alarms, and what needs an operator.

import {
  countWaiting,
  toAlarms,
  type Alarm,
  type AlarmCode,
  type Waiting,
} from '../store/alarms.ts';
import {
  applicationStates,
  attachmentStates,
  type DeliveryKind,
  deliveryKinds,
  type Store,
  type StateCount,
  type StoreIdentity,
} from '../store/store.ts';
import { readArguments, type Command, type CommandContext, type CommandReport } from './command.ts';
import {
  toCount,
  toDuration,
  toJsonTime,
  toSection,
  toTable,
  toTime,
  toTimeAndAge,
} from './format.ts';

const maxListed = 20;

export const status: Command = {
  kind: 'store',
  name: 'status',
  parameters: '',
  summary: 'counts, what waits longest, alarms, and what needs you',
  help: `The first line names the store, when it was created, and how many applications
it has received since. Exits with 0 when nothing alarms and with 3 when
something does, so that a scheduled job can tell you. At most ${maxListed} rows that need
you are listed, the oldest first.`,
  prepare(call) {
    readArguments(call);
    return reportStatus;
  },
};

interface Needy {
  readonly reference: string;
  readonly kind: DeliveryKind;
  readonly state: string;
  readonly heldReason: string | undefined;
  /** How the latest attempt ended; a code such as `unrecognized`. */
  readonly lastOutcome: string | undefined;
  readonly since: number;
}

interface WaitingLongest extends Waiting {
  /** Of the oldest; `undefined` when none waits, or when it has just been delivered. */
  readonly reference: string | undefined;
}

interface Snapshot {
  readonly now: number;
  readonly counts: readonly StateCount[];
  readonly waiting: readonly WaitingLongest[];
  readonly alarms: readonly Alarm[];
  readonly needy: readonly Needy[];
  /** Also of those that are not listed. */
  readonly needyCount: number;
}

async function reportStatus({ config, store, clock }: CommandContext): Promise<CommandReport> {
  const now = clock();
  const identity = await store.readIdentity();
  const counts = await store.countStates();
  const refused = await store.countRefused();
  const needy = [...(await store.listRowsNeedingOperator(maxListed))]
    .sort((a, b) => a.since - b.since)
    .slice(0, maxListed);
  const needyCount = counts
    .filter(({ state }) => state === 'held' || state === 'unconfirmed')
    .concat(refused)
    .reduce((sum, { count }) => sum + count, 0);
  const waiting = await Promise.all(
    countWaiting(counts).map((longest) => addReference(longest, store)),
  );
  const alarms = toAlarms(counts, refused, now);
  const snapshot = { now, counts, waiting, alarms, needy, needyCount };
  return {
    exitCode: snapshot.alarms.length > 0 ? 3 : 0,
    json: {
      environment: config.environment,
      store: { ...identity, createdAt: toJsonTime(identity.createdAt) },
      ...toJson(snapshot),
    },
    text: [
      toStoreText(identity),
      toCountTable(counts),
      toWaitingText(snapshot),
      toAlarmText(snapshot.alarms),
      toNeedyText(snapshot),
    ].join('\n\n'),
  };
}

async function addReference(longest: Waiting, store: Store): Promise<WaitingLongest> {
  const { kind, oldestAt } = longest;
  const reference =
    oldestAt === undefined ? undefined : await store.findWaitingReference(kind, oldestAt);
  return { ...longest, reference };
}

function toJson({ now, counts, waiting, alarms, needy, needyCount }: Snapshot): object {
  return {
    at: toJsonTime(now),
    rows: counts.map(({ kind, state, count, oldestAt }) => ({
      kind,
      state,
      count,
      oldestAt: toJsonTime(oldestAt),
    })),
    waiting: waiting.map(({ kind, count, oldestAt, reference }) => ({
      kind,
      count,
      oldestAt: toJsonTime(oldestAt),
      oldestReference: reference ?? null,
    })),
    alarms: alarms.map(({ code, count, oldestAgeMs }) => ({
      code,
      count,
      oldestAgeSeconds: Math.floor(oldestAgeMs / 1000),
    })),
    needsOperator: needy.map(({ reference, kind, state, heldReason, lastOutcome, since }) => ({
      reference,
      kind,
      state,
      heldReason: heldReason ?? null,
      lastOutcome: lastOutcome ?? null,
      since: toJsonTime(since),
    })),
    needsOperatorCount: needyCount,
  };
}

function toStoreText({ id, createdAt, applicationsReceived }: StoreIdentity): string {
  const received = toCount(applicationsReceived, 'application');
  return `Store ${id.slice(0, 8)}, created ${toTime(createdAt)}, has received ${received}.`;
}

/** A state a line, a kind a column; empty where the kind does not know the state. */
function toCountTable(counts: readonly StateCount[]): string {
  const states = ['receiving', ...applicationStates] as const;
  return toTable([
    ['', ...deliveryKinds],
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

function toWaitingText({ waiting, now }: Snapshot): string {
  const lines = waiting.flatMap(({ kind, oldestAt, reference }) => {
    if (oldestAt === undefined) return [];
    const title = reference === undefined ? kind : `${reference}  ${kind}`;
    return [`${title}\n  since ${toTimeAndAge(oldestAt, now)}`];
  });
  return lines.length === 0 ? 'Nothing waits.' : toSection('Waiting longest', lines.join('\n'));
}

const alarmMeanings: Readonly<Record<AlarmCode, string>> = {
  'application-held': 'given up until you look: show, then retry',
  'attachment-held': 'given up until you look: show, then retry',
  'lead-unconfirmed': 'ask the funding service for the ApplicationID, then resolve',
  'application-late': 'is the funding service reachable? show the one that waits longest',
  'attachment-late': 'is the funding service reachable? show the one that waits longest',
  'application-refused':
    'the funding service refuses them, and not for what applicants gave: show one, and ask its support',
  'attachment-refused':
    'the funding service refuses them, and not for what applicants gave: show one, and ask its support',
  'row-unreadable':
    'something wrote to the store that is not the BFF: restore it, or erase the row',
};

function toAlarmText(alarms: readonly Alarm[]): string {
  if (alarms.length === 0) return 'No alarms.';
  const lines = alarms.map(
    ({ code, count, oldestAgeMs }) =>
      `${code}: ${toCount(count, 'row')}, the oldest ${toDuration(oldestAgeMs)}\n  ${alarmMeanings[code]}`,
  );
  return toSection('Alarms', lines.join('\n'));
}

function toNeedyText({ needy, needyCount, now }: Snapshot): string {
  if (needyCount === 0) return 'Nothing needs an operator.';
  const lines = needy.map(
    ({ reference, kind, state, heldReason, lastOutcome, since }) =>
      `${reference}  ${kind}  ${toNeed(state, heldReason, lastOutcome)}\n` +
      `  since ${toTimeAndAge(since, now)}`,
  );
  const more = needyCount - needy.length;
  if (more > 0) lines.push(`and ${more} more`);
  return toSection(`Needs an operator (${needyCount})`, lines.join('\n'));
}

function toNeed(
  state: string,
  heldReason: string | undefined,
  lastOutcome: string | undefined,
): string {
  if (state === 'waiting') return `refused: ${lastOutcome ?? 'unknown'}`;
  return heldReason === undefined ? state : `${state}: ${heldReason}`;
}
