// The session over a real port, where `@hono/node-server` writes the headers.

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiResponseHeaders, apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { pageOrigin } from '../../support/applicant.ts';
import { startBff, type TestBff } from '../../support/bff.ts';

const reseller = 'https://www.reseller.example';

let bff: TestBff;
let server: ReturnType<typeof createAdaptorServer>;
let base: string;

beforeEach(async () => {
  bff = await startBff({
    variables: {
      PUBLIC_URL: 'https://apply.partner.example',
      CROSS_SITE_ORIGINS: reseller,
    },
  });
  server = createAdaptorServer({ fetch: bff.app.fetch });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await bff.close();
});

it('sets, accepts, and removes the cookie', async () => {
  const begun = await send('POST');
  const [cookie = ''] = begun.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-Http-funding-[0-9a-f]{8}=.*; Secure; SameSite=Strict$/);
  const pair = cookie.split(';')[0] ?? '';

  expect((await send('GET', { cookie: pair })).status).toBe(200);

  const ended = await send('DELETE', { cookie: pair });
  expect(ended.status).toBe(204);
  expect(ended.headers.getSetCookie()[0]).toContain('Max-Age=0');
  expect((await send('GET', { cookie: pair })).status).toBe(401);
});

it('sends the renewed cookie', async () => {
  const pair = (await send('POST')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  bff.time.advance(600_000);
  const used = await send('GET', { cookie: pair });
  expect(used.headers.getSetCookie()[0]).toMatch(/^__Host-Http-funding-[0-9a-f]{8}=Fe26/);
});

it('sends a cross-site page a partitioned cookie or a session token', async () => {
  const crossSite = { origin: reseller, 'sec-fetch-site': 'cross-site' };
  const begun = await send('POST', crossSite);
  expect(begun.headers.getSetCookie()[0]).toMatch(/; Secure; SameSite=None; Partitioned$/);

  const body = '{"transport":"handle"}';
  const fallback = await send('POST', { ...crossSite, 'content-type': 'application/json' }, body);
  expect(fallback.headers.getSetCookie()).toEqual([]);
  const { handle } = await fallback.json();
  bff.time.advance(600_000);
  const used = await send('GET', { ...crossSite, authorization: `Funding ${handle}` });
  expect(used.status).toBe(200);
  expect(used.headers.get(apiResponseHeaders.session)).toMatch(/^Fe26/);
  expect(used.headers.get('access-control-expose-headers')).toContain(apiResponseHeaders.session);
});

it('answers 431 to large headers, but 401 to large cookies', async () => {
  const large = 'a'.repeat(4096);
  const many = Array.from({ length: 30 }, (_none, index) => `c${index}=${large}`).join('; ');
  expect((await send('GET', { cookie: many })).status).toBe(431);
  expect((await send('GET', { cookie: `c0=${large}; c1=${large}` })).status).toBe(401);
});

function send(
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Response> {
  return fetch(base + apiPaths.session, {
    method,
    headers: {
      origin: pageOrigin,
      connection: 'close',
      [apiHeaders.request]: '1',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}
