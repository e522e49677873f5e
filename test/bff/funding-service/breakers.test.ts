import { describe, expect, it } from 'vitest';
import { createBreakers } from '../../../bff/funding-service/breakers.ts';
import type { FundingServiceEvent, Outcome } from '../../../bff/funding-service/funding-service.ts';
import { createManualTime } from '../../support/manual-time.ts';

const accepted: Outcome<number> = { kind: 'accepted', value: 1 };
const refused: Outcome<number> = { kind: 'refused', refusal: { reason: 'duplicate-id' } };
const unknown: Outcome<number> = { kind: 'unknown' };
const failures: readonly Outcome<number>[] = [
  unknown,
  { kind: 'not-sent' },
  { kind: 'authentication' },
];
const responses = [accepted, refused];
const throttled = (retryAfterMs?: number): Outcome<number> => ({ kind: 'throttled', retryAfterMs });

const ready = { kind: 'ready' };
const halfOpen = { kind: 'half-open' };
const unavailable = (retryAfterMs?: number) => ({ kind: 'unavailable', retryAfterMs });
const opened = { event: 'breaker-opened', operation: 'create-lead' };
const closed = { event: 'breaker-closed', operation: 'create-lead' };
const openMs = 30_000;

describe('a closed breaker', () => {
  it.each(failures)('opens after five failures in a row: %j', async (outcome) => {
    const { breaker, end, events } = setUp();
    await end(...times(4, outcome));
    expect(breaker.readiness()).toEqual(ready);
    expect(events).toEqual([]);
    await end(outcome);
    expect(breaker.readiness()).toEqual(unavailable(openMs));
    await end(outcome);
    expect(events).toEqual([opened]);
  });

  it.each(responses)('counts from zero after a response: %j', async (outcome) => {
    const { breaker, end } = setUp();
    await end(...times(4, unknown), outcome, ...times(4, unknown));
    expect(breaker.readiness()).toEqual(ready);
    await end(unknown);
    expect(breaker.readiness()).toEqual(unavailable(openMs));
  });

  it('does not open after refusals', async () => {
    const { breaker, end } = setUp();
    await end(...times(20, refused));
    expect(breaker.readiness()).toEqual(ready);
  });

  it('does not count a call that throws', async () => {
    const { breaker } = setUp();
    for (let call = 0; call < 20; call += 1) {
      const thrown = breaker.call(() => Promise.reject(new RangeError('damaged')));
      await expect(thrown).rejects.toThrow('damaged');
    }
    expect(breaker.readiness()).toEqual(ready);
  });
});

describe('an open breaker', () => {
  it('returns not-sent without a call', async () => {
    const { breaker } = await setUpOpen();
    const call = breaker.call(() => Promise.reject(new Error('called')));
    expect(await call).toEqual({ kind: 'not-sent' });
  });

  it('allows one trial call after 30 seconds', async () => {
    const { breaker, begin, end, time } = await setUpOpen();
    time.advance(openMs - 1);
    expect(breaker.readiness()).toEqual(unavailable(1));
    time.advance(1);
    expect(breaker.readiness()).toEqual(halfOpen);
    const endTrial = begin();
    time.advance(10 * openMs);
    expect(breaker.readiness()).toEqual(unavailable());
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    expect(await endTrial(accepted)).toEqual(accepted);
    expect(breaker.readiness()).toEqual(ready);
  });

  it.each(responses)('closes after a trial call with a response: %j', async (outcome) => {
    const { breaker, end, events, time } = await setUpOpen();
    time.advance(openMs);
    await end(outcome, ...times(4, unknown));
    expect(breaker.readiness()).toEqual(ready);
    expect(events).toEqual([opened, closed]);
  });

  it.each(failures)('stays open after a failed trial call: %j', async (outcome) => {
    const { breaker, begin, events, time } = await setUpOpen();
    for (let round = 0; round < 3; round += 1) {
      time.advance(openMs);
      const endTrial = begin();
      time.advance(20_000);
      await endTrial(outcome);
      expect(breaker.readiness()).toEqual(unavailable(openMs));
    }
    expect(events).toEqual([opened]);
  });

  it('allows another trial call 30 seconds after one that throws', async () => {
    const { breaker, end, time } = await setUpOpen();
    time.advance(openMs);
    const thrown = breaker.call(() => Promise.reject(new Error('damaged')));
    await expect(thrown).rejects.toThrow('damaged');
    expect(breaker.readiness()).toEqual(unavailable(openMs));
    time.advance(openMs);
    await end(accepted);
    expect(breaker.readiness()).toEqual(ready);
  });
});

describe('a call that started before the breaker opened', () => {
  it('does not close the breaker with a late success', async () => {
    const { breaker, begin, end } = setUp();
    const endLate = begin();
    await end(...times(5, unknown));
    expect(await endLate(accepted)).toEqual(accepted);
    expect(breaker.readiness()).toEqual(unavailable(openMs));
  });

  it('does not end a trial call with a late failure', async () => {
    const { breaker, begin, end, events, time } = setUp();
    const endLate = begin();
    await end(...times(5, unknown));
    time.advance(openMs);
    const endTrial = begin();
    await endLate(unknown);
    expect(breaker.readiness()).toEqual(unavailable());
    await endTrial(accepted);
    expect(breaker.readiness()).toEqual(ready);
    expect(events).toEqual([opened, closed]);
  });

  it('counts neither as a success nor as a failure after the breaker closed', async () => {
    const { breaker, begin, end, time } = setUp();
    const late = times(8, undefined).map(begin);
    const endSuccess = begin();
    await end(...times(5, unknown));
    time.advance(openMs);
    await end(accepted);
    for (const endLate of late) await endLate(unknown);
    await end(...times(4, unknown));
    expect(breaker.readiness()).toEqual(ready);
    await endSuccess(accepted);
    await end(unknown);
    expect(breaker.readiness()).toEqual(unavailable(openMs));
  });

  it('opens the breaker once when many calls fail together', async () => {
    const { breaker, begin, events } = setUp();
    const calls = times(8, undefined).map(begin);
    await Promise.all(calls.map((endCall) => endCall(unknown)));
    expect(events).toEqual([opened]);
    expect(breaker.readiness()).toEqual(unavailable(openMs));
  });
});

describe('a throttled operation', () => {
  it.each([
    [45_000, 45_000],
    [undefined, 5_000],
  ])('with the Retry-After %s is unavailable for %i ms', async (retryAfterMs, expectedMs) => {
    const { breaker, end, events, time } = setUp();
    await end(throttled(retryAfterMs));
    expect(breaker.readiness()).toEqual(unavailable(expectedMs));
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    time.advance(expectedMs);
    expect(breaker.readiness()).toEqual(ready);
    expect(events).toEqual([]);
  });

  it('counts as neither success nor failure', async () => {
    const { breaker, end, time } = setUp();
    for (let call = 0; call < 9; call += 1) {
      await end(throttled(1_000));
      time.advance(1_000);
    }
    await end(...times(4, unknown), throttled(1_000));
    time.advance(1_000);
    expect(breaker.readiness()).toEqual(ready);
    await end(unknown);
    expect(breaker.readiness()).toEqual(unavailable(openMs));
  });

  it('waits for the longest Retry-After of concurrent calls', async () => {
    const { breaker, begin } = setUp();
    const [first, second] = [begin(), begin()];
    await first(throttled(60_000));
    await second(throttled(1_000));
    expect(breaker.readiness()).toEqual(unavailable(60_000));
  });

  it('stays half-open after a throttled trial call', async () => {
    const { breaker, end, events, time } = await setUpOpen();
    time.advance(openMs);
    await end(throttled(90_000));
    expect(breaker.readiness()).toEqual(unavailable(90_000));
    time.advance(90_000);
    expect(breaker.readiness()).toEqual(halfOpen);
    expect(events).toEqual([opened]);
  });
});

describe('a login pause', () => {
  it('delays a call', async () => {
    const { breaker, end, login, time } = setUp();
    login.pausedUntil = time.clock() + 60_000;
    expect(breaker.readiness()).toEqual(unavailable(60_000));
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    time.advance(60_000);
    expect(breaker.readiness()).toEqual(ready);
  });

  it('delays a trial call', async () => {
    const { breaker, login, time } = await setUpOpen();
    login.pausedUntil = time.clock() + 300_000;
    expect(breaker.readiness()).toEqual(unavailable(300_000));
    time.advance(300_000);
    expect(breaker.readiness()).toEqual(halfOpen);
  });
});

function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value);
}

/** The breaker of Create Lead on a manual clock. `client.test.ts` proves that each operation has its own. */
function setUp() {
  const time = createManualTime();
  const events: FundingServiceEvent[] = [];
  const login = { pausedUntil: 0 };
  const onEvent = (event: FundingServiceEvent) => void events.push(event);
  const context = { clock: time.clock, onEvent };
  const breaker = createBreakers(() => login.pausedUntil, context)['create-lead'];

  /** A call that ends when the returned function is called. */
  function begin(): (outcome: Outcome<number>) => Promise<Outcome<number>> {
    const { promise, resolve } = Promise.withResolvers<Outcome<number>>();
    const running = breaker.call(() => promise);
    return (outcome) => {
      resolve(outcome);
      return running;
    };
  }

  /** Calls that end at once, one after the other. Returns the last outcome. */
  async function end(...outcomes: readonly Outcome<number>[]): Promise<Outcome<number>> {
    let last = unknown;
    for (const outcome of outcomes) last = await begin()(outcome);
    return last;
  }

  return { breaker, events, login, time, begin, end };
}

async function setUpOpen() {
  const open = setUp();
  await open.end(...times(5, unknown));
  return open;
}
