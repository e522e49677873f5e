// How long the delivery pauses.

import { describe, expect, it } from 'vitest';
import { toBackoffMs, toUncertainBackoffMs } from '../../../bff/delivery/retry-policy.ts';

describe('the pause before the next attempt', () => {
  const half = () => 0.5;

  it('doubles from 2 s and ends at 15 minutes, with full jitter', () => {
    const pauses = [1, 2, 3, 9, 10, 1_000].map((attempts) =>
      toBackoffMs({ attempts, random: half }),
    );
    expect(pauses).toEqual([2_000, 4_000, 8_000, 450_000, 450_000, 450_000]);
  });

  it('is never shorter than a second', () => {
    expect(toBackoffMs({ attempts: 1, random: () => 0 })).toBe(1_000);
  });

  it('is about a minute, then about five, for what may leave another copy', () => {
    const pauses = [0, 1, 2].map((uncertain) => toUncertainBackoffMs(uncertain, half));
    expect(pauses).toEqual([60_000, 300_000, 300_000]);
    expect([toUncertainBackoffMs(0, () => 0), toUncertainBackoffMs(0, () => 0.999)]).toEqual([
      45_000, 74_970,
    ]);
  });

  it('waits as long as the service asks, at most an hour', () => {
    const pause = (retryAfterMs: number) =>
      toBackoffMs({ attempts: 1, retryAfterMs, random: half });
    expect([pause(30_000), pause(1e9)]).toEqual([30_000, 3_600_000]);
  });
});
