// The session in a cookie, and in a token where browsers do not store the cookie: start, renewal, expiry, end, and refusals.

import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../bff/store/database.ts';
import { createStore } from '../../../bff/store/open-store.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { apiHeaders, apiPaths, apiResponseHeaders } from '../../../shared/api/paths.ts';
import { sessionSchema } from '../../../shared/api/session.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import {
  firstKey,
  pageOrigin,
  type Answer,
  type ApiHeaders,
  type Browser,
} from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { testNow } from '../../support/manual-time.ts';
import { openBff, readMetrics, startSession, toOutcome, type OpenBff } from '../open-bff.ts';

const minute = 60_000;
const maxMs = sessionLifetime.maxSeconds * 1000;
const renewAfterMs = sessionLifetime.renewAfterSeconds * 1000;
const otherOrigin = 'http://other.localhost:8080';
const missing = '401 session-missing';
const tokenRequest = JSON.stringify({ transport: 'handle' });
const toTime = (ms: number) => new Date(ms).toISOString();
const withToken = (token: string) => ({ authorization: `Funding ${token}` });

let bff: OpenBff;
let browser: Browser;

beforeEach(async () => {
  bff = await openBff();
  browser = bff.browser;
});

/** Another browser, so that `browser` keeps its cookies. */
async function startToken(): Promise<string> {
  return (await bff.openBrowser().send('POST', apiPaths.session, tokenRequest)).json.handle;
}

const readRenewed = ({ headers }: Answer) => headers.get(apiResponseHeaders.session);

describe.each(['cookie', 'handle'] as const)('a session in a %s', (transport) => {
  const idleMs = sessionLifetime.idleSeconds[transport] * 1000;
  /** Sends the session, and keeps what renews it. */
  let send: (method: string, path?: string, body?: string, headers?: ApiHeaders) => Promise<Answer>;
  let isRenewed: (answer: Answer) => boolean;
  let token: string;

  beforeEach(async () => {
    token = transport === 'handle' ? await startToken() : '';
    if (transport === 'cookie') await startSession(browser);
    isRenewed = (answer) =>
      transport === 'cookie'
        ? answer.headers.getSetCookie().length > 0
        : readRenewed(answer) !== null;
    send = async (method, path = apiPaths.session, body, headers) => {
      const authorization = transport === 'handle' ? withToken(token) : {};
      const answer = await browser.send(method, path, body, { ...authorization, ...headers });
      if (transport === 'handle' && answer.headers.getSetCookie().length > 0) {
        throw new Error('A response to a session token sets a cookie');
      }
      token = readRenewed(answer) ?? token;
      return answer;
    };
  });

  const apply = (application = createApplication()) =>
    send('POST', apiPaths.application, JSON.stringify(application), {
      [apiHeaders.idempotencyKey]: firstKey,
    });

  it('is resumed by a second POST, and shows no secret again', async () => {
    expect((await apply()).json.status).toBe('accepted');
    for (const method of ['GET', 'POST']) {
      const { json, text } = await send(method, apiPaths.session);
      expect(json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
      expect(text).not.toContain('Fe26');
    }
    expect(bff.logLines.join('')).not.toContain('Fe26');
  });

  it('is renewed only after `renewAfterSeconds`, with an error response too', async () => {
    bff.time.advance(renewAfterMs - 1);
    for (const method of ['GET', 'POST']) expect(isRenewed(await send(method))).toBe(false);
    bff.time.advance(1);
    const answer = await send('GET', apiPaths.application);
    expect([toOutcome(answer), isRenewed(answer)]).toEqual(['409 application-missing', true]);
    bff.time.advance(idleMs - minute);
    expect((await send('GET')).status).toBe(200);
  });

  it.each(['GET', 'POST'])('is extended by a %s in its last minutes', async (method) => {
    bff.time.advance(idleMs - 2 * minute);
    const extended = await send(method);
    expect(extended.json.expiresAt).toBe(toTime(testNow + 2 * idleMs - 2 * minute));
    bff.time.advance(idleMs - minute);
    expect((await send('GET')).status).toBe(200);
  });

  it('expires after the idle lifetime without use', async () => {
    bff.time.advance(idleMs);
    expect(toOutcome(await send('GET'))).toBe(missing);
  });

  it('expires after the maximum lifetime despite use', async () => {
    for (let at = idleMs / 2; at < maxMs; at += idleMs / 2) {
      bff.time.advance(idleMs / 2);
      expect((await send('GET')).status).toBe(200);
    }
    expect((await send('GET')).json.expiresAt).toBe(toTime(testNow + maxMs));
    bff.time.advance(idleMs / 2);
    expect((await send('GET')).status).toBe(401);
  });

  it('has the maximum lifetime after an application', async () => {
    await apply();
    bff.time.advance(maxMs - minute);
    expect((await send('GET')).json.expiresAt).toBe(toTime(testNow + maxMs));
    bff.time.advance(minute);
    expect((await send('GET')).status).toBe(401);
  });

  it('keeps the idle lifetime after a rejected application', async () => {
    const name = 'Bakery [create-lead/invalid-field-value]';
    expect(toOutcome(await apply(createApplication({ name })))).toBe('422 application-rejected');
    expect((await send('GET')).json.expiresAt).toBe(toTime(testNow + idleMs));
  });

  it('is missing after its end, even if it is sent again', async () => {
    const cookies = new Map(browser.cookies);
    expect((await send('DELETE')).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(toOutcome(await send('GET'))).toBe(missing);
  });

  it('is refused for another origin', async () => {
    await apply();
    const other = bff.openBrowser(otherOrigin);
    if (transport === 'cookie') {
      await startSession(other);
      const [name = ''] = other.cookies.keys();
      for (const value of browser.cookies.values()) other.cookies.set(name, value);
    }
    const headers = transport === 'handle' ? withToken(token) : {};
    expect((await other.send('GET', apiPaths.session, undefined, headers)).status).toBe(401);
    expect(bff.logLines.join('')).toContain('"reason":"other-origin"');
  });
});

describe('a session', () => {
  const started = {
    isProven: false,
    application: null,
    documents: [],
    assetReport: null,
    contact: null,
  };

  it('starts empty with a cookie, or with a token on request', async () => {
    const { cookie, handle } = sessionLifetime.idleSeconds;
    const inCookie = await startSession(browser);
    const expiresAt = toTime(testNow + cookie * 1000);
    expect(sessionSchema.parse(inCookie.json)).toEqual({ ...started, expiresAt });
    const inToken = await bff.openBrowser().send('POST', apiPaths.session, tokenRequest);
    expect(inToken.json).toMatchObject({ ...started, expiresAt: toTime(testNow + handle * 1000) });
    expect(inToken.json.handle).toMatch(/^Fe26\.2\*/);
    expect(inToken.headers.getSetCookie()).toEqual([]);
  });

  it.each(['{"transport":"cookie"}', '{"transport":"handle","sid":"mine"}', '[]', '{'])(
    'is not started by %s',
    async (body) => {
      const answer = await browser.send('POST', apiPaths.session, body);
      expect([toOutcome(answer), browser.cookies.size]).toEqual(['400 invalid-request', 0]);
    },
  );

  it('is separate for each origin of a browser', async () => {
    await browser.apply();
    const other = bff.openBrowser(otherOrigin);
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    expect((await startSession(other)).json.application).toBeNull();
    for (const [name, value] of other.cookies) browser.cookies.set(name, value);
    expect((await browser.send('GET', apiPaths.session)).json.application.status).toBe('accepted');
  });

  it('writes nothing to the store before an application, then a row that sorts by its start', async () => {
    const database = openSqlite('file::memory:');
    const other = await openBff({ store: createStore(database) });
    for (let visits = 0; visits < 6; visits += 1) {
      other.time.advance(1);
      const visitor = other.openBrowser();
      await startSession(visitor);
      await visitor.send('GET', apiPaths.session);
      expect(await database.all(sql`select id from session`)).toHaveLength(visits);
      await visitor.apply();
    }
    const byId = await database.all(sql`select id from session order by id`);
    expect(byId).toEqual(await database.all(sql`select id from session order by created_at`));
  });
});

describe('a cookie', () => {
  it.each<[string, (name: string, seal: string) => string]>([
    ['none', () => ''],
    ['garbage', (name) => `${name}=garbage`],
    ['an empty value', (name) => `${name}=`],
    ['a value that is too long', (name) => `${name}=${'a'.repeat(4500)}`],
    ['invalid percent encoding', (name) => `${name}=%E0%A4%A`],
    ['no name or value', () => ';;=;= ;'],
    ...[10, 60, 120, 200, 280].map((index): [string, (name: string, seal: string) => string] => [
      `another letter ${index}`,
      (name, seal) =>
        `${name}=${seal.slice(0, index)}${seal[index] === 'a' ? 'b' : 'a'}${seal.slice(index + 1)}`,
    ]),
  ])('is refused: %s', async (_what, toHeader) => {
    await startSession(browser);
    const [[name = '', seal = ''] = []] = browser.cookies;
    const headers = { cookie: toHeader(name, seal) };
    const answer = await browser.send('GET', apiPaths.session, undefined, headers);
    expect(toOutcome(answer)).toBe(missing);
  });

  it('is refused if two have the same name, and the log says so', async () => {
    await startSession(browser);
    const [[name, seal] = []] = browser.cookies;
    const cookie = `${name}=garbage; ${name}=${seal}`;
    const answer = await browser.send('GET', apiPaths.session, undefined, { cookie });
    expect(toOutcome(answer)).toBe(missing);
    expect(bff.logLines.join('')).toContain('"reason":"several-cookies"');
  });

  it('is found among others', async () => {
    await startSession(browser);
    const [[name, seal] = []] = browser.cookies;
    const cookie = `a=b;${name}x=garbage; x${name}=garbage;${name}=${seal}; ; theme=dark`;
    const answer = await browser.send('GET', apiPaths.session, undefined, { cookie });
    expect(answer.status).toBe(200);
  });

  const publicUrl = 'https://apply.partner.example';
  const sameSite = 'https://www.partner.example';
  const crossSite = 'https://www.reseller.example';
  const secure = {
    PUBLIC_URL: publicUrl,
    ALLOWED_ORIGINS: `${pageOrigin} ${sameSite}`,
    CROSS_SITE_ORIGINS: crossSite,
  };
  const reseller = 'http://reseller.localhost:8080';
  const strict = 'Secure; SameSite=Strict';
  const partitioned = 'Secure; SameSite=None; Partitioned';
  it.each([
    ['the same site', secure, sameSite, 'same-site', '__Host-Http-funding', strict],
    ['the BFF’s own origin', secure, publicUrl, 'same-origin', '__Host-Http-funding', strict],
    ['another site', secure, crossSite, 'cross-site', '__Host-Http-funding', partitioned],
    // Safari would not send a Secure cookie to localhost.
    ['HTTP', {}, pageOrigin, 'same-site', 'funding-session', 'SameSite=Strict'],
    [
      'HTTP on another site',
      { CROSS_SITE_ORIGINS: reseller },
      reseller,
      'cross-site',
      'funding-session',
      partitioned,
    ],
  ])('has its attributes on %s', async (_where, variables, origin, site, name, attributes) => {
    const page = (await openBff({ variables })).openBrowser(origin);
    const headers = { 'sec-fetch-site': site };
    const send = async (method: string) => {
      const answer = await page.send(method, apiPaths.session, undefined, headers);
      return answer.headers.getSetCookie().join('\n');
    };
    const cookie = await send('POST');
    expect(cookie.length).toBeLessThan(600);
    expect(cookie).toMatch(
      new RegExp(
        String.raw`^${name}-[0-9a-f]{8}=Fe26\.2\*[^;]+; Max-Age=${sessionLifetime.maxSeconds}; Path=/; HttpOnly; ${attributes}$`,
      ),
    );
    const removal = cookie.replace(/=Fe26[^;]*/, '=').replace(/Max-Age=\d+/, 'Max-Age=0');
    expect(await send('DELETE')).toBe(removal);
  });
});

describe('a session token', () => {
  it('is never returned for a session with a cookie', async () => {
    await browser.apply();
    const answer = await browser.send('POST', apiPaths.session, tokenRequest);
    expect(answer.json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
    expect(answer.text).not.toContain('Fe26');
  });

  it('is not interchangeable with a cookie', async () => {
    const token = await startToken();
    await startSession(browser);
    const [[name = '', seal = ''] = []] = browser.cookies;
    const stranger = bff.openBrowser();
    const asToken = await stranger.send('GET', apiPaths.session, undefined, withToken(seal));
    expect(toOutcome(asToken)).toBe(missing);
    stranger.cookies.set(name, token);
    expect((await stranger.send('GET', apiPaths.session)).status).toBe(401);
    expect(await readMetrics(bff)).toContain(
      'funding_session_refusals_total{reason="other-transport"} 2',
    );
  });

  it('is refused together with the cookie of another session', async () => {
    const token = withToken(await startToken());
    await browser.apply();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const both = await browser.send(method, apiPaths.session, undefined, token);
      expect(toOutcome(both)).toBe(missing);
    }
    expect(bff.logLines.join('')).toContain('"reason":"two-sessions"');
    expect((await browser.send('GET', apiPaths.session)).json.application.status).toBe('accepted');
  });

  it('is accepted together with an expired cookie', async () => {
    await startSession(browser);
    bff.time.advance(sessionLifetime.idleSeconds.cookie * 1000);
    const token = withToken(await startToken());
    expect((await browser.send('GET', apiPaths.session, undefined, token)).status).toBe(200);
  });

  it('does not end the cookie’s session when it expires', async () => {
    const token = withToken(await startToken());
    await browser.apply();
    bff.time.advance(sessionLifetime.idleSeconds.handle * 1000);
    expect((await browser.send('GET', apiPaths.application, undefined, token)).status).toBe(401);
    const { json } = await browser.send('POST', apiPaths.session, '{}', token);
    expect(json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
  });

  it.each([
    ['Basic dXNlcjpwYXNz', '200'],
    ['Bearer Fe26.2*1', '200'],
    ['Funding', '200'],
    ['Funding garbage', missing],
    ['Funding ', missing],
    ['Funding Fe26.2*1*', missing],
    [`Funding ${'a'.repeat(5000)}`, missing],
  ])('in the header %s beside a cookie: %s', async (authorization, outcome) => {
    if (outcome === '200') await startSession(browser);
    const headers = { authorization };
    const answer = await browser.send('GET', apiPaths.session, undefined, headers);
    expect(toOutcome(answer)).toBe(outcome);
  });
});
