// The session token, which the element keeps in memory where browsers do not store the cookie.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { readBankStatement } from '../../support/files/realistic-files.ts';
import { firstKey, type Answer, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { testNow } from '../../support/manual-time.ts';

const minute = 60_000;
const idleMs = sessionLifetime.idleSeconds.handle * 1000;
const maxMs = sessionLifetime.maxSeconds * 1000;
const renewAfterMs = sessionLifetime.renewAfterSeconds * 1000;
const otherOrigin = 'http://other.localhost:8080';
const request = JSON.stringify({ transport: 'handle' });

describe('the session token', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('starts a session without a cookie', async () => {
    const answer = await browser.send('POST', apiPaths.session, request);
    expect(answer.json).toMatchObject({
      expiresAt: toTime(testNow + idleMs),
      isProven: false,
      application: null,
    });
    expect(answer.json.handle).toMatch(/^Fe26\.2\*/);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is returned once', async () => {
    const token = await begin();
    const looked = await send('GET', apiPaths.session, token);
    expect(looked.json).toMatchObject({ isProven: true, application: null });
    expect(looked.text).not.toContain('Fe26');
    const resumed = await browser.send('POST', apiPaths.session, request, withToken(token));
    expect(resumed.json.isProven).toBe(true);
    expect(resumed.text).not.toContain('Fe26');
    expect(resumed.headers.getSetCookie()).toEqual([]);
  });

  it('works for an application with documents', async () => {
    const token = await begin();
    const statement = Uint8Array.from(await readBankStatement());
    expect((await apply(token)).json.status).toBe('accepted');
    const uploaded = await browser.upload(statement, 'statement.pdf', withToken(token));
    expect(uploaded.json.status).toBe('delivered');
    const looked = await send('GET', apiPaths.session, token);
    expect(looked.json).toMatchObject({
      application: { status: 'accepted' },
      documents: [{ number: 1 }],
    });
    expect(bff.logLines.join('')).not.toContain('Fe26');
  });

  it('expires after its idle lifetime without use', async () => {
    const token = await begin();
    bff.time.advance(idleMs - 1);
    expect((await send('GET', apiPaths.session, token)).status).toBe(200);
    bff.time.advance(1);
    expect(isProblem(await send('GET', apiPaths.session, token), 'session-missing')).toBe(true);
  });

  it('is renewed only after `renewAfterSeconds`', async () => {
    const token = await begin();
    bff.time.advance(renewAfterMs - 1);
    expect(renewed(await send('GET', apiPaths.session, token))).toBeNull();
    bff.time.advance(1);
    const answer = await send('GET', apiPaths.session, token);
    const next = renewed(answer) ?? '';
    expect(answer.headers.getSetCookie()).toEqual([]);
    bff.time.advance(idleMs - minute);
    expect((await send('GET', apiPaths.session, next)).status).toBe(200);
    expect((await send('GET', apiPaths.session, token)).status).toBe(401);
  });

  it.each(['GET', 'POST'])('is extended by a %s in its last minutes', async (method) => {
    const token = await begin();
    bff.time.advance(idleMs - 2 * minute);
    const extended = await send(method, apiPaths.session, token);
    expect(extended.json.expiresAt).toBe(toTime(testNow + 2 * idleMs - 2 * minute));
    bff.time.advance(idleMs - minute);
    expect((await send('GET', apiPaths.session, renewed(extended) ?? '')).status).toBe(200);
  });

  it('is renewed with an error response too', async () => {
    const token = await begin();
    bff.time.advance(renewAfterMs);
    const answer = await send('GET', apiPaths.application, token);
    expect(isProblem(answer, 'application-missing')).toBe(true);
    expect(renewed(answer)).toMatch(/^Fe26/);
  });

  it('has the maximum lifetime after an application', async () => {
    const token = await begin();
    await apply(token);
    bff.time.advance(maxMs - minute);
    const answer = await send('GET', apiPaths.session, token);
    expect(answer.json.expiresAt).toBe(toTime(testNow + maxMs));
    bff.time.advance(minute);
    expect((await send('GET', apiPaths.session, token)).status).toBe(401);
  });

  it('is refused after the session ended', async () => {
    const token = await begin();
    const ended = await send('DELETE', apiPaths.session, token);
    expect(ended.status).toBe(204);
    expect(ended.headers.getSetCookie()).toEqual([]);
    expect(isProblem(await send('GET', apiPaths.session, token), 'session-missing')).toBe(true);
  });

  it('is refused for another origin', async () => {
    const token = await begin();
    await apply(token);
    const other = bff.openBrowser(otherOrigin);
    expect((await other.send('GET', apiPaths.session, undefined, withToken(token))).status).toBe(
      401,
    );
    expect(bff.logLines.join('')).toContain('"reason":"other-origin"');
  });

  it('is never returned for a session with a cookie', async () => {
    await browser.apply();
    const answer = await browser.send('POST', apiPaths.session, request);
    expect(answer.json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
    expect(answer.text).not.toContain('Fe26');
  });

  it('is not interchangeable with a cookie', async () => {
    const token = await begin();
    await browser.send('POST', apiPaths.session);
    const [[name = '', seal = ''] = []] = browser.cookies;
    const stranger = bff.openBrowser();
    const asToken = await stranger.send('GET', apiPaths.session, undefined, withToken(seal));
    expect(isProblem(asToken, 'session-missing')).toBe(true);
    stranger.cookies.set(name, token);
    expect((await stranger.send('GET', apiPaths.session)).status).toBe(401);
    const { text } = await stranger.send('GET', '/metrics');
    expect(text).toContain('funding_session_refusals_total{reason="other-transport"} 2');
  });

  it('is refused together with the cookie of another session', async () => {
    const token = await begin();
    await browser.apply();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const both = await browser.send(method, apiPaths.session, undefined, withToken(token));
      expect(isProblem(both, 'session-missing')).toBe(true);
    }
    expect(bff.logLines.join('')).toContain('"reason":"two-sessions"');
    expect((await browser.send('GET', apiPaths.session)).json.application.status).toBe('accepted');
  });

  it('is accepted together with an expired cookie', async () => {
    await browser.send('POST', apiPaths.session);
    bff.time.advance(sessionLifetime.idleSeconds.cookie * 1000);
    const token = await begin();
    expect((await send('GET', apiPaths.session, token)).status).toBe(200);
  });

  it('does not end the cookie’s session when it expires', async () => {
    const token = await begin();
    await browser.apply();
    bff.time.advance(idleMs);
    expect((await send('GET', apiPaths.application, token)).status).toBe(401);
    const begun = await browser.send('POST', apiPaths.session, '{}', withToken(token));
    expect(begun.json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
  });

  it.each(['Basic dXNlcjpwYXNz', 'Bearer Fe26.2*1', 'Funding'])(
    'is not read from %s',
    async (authorization) => {
      await browser.send('POST', apiPaths.session);
      const answer = await browser.send('GET', apiPaths.session, undefined, { authorization });
      expect(answer.status).toBe(200);
    },
  );

  it.each([
    ['garbage', 'garbage'],
    ['an empty string', ''],
    ['the start of a seal', 'Fe26.2*1*'],
    ['a long string', 'a'.repeat(5000)],
  ])('is refused as %s', async (_name, text) => {
    const answer = await browser.send('GET', apiPaths.session, undefined, withToken(text));
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });

  function send(method: string, path: string, token: string): Promise<Answer> {
    return browser.send(method, path, undefined, withToken(token));
  }

  async function begin(): Promise<string> {
    // Another browser, so that `browser` keeps its cookies.
    const answer = await bff.openBrowser().send('POST', apiPaths.session, request);
    return answer.json.handle;
  }

  function apply(token: string): Promise<Answer> {
    return browser.send('POST', apiPaths.application, JSON.stringify(createApplication()), {
      [apiHeaders.idempotencyKey]: firstKey,
      ...withToken(token),
    });
  }
});

function withToken(token: string): { readonly authorization: string } {
  return { authorization: `Funding ${token}` };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

function renewed(answer: Answer): string | null {
  return answer.headers.get(apiResponseHeaders.session);
}
