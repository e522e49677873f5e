// Each origin that a page of docs/embed tells the reader to list: the configuration of the BFF accepts it in this list, and its
// origin gate accepts what a browser sends from it.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { BffEnv } from '../../bff/middleware/context.ts';
import { originGate } from '../../bff/middleware/origin-gate.ts';
import { production, readValid } from '../bff/config/config-source.ts';

const folder = join(import.meta.dirname, '../../docs/embed');
/** The public suffixes of the pages, below which each name is a site of its own. */
const publicSuffixes = ['example', 'myshopify.com', 'localhost'];
const bffUrls = ['https://apply.partner.example', 'http://localhost:8081'];
/** `ALLOWED_ORIGINS=http://…` in a command, or "`ALLOWED_ORIGINS`, for example `https://…`" in a sentence. */
const listing =
  /\b(ALLOWED_ORIGINS|CROSS_SITE_ORIGINS)(?:=|`[^`.]*?\bfor\s+example\s+`)(https?:\/\/[\w.:-]+)/g;

const pages = globSync('*.md', { cwd: folder }).map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const urls = bffUrls.filter((url) => text.includes(url));
  const listings = [...text.matchAll(listing)].map(([, list = '', origin = '']) => ({
    list,
    origin,
  }));
  return { page: basename(file, '.md'), urls, listings };
});
const cases = pages.flatMap(({ page, urls, listings }) =>
  listings.map(({ list, origin }) => ({
    page,
    list,
    origin,
    // A page on HTTP belongs to the BFF of the sandbox.
    url: urls.find((url) => new URL(url).protocol === new URL(origin).protocol),
  })),
);

describe('docs/embed', () => {
  it('names an origin on each page that says how to begin', () => {
    const complete = pages.filter(({ listings }) => listings.length > 0).map(({ page }) => page);
    expect(complete.toSorted()).toEqual(
      'frameworks html index package shopify testing wordpress'.split(' '),
    );
  });

  it.each(cases)('$page: $origin is in $list of $url', async ({ list, origin, url }) => {
    expect(url).toBeDefined();
    const { ALLOWED_ORIGINS: _none, ...others } = production;
    const config = readValid({
      ...(url!.startsWith('http:') ? { FUNDING_ENVIRONMENT: 'sandbox' } : others),
      PUBLIC_URL: url!,
      [list]: origin,
    });
    const site = toSite(origin) === toSite(url!) ? 'same-site' : 'cross-site';
    expect(await ask(config, origin, site)).toBe(200);
    // The other list would accept the origin too, with a cookie that browsers may refuse.
    expect(list).toBe(site === 'same-site' ? 'ALLOWED_ORIGINS' : 'CROSS_SITE_ORIGINS');
  });
});

/** Sends what a browser sends from the page. @returns the status. */
async function ask(
  config: ReturnType<typeof readValid>,
  origin: string,
  site: string,
): Promise<number> {
  const app = new Hono<BffEnv>();
  app.use(
    originGate({
      app,
      config,
      counters: { countOriginRefusal: () => undefined },
      logRateLimited: () => undefined,
    }),
  );
  app.get('/v1/session', (c) => c.text('session'));
  app.onError((_error, c) => c.text('refused', 403));
  const headers = { origin, 'sec-fetch-site': site, 'x-funding-request': '1' };
  return (await app.request('/v1/session', { headers })).status;
}

/** A site is a scheme and a registrable domain (HTML standard, "same site"). */
function toSite(url: string): string {
  const { protocol, hostname } = new URL(url);
  const suffix = publicSuffixes.find((one) => hostname === one || hostname.endsWith(`.${one}`))!;
  const labels = suffix.split('.').length + (hostname === suffix ? 0 : 1);
  return `${protocol}//${hostname.split('.').slice(-labels).join('.')}`;
}
