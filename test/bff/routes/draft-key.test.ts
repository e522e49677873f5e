// `/v1/draft-key`: the key of a browser, its end, and cookies that were changed.

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { draftKeyLifetimeSeconds } from '../../../bff/middleware/draft-keys.ts';
import { draftKeyResponseSchema } from '../../../shared/api/draft-key.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import type { ApiHeaders, Browser } from '../../support/applicant.ts';
import { openBff, toOutcome } from '../open-bff.ts';

const day = 24 * 60 * 60 * 1000;
const lifetimeMs = draftKeyLifetimeSeconds * 1000;
const sessionKeys = [1, 2].map((id) => `${id}:${randomBytes(32).toString('base64')}`);

async function request(browser: Browser, method: 'GET' | 'POST', headers?: ApiHeaders) {
  const { json } = await browser.send(method, apiPaths.draftKey, undefined, headers);
  return draftKeyResponseSchema.parse(json).draftKey;
}

/** The name and the value of the only cookie. */
const toCookie = ({ cookies }: Browser) => [...cookies][0] ?? ['', ''];

/** A browser with a draft key. It needs no session. */
async function openWithKey(...options: Parameters<typeof openBff>) {
  const bff = await openBff(...options);
  return { ...bff, created: (await request(bff.browser, 'POST'))! };
}

describe('the draft key', () => {
  it('is 32 bytes that only its browser gets back', async () => {
    const { browser, openBrowser, created } = await openWithKey();
    expect(Buffer.from(created.key, 'base64url')).toHaveLength(32);
    expect(await request(browser, 'GET')).toEqual(created);
    const other = openBrowser();
    expect(await request(other, 'GET')).toBeNull();
    expect((await request(other, 'POST'))?.key).not.toBe(created.key);
  });

  it('ends after 7 days, although it is requested again', async () => {
    const { browser, time, created } = await openWithKey();
    expect(Date.parse(created.expiresAt) % 1000).toBe(0);
    time.advance(day);
    expect(await request(browser, 'POST')).toEqual(created);
    time.advance(lifetimeMs - day - 1000);
    expect(await request(browser, 'GET')).toEqual(created);
    time.advance(1000);
    expect(await request(browser, 'GET')).toBeNull();
    expect((await request(browser, 'POST'))?.key).not.toBe(created.key);
  });

  it('is removed with its cookie', async () => {
    const { browser } = await openWithKey();
    expect((await browser.send('DELETE', apiPaths.draftKey)).status).toBe(204);
    expect(await request(browser, 'GET')).toBeNull();
  });

  it('is not logged', async () => {
    const { browser, logLines, created } = await openWithKey();
    const log = logLines.join('\n');
    expect(log).toContain(apiPaths.draftKey);
    expect(log).not.toContain(created.key);
    expect(log).not.toContain(toCookie(browser)[1]);
  });

  it('survives a change of the session key while the old one is listed', async () => {
    const [first = '', second = ''] = sessionKeys;
    const { browser, created } = await openWithKey({ variables: { SESSION_KEYS: first } });
    for (const [keys, expected] of [
      [`${second},${first}`, created],
      [second, null],
    ] as const) {
      const later = await openBff({ variables: { SESSION_KEYS: keys } });
      later.browser.cookies.set(...toCookie(browser));
      expect(await request(later.browser, 'GET')).toEqual(expected);
    }
  });

  it('is limited by address', async () => {
    const { openBrowser } = await openBff({
      settings: { limits: { sessionsPerMinutePerAddress: 2 } },
      clientAddress: '203.0.113.7',
    });
    const outcomes: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      outcomes.push(toOutcome(await openBrowser().send('POST', apiPaths.draftKey)));
    }
    expect(outcomes).toEqual(['200', '200', '429 too-many-requests']);
  });
});

describe('the cookie of the draft key', () => {
  const sameSite = 'https://www.partner.example';
  const crossSite = 'https://www.reseller.example';
  const variables = {
    PUBLIC_URL: 'https://apply.partner.example',
    ALLOWED_ORIGINS: sameSite,
    CROSS_SITE_ORIGINS: crossSite,
  };
  const fromOtherSite = { 'sec-fetch-site': 'cross-site' };

  it.each([
    [sameSite, 'same-site', 'POST', /=\d+\.[^;]*; Max-Age=604800; .*; SameSite=Strict$/],
    [
      crossSite,
      'cross-site',
      'POST',
      /=\d+\.[^;]*; Max-Age=604800; .*; SameSite=None; Partitioned$/,
    ],
    // A cookie is removed with the attributes it was set with.
    [crossSite, 'cross-site', 'DELETE', /=; Max-Age=0; .*; SameSite=None; Partitioned$/],
  ])('has the right attributes for %s (%s, %s)', async (origin, site, method, attributes) => {
    const { openBrowser } = await openBff({ variables });
    const headers = { 'sec-fetch-site': site };
    const answer = await openBrowser(origin).send(method, apiPaths.draftKey, undefined, headers);
    const cookie = answer.headers.getSetCookie().join('\n');
    expect(cookie).toMatch(/^__Host-Http-funding-draft-[\da-f]{8}=/);
    expect(cookie).toContain('; Path=/; HttpOnly; Secure; ');
    expect(cookie).toMatch(attributes);
  });

  it('gives another key to a page of another origin', async () => {
    const { openBrowser } = await openBff({ variables });
    const [page, other] = [openBrowser(sameSite), openBrowser(crossSite)];
    const created = await request(page, 'POST');
    await request(other, 'POST', fromOtherSite);
    other.cookies.set(toCookie(other)[0], toCookie(page)[1]);
    expect((await request(other, 'GET', fromOtherSite))?.key).not.toBe(created?.key);
  });

  const addDays = (value: string, days: number) =>
    value.replace(/\.(\d+)\./, (_all, end) => `.${Number(end) + days * 86_400}.`);
  it.each<[string, (value: string) => string, 'another key' | 'none']>([
    ['a later end', (value) => addDays(value, 1), 'another key'],
    ['another id', (value) => value.replace(/.$/, toOther), 'another key'],
    ['an end in 8 days', (value) => addDays(value, 3), 'none'],
    ['an unknown session key', (value) => value.replace(/^\d+/, '77'), 'none'],
    ['a session key named __proto__', (value) => value.replace(/^\d+/, '__proto__'), 'none'],
    ['an empty value', () => '', 'none'],
    ['more text', (value) => `${value}~`, 'none'],
  ])('does not give its key after a change: %s', async (_name, change, expected) => {
    const { browser, time, created } = await openWithKey();
    time.advance(2 * day);
    const [name, value] = toCookie(browser);
    browser.cookies.set(name, change(value));
    const key = (await request(browser, 'GET'))?.key;
    expect(key).not.toBe(created.key);
    expect(key === undefined ? 'none' : 'another key').toBe(expected);
  });

  it('gives no key if there are two', async () => {
    const { browser } = await openWithKey();
    const [name, value] = toCookie(browser);
    browser.cookies.set(name, `${value}; ${name}=${value}`);
    expect(await request(browser, 'GET')).toBeNull();
  });

  function toOther(letter: string): string {
    return letter === 'A' ? 'B' : 'A';
  }
});
