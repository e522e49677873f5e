// Alarms and waiting counts.

import { describe, expect, it } from 'vitest';
import { countWaiting, toAlarms } from '../../../bff/store/alarms.ts';
import type { StateCount } from '../../../bff/store/store.ts';

const now = 10_000_000_000;
const minuteMs = 60_000;

function toCount(
  kind: StateCount['kind'],
  state: StateCount['state'],
  ageMs = 0,
  count = 1,
): StateCount {
  return { kind, state, count, oldestAt: now - ageMs };
}

describe('alarms of events', () => {
  const sent = {
    consumer: 'webhook',
    pending: 0,
    pendingSince: undefined,
    givenUp: 0,
    givenUpSince: undefined,
    stoppedAt: undefined,
  } as const;

  it('do not exist while all are sent', () => {
    expect(toAlarms([], [], now, [sent, { ...sent, consumer: 'hook' }])).toEqual([]);
  });

  it('report events that wait for more than 15 minutes', () => {
    const waitFor = (ms: number) => ({ ...sent, pending: 3, pendingSince: now - ms });
    expect(toAlarms([], [], now, [waitFor(15 * minuteMs)])).toEqual([]);
    const oldestAgeMs = 15 * minuteMs + 1;
    expect(toAlarms([], [], now, [waitFor(oldestAgeMs)])).toEqual([
      { code: 'events-late', count: 3, oldestAgeMs },
    ]);
  });

  it('report events that were given up, and a consumer that is stopped', () => {
    const failing = { ...sent, givenUp: 2, givenUpSince: now - 5, stoppedAt: now - 7 };
    expect(toAlarms([], [], now, [failing, { ...sent, consumer: 'hook' }])).toEqual([
      { code: 'events-stopped', count: 1, oldestAgeMs: 7 },
      { code: 'events-given-up', count: 2, oldestAgeMs: 5 },
    ]);
  });
});

describe('toAlarms', () => {
  it('returns no alarm for an empty store', () => {
    expect(toAlarms([], [], now, [])).toEqual([]);
  });

  it.each(['accepted', 'rejected', 'erased', 'receiving'] as const)(
    'returns no alarm for old rows in state %s',
    (state) => {
      const years = 1_000_000 * minuteMs;
      const counts = [toCount('application', state, years), toCount('document', state, years)];
      expect(toAlarms(counts, [], now, [])).toEqual([]);
    },
  );

  it.each(['received', 'sending', 'waiting'] as const)(
    'reports applications in state %s after 15 minutes',
    (state) => {
      expect(toAlarms([toCount('application', state, 15 * minuteMs)], [], now, [])).toEqual([]);
      const late = [toCount('application', state, 15 * minuteMs + 1, 3)];
      expect(toAlarms(late, [], now, [])).toEqual([
        { code: 'application-late', count: 3, oldestAgeMs: 15 * minuteMs + 1 },
      ]);
    },
  );

  it.each(['document', 'bank-report', 'contact'] as const)(
    'reports a waiting %s after an hour',
    (kind) => {
      expect(toAlarms([toCount(kind, 'waiting', 60 * minuteMs)], [], now, [])).toEqual([]);
      expect(toAlarms([toCount(kind, 'waiting', 60 * minuteMs + 1)], [], now, [])).toMatchObject([
        { code: 'attachment-late' },
      ]);
    },
  );

  it('reports refused rows after two minutes', () => {
    const refuse = (kind: StateCount['kind'], ageMs: number) =>
      toAlarms([], [toCount(kind, 'waiting', ageMs)], now, []);
    expect(refuse('application', 2 * minuteMs)).toEqual([]);
    expect(refuse('application', 2 * minuteMs + 1)).toMatchObject([
      { code: 'application-refused' },
    ]);
    expect(refuse('contact', 2 * minuteMs + 1)).toMatchObject([{ code: 'attachment-refused' }]);
  });

  it('reports held, unconfirmed, and unreadable rows at once', () => {
    const counts = [
      toCount('application', 'held'),
      toCount('application', 'unconfirmed', minuteMs, 2),
      toCount('document', 'held', minuteMs, 4),
      toCount('bank-report', 'held', 2 * minuteMs),
      toCount('application', 'unreadable'),
    ];
    expect(toAlarms(counts, [], now, [])).toEqual([
      { code: 'application-held', count: 1, oldestAgeMs: 0 },
      { code: 'attachment-held', count: 5, oldestAgeMs: 2 * minuteMs },
      { code: 'application-unconfirmed', count: 2, oldestAgeMs: minuteMs },
      { code: 'row-unreadable', count: 1, oldestAgeMs: 0 },
    ]);
  });

  it('reports an age of 0 after the clock was set back', () => {
    expect(toAlarms([toCount('application', 'held', -minuteMs)], [], now, [])).toEqual([
      { code: 'application-held', count: 1, oldestAgeMs: 0 },
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
    expect(countWaiting(counts)).toEqual([
      { kind: 'application', count: 3, oldestAt: now - 9 },
      { kind: 'document', count: 0, oldestAt: undefined },
      { kind: 'bank-report', count: 0, oldestAt: undefined },
      { kind: 'contact', count: 0, oldestAt: undefined },
    ]);
  });
});
