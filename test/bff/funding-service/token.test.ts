import { describe, expect, it } from 'vitest';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import { createTokenCache, type GrantResult } from '../../../bff/funding-service/token.ts';

const minuteMs = 60_000;
const usableMs = 115 * minuteMs;

describe('createTokenCache', () => {
  it('logs in once for a thousand callers at the same time', async () => {
    const { cache, logins } = setUp(granted('A'));
    const results = await Promise.all(Array.from({ length: 1000 }, () => cache.get()));
    expect(new Set(results.map(tokenOf))).toEqual(new Set(['A']));
    expect(logins()).toBe(1);
  });

  it.each([
    ['alive a moment before', -1, 'A'],
    ['dead at', 0, 'B'],
  ])('holds a token %s two hours less five minutes from the login on', async (_name, ms, token) => {
    const loginMs = 8_000;
    const { cache, clock } = setUp(() => {
      clock.advance(loginMs);
      return granted('A')();
    }, granted('B'));
    await cache.get();
    clock.advance(usableMs - loginMs + ms);
    expect(tokenOf(await cache.get())).toBe(token);
  });

  it('logs in again when a token has died', async () => {
    const { cache, clock, logins } = setUp(granted('A'), granted('B'));
    await cache.get();
    clock.advance(usableMs);
    expect(tokenOf(await cache.get())).toBe('B');
    expect(logins()).toBe(2);
  });

  it('renews an ageing token in the background, once, without delaying anyone', async () => {
    let finish = (_result: GrantResult): void => undefined;
    const login = new Promise<GrantResult>((resolve) => {
      finish = resolve;
    });
    const { cache, clock, logins } = setUp(granted('A'), () => login);
    await cache.get();
    clock.advance(usableMs * 0.8 - 1);
    await cache.get();
    expect(logins()).toBe(1);
    clock.advance(1);
    expect(tokenOf(await cache.get())).toBe('A');
    expect(tokenOf(await cache.get())).toBe('A');
    expect(logins()).toBe(2);
    finish({ kind: 'granted', token: 'B' });
    await settle();
    expect(tokenOf(await cache.get())).toBe('B');
  });

  it('goes on with an ageing token while the login is refused, and pauses', async () => {
    const { cache, clock, logins } = setUp(granted('A'), refused);
    await cache.get();
    clock.advance(usableMs * 0.8);
    await cache.get();
    await settle();
    expect(tokenOf(await cache.get())).toBe('A');
    await settle();
    expect(logins()).toBe(2);
  });
});

describe('renew', () => {
  it('logs in once for a thousand callers who hand back the same token', async () => {
    const { cache, logins } = setUp(granted('A'), granted('B'));
    await cache.get();
    const results = await Promise.all(Array.from({ length: 1000 }, () => cache.renew('A')));
    expect(new Set(results.map(tokenOf))).toEqual(new Set(['B']));
    expect(logins()).toBe(2);
  });

  it('answers with the token it holds when that is another one already', async () => {
    const { cache, logins } = setUp(granted('A'), granted('B'));
    await cache.get();
    await cache.renew('A');
    expect(tokenOf(await cache.renew('A'))).toBe('B');
    expect(logins()).toBe(2);
  });

  it('refuses when the login gives the same token again, and does not try again at once', async () => {
    const { cache, logins, events } = setUp(granted('A'));
    await cache.get();
    expect(await cache.renew('A')).toEqual({ kind: 'refused' });
    expect(await cache.renew('A')).toEqual({ kind: 'refused' });
    expect(logins()).toBe(2);
    expect(named(events)).toEqual([
      'token-renewed',
      'token-renewed',
      'token-unchanged',
      'login-paused',
    ]);
  });

  it('logs in less and less often for renewed tokens that no operation takes', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const { cache, clock, events } = setUp(...names.map((name) => granted(name)));
    let token = tokenOf(await cache.get()) ?? '';
    for (let round = 0; round < 40; round += 1) {
      token = tokenOf(await cache.renew(token)) ?? token;
      clock.advance(30_000);
    }
    expect(pauses(events)).toEqual([1, 5, 15].map((minutes) => minutes * minuteMs));
  });

  it('begins anew once an operation has taken the renewed token', async () => {
    const { cache, logins } = setUp(granted('A'), granted('B'), granted('C'));
    await cache.get();
    await cache.renew('A');
    cache.confirm('B');
    expect(tokenOf(await cache.renew('B'))).toBe('C');
    expect(logins()).toBe(3);
  });
});

describe('pauses after refused logins', () => {
  it('last one, five and fifteen minutes, without a login in between', async () => {
    const { cache, clock, logins, events } = setUp(refused);
    for (const [index, minutes] of [1, 5, 15, 15].entries()) {
      expect(await cache.get()).toEqual({ kind: 'refused' });
      clock.advance(minutes * minuteMs - 1);
      expect(await cache.get()).toEqual({ kind: 'refused' });
      expect(logins()).toBe(index + 1);
      clock.advance(1);
    }
    expect(pauses(events)).toEqual([1, 5, 15, 15].map((minutes) => minutes * minuteMs));
  });

  it('begin at one minute again after a login that worked', async () => {
    const { cache, clock, events } = setUp(refused, refused, granted('A'), refused);
    await cache.get();
    clock.advance(minuteMs);
    await cache.get();
    clock.advance(5 * minuteMs);
    expect(tokenOf(await cache.get())).toBe('A');
    clock.advance(usableMs);
    await cache.get();
    expect(pauses(events)).toEqual([1, 5, 1].map((minutes) => minutes * minuteMs));
  });

  it('are not shortened by operations that still take the old token', async () => {
    const { cache, clock, events } = setUp(granted('A'), refused);
    await cache.get();
    cache.confirm('A');
    clock.advance(usableMs * 0.8);
    for (const minutes of [1, 5]) {
      await cache.get();
      await settle();
      cache.confirm('A');
      clock.advance(minutes * minuteMs);
    }
    expect(pauses(events)).toEqual([1, 5].map((minutes) => minutes * minuteMs));
  });

  it('follow the wish of a throttled login, up to fifteen minutes', async () => {
    const { cache, clock, logins } = setUp(
      throttled(30_000),
      throttled(undefined),
      throttled(86_400_000),
      granted('A'),
    );
    await cache.get();
    clock.advance(10_000);
    expect(await cache.get()).toEqual({ kind: 'throttled', retryAfterMs: 20_000 });
    clock.advance(20_000);
    await cache.get();
    clock.advance(minuteMs);
    await cache.get();
    expect(await cache.get()).toEqual({ kind: 'throttled', retryAfterMs: 15 * minuteMs });
    expect(logins()).toBe(3);
    clock.advance(15 * minuteMs);
    expect(tokenOf(await cache.get())).toBe('A');
  });

  it('do not follow a login that never reached the service', async () => {
    const { cache, logins, events } = setUp(unreachable, granted('A'));
    expect(await cache.get()).toEqual({ kind: 'unreachable' });
    expect(tokenOf(await cache.get())).toBe('A');
    expect(logins()).toBe(2);
    expect(named(events)).toEqual(['token-renewed']);
  });

  it('leave no login hanging when one throws', async () => {
    const { cache } = setUp(() => Promise.reject(new Error('broken')), granted('A'));
    await expect(cache.get()).rejects.toThrow('broken');
    expect(tokenOf(await cache.get())).toBe('A');
  });
});

describe('pausedUntil', () => {
  it('is the end of a pause, as long as there is no token', async () => {
    const { cache, clock } = setUp(refused, granted('A'));
    expect(cache.pausedUntil()).toBe(0);
    await cache.get();
    const end = clock.now() + minuteMs;
    expect(cache.pausedUntil()).toBe(end);
    clock.advance(minuteMs);
    expect(cache.pausedUntil()).toBe(end);
    await cache.get();
    expect(cache.pausedUntil()).toBe(0);
  });

  it("is in nobody's way while an ageing token lives, and counts once it is dead", async () => {
    const { cache, clock } = setUp(granted('A'), refused, refused, refused);
    await cache.get();
    clock.advance(usableMs * 0.8);
    await cache.get();
    await settle();
    expect(cache.pausedUntil()).toBe(0);
    clock.advance(usableMs * 0.2);
    await cache.get();
    expect(cache.pausedUntil()).toBe(clock.now() + 5 * minuteMs);
  });

  it('ends when a throttled login may be tried again, and so does its result', async () => {
    const { cache, clock } = setUp(throttled(86_400_000));
    expect(await cache.get()).toEqual({ kind: 'throttled', retryAfterMs: 15 * minuteMs });
    expect(cache.pausedUntil()).toBe(clock.now() + 15 * minuteMs);
  });
});

type Login = () => Promise<GrantResult>;

/** Logins in order, the last one again and again. */
function setUp(...script: readonly Login[]) {
  let count = 0;
  let now = 1_000_000;
  const events: FundingServiceEvent[] = [];
  const clock = { now: () => now, advance: (ms: number) => void (now += ms) };
  const cache = createTokenCache({
    grant: {
      requestToken: () => {
        count += 1;
        return script[Math.min(count, script.length) - 1]!();
      },
    },
    clock: clock.now,
    onEvent: (event) => void events.push(event),
  });
  return { cache, clock, events, logins: () => count };
}

function granted(token: string): Login {
  return () => Promise.resolve({ kind: 'granted', token });
}

function throttled(retryAfterMs: number | undefined): Login {
  return () => Promise.resolve({ kind: 'throttled', retryAfterMs });
}

function refused(): Promise<GrantResult> {
  return Promise.resolve({ kind: 'refused' });
}

function unreachable(): Promise<GrantResult> {
  return Promise.resolve({ kind: 'unreachable' });
}

function tokenOf(result: { readonly kind: string; readonly token?: string }): string | undefined {
  return result.token;
}

function named(events: readonly FundingServiceEvent[]): string[] {
  return events.map(({ event }) => event);
}

function pauses(events: readonly FundingServiceEvent[]): number[] {
  return events.flatMap((event) => (event.event === 'login-paused' ? [event.delayMs] : []));
}

/** Lets everything that is ready run. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
