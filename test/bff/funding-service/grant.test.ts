import { describe, expect, it } from 'vitest';
import type { FundingServiceEvent } from '../../../bff/funding-service/funding-service.ts';
import { createPasswordGrant } from '../../../bff/funding-service/token.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { createResponse, createScriptedTransport } from '../../support/scripted-transport.ts';

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

describe('createPasswordGrant', () => {
  it('sends the five parameters as a form to the token address, and nothing else', async () => {
    const { grant, requests } = setUp(createResponse(200, tokenAnswer));
    expect(await grant.requestToken()).toEqual({ kind: 'granted', token: '00Dxx!token' });
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
    ['no address at all', 'service', ['instance-url-ignored']],
  ])('takes the token when instance_url names %s', async (_name, instanceUrl, expected) => {
    const { grant, events } = setUp(
      createResponse(200, { ...tokenAnswer, instance_url: instanceUrl }),
    );
    expect((await grant.requestToken()).kind).toBe('granted');
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
      'either of the two',
      createResponse(401, { error: 'invalid_client' }),
      'client',
      ['FUNDING_CLIENT_ID', 'FUNDING_CLIENT_SECRET'],
    ],
    [
      'a wrong user name or password',
      createResponse(400, { error: 'invalid_grant', error_description: 'authentication failure' }),
      'username-or-password',
      ['FUNDING_USERNAME', 'FUNDING_PASSWORD'],
    ],
    [
      'the grant',
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
      'something else',
      createResponse(400, { error: 'invalid_request' }),
      'unrecognized',
      ['FUNDING_CLIENT_ID', 'FUNDING_CLIENT_SECRET', 'FUNDING_USERNAME', 'FUNDING_PASSWORD'],
    ],
  ])(
    'names the settings when the service objects to %s',
    async (_name, answer, refusal, settings) => {
      const { grant, events } = setUp(answer);
      expect(await grant.requestToken()).toEqual({ kind: 'refused' });
      expect(events).toEqual([{ event: 'login-refused', refusal, settings }]);
    },
  );

  it.each<[string, TransportResult, unknown]>([
    [
      'a refused connection',
      { kind: 'not-sent', failure: 'ECONNREFUSED' },
      { event: 'login-unreachable', failure: 'ECONNREFUSED' },
    ],
    [
      'a connection that broke',
      { kind: 'interrupted', failure: 'ECONNRESET' },
      { event: 'login-unreachable', failure: 'ECONNRESET' },
    ],
    ['an outage', createResponse(503, '<p>'), { event: 'login-unreachable', failure: 'HTTP_503' }],
    ['a page', createResponse(200, '<p>'), unreadable(200)],
    ['a wrong address', createResponse(404, '<p>'), unreadable(404)],
    ['a redirect', createResponse(302, ''), unreadable(302)],
    ['no token', createResponse(200, { ...tokenAnswer, access_token: null }), unreadable(200)],
    [
      'a token that could not stand in a header',
      createResponse(200, { ...tokenAnswer, access_token: 'a\r\nb' }),
      unreadable(200),
    ],
  ])('calls the service unreachable on %s', async (_name, answer, event) => {
    const { grant, events } = setUp(answer);
    expect(await grant.requestToken()).toEqual({ kind: 'unreachable' });
    expect(events).toEqual([event]);
  });

  it.each<[string, TransportResult, number | undefined]>([
    ['429', createResponse(429, '', { 'retry-after': '60' }), 60_000],
    [
      'too many logins',
      createResponse(400, { error: 'invalid_grant', error_description: 'login rate exceeded' }),
      undefined,
    ],
  ])('waits after %s', async (_name, answer, retryAfterMs) => {
    const { grant } = setUp(answer);
    expect(await grant.requestToken()).toEqual({ kind: 'throttled', retryAfterMs });
  });

  it('tells the log nothing of a secret or of the texts of the service', async () => {
    const { grant, events } = setUp(
      createResponse(400, {
        error: 'invalid_grant',
        error_description: `user ${secrets.username} / ${secrets.password} unknown`,
      }),
    );
    await grant.requestToken();
    const log = JSON.stringify(events);
    for (const secret of Object.values(secrets)) expect(log).not.toContain(secret);
  });
});

function setUp(answer: TransportResult) {
  const events: FundingServiceEvent[] = [];
  const { transport, requests } = createScriptedTransport(answer);
  const grant = createPasswordGrant({
    transport,
    authUrl: 'https://login.example/',
    baseUrl: 'https://service.example/rest',
    ...secrets,
    clock: () => 0,
    onEvent: (event) => void events.push(event),
  });
  return { grant, requests, events };
}

function unreadable(status: number) {
  return { event: 'login-answer-unreadable', status, settings: ['FUNDING_AUTH_URL'] };
}
