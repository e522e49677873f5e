// The session token, which the element keeps in memory where browsers do not store the cookie.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createBankStatement } from '../../support/files/realistic-files.ts';
import { firstKey, type Answer, type Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';

const minute = 60_000;
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
      expiresAt: '2026-11-20T10:30:00.000Z',
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
    const statement = Uint8Array.from(await createBankStatement());
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

  it('expires after half an hour without use', async () => {
    const token = await begin();
    bff.time.advance(30 * minute - 1);
    expect((await send('GET', apiPaths.session, token)).status).toBe(200);
    bff.time.advance(1);
    expect(isProblem(await send('GET', apiPaths.session, token), 'session-missing')).toBe(true);
  });

  it('is renewed at most every ten minutes', async () => {
    const token = await begin();
    bff.time.advance(10 * minute - 1);
    expect(renewed(await send('GET', apiPaths.session, token))).toBeNull();
    bff.time.advance(1);
    const answer = await send('GET', apiPaths.session, token);
    const next = renewed(answer) ?? '';
    expect(answer.headers.getSetCookie()).toEqual([]);
    bff.time.advance(29 * minute);
    expect((await send('GET', apiPaths.session, next)).status).toBe(200);
    expect((await send('GET', apiPaths.session, token)).status).toBe(401);
  });

  it.each(['GET', 'POST'])(
    'is extended to half an hour by a %s in its last minutes',
    async (method) => {
      const token = await begin();
      bff.time.advance(28 * minute);
      const extended = await send(method, apiPaths.session, token);
      expect(extended.json.expiresAt).toBe('2026-11-20T10:58:00.000Z');
      bff.time.advance(29 * minute);
      expect((await send('GET', apiPaths.session, renewed(extended) ?? '')).status).toBe(200);
    },
  );

  it('is renewed with an error response too', async () => {
    const token = await begin();
    bff.time.advance(10 * minute);
    const answer = await send('GET', apiPaths.application, token);
    expect(isProblem(answer, 'application-missing')).toBe(true);
    expect(renewed(answer)).toMatch(/^Fe26/);
  });

  it('lasts a day after an application', async () => {
    const token = await begin();
    await apply(token);
    bff.time.advance(23 * 60 * minute + 59 * minute);
    const answer = await send('GET', apiPaths.session, token);
    expect(answer.json.expiresAt).toBe('2026-11-21T10:00:00.000Z');
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
    bff.time.advance(60 * minute);
    const token = await begin();
    expect((await send('GET', apiPaths.session, token)).status).toBe(200);
  });

  it('does not end the cookie’s session when it expires', async () => {
    const token = await begin();
    await browser.apply();
    bff.time.advance(30 * minute);
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

function renewed(answer: Answer): string | null {
  return answer.headers.get(apiResponseHeaders.session);
}
