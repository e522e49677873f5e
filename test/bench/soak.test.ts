import { describe, expect, it } from 'vitest';
import { judgeSeries } from '../../bench/soak.ts';

const series = { name: 'memory', unit: 'MB', tolerance: 20 };

describe('judgeSeries', () => {
  it('compares the medians of the first and the last third', () => {
    const values = [100, 300, 100, 500, 500, 500, 104, 106, 900];
    expect(judgeSeries({ ...series, values }, 1)).toEqual({
      first: 100,
      last: 106,
      slopePerHour: 9,
      isFlat: true,
    });
  });

  it.each([
    ['a rise of more than a tenth', [300, 310, 331], false],
    ['a rise within a tenth', [300, 310, 329], true],
    ['a rise within the tolerance', [50, 60, 70], true],
    ['a fall', [300, 200, 100], true],
  ])('judges %s', (_name, values, isFlat) => {
    expect(judgeSeries({ ...series, values }, 1).isFlat).toBe(isFlat);
  });
});
