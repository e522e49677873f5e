// Durations in the output of commands.

import { describe, expect, it } from 'vitest';
import { toDuration } from '../../../bff/cli/format.ts';

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
