// The session without a cookie: a handle that the widget keeps in memory and sends by itself.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createBankStatement } from '../../support/pdf.ts';
import {
  createApplication,
  createRig,
  firstKey,
  isProblem,
  type Answer,
  type Browser,
  type Rig,
} from '../bff-rig.ts';

const minute = 60_000;
const otherOrigin = 'http://other.localhost:8080';
const wish = JSON.stringify({ transport: 'handle' });

describe('the session by handle', () => {
  let rig: Rig;
  let browser: Browser;

  beforeEach(async () => {
    rig = await createRig();
    browser = rig.openBrowser();
  });

  afterEach(() => rig.close());

  it('begins with a handle and sets no cookie', async () => {
    const answer = await browser.send('POST', apiPaths.session, wish);
    expect(answer.json).toMatchObject({
      expiresAt: '2026-11-20T10:30:00.000Z',
      isProven: false,
      application: null,
    });
    expect(answer.json.handle).toMatch(/^Fe26\.2\*/);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is opened by the handle, which is told once only', async () => {
    const handle = await begin();
    const looked = await send('GET', apiPaths.session, handle);
    expect(looked.json).toMatchObject({ isProven: true, application: null });
    expect(looked.text).not.toContain('Fe26');
    const resumed = await browser.send('POST', apiPaths.session, wish, by(handle));
    expect(resumed.json.isProven).toBe(true);
    expect(resumed.text).not.toContain('Fe26');
    expect(resumed.headers.getSetCookie()).toEqual([]);
  });

  it('files, uploads and looks on as with a cookie', async () => {
    const handle = await begin();
    const statement = Uint8Array.from(await createBankStatement());
    expect((await apply(handle)).json.status).toBe('accepted');
    const uploaded = await browser.upload(statement, 'statement.pdf', by(handle));
    expect(uploaded.json.status).toBe('delivered');
    const looked = await send('GET', apiPaths.session, handle);
    expect(looked.json).toMatchObject({
      application: { status: 'accepted' },
      documents: [{ number: 1 }],
    });
    expect(rig.logLines.join('')).not.toContain('Fe26');
  });

  it('ends after half an hour without use', async () => {
    const handle = await begin();
    rig.time.advance(30 * minute - 1);
    expect((await send('GET', apiPaths.session, handle)).status).toBe(200);
    rig.time.advance(1);
    expect(isProblem(await send('GET', apiPaths.session, handle), 'session-missing')).toBe(true);
  });

  it('lives on while it is used, with a new handle at most every ten minutes', async () => {
    const handle = await begin();
    rig.time.advance(10 * minute - 1);
    expect(renewed(await send('GET', apiPaths.session, handle))).toBeNull();
    rig.time.advance(1);
    const answer = await send('GET', apiPaths.session, handle);
    const next = renewed(answer) ?? '';
    expect(answer.headers.getSetCookie()).toEqual([]);
    rig.time.advance(29 * minute);
    expect((await send('GET', apiPaths.session, next)).status).toBe(200);
    expect((await send('GET', apiPaths.session, handle)).status).toBe(401);
  });

  it.each(['GET', 'POST'])(
    'is extended to its whole half hour by one %s in its last minutes',
    async (method) => {
      const handle = await begin();
      rig.time.advance(28 * minute);
      const extended = await send(method, apiPaths.session, handle);
      expect(extended.json.expiresAt).toBe('2026-11-20T10:58:00.000Z');
      rig.time.advance(29 * minute);
      expect((await send('GET', apiPaths.session, renewed(extended) ?? '')).status).toBe(200);
    },
  );

  it('brings the new handle along with a refusal too', async () => {
    const handle = await begin();
    rig.time.advance(10 * minute);
    const answer = await send('GET', apiPaths.application, handle);
    expect(isProblem(answer, 'application-missing')).toBe(true);
    expect(renewed(answer)).toMatch(/^Fe26/);
  });

  it('lasts the day once an application is filed', async () => {
    const handle = await begin();
    await apply(handle);
    rig.time.advance(23 * 60 * minute + 59 * minute);
    const answer = await send('GET', apiPaths.session, handle);
    expect(answer.json.expiresAt).toBe('2026-11-21T10:00:00.000Z');
    rig.time.advance(minute);
    expect((await send('GET', apiPaths.session, handle)).status).toBe(401);
  });

  it('is over once it was ended', async () => {
    const handle = await begin();
    const ended = await send('DELETE', apiPaths.session, handle);
    expect(ended.status).toBe(204);
    expect(ended.headers.getSetCookie()).toEqual([]);
    expect(isProblem(await send('GET', apiPaths.session, handle), 'session-missing')).toBe(true);
  });

  it('is refused to a page of another origin', async () => {
    const handle = await begin();
    await apply(handle);
    const other = rig.openBrowser(otherOrigin);
    expect((await other.send('GET', apiPaths.session, undefined, by(handle))).status).toBe(401);
    expect(rig.logLines.join('')).toContain('"reason":"other-origin"');
  });

  it('is never given for a session that a cookie opens', async () => {
    await browser.apply();
    const answer = await browser.send('POST', apiPaths.session, wish);
    expect(answer.json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
    expect(answer.text).not.toContain('Fe26');
  });

  it('is not opened by a cookie’s seal, nor a cookie by a handle', async () => {
    const handle = await begin();
    await browser.send('POST', apiPaths.session);
    const [[name = '', seal = ''] = []] = browser.cookies;
    const stranger = rig.openBrowser();
    const carried = await stranger.send('GET', apiPaths.session, undefined, by(seal));
    expect(isProblem(carried, 'session-missing')).toBe(true);
    stranger.cookies.set(name, handle);
    expect((await stranger.send('GET', apiPaths.session)).status).toBe(401);
    const { text } = await stranger.send('GET', '/metrics');
    expect(text).toContain('funding_session_refusals_total{reason="other-transport"} 2');
  });

  it('counts for nothing beside a living cookie, and neither does the cookie', async () => {
    const handle = await begin();
    await browser.apply();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const both = await browser.send(method, apiPaths.session, undefined, by(handle));
      expect(isProblem(both, 'session-missing')).toBe(true);
    }
    expect(rig.logLines.join('')).toContain('"reason":"two-sessions"');
    expect((await browser.send('GET', apiPaths.session)).json.application.status).toBe('accepted');
  });

  it('stands beside a cookie that opens nothing any more', async () => {
    await browser.send('POST', apiPaths.session);
    rig.time.advance(60 * minute);
    const handle = await begin();
    expect((await send('GET', apiPaths.session, handle)).status).toBe(200);
  });

  it('that is over does not leave the request to the cookie, nor throw the cookie’s session out', async () => {
    const handle = await begin();
    await browser.apply();
    rig.time.advance(30 * minute);
    expect((await send('GET', apiPaths.application, handle)).status).toBe(401);
    const begun = await browser.send('POST', apiPaths.session, '{}', by(handle));
    expect(begun.json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
  });

  it.each(['Basic dXNlcjpwYXNz', 'Bearer Fe26.2*1', 'Funding'])(
    'is not what %s asks for, so the cookie counts',
    async (authorization) => {
      await browser.send('POST', apiPaths.session);
      const answer = await browser.send('GET', apiPaths.session, undefined, { authorization });
      expect(answer.status).toBe(200);
    },
  );

  it.each([
    ['garbage', 'garbage'],
    ['nothing', ''],
    ['the beginning of a seal', 'Fe26.2*1*'],
    ['more than a seal ever has', 'a'.repeat(5000)],
  ])('is not opened by %s', async (_what, text) => {
    const answer = await browser.send('GET', apiPaths.session, undefined, by(text));
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });

  function send(method: string, path: string, handle: string): Promise<Answer> {
    return browser.send(method, path, undefined, by(handle));
  }

  async function begin(): Promise<string> {
    // As a browser that keeps nothing: what it has got by another way stays aside.
    const answer = await rig.openBrowser().send('POST', apiPaths.session, wish);
    return answer.json.handle;
  }

  function apply(handle: string): Promise<Answer> {
    return browser.send('POST', apiPaths.application, JSON.stringify(createApplication()), {
      [apiHeaders.idempotencyKey]: firstKey,
      ...by(handle),
    });
  }
});

function by(handle: string): { readonly authorization: string } {
  return { authorization: `Funding ${handle}` };
}

function renewed(answer: Answer): string | null {
  return answer.headers.get(apiResponseHeaders.session);
}
