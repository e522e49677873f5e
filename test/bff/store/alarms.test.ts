// Alarms and waiting counts.

import { describe, expect, it } from 'vitest';
import { countWaiting, toAlarms } from '../../../bff/store/alarms.ts';
import type { EventCount, StateCount } from '../../../bff/store/store.ts';

const now = 10_000_000_000;
const minuteMs = 60_000;

type Kind = StateCount['kind'];
type State = StateCount['state'];

function toCount(kind: Kind, state: State, ageMs = 0, count = 1): StateCount {
  return { kind, state, count, oldestAt: now - ageMs };
}

const noEvents: EventCount = {
  consumer: 'webhook',
  pending: 0,
  pendingSince: undefined,
  givenUp: 0,
  givenUpSince: undefined,
  stoppedAt: undefined,
};

describe('toAlarms', () => {
  it('returns no alarm for an empty store', () => {
    expect(toAlarms([], [], now, [noEvents, { ...noEvents, consumer: 'hook' }])).toEqual([]);
  });

  it.each([
    ...(['accepted', 'rejected', 'erased', 'receiving'] as const).flatMap((state) => [
      ['application', state, Infinity, undefined] as const,
      ['document', state, Infinity, undefined] as const,
    ]),
    ...(['received', 'sending', 'waiting'] as const).map(
      (state) => ['application', state, 15, 'application-late'] as const,
    ),
    ...(['document', 'bank-report', 'contact'] as const).map(
      (kind) => [kind, 'waiting', 60, 'attachment-late'] as const,
    ),
  ])('reports a %s in state %s after %s minutes: %s', (kind, state, minutes, code) => {
    const ageMs = Math.min(minutes * minuteMs, now);
    expect(toAlarms([toCount(kind, state, ageMs)], [], now, [])).toEqual([]);
    const expected = code ? [{ code, count: 3, oldestAgeMs: ageMs + 1 }] : [];
    expect(toAlarms([toCount(kind, state, ageMs + 1, 3)], [], now, [])).toEqual(expected);
  });

  it.each([
    ['application', 'application-refused'],
    ['contact', 'attachment-refused'],
  ] as const)('reports a refused %s after two minutes', (kind, code) => {
    const refuse = (ageMs: number) => toAlarms([], [toCount(kind, 'waiting', ageMs)], now, []);
    expect(refuse(2 * minuteMs)).toEqual([]);
    expect(refuse(2 * minuteMs + 1)).toMatchObject([{ code }]);
  });

  it('reports events that wait for more than 15 minutes', () => {
    const waitFor = (oldestAgeMs: number) =>
      toAlarms([], [], now, [{ ...noEvents, pending: 3, pendingSince: now - oldestAgeMs }]);
    const oldestAgeMs = 15 * minuteMs + 1;
    expect(waitFor(oldestAgeMs - 1)).toEqual([]);
    expect(waitFor(oldestAgeMs)).toEqual([{ code: 'events-late', count: 3, oldestAgeMs }]);
  });

  it('reports rows and events that need an operator at once', () => {
    const counts = [
      // The clock was set back.
      toCount('application', 'held', -minuteMs),
      toCount('application', 'unconfirmed', 1, 2),
      toCount('document', 'held', 1, 4),
      toCount('bank-report', 'held', 2),
      toCount('application', 'unreadable'),
    ];
    const failing = { ...noEvents, givenUp: 2, givenUpSince: now - 5, stoppedAt: now - 7 };
    expect(toAlarms(counts, [], now, [failing, { ...noEvents, consumer: 'hook' }])).toEqual([
      { code: 'application-held', count: 1, oldestAgeMs: 0 },
      { code: 'attachment-held', count: 5, oldestAgeMs: 2 },
      { code: 'application-unconfirmed', count: 2, oldestAgeMs: 1 },
      { code: 'row-unreadable', count: 1, oldestAgeMs: 0 },
      { code: 'events-stopped', count: 1, oldestAgeMs: 7 },
      { code: 'events-given-up', count: 2, oldestAgeMs: 5 },
    ]);
  });
});

describe('countWaiting', () => {
  it('sums the undelivered rows of each kind', () => {
    const counts = [
      toCount('application', 'received', 5, 2),
      toCount('application', 'waiting', 9),
      toCount('application', 'accepted', 99),
      toCount('contact', 'held', 99),
    ];
    const none = { count: 0, oldestAt: undefined };
    expect(countWaiting(counts)).toEqual([
      { kind: 'application', count: 3, oldestAt: now - 9 },
      { kind: 'document', ...none },
      { kind: 'bank-report', ...none },
      { kind: 'contact', ...none },
    ]);
  });
});
