// `/apply` and `/phone`: their policy, language, campaign, and the partner's settings.

import { createHash } from 'node:crypto';
import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import type { Challenge } from '../../../bff/config/hooks.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import type { TestBffOptions } from '../../support/bff.ts';
import { createWidgetFolder, entryName, toIntegrity } from '../../support/widget-folder.ts';
import { openBff } from '../open-bff.ts';

const script = 'export {};';
const version = '1.2.3-test';
const origin = 'http://localhost:8081';
const privacyUrl = 'https://rosa.example/privacy';
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: { 'doctype-style': 'off', 'long-title': 'off' },
});

async function open(options: TestBffOptions = {}) {
  const folder = createWidgetFolder(version, { [entryName]: script });
  const { app } = await openBff({ widget: indexWidget(folder.directory, version), ...options });
  folder.remove();
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.request(path, { headers });
  const read = async (path: string) => (await get(path)).text();
  return { get, read };
}

describe.each(['/apply', '/phone'])('GET %s', (path) => {
  it('runs only the scripts of the element', async () => {
    const { get } = await open();
    const response = await get(path);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy': [
        "default-src 'none'",
        `script-src ${origin}/widget/${version}/`,
        `style-src ${origin}/page/`,
        `img-src ${origin}/page/ blob: data:`,
        `connect-src ${origin}/v1/`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types lit-html',
      ].join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.get('set-cookie')).toBeNull();
    const html = await response.text();
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son[a-z]+=/);
  });

  it('contains the integrity of its files', async () => {
    const { get, read } = await open();
    const html = await read(path);
    const [, href = '', integrity = ''] =
      /<link rel="stylesheet" href="([^"]+)" integrity="([^"]+)"/.exec(html) ?? [];
    const style = await get(href);
    const content = Buffer.from(await style.arrayBuffer());
    expect(integrity).toBe(`sha384-${createHash('sha384').update(content).digest('base64')}`);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.headers.get('cache-control')).toContain('immutable');
    expect(html).toContain(
      `src="/widget/${version}/${entryName}" integrity="${toIntegrity(script)}" crossorigin="anonymous"`,
    );
  });

  it.each(['en', 'es'])('is valid HTML in “%s”', async (lang) => {
    const page = { intro: 'A & B', homeUrl: 'https://www.partner.example/?a=1&b=2', privacyUrl };
    const support = { phone: '512-555-0199', email: 'help@partner.example' };
    const { read } = await open({ settings: { page, support } });
    const html = await read(`${path}?lang=${lang}`);
    const report = await validator.validateString(html);
    expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
    // The same URL as the request of the element.
    expect(html).toContain(
      `<link rel="preload" href="/v1/configuration?locale=${lang}" as="fetch" crossorigin="anonymous">`,
    );
  });

  it.each([
    ['the query', '?lang=es', {}, 'es'],
    ['a region in the query', '?lang=es-MX', {}, 'es'],
    ['the default for an unknown language', '?lang=fr', { 'accept-language': 'es' }, 'en'],
    ['the browser', '', { 'accept-language': 'fr-CA, es-US;q=0.8, en;q=0.5' }, 'es'],
    ['the weights of the browser', '', { 'accept-language': 'es;q=0.2, en-GB;q=0.9' }, 'en'],
    ['no language with weight 0', '', { 'accept-language': 'es;q=0' }, 'en'],
    ['the default', '', {}, 'en'],
  ])('takes the language of %s', async (_source, query, headers, lang) => {
    const { get } = await open();
    const response = await get(path + query, headers);
    expect(await response.text()).toContain(`<html lang="${lang}">`);
    expect(response.headers.get('vary')).toContain('Accept-Language');
  });

  it('shows the partner’s name and links', async () => {
    const page = {
      name: 'Rosa & Sons <LLC>',
      homeUrl: { en: 'https://rosa.example/', es: 'https://rosa.example/es' },
      privacyUrl,
    };
    const support = { phone: '(512) 555-0199', url: 'https://help.rosa.example/start' };
    const { read } = await open({ settings: { page, support } });
    const html = await read(`${path}?lang=es`);
    expect(html).toContain('<a href="https://rosa.example/es">Rosa &amp; Sons &lt;LLC&gt;</a>');
    expect(html).toContain(`<a href="${privacyUrl}">Política de privacidad</a>`);
    expect(html).toContain('<a href="tel:5125550199">(512)\u00a0555\u20110199</a>');
    expect(html).toContain('<a href="https://help.rosa.example/start">help.rosa.example</a>');
    expect(html).toMatch(/<noscript><p class="notice">[^]*tel:5125550199/);
  });

  it('has the texts of the partner in each language that the form offers', async () => {
    const { read } = await open({ settings: { page: { privacyUrl }, locales: ['en', 'es'] } });
    const html = await read(path);
    expect(html).toContain('<p>Sandbox Partner</p>');
    expect(html).toMatch(/<span class="in-language" lang="en"><a [^>]*>Privacy policy</);
    expect(html).toMatch(/<span class="in-language" lang="es"><a [^>]*>Política de privacidad</);
    const english = await open({ settings: { page: { privacyUrl }, locales: ['en'] } });
    expect(await english.read(path)).not.toContain('in-language');
  });
});

describe('GET /apply', () => {
  it('passes a campaign that the settings allow', async () => {
    const { read } = await open();
    expect(await read('/apply?campaign=spring-2026')).toContain(
      'settings="{&quot;campaignId&quot;:&quot;spring-2026&quot;}"',
    );
  });

  it.each(['?campaign=autumn', '?campaign=%22%3E%3Cscript%3E', '?campaign=', '?ssn=471829364'])(
    'ignores the query %s',
    async (query) => {
      const { read } = await open();
      expect(await read(`/apply${query}`)).toBe(await read('/apply'));
    },
  );
});

it('marks the element of GET /phone, which stays out of search engines', async () => {
  const { read } = await open();
  const html = await read('/phone');
  expect(html).toContain('<funding-application heading-level="1" handoff>');
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(await read('/apply')).not.toContain('noindex');
});

const challenge: Challenge = { provider: 'own', siteKey: 'site', verify: async () => 'passed' };
const challengeVariables = {
  CHALLENGE_PROVIDER: 'turnstile',
  CHALLENGE_SITE_KEY: 'site',
  CHALLENGE_SECRET: 'a secret of the challenge',
};
it.each<[string, TestBffOptions, number, number]>([
  ['settings.page.apply', { settings: { page: { apply: false } } }, 404, 200],
  ['settings.page.handoff', { settings: { page: { handoff: false } } }, 200, 404],
  ['a configured challenge', { variables: challengeVariables }, 404, 200],
  ['a hook for challenges', { challenge }, 404, 200],
  ['a BFF without the element', { widget: undefined }, 404, 404],
])('%s turns off pages', async (_what, options, apply, phone) => {
  const { get } = await open(options);
  expect([(await get('/apply')).status, (await get('/phone')).status]).toEqual([apply, phone]);
});

describe('the stylesheet', () => {
  async function readStyle(page: object) {
    const { read } = await open({ settings: { page } });
    const html = await read('/apply');
    return read(/<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? '');
  }

  it('contains the fonts and colors of the settings', async () => {
    const page = { accent: '#6b4423', background: '#fbf7f0', headingFont: 'slab' };
    const style = await readStyle(page);
    expect(style).toContain('--page: light-dark(#fbf7f0, #1b1815)');
    expect(style).toContain('--heading: Rockwell');
    expect(style).toMatch(/--funding-accent: light-dark\(#6b4423, #[\da-f]{6}\)/);
  });

  it('by default loads nothing, and leaves the colors of the element alone', async () => {
    expect(await readStyle({})).not.toMatch(/url\(|@import|--funding-accent/);
  });

  it('is the only generated file', async () => {
    const { get } = await open();
    for (const path of ['/page/000000000000.css', '/page/']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});
