// `/v1/draft-key`: the key of a browser, its end, and cookies that were changed.

import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { draftKeyLifetimeSeconds } from '../../../bff/middleware/draft-keys.ts';
import { draftKeyResponseSchema } from '../../../shared/api/draft-key.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { Browser } from '../../support/applicant.ts';
import { isProblem, startBff, type TestBff } from '../../support/bff.ts';

const day = 24 * 60 * 60 * 1000;
const lifetimeMs = draftKeyLifetimeSeconds * 1000;
const sessionKeys = [1, 2].map((id) => `${id}:${randomBytes(32).toString('base64')}`);

let bff: TestBff;

afterEach(() => bff.close());

async function request(browser: Browser, method: 'GET' | 'POST') {
  const { json } = await browser.send(method, apiPaths.draftKey);
  return draftKeyResponseSchema.parse(json).draftKey;
}

/** The name and the value of the only cookie. */
function cookieOf({ cookies }: Browser): readonly [string, string] {
  const [cookie] = cookies;
  return cookie ?? ['', ''];
}

describe('the draft key', () => {
  it('is 32 bytes that the browser gets back', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    const created = await request(browser, 'POST');
    expect(Buffer.from(created!.key, 'base64url')).toHaveLength(32);
    expect(await request(browser, 'GET')).toEqual(created);
  });

  it('needs no session', async () => {
    bff = await startBff();
    expect((await bff.openBrowser().send('POST', apiPaths.draftKey)).status).toBe(200);
  });

  it('is null in a browser without the cookie', async () => {
    bff = await startBff();
    await request(bff.openBrowser(), 'POST');
    expect(await request(bff.openBrowser(), 'GET')).toBeNull();
  });

  it('differs between browsers', async () => {
    bff = await startBff();
    const [one, other] = [bff.openBrowser(), bff.openBrowser()];
    expect((await request(one, 'POST'))!.key).not.toBe((await request(other, 'POST'))!.key);
  });

  it('ends after 7 days', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    const created = await request(browser, 'POST');
    expect(Date.parse(created!.expiresAt) % 1000).toBe(0);
    bff.time.advance(lifetimeMs - 1000);
    expect(await request(browser, 'GET')).toEqual(created);
    bff.time.advance(1000);
    expect(await request(browser, 'GET')).toBeNull();
  });

  it('keeps its end when it is created again', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    const created = await request(browser, 'POST');
    bff.time.advance(day);
    expect(await request(browser, 'POST')).toEqual(created);
  });

  it('is another one after the end', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    const created = await request(browser, 'POST');
    bff.time.advance(lifetimeMs);
    expect((await request(browser, 'POST'))!.key).not.toBe(created!.key);
  });

  it('is removed with its cookie', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    await request(browser, 'POST');
    const removal = await browser.send('DELETE', apiPaths.draftKey);
    expect(removal.status).toBe(204);
    expect(await request(browser, 'GET')).toBeNull();
  });

  it('is not logged', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    const { key } = (await request(browser, 'POST'))!;
    const [, value] = cookieOf(browser);
    const log = bff.logLines.join('\n');
    expect(log).toContain(apiPaths.draftKey);
    expect(log).not.toContain(key);
    expect(log).not.toContain(value);
  });

  it('survives a change of the session key while the old one is listed', async () => {
    bff = await startBff({ variables: { SESSION_KEYS: sessionKeys[0]! } });
    const browser = bff.openBrowser();
    const created = await request(browser, 'POST');
    const cookie = cookieOf(browser);
    for (const [keys, expected] of [
      [sessionKeys.toReversed().join(','), created],
      [sessionKeys[1]!, null],
    ] as const) {
      await bff.close();
      bff = await startBff({ variables: { SESSION_KEYS: keys } });
      const later = bff.openBrowser();
      later.cookies.set(...cookie);
      expect(await request(later, 'GET')).toEqual(expected);
    }
  });

  it('is limited by address', async () => {
    bff = await startBff({
      settings: { limits: { sessionsPerMinutePerAddress: 2 } },
      clientAddress: '203.0.113.7',
    });
    const create = () => bff.openBrowser().send('POST', apiPaths.draftKey);
    expect([(await create()).status, (await create()).status]).toEqual([200, 200]);
    expect(isProblem(await create(), 'too-many-requests')).toBe(true);
  });
});

describe('the cookie of the draft key', () => {
  const publicUrl = 'https://apply.partner.example';
  const sameSite = 'https://www.partner.example';
  const crossSite = 'https://www.reseller.example';

  async function setCookieOf(origin: string, site: string, method: 'POST' | 'DELETE') {
    const browser = bff.openBrowser(origin);
    const response = await browser.send(method, apiPaths.draftKey, undefined, {
      'sec-fetch-site': site,
    });
    return response.headers
      .getSetCookie()
      .join('\n')
      .replace(/=\d+\.[^;]*/, '=…');
  }

  async function startSecure(): Promise<void> {
    bff = await startBff({
      variables: {
        PUBLIC_URL: publicUrl,
        ALLOWED_ORIGINS: sameSite,
        CROSS_SITE_ORIGINS: crossSite,
      },
    });
  }

  it('is HttpOnly and SameSite=Strict on the same site', async () => {
    await startSecure();
    expect(await setCookieOf(sameSite, 'same-site', 'POST')).toMatch(
      /^__Host-Http-funding-draft-[\da-f]{8}=…; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('is partitioned on other sites', async () => {
    await startSecure();
    expect(await setCookieOf(crossSite, 'cross-site', 'POST')).toMatch(
      /Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });

  it('is removed with the attributes it was set with', async () => {
    await startSecure();
    expect(await setCookieOf(crossSite, 'cross-site', 'DELETE')).toMatch(
      /=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });

  it('gives another key to a page of another origin', async () => {
    await startSecure();
    const [one, other] = [bff.openBrowser(sameSite), bff.openBrowser(crossSite)];
    const created = await request(one, 'POST');
    const from = { 'sec-fetch-site': 'cross-site' };
    await other.send('POST', apiPaths.draftKey, undefined, from);
    other.cookies.set(cookieOf(other)[0], cookieOf(one)[1]);
    const { json } = await other.send('GET', apiPaths.draftKey, undefined, from);
    expect(json.draftKey.key).not.toBe(created!.key);
  });

  it.each([
    ['a later end', (value: string) => addDays(value, 1), 'another key'],
    [
      'another id',
      (value: string) => value.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
      'another key',
    ],
    ['an end in 8 days', (value: string) => addDays(value, 3), 'none'],
    ['an unknown session key', (value: string) => value.replace(/^\d+/, '77'), 'none'],
    [
      'a session key named __proto__',
      (value: string) => value.replace(/^\d+/, '__proto__'),
      'none',
    ],
    ['an empty value', () => '', 'none'],
    ['more text', (value: string) => `${value}~`, 'none'],
  ])('does not give its key after a change: %s', async (_name, change, expected) => {
    bff = await startBff();
    const browser = bff.openBrowser();
    const created = await request(browser, 'POST');
    bff.time.advance(2 * day);
    const [name, value] = cookieOf(browser);
    browser.cookies.set(name, change(value));
    const found = await request(browser, 'GET');
    const result = found === null ? 'none' : found.key === created!.key ? 'its key' : 'another key';
    expect(result).toBe(expected);
  });

  it('gives no key if there are two', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    await request(browser, 'POST');
    const [name, value] = cookieOf(browser);
    browser.cookies.set(name, `${value}; ${name}=${value}`);
    expect(await request(browser, 'GET')).toBeNull();
  });

  function addDays(value: string, days: number): string {
    return value.replace(/\.(\d+)\./, (_all, end) => `.${Number(end) + days * 86_400}.`);
  }
});
