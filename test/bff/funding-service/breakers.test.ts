import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import { accepted, opened, probeAfterMs, setUpBreaker, unknown } from './breaker-set-up.ts';

const refused: Outcome<number> = { kind: 'refused', refusal: { reason: 'duplicate-id' } };
const authentication: Outcome<number> = { kind: 'authentication' };
const notSent: Outcome<number> = { kind: 'not-sent' };
const closed = { event: 'breaker-closed', operation: 'create-lead' };

describe('a closed breaker', () => {
  it.each([
    ['unknown', unknown],
    ['not-sent', notSent],
    ['authentication', authentication],
  ])('opens with the fifth %s in a row, and says so once', async (_name, outcome) => {
    const { breaker, end, events } = setUpBreaker();
    for (let call = 0; call < 4; call += 1) await end(outcome);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([]);
    await end(outcome);
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: probeAfterMs });
    await end(outcome);
    expect(events).toEqual([opened]);
  });

  it.each([
    ['accepted', accepted],
    ['refused', refused],
  ])('counts anew after an answer: %s', async (_name, outcome) => {
    const { breaker, end } = setUpBreaker();
    for (const next of [unknown, notSent, unknown, unknown, outcome]) await end(next);
    for (let call = 0; call < 4; call += 1) await end(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    await end(unknown);
    expect(breaker.readiness().kind).toBe('paused');
  });

  it('never opens for refusals', async () => {
    const { breaker, end } = setUpBreaker();
    for (let call = 0; call < 20; call += 1) await end(refused);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('passes on what a call throws and does not count it', async () => {
    const { breaker } = setUpBreaker();
    for (let call = 0; call < 20; call += 1) {
      await expect(breaker.run(() => Promise.reject(new RangeError('damaged')))).rejects.toThrow(
        'damaged',
      );
    }
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('opens for its own operation only', async () => {
    const { breakers, open } = setUpBreaker();
    await open();
    for (const [operation, { readiness }] of Object.entries(breakers)) {
      expect(readiness().kind).toBe(operation === 'create-lead' ? 'paused' : 'ready');
    }
  });
});

describe('an open breaker', () => {
  it('makes no call, and ends it at once as not sent', async () => {
    const { breaker, open } = setUpBreaker();
    await open();
    let isCalled = false;
    const outcome = await breaker.run(() => {
      isCalled = true;
      return Promise.resolve(accepted);
    });
    expect(outcome).toEqual({ kind: 'not-sent' });
    expect(isCalled).toBe(false);
  });

  it('lets one call through after 30 seconds, and no other until it has ended', async () => {
    const { breaker, begin, end, open, time } = setUpBreaker();
    await open();
    time.advance(probeAfterMs - 1);
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: 1 });
    time.advance(1);
    expect(breaker.readiness()).toEqual({ kind: 'probe' });
    const endProbe = begin();
    time.advance(10 * probeAfterMs);
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: undefined });
    expect(await end(accepted)).toEqual({ kind: 'not-sent' });
    expect(await endProbe(accepted)).toEqual(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it.each([
    ['accepted', accepted],
    ['refused', refused],
  ])('closes with a probe that is %s, says so, and counts from zero', async (_name, outcome) => {
    const { breaker, end, events, open, time } = setUpBreaker();
    await open();
    time.advance(probeAfterMs);
    await end(outcome);
    for (let call = 0; call < 4; call += 1) await end(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([opened, closed]);
  });

  it.each([
    ['unknown', unknown],
    ['not-sent', notSent],
    ['authentication', authentication],
  ])(
    'stays open after a probe that is %s, silently, for 30 seconds more',
    async (_name, outcome) => {
      const { breaker, begin, events, open, time } = setUpBreaker();
      await open();
      for (let round = 0; round < 3; round += 1) {
        time.advance(probeAfterMs);
        const endProbe = begin();
        time.advance(20_000);
        await endProbe(outcome);
        expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: probeAfterMs });
      }
      expect(events).toEqual([opened]);
    },
  );

  it('learns nothing from a probe that throws, and tries another after 30 seconds', async () => {
    const { breaker, end, open, time } = setUpBreaker();
    await open();
    time.advance(probeAfterMs);
    await expect(breaker.run(() => Promise.reject(new Error('damaged')))).rejects.toThrow(
      'damaged',
    );
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: probeAfterMs });
    time.advance(probeAfterMs);
    await end(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('does not mind that the time of the machine is another one', async () => {
    const { breaker, end, open, time } = setUpBreaker(Date.parse('1999-01-01'));
    await open();
    time.advance(probeAfterMs);
    await end(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });
});

describe('a call that began before the breaker opened', () => {
  it('does not close it with a late success: the probe decides', async () => {
    const { breaker, begin, open } = setUpBreaker();
    const endLate = begin();
    await open();
    expect(await endLate(accepted)).toEqual(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: probeAfterMs });
  });

  it('does not end a probe with a late failure', async () => {
    const { breaker, begin, open, events, time } = setUpBreaker();
    const endLate = begin();
    await open();
    time.advance(probeAfterMs);
    const endProbe = begin();
    await endLate(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: undefined });
    await endProbe(accepted);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
    expect(events).toEqual([opened, closed]);
  });

  it('does not open it again, however many fail after it has closed', async () => {
    const { breaker, begin, end, open, time } = setUpBreaker();
    const late = Array.from({ length: 8 }, begin);
    await open();
    time.advance(probeAfterMs);
    await end(accepted);
    for (const endLate of late) await endLate(unknown);
    expect(breaker.readiness()).toEqual({ kind: 'ready' });
  });

  it('does not hide present failures with a late success', async () => {
    const { breaker, begin, end, open, time } = setUpBreaker();
    const endLate = begin();
    await open();
    time.advance(probeAfterMs);
    await end(accepted);
    for (let call = 0; call < 4; call += 1) await end(unknown);
    await endLate(accepted);
    await end(unknown);
    expect(breaker.readiness().kind).toBe('paused');
  });

  it('opens it once when many fail at the same moment', async () => {
    const { breaker, begin, events } = setUpBreaker();
    const calls = Array.from({ length: 8 }, begin);
    await Promise.all(calls.map((endCall) => endCall(unknown)));
    expect(events).toEqual([opened]);
    expect(breaker.readiness()).toEqual({ kind: 'paused', forMs: probeAfterMs });
  });
});
