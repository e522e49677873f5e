// The session's cookie over a real port: written to Hono's own response it would be lost there, and only there.

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiHeaders, apiPaths } from '../../../shared/api/paths.ts';
import { createRig, pageOrigin, type Rig } from '../bff-rig.ts';

let rig: Rig;
let server: ReturnType<typeof createAdaptorServer>;
let base: string;

beforeEach(async () => {
  rig = await createRig();
  server = createAdaptorServer({ fetch: rig.app.fetch });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await rig.close();
});

it('sends the cookie, resumes with it, and takes it back', async () => {
  const begun = await send('POST');
  const [cookie = ''] = begun.headers.getSetCookie();
  expect(cookie).toMatch(/^funding-session-[0-9a-f]{8}=/);
  const pair = cookie.split(';')[0] ?? '';

  expect((await send('GET', pair)).status).toBe(200);

  const ended = await send('DELETE', pair);
  expect(ended.status).toBe(204);
  expect(ended.headers.getSetCookie()[0]).toContain('Max-Age=0');
  expect((await send('GET', pair)).status).toBe(401);
});

it('sends the renewed cookie', async () => {
  const pair = (await send('POST')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  rig.time.advance(600_000);
  const used = await send('GET', pair);
  expect(used.headers.getSetCookie()[0]).toMatch(/^funding-session-[0-9a-f]{8}=/);
});

function send(method: string, cookie?: string): Promise<Response> {
  return fetch(base + apiPaths.session, {
    method,
    headers: {
      origin: pageOrigin,
      connection: 'close',
      [apiHeaders.request]: '1',
      ...(cookie ? { cookie } : {}),
    },
  });
}
