// The session: start, renewal, expiry, end, and separation by origin.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../bff/store/database.ts';
import { createStore } from '../../../bff/store/open-store.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { sessionSchema } from '../../../shared/api/session.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import type { Browser } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';
import { testNow } from '../../support/manual-time.ts';

const minute = 60_000;
const idleMs = sessionLifetime.idleSeconds.cookie * 1000;
const maxMs = sessionLifetime.maxSeconds * 1000;
const renewAfterMs = sessionLifetime.renewAfterSeconds * 1000;
const otherOrigin = 'http://other.localhost:8080';

describe('the session', () => {
  let bff: TestBff;
  let browser: Browser;

  beforeEach(async () => {
    bff = await startBff();
    browser = bff.openBrowser();
  });

  afterEach(() => bff.close());

  it('starts empty with the idle lifetime', async () => {
    const answer = await browser.send('POST', apiPaths.session);
    expect(answer.status).toBe(200);
    expect(sessionSchema.parse(answer.json)).toEqual({
      expiresAt: toTime(testNow + idleMs),
      isProven: false,
      application: null,
      documents: [],
      assetReport: null,
      contact: null,
    });
  });

  it('is resumed by a second POST', async () => {
    await browser.apply();
    const answer = await browser.send('POST', apiPaths.session);
    expect(answer.json).toMatchObject({ isProven: true, application: { status: 'accepted' } });
    expect((await browser.send('GET', apiPaths.session)).json.isProven).toBe(true);
  });

  it.each(['{"transport":"cookie"}', '{"transport":"handle","sid":"mine"}', '[]', '{'])(
    'is not started by %s',
    async (body) => {
      const answer = await browser.send('POST', apiPaths.session, body);
      expect(isProblem(answer, 'invalid-request')).toBe(true);
      expect(browser.cookies.size).toBe(0);
    },
  );

  it('is missing without a cookie', async () => {
    const answer = await browser.send('GET', apiPaths.session);
    expect(isProblem(answer, 'session-missing')).toBe(true);
    expect(answer.status).toBe(401);
  });

  it('is missing with a changed cookie', async () => {
    await browser.send('POST', apiPaths.session);
    const [[name = '', seal = ''] = []] = browser.cookies;
    for (const index of [10, 60, 120, 200, seal.length - 8]) {
      const changed =
        seal.slice(0, index) + (seal[index] === 'a' ? 'b' : 'a') + seal.slice(index + 1);
      browser.cookies.set(name, changed);
      expect((await browser.send('GET', apiPaths.session)).status).toBe(401);
    }
  });

  it('is renewed only after `renewAfterSeconds`', async () => {
    await browser.send('POST', apiPaths.session);
    bff.time.advance(renewAfterMs - minute);
    expect((await browser.send('GET', apiPaths.session)).headers.getSetCookie()).toEqual([]);
    expect((await browser.send('POST', apiPaths.session)).headers.getSetCookie()).toEqual([]);
    bff.time.advance(minute);
    const renewed = await browser.send('GET', apiPaths.session);
    expect(renewed.headers.getSetCookie()).toHaveLength(1);
    expect(renewed.json.expiresAt).toBe(toTime(testNow + renewAfterMs + idleMs));
  });

  it.each(['GET', 'POST'])('is extended by a %s in its last minutes', async (method) => {
    await browser.send('POST', apiPaths.session);
    bff.time.advance(idleMs - 2 * minute);
    const extended = await browser.send(method, apiPaths.session);
    expect(extended.json.expiresAt).toBe(toTime(testNow + 2 * idleMs - 2 * minute));
    bff.time.advance(idleMs - minute);
    expect((await browser.send('GET', apiPaths.session)).status).toBe(200);
  });

  it('expires after the idle lifetime without use', async () => {
    await browser.send('POST', apiPaths.session);
    bff.time.advance(idleMs);
    expect((await browser.send('GET', apiPaths.session)).status).toBe(401);
  });

  it('expires after the maximum lifetime despite use', async () => {
    await browser.send('POST', apiPaths.session);
    for (let at = idleMs / 2; at < maxMs; at += idleMs / 2) {
      bff.time.advance(idleMs / 2);
      expect((await browser.send('GET', apiPaths.session)).status).toBe(200);
    }
    expect((await browser.send('GET', apiPaths.session)).json.expiresAt).toBe(
      toTime(testNow + maxMs),
    );
    bff.time.advance(idleMs / 2);
    expect((await browser.send('GET', apiPaths.session)).status).toBe(401);
  });

  it('has the maximum lifetime after an application, even if its response is lost', async () => {
    await browser.apply();
    bff.time.advance(idleMs + minute);
    const answer = await browser.send('GET', apiPaths.session);
    expect(answer.json).toMatchObject({
      expiresAt: toTime(testNow + maxMs),
      application: { status: 'accepted' },
    });
    bff.time.advance(maxMs - idleMs - 2 * minute);
    expect((await browser.send('GET', apiPaths.session)).status).toBe(200);
    bff.time.advance(minute);
    expect((await browser.send('GET', apiPaths.session)).status).toBe(401);
  });

  it('keeps the idle lifetime after a rejected application', async () => {
    const refused = createApplication({ name: 'Bakery [create-lead/invalid-field-value]' });
    expect(isProblem(await browser.apply(refused), 'application-rejected')).toBe(true);
    expect((await browser.send('GET', apiPaths.session)).json.expiresAt).toBe(
      toTime(testNow + idleMs),
    );
    bff.time.advance(idleMs);
    expect((await browser.send('GET', apiPaths.session)).status).toBe(401);
  });

  it('is separate for each origin of a browser', async () => {
    await browser.apply();
    const other = bff.openBrowser(otherOrigin);
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    await other.send('POST', apiPaths.session);
    for (const [name, value] of other.cookies) browser.cookies.set(name, value);
    expect((await browser.send('GET', apiPaths.session)).json.application.status).toBe('accepted');
  });

  it('writes nothing to the store before an application', async () => {
    const database = openSqlite('file::memory:');
    const other = await startBff({ store: createStore(database) });
    const visitor = other.openBrowser();
    for (const method of ['POST', 'GET']) await visitor.send(method, apiPaths.session);
    expect(await database.all(sql`select id from session`)).toEqual([]);
    await other.close();
  });

  it('has a row that sorts by its start', async () => {
    const database = openSqlite('file::memory:');
    const other = await startBff({ store: createStore(database) });
    for (let visits = 0; visits < 6; visits += 1) {
      other.time.advance(1);
      await other.openBrowser().apply();
    }
    const byId = await database.all(sql`select id from session order by id`);
    expect(byId).toHaveLength(6);
    expect(byId).toEqual(await database.all(sql`select id from session order by created_at`));
    await other.close();
  });

  it('is missing after its end, even if the cookie is sent again', async () => {
    await browser.send('POST', apiPaths.session);
    const kept = new Map(browser.cookies);
    expect((await browser.send('DELETE', apiPaths.session)).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect(isProblem(await browser.send('GET', apiPaths.session), 'session-missing')).toBe(true);
  });

  it('is refused for another origin', async () => {
    await browser.apply();
    const other = bff.openBrowser(otherOrigin);
    await other.send('POST', apiPaths.session);
    const [otherName = ''] = other.cookies.keys();
    for (const value of browser.cookies.values()) other.cookies.set(otherName, value);
    expect((await other.send('GET', apiPaths.session)).status).toBe(401);
    expect((await other.send('GET', apiPaths.application)).status).toBe(401);
    const begun = await other.send('POST', apiPaths.session);
    expect(begun.json.application).toBeNull();
  });
});

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
