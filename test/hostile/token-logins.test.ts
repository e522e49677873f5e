import { describe, expect, it } from 'vitest';
import { findMost } from './login-world.ts';
import { runTokenCalls } from './token-calls.ts';

describe('a hundred thousand calls', () => {
  it('need one login for each cold start, revocation and expiry, and one retry at the most', async () => {
    const result = await runTokenCalls(100_000);
    expect(result.problems).toEqual([]);
    expect(result.revocations).toBeGreaterThan(1_500);
  });
});

describe('findMost', () => {
  it.each<[number[], number]>([
    [[], 0],
    [[5], 1],
    [[0, 10, 20], 1],
    [[20, 0, 9, 10], 2],
    [[0, 1, 2, 9, 10], 4],
  ])('counts in %j', (times, most) => {
    expect(findMost(times, 10)).toBe(most);
  });
});
