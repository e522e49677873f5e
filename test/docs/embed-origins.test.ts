// Each origin that a page of docs/embed tells the reader to list is accepted by the configuration of the BFF, and is in the right
// list: a browser sends the cookie of the BFF from a page of the same site only.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { production, readValid } from '../bff/config/config-source.ts';

/** The public suffixes of the pages, below which each name is a site of its own. */
const publicSuffixes = ['example', 'myshopify.com', 'localhost'];
const bffUrls = ['https://apply.partner.example', 'http://localhost:8081'];
/** `ALLOWED_ORIGINS=http://…` in a command, or "`ALLOWED_ORIGINS`, for example `https://…`" in a sentence. */
const listing =
  /\b(ALLOWED_ORIGINS|CROSS_SITE_ORIGINS)(?:=|`[^`.]*?\bfor\s+example\s+`)(https?:\/\/[\w.:-]+)/g;

const cases = globSync('docs/embed/*.md', { cwd: root }).flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(listing)].map(([, list = '', origin = '']) => {
    // A page on HTTP belongs to the BFF of the sandbox.
    const isItsBff = (url: string) => new URL(url).protocol === new URL(origin).protocol;
    return { page: basename(file, '.md'), list, origin, url: bffUrls.find(isItsBff)! };
  });
});

it('each page that says how to begin names an origin', () => {
  expect([...new Set(cases.map(({ page }) => page))].toSorted()).toEqual(
    'frameworks index package shopify testing wordpress'.split(' '),
  );
});

it.each(cases)('$page: $origin is in $list of $url', ({ list, origin, url }) => {
  const { ALLOWED_ORIGINS: _none, ...others } = production;
  const environment = url.startsWith('http:') ? { FUNDING_ENVIRONMENT: 'sandbox' } : others;
  expect(() => readValid({ ...environment, PUBLIC_URL: url, [list]: origin })).not.toThrow();
  expect(list).toBe(toSite(origin) === toSite(url) ? 'ALLOWED_ORIGINS' : 'CROSS_SITE_ORIGINS');
});

/** A site is a scheme and a registrable domain (HTML standard, "same site"). */
function toSite(url: string): string {
  const { protocol, hostname } = new URL(url);
  const suffix = publicSuffixes.find((one) => hostname === one || hostname.endsWith(`.${one}`))!;
  const labels = suffix.split('.').length + (hostname === suffix ? 0 : 1);
  return `${protocol}//${hostname.split('.').slice(-labels).join('.')}`;
}
