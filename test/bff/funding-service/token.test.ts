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

/**
 * Milliseconds that pass, the result of `get` (a token, or an outcome with its delay), or a call with its argument and result:
 * `paused` is the time until the end of a login pause.
 */
type Step =
  | number
  | string
  | readonly ['renew', string, string]
  | readonly ['confirm', string]
  | readonly ['paused', number];

/** Name, logins, steps, and the pauses in minutes. */
// prettier-ignore
const scripts: [string, Login[], Step[], number[]][] = [
  ['keeps a token for less than 115 minutes', ['A', 'B'], ['A', usableMs - 1, 'A'], []],
  ['keeps an old token while logins are refused', ['A', refused], ['A', refreshMs, 'A', 'A'], [1]],
  ['renews a refused token once', ['A', 'B', 'C'], ['A', ['renew', 'A', 'B'], ['renew', 'A', 'B'], 'B'], []],
  ['pauses if a login returns the same token', ['A'], ['A', ['renew', 'A', 'authentication'], ['renew', 'A', 'authentication']], [1]],
  ['renews again after an operation accepted the token', ['A', 'B', 'C'], ['A', ['renew', 'A', 'B'], ['confirm', 'B'], ['renew', 'B', 'C']], []],
  ['pauses after a renewed token that none accepted', ['A', 'B', 'C'], ['A', ['renew', 'A', 'B'], ['renew', 'B', 'authentication'], minuteMs, ['renew', 'B', 'C']], [1]],
  ['pauses for 1, 5, then 15 minutes', [refused], [1, 5, 15, 15].flatMap((minutes) => ['authentication', minutes * minuteMs - 1, 'authentication', 1]), [1, 5, 15, 15]],
  ['pauses for 1 minute again after a success', [refused, refused, 'A', refused], ['authentication', minuteMs, 'authentication', 5 * minuteMs, 'A', usableMs, 'authentication'], [1, 5, 1]],
  ['pauses longer although the old token is accepted', ['A', refused], ['A', ['confirm', 'A'], refreshMs, 'A', ['confirm', 'A'], minuteMs, 'A'], [1, 5]],
  ['pauses as long as a throttled login asks', [throttled(30_000), throttled(), 'A'], ['throttled 30000', 10_000, 'throttled 20000', 20_000, 'throttled 60000', minuteMs, 'A'], [0.5, 1]],
  ['pauses for at most 15 minutes', [throttled(86_400_000), 'A'], ['throttled 900000', ['paused', 15 * minuteMs], 15 * minuteMs, 'A'], [15]],
  ['does not pause after a login without a response', [notSent, 'A'], ['not-sent', 'A'], []],
  ['ends a pause when the clock is set back', [refused, 'A'], ['authentication', -1, ['paused', 0], 'A'], [1]],
  ['knows the end of a pause', [refused, 'A'], [['paused', 0], 'authentication', ['paused', minuteMs], minuteMs, ['paused', 0], 'A', ['paused', 0]], [1]],
  ['knows no pause while there is a token', ['A', refused], ['A', refreshMs, 'A', ['paused', 0], usableMs - refreshMs, 'authentication', ['paused', 5 * minuteMs]], [1, 5]],
];

describe('createTokenCache', () => {
  it.each(scripts)('%s', async (_name, script, steps, pauses) => {
    const { cache, clock, get, listPauses } = setUp(...script);
    async function play(step: Step): Promise<Step> {
      if (typeof step === 'string') return get();
      if (typeof step === 'number') clock.advance(step);
      else if (step[0] === 'renew') return ['renew', step[1], toText(await cache.renew(step[1]))];
      else if (step[0] === 'paused')
        return ['paused', Math.max(0, cache.pausedUntil() - clock.now())];
      else cache.confirm(step[1]);
      return step;
    }
    const played: Step[] = [];
    for (const step of steps) {
      played.push(await play(step));
      // A login in the background may have begun.
      await settle();
    }
    expect(played).toEqual(steps);
    expect(listPauses()).toEqual(pauses);
  });

  it('logs in once for a thousand concurrent callers', async () => {
    const { cache, logins } = setUp('A', 'B');
    const results = await Promise.all(Array.from({ length: 1000 }, () => cache.get()));
    expect(new Set(results.map(toText))).toEqual(new Set(['A']));
    const renewed = await Promise.all(Array.from({ length: 1000 }, () => cache.renew('A')));
    expect(new Set(renewed.map(toText))).toEqual(new Set(['B']));
    expect(logins()).toBe(2);
  });

  it('counts the age of a token from the beginning of its login', async () => {
    const { clock, get } = setUp(async () => {
      clock.advance(8_000);
      return toToken('A');
    }, 'B');
    await get();
    clock.advance(usableMs - 8_000);
    expect(await get()).toBe('B');
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

  it('pauses longer after each renewed token that no operation accepts', async () => {
    const { cache, get, clock, listPauses } = setUp('A', 'B', 'C', 'D', 'E', 'F');
    let token = await get();
    for (let round = 0; round < 40; round += 1) {
      const result = await cache.renew(token);
      if (result.kind === 'token') token = result.token;
      clock.advance(30_000);
    }
    expect(listPauses()).toEqual([1, 5, 15]);
  });

  it('logs in again after a login that threw', async () => {
    const { cache, get, events } = setUp(() => Promise.reject(new Error('broken')), 'A');
    await expect(cache.get()).rejects.toThrow('broken');
    expect(await get()).toBe('A');
    expect(events).toEqual([{ event: 'token-renewed' }]);
  });

  it('reports a renewed token that is the same', async () => {
    const { cache, get, events } = setUp('A');
    await get();
    await cache.renew('A');
    const names = ['token-renewed', 'token-renewed', 'token-unchanged', 'login-paused'];
    expect(events.map(({ event }) => event)).toEqual(names);
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
    events,
    get: async () => toText(await cache.get()),
    logins: () => count,
    /** In minutes. */
    listPauses: () =>
      events.flatMap((event) => (event.event === 'login-paused' ? event.delayMs / minuteMs : [])),
  };
}

function toText(result: TokenResult): string {
  if (result.kind === 'token') return result.token;
  return result.kind === 'throttled' ? `throttled ${result.retryAfterMs}` : result.kind;
}

/** Lets pending promises resolve. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
