// The session cookie: its attributes for each kind of page, and unexpected cookies.

import { afterEach, describe, expect, it } from 'vitest';
import { apiPaths } from '../../../shared/api/paths.ts';
import { sessionLifetime } from '../../../shared/api/session-lifetime.ts';
import { pageOrigin, type Browser } from '../../support/applicant.ts';
import { startBff, isProblem, type TestBff } from '../../support/bff.ts';

const publicUrl = 'https://apply.partner.example';
const sameSite = 'https://www.partner.example';
const crossSite = 'https://www.reseller.example';
const fromElsewhere = { 'sec-fetch-site': 'cross-site' };

let bff: TestBff;

afterEach(() => bff.close());

describe('the session cookie over HTTPS', () => {
  it('is SameSite=Strict on the same site', async () => {
    await openSecureRig();
    const cookie = await begin(bff.openBrowser(sameSite));
    expect(cookie).toMatch(toPattern('__Host-Http-funding', 'Secure; SameSite=Strict'));
  });

  it('is SameSite=Strict on the BFF’s own origin', async () => {
    await openSecureRig();
    const own = { 'sec-fetch-site': 'same-origin' };
    const cookie = await begin(bff.openBrowser(publicUrl), own);
    expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('is partitioned on other sites', async () => {
    await openSecureRig();
    const cookie = await begin(bff.openBrowser(crossSite), fromElsewhere);
    expect(cookie).toMatch(toPattern('__Host-Http-funding', 'Secure; SameSite=None; Partitioned'));
  });

  it.each([
    [sameSite, {}],
    [crossSite, fromElsewhere],
  ])('is removed with the attributes it was set with on %s', async (origin, from) => {
    await openSecureRig();
    const browser = bff.openBrowser(origin);
    const begun = await begin(browser, from);
    expect(begun.length).toBeLessThan(600);
    const ended = await browser.send('DELETE', apiPaths.session, undefined, from);
    const removal = begun.replace(/=Fe26[^;]*/, '=').replace(/Max-Age=\d+/, 'Max-Age=0');
    expect(ended.headers.getSetCookie()).toEqual([removal]);
  });
});

describe('the session cookie over HTTP', () => {
  it('is not Secure, because Safari would not send it to localhost', async () => {
    bff = await startBff();
    expect(await begin(bff.openBrowser())).toMatch(toPattern('funding-session', 'SameSite=Strict'));
  });

  it('is Secure on other sites', async () => {
    const origin = 'http://reseller.localhost:8080';
    bff = await startBff({ variables: { CROSS_SITE_ORIGINS: origin } });
    expect(await begin(bff.openBrowser(origin), fromElsewhere)).toMatch(
      toPattern('funding-session', 'Secure; SameSite=None; Partitioned'),
    );
  });
});

describe('unexpected cookies', () => {
  it.each([
    ['garbage', (name: string) => `${name}=garbage`],
    ['an empty value', (name: string) => `${name}=`],
    ['a value that is too long', (name: string) => `${name}=${'a'.repeat(4500)}`],
    ['invalid percent encoding', (name: string) => `${name}=%E0%A4%A`],
    [
      '30 other cookies of 4 KB',
      () => Array.from({ length: 30 }, (_none, i) => `c${i}=${'a'.repeat(4096)}`).join('; '),
    ],
    ['no name or value', () => ';;=;= ;'],
  ])('start no session: %s', async (_name, toHeader) => {
    bff = await startBff();
    const browser = bff.openBrowser();
    await begin(browser);
    const [name = ''] = browser.cookies.keys();
    const answer = await browser.send('GET', apiPaths.session, undefined, {
      cookie: toHeader(name),
    });
    expect(isProblem(answer, 'session-missing')).toBe(true);
  });

  it('are refused if they have the same name', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    await begin(browser);
    const [[name, seal] = []] = browser.cookies;
    const cookie = `${name}=garbage; ${name}=${seal}`;
    const answer = await browser.send('GET', apiPaths.session, undefined, { cookie });
    expect(isProblem(answer, 'session-missing')).toBe(true);
    expect(bff.logLines.join('')).toContain('"reason":"several-cookies"');
  });

  it('do not hide the session cookie', async () => {
    bff = await startBff();
    const browser = bff.openBrowser();
    await begin(browser);
    const [[name, seal] = []] = browser.cookies;
    const cookie = `a=b;${name}x=garbage; x${name}=garbage;${name}=${seal}; ; theme=dark`;
    const answer = await browser.send('GET', apiPaths.session, undefined, { cookie });
    expect(answer.status).toBe(200);
  });
});

async function openSecureRig(): Promise<void> {
  bff = await startBff({
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

/** Matches the whole cookie. */
function toPattern(name: string, attributes: string): RegExp {
  const { maxSeconds } = sessionLifetime;
  return new RegExp(
    String.raw`^${name}-[0-9a-f]{8}=Fe26\.2\*[^;]+; Max-Age=${maxSeconds}; Path=/; HttpOnly; ${attributes}$`,
  );
}
