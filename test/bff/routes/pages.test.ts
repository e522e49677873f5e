// `/apply` and `/phone`: their policy, language, campaign, and the partner's settings.

import { createHash } from 'node:crypto';
import { HtmlValidate } from 'html-validate';
import { afterEach, describe, expect, it } from 'vitest';
import type { Challenge } from '../../../bff/config/hooks.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import { startBff, type TestBff, type TestBffOptions } from '../../support/bff.ts';
import { createWidgetFolder, entryName, toIntegrity } from '../../support/widget-folder.ts';

const script = 'export {};';
const version = '1.2.3-test';
const origin = 'http://localhost:8081';
const challengeVariables = {
  CHALLENGE_PROVIDER: 'turnstile',
  CHALLENGE_SITE_KEY: 'site',
  CHALLENGE_SECRET: 'a secret of the challenge',
};
const challenge: Challenge = { provider: 'own', siteKey: 'site', verify: async () => 'passed' };

let bff: TestBff;

afterEach(() => bff.close());

async function start(options: TestBffOptions = {}): Promise<void> {
  const folder = createWidgetFolder(version, { [entryName]: script });
  bff = await startBff({ widget: indexWidget(folder.directory, version), ...options });
  folder.remove();
}

const get = (path: string, headers: Record<string, string> = {}) =>
  bff.app.request(path, { headers });
const read = async (path: string, headers: Record<string, string> = {}) =>
  (await get(path, headers)).text();
const readStyle = async () => {
  const [, path = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(await read('/apply')) ?? [];
  return read(path);
};

describe.each(['/apply', '/phone'])('GET %s', (path) => {
  it('runs only the scripts of the element', async () => {
    await start();
    const { headers } = await get(path);
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
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
    ]);
  });

  it('is neither stored nor named to other sites', async () => {
    await start();
    const { headers } = await get(path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('has no inline script or style', async () => {
    await start();
    expect(await read(path)).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son[a-z]+=/);
  });

  it('contains the integrity of its files', async () => {
    await start();
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

  it.each(['en', 'es'])(
    'preloads the configuration that the element requests in “%s”',
    async (lang) => {
      await start();
      const html = await read(`${path}?lang=${lang}`);
      expect(html).toContain(
        `<link rel="preload" href="/v1/configuration?locale=${lang}" as="fetch" crossorigin="anonymous">`,
      );
    },
  );

  it.each(['en', 'es'])('is valid HTML in “%s”', async (lang) => {
    await start({
      settings: {
        page: {
          intro: 'A & B',
          homeUrl: 'https://www.partner.example/?a=1&b=2',
          privacyUrl: 'https://www.partner.example/privacy',
        },
        support: { phone: '512-555-0199', email: 'help@partner.example' },
      },
    });
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      rules: { 'doctype-style': 'off', 'long-title': 'off' },
    });
    const report = await validator.validateString(await read(`${path}?lang=${lang}`));
    expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
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
    await start();
    const response = await get(path + query, headers);
    expect(await response.text()).toContain(`<html lang="${lang}">`);
    expect(response.headers.get('vary')).toContain('Accept-Language');
  });

  it('shows the partner’s name and links', async () => {
    await start({
      settings: {
        page: {
          name: 'Rosa & Sons <LLC>',
          homeUrl: { en: 'https://rosa.example/', es: 'https://rosa.example/es' },
          privacyUrl: 'https://rosa.example/privacy',
        },
        support: { phone: '(512) 555-0199', url: 'https://help.rosa.example/start' },
      },
    });
    const html = await read(`${path}?lang=es`);
    expect(html).toContain('<a href="https://rosa.example/es">Rosa &amp; Sons &lt;LLC&gt;</a>');
    expect(html).toContain('<a href="https://rosa.example/privacy">Política de privacidad</a>');
    expect(html).toContain('<a href="tel:5125550199">(512)\u00a0555\u20110199</a>');
    expect(html).toContain('<a href="https://help.rosa.example/start">help.rosa.example</a>');
    expect(html).toMatch(/<noscript><p class="notice">[^]*tel:5125550199/);
  });

  it('has the texts of the partner in each language that the form offers', async () => {
    await start({
      settings: { page: { privacyUrl: 'https://rosa.example/privacy' }, locales: ['en', 'es'] },
    });
    const html = await read(path);
    expect(html).toMatch(/<span class="in-language" lang="en"><a [^>]*>Privacy policy</);
    expect(html).toMatch(/<span class="in-language" lang="es"><a [^>]*>Política de privacidad</);
  });

  it('has one text if the form offers one language', async () => {
    await start({
      settings: { page: { privacyUrl: 'https://rosa.example/privacy' }, locales: ['en'] },
    });
    expect(await read(path)).not.toContain('in-language');
  });

  it('has the partner’s name by default', async () => {
    await start();
    expect(await read(path)).toContain('<p>Sandbox Partner</p>');
  });

  it('does not exist without the element', async () => {
    bff = await startBff({ widget: undefined });
    expect((await get(path)).status).toBe(404);
  });
});

describe('GET /apply', () => {
  it('passes a campaign that the settings allow', async () => {
    await start();
    expect(await read('/apply?campaign=spring-2026')).toContain(
      'settings="{&quot;campaignId&quot;:&quot;spring-2026&quot;}"',
    );
  });

  it.each(['autumn', '"><script>', ''])('ignores the campaign “%s”', async (campaign) => {
    await start();
    const html = await read(`/apply?campaign=${encodeURIComponent(campaign)}`);
    expect(html).not.toContain(' settings=');
    expect(html).not.toContain('><script>');
  });

  it('passes no answers from the query', async () => {
    await start();
    expect(await read('/apply?ssn=471829364&email=a@b.example&prefill=x')).toBe(
      await read('/apply'),
    );
  });

  it('can be turned off', async () => {
    await start({ settings: { page: { apply: false } } });
    expect((await get('/apply')).status).toBe(404);
    expect((await get('/phone')).status).toBe(200);
  });

  it.each([
    ['the configuration', { variables: challengeVariables }],
    ['a hook', { challenge }],
  ])('does not exist with a challenge of %s', async (_source, options) => {
    await start(options);
    expect((await get('/apply')).status).toBe(404);
    expect((await get('/phone')).status).toBe(200);
  });
});

describe('GET /phone', () => {
  it('marks the element', async () => {
    await start();
    expect(await read('/phone')).toContain('<funding-application heading-level="1" handoff>');
  });

  it('stays out of search engines', async () => {
    await start();
    expect(await read('/phone')).toContain('<meta name="robots" content="noindex">');
    expect(await read('/apply')).not.toContain('noindex');
  });

  it('can be turned off', async () => {
    await start({ settings: { page: { handoff: false } } });
    expect((await get('/phone')).status).toBe(404);
    expect((await get('/apply')).status).toBe(200);
  });
});

describe('the stylesheet', () => {
  it('contains the fonts and colors of the settings', async () => {
    await start({
      settings: { page: { accent: '#6b4423', background: '#fbf7f0', headingFont: 'slab' } },
    });
    const style = await readStyle();
    expect(style).toContain('--page: light-dark(#fbf7f0, #1b1815)');
    expect(style).toContain('--heading: Rockwell');
    expect(style).toMatch(/--funding-accent: light-dark\(#6b4423, #[\da-f]{6}\)/);
  });

  it('leaves the colors of the element alone by default', async () => {
    await start();
    expect(await readStyle()).not.toContain('--funding-accent');
  });

  it('loads nothing', async () => {
    await start();
    expect(await readStyle()).not.toMatch(/url\(|@import/);
  });
});

it('serves no other generated file', async () => {
  await start();
  expect((await get('/page/000000000000.css')).status).toBe(404);
  expect((await get('/page/')).status).toBe(404);
});
