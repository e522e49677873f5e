import { describe, expect, it } from 'vitest';
import { compareTimes } from '../../bench/growth.ts';

describe('compareTimes', () => {
  it.each([
    ['twice as long', [1, 2, 3], [4, 4, 4], false],
    ['longer', [1, 2, 3], [4, 4.1, 4.2], true],
    ['longer by less than a tenth of a millisecond', [0.01], [0.1], false],
  ])('judges a median that is %s', (_name, empty, full, isMissed) => {
    expect(compareTimes('status', empty, full).isMissed).toBe(isMissed);
  });
});
