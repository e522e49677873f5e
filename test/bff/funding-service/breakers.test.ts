import { describe, expect, it } from 'vitest';
import { createBreakers } from '../../../bff/funding-service/breakers.ts';
import type { FundingServiceEvent, Outcome } from '../../../bff/funding-service/funding-service.ts';
import { createManualTime } from '../../support/manual-time.ts';

const accepted: Outcome<number> = { kind: 'accepted', value: 1 };
const refused: Outcome<number> = { kind: 'refused', refusal: { reason: 'duplicate-id' } };
const unknown: Outcome<number> = { kind: 'unknown' };
const notSent: Outcome<number> = { kind: 'not-sent' };
const authentication: Outcome<number> = { kind: 'authentication' };
const opened = { event: 'breaker-opened', operation: 'create-lead' };
const closed = { event: 'breaker-closed', operation: 'create-lead' };
const openMs = 30_000;

const failures: readonly [string, Outcome<number>][] = [
  ['unknown', unknown],
  ['not-sent', notSent],
  ['authentication', authentication],
];
const responses: readonly [string, Outcome<number>][] = [
  ['accepted', accepted],
  ['refused', refused],
];

describe('a closed breaker', () => {
  it.each(failures)('opens after five failures in a row: %s', async (_name, outcome) => {
    const { breaker, end, events } = setUp();
    for (let call = 0; call < 4; call += 1) await end(outcome);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([]);
    await end(outcome);
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: openMs });
    await end(outcome);
    expect(events).toEqual([opened]);
  });

  it.each(responses)('counts from zero after a response: %s', async (_name, outcome) => {
    const { breaker, end } = setUp();
    for (const next of [unknown, notSent, unknown, unknown, outcome]) await end(next);
    for (let call = 0; call < 4; call += 1) await end(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    await end(unknown);
    expect(breaker.readiness().kind).toBe('unavailable');
  });

  it('does not open after refusals', async () => {
    const { breaker, end } = setUp();
    for (let call = 0; call < 20; call += 1) await end(refused);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('does not count a call that throws', async () => {
    const { breaker } = setUp();
    for (let call = 0; call < 20; call += 1) {
      const thrown = breaker.call(() => Promise.reject(new RangeError('damaged')));
      await expect(thrown).rejects.toThrow('damaged');
    }
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('opens for its own operation only', async () => {
    const { breakers, open } = setUp();
    await open();
    for (const [operation, { readiness }] of Object.entries(breakers)) {
      expect(readiness().kind).toBe(operation === 'create-lead' ? 'unavailable' : 'ready');
    }
  });
});

describe('an open breaker', () => {
  it('returns not-sent without a call', async () => {
    const { breaker, open } = setUp();
    await open();
    let isCalled = false;
    const outcome = await breaker.call(() => {
      isCalled = true;
      return Promise.resolve(accepted);
    });
    expect(outcome).toEqual({ kind: 'not-sent' });
    expect(isCalled).toBe(false);
  });

  it('allows one trial call after 30 seconds', async () => {
    const { breaker, begin, end, open, time } = setUp();
    await open();
    time.advance(openMs - 1);
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: 1 });
    time.advance(1);
    expect(breaker.readiness()).toEqual({ kind: 'half-open' });
    const endTrial = begin();
    time.advance(10 * openMs);
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: undefined });
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    expect(await endTrial(accepted)).toEqual(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it.each(responses)('closes after a trial call with a response: %s', async (_name, outcome) => {
    const { breaker, end, events, open, time } = setUp();
    await open();
    time.advance(openMs);
    await end(outcome);
    for (let call = 0; call < 4; call += 1) await end(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([opened, closed]);
  });

  it.each(failures)('stays open after a failed trial call: %s', async (_name, outcome) => {
    const { breaker, begin, events, open, time } = setUp();
    await open();
    for (let round = 0; round < 3; round += 1) {
      time.advance(openMs);
      const endTrial = begin();
      time.advance(20_000);
      await endTrial(outcome);
      expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: openMs });
    }
    expect(events).toEqual([opened]);
  });

  it('allows another trial call 30 seconds after one that throws', async () => {
    const { breaker, end, open, time } = setUp();
    await open();
    time.advance(openMs);
    const thrown = breaker.call(() => Promise.reject(new Error('damaged')));
    await expect(thrown).rejects.toThrow('damaged');
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: openMs });
    time.advance(openMs);
    await end(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });
});

describe('a call that started before the breaker opened', () => {
  it('does not close the breaker with a late success', async () => {
    const { breaker, begin, open } = setUp();
    const endLate = begin();
    await open();
    expect(await endLate(accepted)).toEqual(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: openMs });
  });

  it('does not end a trial call with a late failure', async () => {
    const { breaker, begin, open, events, time } = setUp();
    const endLate = begin();
    await open();
    time.advance(openMs);
    const endTrial = begin();
    await endLate(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: undefined });
    await endTrial(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([opened, closed]);
  });

  it('does not count as a failure after the breaker closed', async () => {
    const { breaker, begin, end, open, time } = setUp();
    const late = Array.from({ length: 8 }, begin);
    await open();
    time.advance(openMs);
    await end(accepted);
    for (const endLate of late) await endLate(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('does not count as a success after the breaker closed', async () => {
    const { breaker, begin, end, open, time } = setUp();
    const endLate = begin();
    await open();
    time.advance(openMs);
    await end(accepted);
    for (let call = 0; call < 4; call += 1) await end(unknown);
    await endLate(accepted);
    await end(unknown);
    expect(breaker.readiness().kind).toBe('unavailable');
  });

  it('opens the breaker once when many calls fail together', async () => {
    const { breaker, begin, events } = setUp();
    const calls = Array.from({ length: 8 }, begin);
    await Promise.all(calls.map((endCall) => endCall(unknown)));
    expect(events).toEqual([opened]);
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: openMs });
  });
});

describe('a throttled operation', () => {
  it.each([
    ['for the time of Retry-After', 45_000, 45_000],
    ['for 5 seconds without Retry-After', undefined, 5_000],
  ])('is unavailable %s', async (_name, retryAfterMs, expectedMs) => {
    const { breaker, end, events, time } = setUp();
    await end({ kind: 'throttled', retryAfterMs });
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: expectedMs });
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    time.advance(expectedMs);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([]);
  });

  it('counts as neither success nor failure', async () => {
    const { breaker, end, time } = setUp();
    const throttled: Outcome<number> = { kind: 'throttled', retryAfterMs: 1_000 };
    for (let call = 0; call < 9; call += 1) {
      await end(throttled);
      time.advance(1_000);
    }
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    for (const outcome of [unknown, unknown, unknown, unknown, throttled]) await end(outcome);
    time.advance(1_000);
    await end(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: openMs });
  });

  it('waits for the longest Retry-After of concurrent calls', async () => {
    const { breaker, begin } = setUp();
    const [first, second] = [begin(), begin()];
    await first({ kind: 'throttled', retryAfterMs: 60_000 });
    await second({ kind: 'throttled', retryAfterMs: 1_000 });
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: 60_000 });
  });

  it('stays half-open after a throttled trial call', async () => {
    const { breaker, end, events, open, time } = setUp();
    await open();
    time.advance(openMs);
    await end({ kind: 'throttled', retryAfterMs: 90_000 });
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: 90_000 });
    time.advance(90_000);
    expect(breaker.readiness()).toEqual({ kind: 'half-open' });
    expect(events).toEqual([opened]);
  });
});

describe('a login pause', () => {
  it('makes every operation unavailable', async () => {
    const { breakers, breaker, end, login, time } = setUp();
    login.pausedUntil = time.clock() + 60_000;
    for (const { readiness } of Object.values(breakers)) {
      expect(readiness()).toEqual({ kind: 'unavailable', retryAfterMs: 60_000 });
    }
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    time.advance(60_000);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('delays a trial call', async () => {
    const { breaker, login, open, time } = setUp();
    await open();
    login.pausedUntil = time.clock() + 300_000;
    expect(breaker.readiness()).toEqual({ kind: 'unavailable', retryAfterMs: 300_000 });
    time.advance(300_000);
    expect(breaker.readiness()).toEqual({ kind: 'half-open' });
  });
});

/** The breaker of Create Lead on a manual clock. */
function setUp() {
  const time = createManualTime();
  const events: FundingServiceEvent[] = [];
  const login = { pausedUntil: 0 };
  const breakers = createBreakers(() => login.pausedUntil, {
    clock: time.clock,
    onEvent: (event) => void events.push(event),
  });
  const breaker = breakers['create-lead'];

  /** A call that ends at once. */
  function end(outcome: Outcome<number>): Promise<Outcome<number>> {
    return breaker.call(() => Promise.resolve(outcome));
  }

  /** A call that ends when the returned function is called. */
  function begin(): (outcome: Outcome<number>) => Promise<Outcome<number>> {
    let finish = (_outcome: Outcome<number>): void => undefined;
    const result = new Promise<Outcome<number>>((resolve) => {
      finish = resolve;
    });
    const running = breaker.call(() => result);
    return (outcome) => {
      finish(outcome);
      return running;
    };
  }

  async function open(): Promise<void> {
    for (let call = 0; call < 5; call += 1) await end(unknown);
  }

  return { breakers, breaker, events, login, time, end, begin, open };
}
