// Text for people: durations in two units, columns that line up.

import { describe, expect, it } from 'vitest';
import { toDuration, toTable, toTimeAndAge } from '../../../bff/cli/format.ts';

describe('a duration', () => {
  it.each([
    [-5_000, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 d 0 h'],
    [273_600_000, '3 d 4 h'],
  ])('of %i ms is %s', (ms, text) => {
    expect(toDuration(ms)).toBe(text);
  });

  it('stands behind its time', () => {
    const at = Date.parse('2026-11-20T07:55:00.250Z');
    expect(toTimeAndAge(at, at + 61_000)).toBe('2026-11-20T07:55:00Z (1 min ago)');
  });
});

describe('a table', () => {
  it('has texts at the left, numbers at the right, and no blanks at the end', () => {
    const table = toTable([
      ['', 'rows'],
      ['held', 7],
      ['received', '-'],
    ]);
    expect(table).toBe('          rows\nheld         7\nreceived  -');
  });

  it('may be empty', () => {
    expect(toTable([])).toBe('');
  });
});
