import { describe, expect, it } from 'vitest';
import { createBreakers } from '../../../bff/funding-service/breakers.ts';
import type {
  FundingServiceEvent,
  Outcome,
  Readiness,
} from '../../../bff/funding-service/funding-service.ts';
import { createManualTime } from '../../support/manual-time.ts';

const accepted: Outcome<number> = { kind: 'accepted', value: 1 };
const refused: Outcome<number> = { kind: 'refused', refusal: { reason: 'duplicate-id' } };
const unknown: Outcome<number> = { kind: 'unknown' };
const notSent: Outcome<number> = { kind: 'not-sent' };
const authentication: Outcome<number> = { kind: 'authentication' };
const throttled = (retryAfterMs?: number): Outcome<number> => ({ kind: 'throttled', retryAfterMs });
const times = (count: number, step: Outcome<number>) => Array.from({ length: count }, () => step);
const failures = times(5, unknown);

const ready: Readiness = { kind: 'ready' };
const halfOpen: Readiness = { kind: 'half-open' };
const unavailable = (retryAfterMs?: number): Readiness => ({ kind: 'unavailable', retryAfterMs });
const openMs = 30_000;
const open = unavailable(openMs);

/** A call that ends with this outcome, milliseconds that pass, or the readiness that is expected now. */
type Step = Outcome<number> | number | Readiness;

// prettier-ignore
const scripts: [string, Step[], string[]][] = [
  ['opens after five failures', [unknown, notSent, authentication, unknown, ready, notSent, open, unknown, open], ['breaker-opened']],
  ['opens after five refused tokens', [...times(5, authentication), open], ['breaker-opened']],
  ['counts from zero after a success', [...times(4, unknown), accepted, ...times(4, unknown), ready, unknown, open], ['breaker-opened']],
  ['counts from zero after a refusal', [...times(4, unknown), refused, ...times(4, unknown), ready, unknown, open], ['breaker-opened']],
  ['does not open after refusals', [...times(20, refused), ready], []],
  ['allows a trial call after 30 seconds', [...failures, openMs - 1, unavailable(1), 1, halfOpen], ['breaker-opened']],
  ['closes after a successful trial call', [...failures, openMs, accepted, ...times(4, unknown), ready], ['breaker-opened', 'breaker-closed']],
  ['closes after a refused trial call', [...failures, openMs, refused, ...times(4, unknown), ready], ['breaker-opened', 'breaker-closed']],
  ['stays open after failed trial calls', [...failures, openMs, unknown, open, openMs, notSent, open, openMs, authentication, open], ['breaker-opened']],
  ['is unavailable as long as Retry-After', [throttled(45_000), unavailable(45_000), accepted, 44_999, unavailable(1), 1, ready], []],
  ['is unavailable for 5 seconds without Retry-After', [throttled(), unavailable(5_000), 5_000, ready], []],
  ['does not count a throttled call', [...times(4, unknown), throttled(1_000), 1_000, ready, unknown, open], ['breaker-opened']],
  ['stays half-open after a throttled trial call', [...failures, openMs, throttled(90_000), unavailable(90_000), 90_000, halfOpen], ['breaker-opened']],
];

describe('a breaker', () => {
  it.each(scripts)('%s', async (_name, steps, expectedEvents) => {
    const { breaker, end, names, time } = setUp();
    const played: Step[] = [];
    for (const step of steps) {
      if (typeof step === 'number') time.advance(step);
      else if (!isReadiness(step)) await end(step);
      played.push(isReadiness(step) ? breaker.readiness() : step);
    }
    expect(played).toEqual(steps);
    expect(names()).toEqual(expectedEvents);
  });

  it('calls nothing while it is open or throttled', async () => {
    for (const outcomes of [failures, [throttled(1_000)]]) {
      const { breaker, end } = setUp();
      await end(...outcomes);
      const call = breaker.call(() => Promise.reject(new Error('called')));
      expect(await call).toEqual(notSent);
    }
  });

  it('allows one trial call at a time', async () => {
    const { breaker, begin, end, time } = setUp();
    await end(...failures);
    time.advance(openMs);
    const endTrial = begin();
    time.advance(10 * openMs);
    expect(breaker.readiness()).toEqual(unavailable());
    expect(await end(accepted)).toEqual(notSent);
    expect(await endTrial(unknown)).toEqual(unknown);
    expect(breaker.readiness()).toEqual(open);
  });

  it('does not count calls that throw, and repeats such a trial after 30 seconds', async () => {
    const { breaker, end, time } = setUp();
    const fail = async () => {
      const thrown = breaker.call(() => Promise.reject(new RangeError('damaged')));
      await expect(thrown).rejects.toThrow('damaged');
    };
    for (let call = 0; call < 20; call += 1) await fail();
    expect(breaker.readiness()).toEqual(ready);
    await end(...failures);
    time.advance(openMs);
    await fail();
    expect(breaker.readiness()).toEqual(open);
    time.advance(openMs);
    await end(accepted);
    expect(breaker.readiness()).toEqual(ready);
  });

  it('opens once when many calls fail together', async () => {
    const { breaker, begin, names } = setUp();
    const calls = Array.from({ length: 8 }, begin);
    await Promise.all(calls.map((endCall) => endCall(unknown)));
    expect(names()).toEqual(['breaker-opened']);
    expect(breaker.readiness()).toEqual(open);
  });

  it('waits for the longest Retry-After of concurrent calls', async () => {
    const { breaker, begin } = setUp();
    const [first, second] = [begin(), begin()];
    await first(throttled(60_000));
    await second(throttled(1_000));
    expect(breaker.readiness()).toEqual(unavailable(60_000));
  });

  it('waits for the end of a login pause', async () => {
    const { breaker, end, login, time } = setUp();
    login.pausedUntil = time.clock() + 60_000;
    expect(breaker.readiness()).toEqual(unavailable(60_000));
    expect(await end(accepted)).toEqual(notSent);
    time.advance(60_000);
    expect(breaker.readiness()).toEqual(ready);
    await end(...failures);
    login.pausedUntil = time.clock() + 300_000;
    expect(breaker.readiness()).toEqual(unavailable(300_000));
    time.advance(300_000);
    expect(breaker.readiness()).toEqual(halfOpen);
  });
});

describe('a call that started before the breaker opened', () => {
  it('ends neither the opening nor a trial call', async () => {
    const { breaker, begin, end, names, time } = setUp();
    const [endSuccess, endFailure] = [begin(), begin()];
    await end(...failures);
    expect(await endSuccess(accepted)).toEqual(accepted);
    expect(breaker.readiness()).toEqual(open);
    time.advance(openMs);
    const endTrial = begin();
    await endFailure(unknown);
    expect(breaker.readiness()).toEqual(unavailable());
    await endTrial(accepted);
    expect(breaker.readiness()).toEqual(ready);
    expect(names()).toEqual(['breaker-opened', 'breaker-closed']);
  });

  it('counts neither as a success nor as a failure after the breaker closed', async () => {
    const { breaker, begin, end, time } = setUp();
    const late = Array.from({ length: 8 }, begin);
    const endSuccess = begin();
    await end(...failures);
    time.advance(openMs);
    await end(accepted);
    for (const endLate of late) await endLate(unknown);
    await end(...times(4, unknown));
    expect(breaker.readiness()).toEqual(ready);
    await endSuccess(accepted);
    await end(unknown);
    expect(breaker.readiness()).toEqual(open);
  });
});

function isReadiness(step: Step): step is Readiness {
  return typeof step === 'object' && ['ready', 'half-open', 'unavailable'].includes(step.kind);
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

  return { breaker, names: () => events.map(({ event }) => event), login, time, begin, end };
}
