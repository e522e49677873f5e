// What raises an alarm, and from when on.

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

describe('alarms', () => {
  it('are none for an empty store, and none for what is over', () => {
    const years = 1_000_000 * minuteMs;
    expect(toAlarms([], [], now)).toEqual([]);
    const over = (['accepted', 'rejected', 'erased'] as const).flatMap((state) => [
      toCount('application', state, years),
      toCount('document', state, years),
    ]);
    expect(toAlarms(over, [], now)).toEqual([]);
  });

  it.each(['received', 'sending', 'waiting'] as const)(
    'tell of applications that are %s for more than 15 minutes',
    (state) => {
      expect(toAlarms([toCount('application', state, 15 * minuteMs)], [], now)).toEqual([]);
      const late = [toCount('application', state, 15 * minuteMs + 1, 3)];
      expect(toAlarms(late, [], now)).toEqual([
        { code: 'application-late', count: 3, oldestAgeMs: 15 * minuteMs + 1 },
      ]);
    },
  );

  it.each(['document', 'bank-report', 'contact'] as const)(
    'tell of a %s that waits for more than an hour',
    (kind) => {
      expect(toAlarms([toCount(kind, 'waiting', 60 * minuteMs)], [], now)).toEqual([]);
      expect(toAlarms([toCount(kind, 'waiting', 60 * minuteMs + 1)], [], now)).toMatchObject([
        { code: 'attachment-late' },
      ]);
    },
  );

  it('do not tell of uploads that are still coming in', () => {
    expect(toAlarms([toCount('document', 'receiving', 1_000 * minuteMs)], [], now)).toEqual([]);
  });

  it('tell of what is held or unconfirmed at once, children of all kinds together', () => {
    const counts = [
      toCount('application', 'held'),
      toCount('application', 'unconfirmed', minuteMs, 2),
      toCount('document', 'held', minuteMs, 4),
      toCount('bank-report', 'held', 2 * minuteMs),
    ];
    expect(toAlarms(counts, [], now)).toEqual([
      { code: 'application-held', count: 1, oldestAgeMs: 0 },
      { code: 'attachment-held', count: 5, oldestAgeMs: 2 * minuteMs },
      { code: 'lead-unconfirmed', count: 2, oldestAgeMs: minuteMs },
    ]);
  });

  it('survive a clock that was set back', () => {
    expect(toAlarms([toCount('application', 'held', -minuteMs)], [], now)).toEqual([
      { code: 'application-held', count: 1, oldestAgeMs: 0 },
    ]);
  });
});

describe('what waits', () => {
  it('is added up for each kind', () => {
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
