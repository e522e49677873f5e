// Derives the alarms that `status` and `/metrics` report from the counts of the store.

import { deliveryKinds, type DeliveryKind, type EventCount, type StateCount } from './store.ts';

/**
 * - `application-held`, `attachment-held`: rows need an operator before they continue.
 * - `application-unconfirmed`: the funding service has an application under an unknown ApplicationID.
 * - `application-late`, `attachment-late`: the oldest undelivered row waits longer than usual.
 * - `application-refused`, `attachment-refused`: the funding service has refused rows for some minutes, for a reason that is
 *   not the applicant's. Retries alone may not help.
 * - `row-unreadable`: rows are in a state that this version does not know. They are neither sent nor shown.
 * - `events-stopped`: the receiver of WEBHOOK_URL answered 410 Gone, and gets no more events.
 * - `events-given-up`: events failed for three days. They are not sent again by themselves.
 * - `events-late`: the oldest event waits longer than usual.
 */
export const alarmCodes = [
  'application-held',
  'attachment-held',
  'application-unconfirmed',
  'application-late',
  'attachment-late',
  'application-refused',
  'attachment-refused',
  'row-unreadable',
  'events-stopped',
  'events-given-up',
  'events-late',
] as const;
export type AlarmCode = (typeof alarmCodes)[number];

export interface Alarm {
  readonly code: AlarmCode;
  /** Rows in the state of the alarm. A late alarm counts all undelivered rows, or applications with events that are not sent. */
  readonly count: number;
  readonly oldestAgeMs: number;
}

/** Undelivered rows of one kind. */
export interface WaitingCount {
  readonly kind: DeliveryKind;
  readonly count: number;
  /** Epoch milliseconds; `undefined` when no row waits. */
  readonly oldestAt: number | undefined;
}

/** Some refusals pass by themselves, such as a locked record. */
const refusedAfterMs = 2 * 60_000;
const applicationLateAfterMs = 15 * 60_000;
const attachmentLateAfterMs = 60 * 60_000;
const eventLateAfterMs = 15 * 60_000;

type Aged = Pick<StateCount, 'count' | 'oldestAt'>;

/**
 * @param counts The result of `countStates`.
 * @param refused The result of `countRefused`.
 * @param now Epoch milliseconds.
 * @param events The result of `countEvents`.
 */
export function toAlarms(
  counts: readonly StateCount[],
  refused: readonly StateCount[],
  now: number,
  events: readonly EventCount[],
): readonly Alarm[] {
  const isApplication = ({ kind }: StateCount) => kind === 'application';
  const applications = counts.filter(isApplication);
  const attachments = counts.filter((count) => !isApplication(count));
  const isInState = (expected: StateCount['state']) => (count: StateCount) =>
    count.state === expected;
  const conditions: Readonly<Record<AlarmCode, readonly [readonly Aged[], number?]>> = {
    'application-held': [applications.filter(isInState('held'))],
    'attachment-held': [attachments.filter(isInState('held'))],
    'application-unconfirmed': [counts.filter(isInState('unconfirmed'))],
    'application-late': [applications.filter(isUndelivered), applicationLateAfterMs],
    'attachment-late': [attachments.filter(isUndelivered), attachmentLateAfterMs],
    'application-refused': [refused.filter(isApplication), refusedAfterMs],
    'attachment-refused': [refused.filter((count) => !isApplication(count)), refusedAfterMs],
    'row-unreadable': [counts.filter(isInState('unreadable'))],
    'events-stopped': [
      events
        .filter(({ stoppedAt }) => stoppedAt !== undefined)
        // At least one, because no event may wait at the time.
        .map(({ pending, stoppedAt }) => ({ count: Math.max(1, pending), oldestAt: stoppedAt })),
    ],
    'events-given-up': [
      events.map(({ givenUp, givenUpSince }) => ({ count: givenUp, oldestAt: givenUpSince })),
    ],
    'events-late': [
      events.map(({ pending, pendingSince }) => ({ count: pending, oldestAt: pendingSince })),
      eventLateAfterMs,
    ],
  };
  return alarmCodes.flatMap((code) => {
    const [rows, afterMs = -1] = conditions[code];
    const oldestAt = findOldest(rows);
    if (oldestAt === undefined) return [];
    // The age is not negative when the clock was set back.
    const oldestAgeMs = Math.max(0, now - oldestAt);
    return oldestAgeMs > afterMs ? [{ code, count: sumCounts(rows), oldestAgeMs }] : [];
  });
}

/** One entry for each kind, in the order of `deliveryKinds`. */
export function countWaiting(counts: readonly StateCount[]): readonly WaitingCount[] {
  return deliveryKinds.map((kind) => {
    const waiting = counts.filter((count) => count.kind === kind && isUndelivered(count));
    return { kind, count: sumCounts(waiting), oldestAt: findOldest(waiting) };
  });
}

function isUndelivered({ state }: StateCount): boolean {
  return state === 'received' || state === 'sending' || state === 'waiting';
}

export function sumCounts(counts: readonly Aged[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function findOldest(counts: readonly Aged[]): number | undefined {
  const times = counts.flatMap(({ count, oldestAt }) => (count > 0 ? (oldestAt ?? []) : []));
  return times.length === 0 ? undefined : Math.min(...times);
}
