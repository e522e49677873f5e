// The token cache among others that log in with the same credentials.

import { describe, expect, it } from 'vitest';
import type { FundingServiceEvent } from '../../../bff/funding-service/events.ts';
import type { GrantResult } from '../../../bff/funding-service/grant.ts';
import {
  createLoginPauses,
  createOwnLoginStore,
  type LoginStore,
} from '../../../bff/funding-service/login-pauses.ts';
import { createTokenCache } from '../../../bff/funding-service/token.ts';
import { createManualTime, until } from '../manual-time.ts';

const minuteMs = 60_000;
const granted: GrantResult = { kind: 'granted', token: 'A' };
const refused: GrantResult = { kind: 'refused' };

describe('a token cache that shares its logins', () => {
  it('waits while another process logs in, and then logs in itself', async () => {
    const { cache, others, time, logins } = setUp(granted);
    await others.begin();
    const result = cache.get();
    await until(() => time.listTimers().length === 1);
    expect(logins()).toBe(0);
    await others.end(1, granted);
    time.advance(250);
    expect(await result).toEqual({ kind: 'token', token: 'A' });
    expect(logins()).toBe(1);
  });

  it('gives up after ten seconds when the other does not end', async () => {
    const { cache, others, time, logins, events } = setUp(granted);
    await others.begin();
    let result: unknown;
    void cache.get().then((given) => {
      result = given;
    });
    const before = time.clock();
    await until(() => {
      time.advance(time.listTimers()[0] ?? 0);
      return result !== undefined;
    });
    expect(result).toEqual({ kind: 'unreachable' });
    expect(time.clock() - before).toBe(39 * 250);
    expect(logins()).toBe(0);
    expect(events).toEqual([{ event: 'login-unreachable', failure: 'OTHER_LOGIN' }]);
  });

  it.each([
    [refused, { kind: 'refused' }],
    [
      { kind: 'throttled', retryAfterMs: minuteMs },
      { kind: 'throttled', retryAfterMs: minuteMs },
    ],
  ] as const)('does not log in while another has been %o', async (result, expected) => {
    const { cache, others, logins, time, events } = setUp(granted);
    await others.begin();
    await others.end(1, result);
    expect(await cache.get()).toEqual(expected);
    expect(cache.pausedUntil()).toBe(time.clock() + minuteMs);
    expect(events).toEqual([{ event: 'login-paused', delayMs: minuteMs }]);
    expect(logins()).toBe(0);
    time.advance(minuteMs);
    expect(await cache.get()).toEqual({ kind: 'token', token: 'A' });
  });

  it('asks only when it would log in, and once for a pause', async () => {
    const { cache, time, questions } = setUp(refused, granted);
    for (let call = 0; call < 1000; call += 1) await cache.get();
    expect(questions()).toBe(2);
    time.advance(minuteMs);
    for (let call = 0; call < 1000; call += 1) await cache.get();
    expect(questions()).toBe(4);
  });

  it('leaves the turn to the others when its login throws', async () => {
    const { cache, others } = setUp('throws');
    await expect(cache.get()).rejects.toThrow('broken');
    expect(await others.begin()).toEqual({ kind: 'mine', number: 1 });
  });

  it('goes on counting for everybody what one process began', async () => {
    const { cache, others, time } = setUp(refused);
    await others.begin();
    await others.end(1, refused);
    time.advance(minuteMs);
    await cache.get();
    expect(cache.pausedUntil()).toBe(time.clock() + 5 * minuteMs);
  });

  it('waits no longer for a clock that was set back', async () => {
    const { cache, time, logins } = setUp(refused, granted);
    await cache.get();
    time.advance(-24 * 60 * minuteMs);
    expect(cache.pausedUntil()).toBe(0);
    expect(await cache.get()).toEqual({ kind: 'token', token: 'A' });
    expect(logins()).toBe(2);
  });
});

/** Logins in order, the last one again and again. */
function setUp(...script: readonly (GrantResult | 'throws')[]) {
  const time = createManualTime();
  const events: FundingServiceEvent[] = [];
  let questions = 0;
  let logins = 0;
  const store = createOwnLoginStore(time.clock);
  const counted: LoginStore = {
    changeLogin(credentials, change) {
      questions += 1;
      return store.changeLogin(credentials, change);
    },
  };
  const cache = createTokenCache({
    grant: {
      async requestToken() {
        logins += 1;
        const result = script[Math.min(logins, script.length) - 1];
        if (result === undefined || result === 'throws') throw new Error('broken');
        return result;
      },
    },
    pauses: createLoginPauses(counted, 'c'),
    clock: time.clock,
    after: time.after,
    onEvent: (event) => void events.push(event),
  });
  return {
    cache,
    others: createLoginPauses(store, 'c'),
    time,
    events,
    questions: () => questions,
    logins: () => logins,
  };
}
