// The session's cookie: its attributes in each mode, and what is made of cookies nobody asked for.

import { afterEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createRig, isProblem, pageOrigin, type Browser, type Rig } from '../bff-rig.ts';

const publicUrl = 'https://apply.partner.example';
const sameSite = 'https://www.partner.example';
const crossSite = 'https://www.reseller.example';
const fromElsewhere = { 'sec-fetch-site': 'cross-site' };

let rig: Rig;

afterEach(() => rig.close());

describe('the session’s cookie over https', () => {
  it('is for the site’s own pages only', async () => {
    await openSecureRig();
    const cookie = await begin(rig.openBrowser(sameSite));
    expect(cookie).toMatch(
      /^__Host-Http-funding-[0-9a-f]{8}=Fe26\.2\*[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('is so on the BFF’s own pages as well', async () => {
    await openSecureRig();
    const own = { 'sec-fetch-site': 'same-origin' };
    const cookie = await begin(rig.openBrowser(publicUrl), own);
    expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('is kept apart for each site around it on pages of other sites', async () => {
    await openSecureRig();
    const cookie = await begin(rig.openBrowser(crossSite), fromElsewhere);
    expect(cookie).toMatch(
      /^__Host-Http-funding-[0-9a-f]{8}=Fe26\.2\*[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });

  it.each([
    [sameSite, {}],
    [crossSite, fromElsewhere],
  ])(
    'is small, and taken back with the attributes it was set with, for %s',
    async (origin, from) => {
      await openSecureRig();
      const browser = rig.openBrowser(origin);
      const begun = await begin(browser, from);
      expect(begun.length).toBeLessThan(600);
      const ended = await browser.send('DELETE', apiPaths.session, undefined, from);
      const removal = begun.replace(/=Fe26[^;]*/, '=').replace('Max-Age=86400', 'Max-Age=0');
      expect(ended.headers.getSetCookie()).toEqual([removal]);
    },
  );
});

describe('the session’s cookie over http, in the sandbox', () => {
  it('does without Secure, which Safari keeps from http://localhost', async () => {
    rig = await createRig();
    expect(await begin(rig.openBrowser())).toMatch(
      /^funding-session-[0-9a-f]{8}=Fe26\.2\*[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is Secure all the same on pages of other sites, since no browser keeps it otherwise', async () => {
    const origin = 'http://reseller.localhost:8080';
    rig = await createRig({ variables: { CROSS_SITE_ORIGINS: origin } });
    expect(await begin(rig.openBrowser(origin), fromElsewhere)).toMatch(
      /^funding-session-[0-9a-f]{8}=Fe26\.2\*[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });
});

describe('cookies nobody asked for', () => {
  it.each([
    ['garbage', (name: string) => `${name}=garbage`],
    ['nothing', (name: string) => `${name}=`],
    ['more than ours ever has', (name: string) => `${name}=${'a'.repeat(4500)}`],
    ['percent signs', (name: string) => `${name}=%E0%A4%A`],
    [
      '30 others of 4 KB',
      () => Array.from({ length: 30 }, (_none, i) => `c${i}=${'a'.repeat(4096)}`).join('; '),
    ],
    ['no pair at all', () => ';;=;= ;'],
  ])('open nothing: %s', async (_what, write) => {
    rig = await createRig();
    const browser = rig.openBrowser();
    await begin(browser);
    const [name = ''] = browser.cookies.keys();
    const answer = await browser.send('GET', apiPaths.session, undefined, { cookie: write(name) });
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });

  it('are not tried one after the other', async () => {
    rig = await createRig();
    const browser = rig.openBrowser();
    await begin(browser);
    const [[name, seal] = []] = browser.cookies;
    const cookie = `${name}=garbage; ${name}=${seal}`;
    const answer = await browser.send('GET', apiPaths.session, undefined, { cookie });
    expect(isProblem(answer, 'session-missing')).toBe(true);
    expect(rig.logLines.join('')).toContain('"reason":"several-cookies"');
  });

  it('do not hide ours among them', async () => {
    rig = await createRig();
    const browser = rig.openBrowser();
    await begin(browser);
    const [[name, seal] = []] = browser.cookies;
    const cookie = `a=b;${name}x=garbage; x${name}=garbage;${name}=${seal}; ; theme=dark`;
    const answer = await browser.send('GET', apiPaths.session, undefined, { cookie });
    expect(answer.status).toBe(200);
  });
});

async function openSecureRig(): Promise<void> {
  rig = await createRig({
    variables: {
      PUBLIC_URL: publicUrl,
      ALLOWED_ORIGINS: `${pageOrigin} ${sameSite}`,
      CROSS_SITE_ORIGINS: crossSite,
    },
  });
}

async function begin(
  browser: Browser,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await browser.send('POST', apiPaths.session, undefined, headers);
  return answer.headers.getSetCookie().join('\n');
}
