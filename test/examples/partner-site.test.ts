import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scenarios } from '../../sandbox/scenarios.ts';
import { stepIds } from '../../widget/app/navigation.ts';
import { eventNames } from '../../widget/package/index.ts';
import { createPartnerSite } from '../../examples/partner-site/partner-site.ts';

const bffUrl = 'https://apply.example:8443';
const site = createPartnerSite({ bffUrl: `${bffUrl}/some/path?x="><script>` });
const pages = ['/', '/funding', '/themes/ledger', '/themes/meadow', '/themes/night'] as const;
const folder = new URL('../../examples/partner-site/public/', import.meta.url);

describe.each(pages)('the page %s', (path) => {
  it('is a complete HTML page', async () => {
    const response = await site.request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i);
    expect(await response.text()).toMatch(
      /^<!doctype html>[^]*<title>[^<]+<\/title>[^]*<\/html>\s*$/,
    );
  });

  it('has a minimal Content-Security-Policy', async () => {
    const { headers } = await site.request(path);
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${bffUrl}`,
      `connect-src ${bffUrl}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ]);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has no inline scripts or styles', async () => {
    const html = await readPage(path);
    expect(html).not.toMatch(/<style\b/i);
    expect(html).not.toMatch(/\sstyle\s*=/i);
    expect(html).not.toMatch(/\son[a-z]+\s*=/i);
    expect(html).not.toMatch(/javascript:/i);
    expect(html).not.toMatch(/<script\b(?![^>]*\ssrc=)|<script\b[^>]*>[^<]/i);
  });

  it('contains no URL of another host than the BFF', async () => {
    const html = await readPage(path);
    const urls = html.match(/(?:[a-z]+:)?\/\/[^\s"'<>]+/gi) ?? [];
    expect(urls.filter((url) => !url.startsWith(`${bffUrl}/`))).toEqual([]);
    expect(html).not.toMatch(/localhost|127\.0\.0\.1|\{\{/);
  });

  it('links only to existing pages', async () => {
    const html = await readPage(path);
    const targets = [...html.matchAll(/\s(?:href|src)="(\/[^"#]*)/g)].map(([, target]) => target!);
    expect(targets.length).toBeGreaterThan(5);
    const responses = await Promise.all(targets.map(async (target) => site.request(target)));
    expect(targets.filter((_target, index) => responses[index]?.status !== 200)).toEqual([]);
  });
});

describe('the embedded application', () => {
  it('needs only the BFF’s script plus the tag', async () => {
    const html = await readPage('/funding');
    expect(html.match(/<script\b[^>]*>\s*<\/script>/g)).toEqual([
      `<script type="module" src="${bffUrl}/widget/funding-application.js"></script>`,
    ]);
    expect(html.match(/<funding-application\b[^>]*>/g)).toEqual(['<funding-application>']);
  });

  it('is inside the main content of the page', async () => {
    const html = await readPage('/funding');
    expect(html).toMatch(/<main\b[^]*<h1>[^]*<funding-application>[^]*<section\b[^]*<\/main>/);
  });

  it('has fallback content with contact details', async () => {
    const [, fallback] = /<funding-application>([^]*)<\/funding-application>/.exec(
      await readPage('/funding'),
    )!;
    expect(fallback).toMatch(/href="tel:\+1\d{10}"/);
    expect(fallback).toMatch(/href="mailto:[^"@]+@[^"]+"/);
  });

  it('is on the funding page only', async () => {
    const html = await readPage('/');
    expect(html).not.toMatch(/<script\b|<funding-application\b/);
    expect(html).toContain('href="/funding"');
  });
});

describe('the files of the site', () => {
  it.each(readdirSync(folder))('%s has its media type', async (file) => {
    const response = await site.request(`/${file}`);
    expect(response.status).toBe(200);
    const types: Readonly<Record<string, string>> = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
    };
    const type = types[file.split('.').at(-1) ?? ''] ?? 'image/svg+xml';
    expect(response.headers.get('content-type')).toBe(type);
    const text = await response.text();
    // The SVG namespace is a URL, but browsers do not fetch it.
    expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/|@import/);
  });

  it('are the only files that the site serves', async () => {
    for (const path of ['/../partner-site.ts', '/pages/funding.html', '/server.ts', '/.env'])
      expect((await site.request(path)).status).toBe(404);
  });
});

async function readPage(path: (typeof pages)[number]): Promise<string> {
  return (await site.request(path)).text();
}

describe('the playground', () => {
  it('takes its lists from the code', async () => {
    const text = await (await site.request('/playground-lists.js')).text();
    const lists = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      eventNames: string[];
      outcomes: { tag: string; description: string }[];
      steps: { id: string; label: string }[];
      themes: Record<string, string>;
    };
    expect(lists.eventNames.toSorted()).toEqual([...eventNames].toSorted());
    expect(lists.outcomes).toMatchObject(scenarios.map(({ tag }) => ({ tag })));
    expect(lists.steps.map(({ id }) => id)).toEqual(stepIds);
    expect(lists.steps.filter(({ label }) => !label)).toEqual([]);
    expect(lists.themes['night']).toContain('color-scheme: dark;');
  });

  it('allows its own script besides the script of the BFF', async () => {
    const { headers, status } = await site.request('/playground');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain(`script-src ${bffUrl} 'self';`);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });
});
