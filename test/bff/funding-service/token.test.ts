import { describe, expect, it } from 'vitest';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import {
  createPasswordGrant,
  createTokenCache,
  type TokenResult,
} from '../../../bff/funding-service/token.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { createResponse, createScriptedTransport } from '../../support/scripted-transport.ts';
import { createClientConfig } from './client-set-up.ts';

const minuteMs = 60_000;
const usableMs = 115 * minuteMs;

const secrets = {
  clientId: 'client-1',
  clientSecret: 's3cret&+=',
  username: 'partner@example.com',
  password: 'pässword 1',
};
const tokenAnswer = {
  access_token: '00Dxx!token',
  instance_url: 'https://service.example',
  id: 'https://login.example/id/1',
  token_type: 'Bearer',
  issued_at: '1777888800000',
  signature: 'c2ln',
};

describe('createTokenCache', () => {
  it('logs in once for a thousand concurrent callers', async () => {
    const { cache, logins } = setUp(granted('A'));
    const results = await Promise.all(Array.from({ length: 1000 }, () => cache.get()));
    expect(new Set(results.map(tokenOf))).toEqual(new Set(['A']));
    expect(logins()).toBe(1);
  });

  it.each([
    ['returns a token until', -1, 'A'],
    ['replaces a token at', 0, 'B'],
  ])('%s two hours less five minutes after the login began', async (_name, ms, token) => {
    const loginMs = 8_000;
    const { cache, clock } = setUp(() => {
      clock.advance(loginMs);
      return granted('A')();
    }, granted('B'));
    await cache.get();
    clock.advance(usableMs - loginMs + ms);
    expect(tokenOf(await cache.get())).toBe(token);
  });

  it('refreshes an old token once, without delaying callers', async () => {
    let finish = (_result: TokenResult): void => undefined;
    const login = new Promise<TokenResult>((resolve) => {
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
    finish({ kind: 'token', token: 'B' });
    await settle();
    expect(tokenOf(await cache.get())).toBe('B');
  });

  it('keeps using an old token while logins are refused', async () => {
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
  it('logs in once for a thousand callers with the same refused token', async () => {
    const { cache, logins } = setUp(granted('A'), granted('B'));
    await cache.get();
    const results = await Promise.all(Array.from({ length: 1000 }, () => cache.renew('A')));
    expect(new Set(results.map(tokenOf))).toEqual(new Set(['B']));
    expect(logins()).toBe(2);
  });

  it('returns the cached token if it is another one', async () => {
    const { cache, logins } = setUp(granted('A'), granted('B'));
    await cache.get();
    await cache.renew('A');
    expect(tokenOf(await cache.renew('A'))).toBe('B');
    expect(logins()).toBe(2);
  });

  it('pauses if the login returns the same token', async () => {
    const { cache, logins, events } = setUp(granted('A'));
    await cache.get();
    expect(await cache.renew('A')).toEqual({ kind: 'authentication' });
    expect(await cache.renew('A')).toEqual({ kind: 'authentication' });
    expect(logins()).toBe(2);
    expect(named(events)).toEqual([
      'token-renewed',
      'token-renewed',
      'token-unchanged',
      'login-paused',
    ]);
  });

  it('pauses longer after each renewed token that no operation accepts', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const { cache, clock, events } = setUp(...names.map((name) => granted(name)));
    let token = tokenOf(await cache.get()) ?? '';
    for (let round = 0; round < 40; round += 1) {
      token = tokenOf(await cache.renew(token)) ?? token;
      clock.advance(30_000);
    }
    expect(pauses(events)).toEqual([1, 5, 15].map((minutes) => minutes * minuteMs));
  });

  it('counts from zero after an operation accepted the renewed token', async () => {
    const { cache, logins } = setUp(granted('A'), granted('B'), granted('C'));
    await cache.get();
    await cache.renew('A');
    cache.confirm('B');
    expect(tokenOf(await cache.renew('B'))).toBe('C');
    expect(logins()).toBe(3);
  });
});

describe('a pause after refused logins', () => {
  it('lasts 1, 5, then 15 minutes', async () => {
    const { cache, clock, logins, events } = setUp(refused);
    for (const [index, minutes] of [1, 5, 15, 15].entries()) {
      expect(await cache.get()).toEqual({ kind: 'authentication' });
      clock.advance(minutes * minuteMs - 1);
      expect(await cache.get()).toEqual({ kind: 'authentication' });
      expect(logins()).toBe(index + 1);
      clock.advance(1);
    }
    expect(pauses(events)).toEqual([1, 5, 15, 15].map((minutes) => minutes * minuteMs));
  });

  it('lasts 1 minute again after a successful login', async () => {
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

  it('is not shortened by operations that accept the old token', async () => {
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

  it('lasts as long as a throttled login asks, at most 15 minutes', async () => {
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

  it('does not follow a login that got no response', async () => {
    const { cache, logins, events } = setUp(unreachable, granted('A'));
    expect(await cache.get()).toEqual({ kind: 'not-sent' });
    expect(tokenOf(await cache.get())).toBe('A');
    expect(logins()).toBe(2);
    expect(named(events)).toEqual(['token-renewed']);
  });

  it('does not follow a login that throws', async () => {
    const { cache } = setUp(() => Promise.reject(new Error('broken')), granted('A'));
    await expect(cache.get()).rejects.toThrow('broken');
    expect(tokenOf(await cache.get())).toBe('A');
  });
});

describe('pausedUntil', () => {
  it('is the end of the pause while there is no token', async () => {
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

  it('is 0 until the cached token expires', async () => {
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

  it('is the end of a throttled pause', async () => {
    const { cache, clock } = setUp(throttled(86_400_000));
    expect(await cache.get()).toEqual({ kind: 'throttled', retryAfterMs: 15 * minuteMs });
    expect(cache.pausedUntil()).toBe(clock.now() + 15 * minuteMs);
  });
});

describe('createPasswordGrant', () => {
  it('sends the five parameters as a form', async () => {
    const { requestToken, requests } = setUpGrant(createResponse(200, tokenAnswer));
    expect(await requestToken()).toEqual({ kind: 'token', token: '00Dxx!token' });
    expect(requests).toHaveLength(1);
    const { url, headers, body } = requests[0]!;
    expect(url).toBe('https://login.example/services/oauth2/token');
    expect(headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
    expect([...new URLSearchParams(body as string)]).toEqual([
      ['grant_type', 'password'],
      ['client_id', secrets.clientId],
      ['client_secret', secrets.clientSecret],
      ['username', secrets.username],
      ['password', secrets.password],
    ]);
  });

  it.each([
    ['the same host', 'https://service.example/other', []],
    ['no host', undefined, []],
    ['another host', 'https://evil.example', ['instance-url-ignored']],
    ['another port', 'https://service.example:8443', ['instance-url-ignored']],
    ['no URL', 'service', ['instance-url-ignored']],
  ])('returns the token if instance_url names %s', async (_name, instanceUrl, expected) => {
    const { requestToken, events } = setUpGrant(
      createResponse(200, { ...tokenAnswer, instance_url: instanceUrl }),
    );
    expect((await requestToken()).kind).toBe('token');
    expect(events.map(({ event }) => event)).toEqual(expected);
  });

  it.each<[string, TransportResult, string, readonly string[]]>([
    [
      'an unknown client id',
      createResponse(400, {
        error: 'invalid_client_id',
        error_description: 'client identifier invalid',
      }),
      'client-id',
      ['FUNDING_CLIENT_ID'],
    ],
    [
      'a wrong secret',
      createResponse(400, {
        error: 'invalid_client',
        error_description: 'invalid client credentials',
      }),
      'client-secret',
      ['FUNDING_CLIENT_SECRET'],
    ],
    [
      'a wrong client',
      createResponse(401, { error: 'invalid_client' }),
      'client',
      ['FUNDING_CLIENT_ID', 'FUNDING_CLIENT_SECRET'],
    ],
    [
      'a wrong username or password',
      createResponse(400, { error: 'invalid_grant', error_description: 'authentication failure' }),
      'username-or-password',
      ['FUNDING_USERNAME', 'FUNDING_PASSWORD'],
    ],
    [
      'the grant type',
      createResponse(400, { error: 'unsupported_grant_type' }),
      'grant',
      ['FUNDING_CLIENT_ID'],
    ],
    [
      'a missing parameter',
      createResponse(400, {
        error: 'invalid_request',
        error_description: 'missing required parameter: client_secret',
      }),
      'client-secret',
      ['FUNDING_CLIENT_SECRET'],
    ],
    [
      'an unknown error',
      createResponse(400, { error: 'invalid_request' }),
      'unrecognized',
      ['FUNDING_CLIENT_ID', 'FUNDING_CLIENT_SECRET', 'FUNDING_USERNAME', 'FUNDING_PASSWORD'],
    ],
  ])('names the settings for %s', async (_name, answer, refusal, settings) => {
    const { requestToken, events } = setUpGrant(answer);
    expect(await requestToken()).toEqual({ kind: 'authentication' });
    expect(events).toEqual([{ event: 'login-refused', refusal, settings }]);
  });

  it.each<[string, TransportResult, unknown]>([
    [
      'a refused connection',
      { kind: 'not-sent', failure: 'ECONNREFUSED' },
      { event: 'login-unreachable', failure: 'ECONNREFUSED' },
    ],
    [
      'an interrupted connection',
      { kind: 'interrupted', failure: 'ECONNRESET' },
      { event: 'login-unreachable', failure: 'ECONNRESET' },
    ],
    ['an outage', createResponse(503, '<p>'), { event: 'login-unreachable', failure: 'HTTP_503' }],
    ['a page with status 200', createResponse(200, '<p>'), unreadable(200)],
    ['a page with status 404', createResponse(404, '<p>'), unreadable(404)],
    ['a redirect', createResponse(302, ''), unreadable(302)],
    [
      'a response without a token',
      createResponse(200, { ...tokenAnswer, access_token: null }),
      unreadable(200),
    ],
    [
      'a token that a header cannot hold',
      createResponse(200, { ...tokenAnswer, access_token: 'a\r\nb' }),
      unreadable(200),
    ],
  ])('returns not-sent for %s', async (_name, answer, event) => {
    const { requestToken, events } = setUpGrant(answer);
    expect(await requestToken()).toEqual({ kind: 'not-sent' });
    expect(events).toEqual([event]);
  });

  it.each<[string, TransportResult, number | undefined]>([
    ['429', createResponse(429, '', { 'retry-after': '60' }), 60_000],
    [
      'the error "login rate exceeded"',
      createResponse(400, { error: 'invalid_grant', error_description: 'login rate exceeded' }),
      undefined,
    ],
  ])('returns throttled for %s', async (_name, answer, retryAfterMs) => {
    const { requestToken } = setUpGrant(answer);
    expect(await requestToken()).toEqual({ kind: 'throttled', retryAfterMs });
  });

  it('logs no secrets', async () => {
    const { requestToken, events } = setUpGrant(
      createResponse(400, {
        error: 'invalid_grant',
        error_description: `user ${secrets.username} / ${secrets.password} unknown`,
      }),
    );
    await requestToken();
    const log = JSON.stringify(events);
    for (const secret of Object.values(secrets)) expect(log).not.toContain(secret);
  });
});

type Login = () => Promise<TokenResult>;

/** Logins in order; the last one repeats. */
function setUp(...script: readonly Login[]) {
  let count = 0;
  let now = 1_000_000;
  const events: FundingServiceEvent[] = [];
  const clock = { now: () => now, advance: (ms: number) => void (now += ms) };
  const requestToken = () => {
    count += 1;
    return script[Math.min(count, script.length) - 1]!();
  };
  const cache = createTokenCache(requestToken, {
    clock: clock.now,
    onEvent: (event) => void events.push(event),
  });
  return { cache, clock, events, logins: () => count };
}

function granted(token: string): Login {
  return () => Promise.resolve({ kind: 'token', token });
}

function throttled(retryAfterMs: number | undefined): Login {
  return () => Promise.resolve({ kind: 'throttled', retryAfterMs });
}

function refused(): Promise<TokenResult> {
  return Promise.resolve({ kind: 'authentication' });
}

function unreachable(): Promise<TokenResult> {
  return Promise.resolve({ kind: 'not-sent' });
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

/** Lets pending promises resolve. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function setUpGrant(answer: TransportResult) {
  const events: FundingServiceEvent[] = [];
  const { transport, requests } = createScriptedTransport(answer);
  const service = { ...createClientConfig().service, ...secrets };
  const requestToken = createPasswordGrant(service, transport, {
    clock: () => 0,
    onEvent: (event) => void events.push(event),
  });
  return { requestToken, requests, events };
}

function unreadable(status: number) {
  return { event: 'login-response-unreadable', status, settings: ['FUNDING_AUTH_URL'] };
}
