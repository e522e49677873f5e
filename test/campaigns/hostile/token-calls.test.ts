import { describe, expect, it } from 'vitest';
import { countMaxWithin } from './token-calls.ts';

describe('countMaxWithin', () => {
  it.each<[number[], number]>([
    [[], 0],
    [[5], 1],
    [[0, 10, 20], 1],
    [[20, 0, 9, 10], 2],
    [[0, 1, 2, 9, 10], 4],
  ])('counts in %j', (times, most) => {
    expect(countMaxWithin(times, 10)).toBe(most);
  });
});
