// Durations, times, and tables of the commands' output.

import { describe, expect, it } from 'vitest';
import { toDuration, toTable, toTimeAndAge } from '../../../bff/cli/format.ts';

describe('toDuration', () => {
  it.each([
    [-5_000, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 d 0 h'],
    [273_600_000, '3 d 4 h'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(toDuration(ms)).toBe(text);
  });
});

describe('toTimeAndAge', () => {
  it('puts the age behind the time', () => {
    const at = Date.parse('2026-11-20T07:55:00.250Z');
    expect(toTimeAndAge(at, at + 61_000)).toBe('2026-11-20T07:55:00Z (1 min ago)');
  });
});

describe('toTable', () => {
  it('aligns numbers to the right', () => {
    const table = toTable([
      ['', 'rows'],
      ['held', 7],
      ['received', '-'],
    ]);
    expect(table).toBe('          rows\nheld         7\nreceived  -');
  });

  it('accepts an empty table', () => {
    expect(toTable([])).toBe('');
  });
});
