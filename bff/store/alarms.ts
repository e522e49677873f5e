// What in the store an operator should know about; the same for the command `status` and for `/metrics`.

import { deliveryKinds, type DeliveryKind, type StateCount } from './store.ts';

/**
 * - `application-held`, `attachment-held`: given up until an operator looks; a child is a document, asset report or contact.
 * - `lead-unconfirmed`: the service may have the lead, and nobody knows under which ApplicationID.
 * - `application-late`, `attachment-late`: the oldest that waits does so for longer than is usual.
 * - `application-refused`, `attachment-refused`: the funding service answers with a refusal that is not the applicant's, and has
 *   done so for some minutes. The rows wait with their content; retrying alone may not help.
 * - `row-unreadable`: something in the store is in no state this program knows; it is neither sent nor shown.
 */
export const alarmCodes = [
  'application-held',
  'attachment-held',
  'lead-unconfirmed',
  'application-late',
  'attachment-late',
  'application-refused',
  'attachment-refused',
  'row-unreadable',
] as const;
export type AlarmCode = (typeof alarmCodes)[number];

export interface Alarm {
  readonly code: AlarmCode;
  /** Rows it is about; of the late ones, all that wait. */
  readonly count: number;
  /** Of the oldest of them, in milliseconds. */
  readonly oldestAgeMs: number;
}

/** Rows of one kind that are still to be delivered. */
export interface Waiting {
  readonly kind: DeliveryKind;
  readonly count: number;
  /** Epoch milliseconds; `undefined` when none waits. */
  readonly oldestAt: number | undefined;
}

/** Long enough for a refusal that passes by itself, such as a locked record. */
const refusedAfterMs = 2 * 60_000;
const lateAfterMs = { application: 15 * 60_000, attachment: 60 * 60_000 } as const;

/** One that is being sent waits as well: it has not arrived. */
const waitingStates: ReadonlySet<StateCount['state']> = new Set<StateCount['state']>([
  'received',
  'sending',
  'waiting',
]);

/**
 * @param counts of `countStates`
 * @param refused of `countRefused`
 * @param now epoch milliseconds
 */
export function toAlarms(
  counts: readonly StateCount[],
  refused: readonly StateCount[],
  now: number,
): readonly Alarm[] {
  const isApplication = ({ kind }: StateCount) => kind === 'application';
  const applications = counts.filter(isApplication);
  const attachments = counts.filter((count) => !isApplication(count));
  const isHeld = ({ state }: StateCount) => state === 'held';
  const isWaiting = ({ state }: StateCount) => waitingStates.has(state);
  const alarms = [
    toAlarm('application-held', applications.filter(isHeld), now),
    toAlarm('attachment-held', attachments.filter(isHeld), now),
    toAlarm(
      'lead-unconfirmed',
      applications.filter(({ state }) => state === 'unconfirmed'),
      now,
    ),
    toAlarm('application-late', applications.filter(isWaiting), now, lateAfterMs.application),
    toAlarm('attachment-late', attachments.filter(isWaiting), now, lateAfterMs.attachment),
    toAlarm('application-refused', refused.filter(isApplication), now, refusedAfterMs),
    toAlarm(
      'attachment-refused',
      refused.filter((count) => !isApplication(count)),
      now,
      refusedAfterMs,
    ),
    toAlarm(
      'row-unreadable',
      counts.filter(({ state }) => state === 'unreadable'),
      now,
    ),
  ];
  return alarms.filter((alarm) => alarm !== undefined);
}

/** One entry a kind, in the order of `deliveryKinds`. */
export function countWaiting(counts: readonly StateCount[]): readonly Waiting[] {
  return deliveryKinds.map((kind) => {
    const waiting = counts.filter((row) => row.kind === kind && waitingStates.has(row.state));
    return { kind, count: countRows(waiting), oldestAt: findOldest(waiting) };
  });
}

function toAlarm(
  code: AlarmCode,
  counts: readonly StateCount[],
  now: number,
  quietMs = -Infinity,
): Alarm | undefined {
  const oldestAt = findOldest(counts);
  if (oldestAt === undefined) return undefined;
  // A clock that was set back makes nothing younger than new.
  const oldestAgeMs = Math.max(0, now - oldestAt);
  return oldestAgeMs > quietMs ? { code, count: countRows(counts), oldestAgeMs } : undefined;
}

function countRows(counts: readonly StateCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function findOldest(counts: readonly StateCount[]): number | undefined {
  const times = counts.filter(({ count }) => count > 0).map(({ oldestAt }) => oldestAt);
  return times.length === 0 ? undefined : Math.min(...times);
}
