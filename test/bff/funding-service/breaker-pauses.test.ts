// Pauses that are no outage: the service asked us to wait, or no login may be tried.

import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import { accepted, opened, probeAfterMs, setUpBreaker, unknown } from './breaker-set-up.ts';

describe('a throttled operation', () => {
  it.each([
    ['as long as it is asked to', 45_000, 45_000],
    ['5 seconds when nothing is said', undefined, 5_000],
  ])('waits %s, and is ready again', async (_name, retryAfterMs, forMs) => {
    const { breaker, end, events, time } = setUpBreaker();
    await end({ kind: 'throttled', retryAfterMs });
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs });
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    time.advance(forMs);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([]);
  });

  it('never opens its breaker, and hides no failures from it', async () => {
    const { breaker, end, time } = setUpBreaker();
    const throttled: Outcome<number> = { kind: 'throttled', retryAfterMs: 1_000 };
    for (let call = 0; call < 9; call += 1) {
      await end(throttled);
      time.advance(1_000);
    }
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    for (const outcome of [unknown, unknown, unknown, unknown, throttled]) await end(outcome);
    time.advance(1_000);
    await end(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: probeAfterMs });
  });

  it('waits for the longest wish of calls at the same time', async () => {
    const { breaker, begin } = setUpBreaker();
    const [first, second] = [begin(), begin()];
    await first({ kind: 'throttled', retryAfterMs: 60_000 });
    await second({ kind: 'throttled', retryAfterMs: 1_000 });
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: 60_000 });
  });

  it('is probed again after its pause when it was a probe: being asked to wait is no sign of health', async () => {
    const { breaker, end, events, open, time } = setUpBreaker();
    await open();
    time.advance(probeAfterMs);
    await end({ kind: 'throttled', retryAfterMs: 90_000 });
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: 90_000 });
    time.advance(90_000);
    expect(breaker.readiness()).toEqual({ kind: 'probe' });
    expect(events).toEqual([opened]);
  });
});

describe('a paused login', () => {
  it('pauses every operation, and makes no call', async () => {
    const { breakers, breaker, end, login, time } = setUpBreaker();
    login.pausedUntil = time.clock() + 60_000;
    for (const { readiness } of Object.values(breakers)) {
      expect(readiness()).toEqual({ kind: 'paused', forMs: 60_000 });
    }
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    time.advance(60_000);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('delays a probe', async () => {
    const { breaker, login, open, time } = setUpBreaker();
    await open();
    login.pausedUntil = time.clock() + 300_000;
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: 300_000 });
    time.advance(300_000);
    expect(breaker.readiness()).toEqual({ kind: 'probe' });
  });
});
