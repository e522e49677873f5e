import { describe, expect, it } from 'vitest';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import {
  createPasswordGrant,
  createTokenCache,
  type TokenResult,
} from '../../../bff/funding-service/token.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { createResponse, createScriptedTransport } from '../../support/scripted-transport.ts';
import { createClientConfig, toToken } from './client-set-up.ts';

const minuteMs = 60_000;
const usableMs = 115 * minuteMs;
const refreshMs = usableMs * 0.8;
const refused: TokenResult = { kind: 'authentication' };
const notSent: TokenResult = { kind: 'not-sent' };
const throttled = (retryAfterMs?: number): TokenResult => ({ kind: 'throttled', retryAfterMs });

describe('createTokenCache', () => {
  it('logs in once for a thousand concurrent callers', async () => {
    const { cache, logins } = setUp('A', 'B');
    const results = await Promise.all(Array.from({ length: 1000 }, () => cache.get()));
    expect(new Set(results.map(toText))).toEqual(new Set(['A']));
    const renewed = await Promise.all(Array.from({ length: 1000 }, () => cache.renew('A')));
    expect(new Set(renewed.map(toText))).toEqual(new Set(['B']));
    expect(logins()).toBe(2);
  });

  it.each([
    ['returns a token until', -1, 'A'],
    ['replaces a token at', 0, 'B'],
  ])('%s two hours less five minutes after the login began', async (_name, ms, token) => {
    const loginMs = 8_000;
    const { cache, clock, get } = setUp(() => {
      clock.advance(loginMs);
      return Promise.resolve(toToken('A'));
    }, 'B');
    await cache.get();
    clock.advance(usableMs - loginMs + ms);
    expect(await get()).toBe(token);
  });

  it('refreshes an old token once, without delaying callers', async () => {
    const login = Promise.withResolvers<TokenResult>();
    const { get, clock, logins } = setUp('A', () => login.promise);
    await get();
    clock.advance(refreshMs - 1);
    await get();
    expect(logins()).toBe(1);
    clock.advance(1);
    expect([await get(), await get(), logins()]).toEqual(['A', 'A', 2]);
    login.resolve(toToken('B'));
    await settle();
    expect(await get()).toBe('B');
  });

  it('keeps using an old token while logins are refused', async () => {
    const { get, clock, logins } = setUp('A', refused);
    await get();
    clock.advance(refreshMs);
    await get();
    await settle();
    expect(await get()).toBe('A');
    await settle();
    expect(logins()).toBe(2);
  });
});

describe('renew', () => {
  it('returns the cached token if it is another one', async () => {
    const { cache, get, logins } = setUp('A', 'B');
    await get();
    await cache.renew('A');
    expect(toText(await cache.renew('A'))).toBe('B');
    expect(logins()).toBe(2);
  });

  it('pauses if the login returns the same token', async () => {
    const { cache, get, logins, names } = setUp('A');
    await get();
    expect(await cache.renew('A')).toEqual(refused);
    expect(await cache.renew('A')).toEqual(refused);
    expect(logins()).toBe(2);
    expect(names()).toEqual(['token-renewed', 'token-renewed', 'token-unchanged', 'login-paused']);
  });

  it('pauses longer after each renewed token that no operation accepts', async () => {
    const { cache, get, clock, pauses } = setUp('A', 'B', 'C', 'D', 'E', 'F');
    let token = await get();
    for (let round = 0; round < 40; round += 1) {
      const result = await cache.renew(token);
      if (result.kind === 'token') token = result.token;
      clock.advance(30_000);
    }
    expect(pauses()).toEqual([1, 5, 15]);
  });

  it('counts from zero after an operation accepted the renewed token', async () => {
    const { cache, get, logins } = setUp('A', 'B', 'C');
    await get();
    await cache.renew('A');
    cache.confirm('B');
    expect(toText(await cache.renew('B'))).toBe('C');
    expect(logins()).toBe(3);
  });
});

describe('a pause after refused logins', () => {
  it('lasts 1, 5, then 15 minutes', async () => {
    const { cache, clock, logins, pauses } = setUp(refused);
    for (const [index, minutes] of [1, 5, 15, 15].entries()) {
      expect(await cache.get()).toEqual(refused);
      clock.advance(minutes * minuteMs - 1);
      expect(await cache.get()).toEqual(refused);
      expect(logins()).toBe(index + 1);
      clock.advance(1);
    }
    expect(pauses()).toEqual([1, 5, 15, 15]);
  });

  it('lasts 1 minute again after a successful login', async () => {
    const { get, clock, pauses } = setUp(refused, refused, 'A', refused);
    await get();
    clock.advance(minuteMs);
    await get();
    clock.advance(5 * minuteMs);
    expect(await get()).toBe('A');
    clock.advance(usableMs);
    await get();
    expect(pauses()).toEqual([1, 5, 1]);
  });

  it('is not shortened by operations that accept the old token', async () => {
    const { cache, get, clock, pauses } = setUp('A', refused);
    await get();
    cache.confirm('A');
    clock.advance(refreshMs);
    for (const minutes of [1, 5]) {
      await get();
      await settle();
      cache.confirm('A');
      clock.advance(minutes * minuteMs);
    }
    expect(pauses()).toEqual([1, 5]);
  });

  it('lasts as long as a throttled login asks, at most 15 minutes', async () => {
    const { cache, get, clock, logins } = setUp(
      throttled(30_000),
      throttled(),
      throttled(86_400_000),
      'A',
    );
    await get();
    clock.advance(10_000);
    expect(await cache.get()).toEqual(throttled(20_000));
    clock.advance(20_000);
    expect(await cache.get()).toEqual(throttled(minuteMs));
    clock.advance(minuteMs);
    expect(await cache.get()).toEqual(throttled(15 * minuteMs));
    expect(cache.pausedUntil()).toBe(clock.now() + 15 * minuteMs);
    expect(logins()).toBe(3);
    clock.advance(15 * minuteMs);
    expect(await get()).toBe('A');
  });

  it('does not follow a login that got no response, or that throws', async () => {
    const { cache, get, names } = setUp(notSent, () => Promise.reject(new Error('broken')), 'A');
    expect(await cache.get()).toEqual(notSent);
    await expect(cache.get()).rejects.toThrow('broken');
    expect(await get()).toBe('A');
    expect(names()).toEqual(['token-renewed']);
  });

  it('ends when the clock is set back', async () => {
    const { get, clock } = setUp(refused, 'A');
    await get();
    clock.advance(-1);
    expect(await get()).toBe('A');
  });
});

describe('pausedUntil', () => {
  it('is the end of the pause while there is no token', async () => {
    const { cache, get, clock } = setUp(refused, 'A');
    expect(cache.pausedUntil()).toBe(0);
    await get();
    const end = clock.now() + minuteMs;
    expect(cache.pausedUntil()).toBe(end);
    clock.advance(minuteMs);
    expect(cache.pausedUntil()).toBe(end);
    await get();
    expect(cache.pausedUntil()).toBe(0);
  });

  it('is 0 until the cached token expires', async () => {
    const { cache, get, clock } = setUp('A', refused, refused, refused);
    await get();
    clock.advance(refreshMs);
    await get();
    await settle();
    expect(cache.pausedUntil()).toBe(0);
    clock.advance(usableMs - refreshMs);
    await get();
    expect(cache.pausedUntil()).toBe(clock.now() + 5 * minuteMs);
  });
});

describe('createPasswordGrant', () => {
  const { service } = createClientConfig();
  const granted = {
    access_token: '00Dxx!token',
    instance_url: 'https://service.example',
    id: 'https://login.example/id/1',
    token_type: 'Bearer',
    issued_at: '1777888800000',
    signature: 'c2ln',
  };
  const failed = (status: number, error: string, error_description?: string) =>
    createResponse(status, { error, error_description });

  async function logIn(answer: TransportResult) {
    const events: FundingServiceEvent[] = [];
    const { transport, requests } = createScriptedTransport(answer);
    const onEvent = (event: FundingServiceEvent) => void events.push(event);
    const requestToken = createPasswordGrant(service, transport, { clock: () => 0, onEvent });
    return { result: await requestToken(), requests, events };
  }

  it('sends the five parameters as a form', async () => {
    const { result, requests } = await logIn(createResponse(200, granted));
    expect(result).toEqual(toToken('00Dxx!token'));
    expect(requests).toHaveLength(1);
    const { url, headers, body } = requests[0]!;
    expect(url).toBe('https://login.example/services/oauth2/token');
    expect(headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(Object.fromEntries(new URLSearchParams(body as string))).toEqual({
      grant_type: 'password',
      client_id: service.clientId,
      client_secret: service.clientSecret,
      username: service.username,
      password: service.password,
    });
  });

  it.each([
    ['https://service.example/other', []],
    [undefined, []],
    ['https://evil.example', ['instance-url-ignored']],
    ['https://service.example:8443', ['instance-url-ignored']],
    ['service', ['instance-url-ignored']],
  ])('reports an instance_url of another host: %s', async (instanceUrl, expected) => {
    const answer = createResponse(200, { ...granted, instance_url: instanceUrl });
    const { result, events } = await logIn(answer);
    expect(result.kind).toBe('token');
    expect(events.map(({ event }) => event)).toEqual(expected);
  });

  const clientSettings = ['FUNDING_CLIENT_ID', 'FUNDING_CLIENT_SECRET'];
  const userSettings = ['FUNDING_USERNAME', 'FUNDING_PASSWORD'];

  // prettier-ignore
  const refusedLogins: [TransportResult, string, readonly string[]][] = [
    [failed(400, 'invalid_client_id', 'client identifier invalid'), 'client-id', ['FUNDING_CLIENT_ID']],
    [failed(400, 'invalid_client', 'invalid client credentials'), 'client-secret', ['FUNDING_CLIENT_SECRET']],
    [failed(401, 'invalid_client'), 'client', clientSettings],
    [failed(400, 'invalid_grant', 'authentication failure'), 'username-or-password', userSettings],
    [failed(400, 'inactive_user'), 'username-or-password', userSettings],
    [failed(400, 'unsupported_grant_type'), 'grant', ['FUNDING_CLIENT_ID']],
    [failed(400, 'unauthorized_client'), 'grant', ['FUNDING_CLIENT_ID']],
    [failed(400, 'invalid_request', 'missing required parameter: client_secret'), 'client-secret', ['FUNDING_CLIENT_SECRET']],
    [failed(400, 'invalid_request'), 'unrecognized', [...clientSettings, ...userSettings]],
    [createResponse(401, {}), 'unrecognized', [...clientSettings, ...userSettings]],
  ];

  it.each(refusedLogins)('names the settings of %j', async (answer, refusal, settings) => {
    const { result, events } = await logIn(answer);
    expect(result).toEqual(refused);
    expect(events).toEqual([{ event: 'login-refused', refusal, settings }]);
  });

  const unreachable = (failure: string) => ({ event: 'login-unreachable', failure });
  const unreadable = (status: number) => ({
    event: 'login-response-unreadable',
    status,
    settings: ['FUNDING_AUTH_URL'],
  });

  it.each<[TransportResult, unknown]>([
    [{ kind: 'not-sent', failure: 'ECONNREFUSED' }, unreachable('ECONNREFUSED')],
    [{ kind: 'interrupted', failure: 'ECONNRESET' }, unreachable('ECONNRESET')],
    [createResponse(503, '<p>'), unreachable('HTTP_503')],
    [createResponse(500, {}), unreachable('HTTP_500')],
    [createResponse(200, '<p>'), unreadable(200)],
    [createResponse(401, '<p>'), unreadable(401)],
    [createResponse(404, {}), unreadable(404)],
    [createResponse(302, ''), unreadable(302)],
    [createResponse(200, { ...granted, access_token: null }), unreadable(200)],
    [createResponse(200, { ...granted, access_token: 'a\r\nb' }), unreadable(200)],
  ])('returns not-sent for %j', async (answer, event) => {
    const { result, events } = await logIn(answer);
    expect(result).toEqual(notSent);
    expect(events).toEqual([event]);
  });

  it.each<[TransportResult, number | undefined]>([
    [createResponse(429, '', { 'retry-after': '60' }), 60_000],
    [failed(400, 'rate_limit_exceeded'), undefined],
    [failed(400, 'invalid_grant', 'login rate exceeded'), undefined],
  ])('returns throttled for %j', async (answer, retryAfterMs) => {
    const { result, events } = await logIn(answer);
    expect(result).toEqual(throttled(retryAfterMs));
    expect(events).toMatchObject([{ event: 'login-throttled' }]);
  });

  it('logs no secrets', async () => {
    const { username, password } = service;
    const text = `user ${username} / ${password} unknown`;
    const log = JSON.stringify((await logIn(failed(400, 'invalid_grant', text))).events);
    for (const secret of [username, password]) expect(log).not.toContain(secret);
  });
});

type Login = string | TokenResult | (() => Promise<TokenResult>);

/** Logins in order; the last one repeats. A string is a token. */
function setUp(...script: readonly Login[]) {
  let count = 0;
  let now = 1_000_000;
  const events: FundingServiceEvent[] = [];
  const clock = { now: () => now, advance: (ms: number) => void (now += ms) };
  async function requestToken(): Promise<TokenResult> {
    count += 1;
    const login = script[Math.min(count, script.length) - 1]!;
    if (typeof login === 'string') return toToken(login);
    return typeof login === 'function' ? login() : login;
  }
  const onEvent = (event: FundingServiceEvent) => void events.push(event);
  const cache = createTokenCache(requestToken, { clock: clock.now, onEvent });
  return {
    cache,
    clock,
    get: async () => toText(await cache.get()),
    logins: () => count,
    names: () => events.map(({ event }) => event),
    /** In minutes. */
    pauses: () =>
      events.flatMap((event) => (event.event === 'login-paused' ? event.delayMs / minuteMs : [])),
  };
}

function toText(result: TokenResult): string {
  return result.kind === 'token' ? result.token : result.kind;
}

/** Lets pending promises resolve. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
