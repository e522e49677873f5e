// A Hono proxy without a store, for comparison. It adds a cached token and forwards everything. Requests that it has accepted
// and not yet forwarded are lost when it stops. Environment: PROXY_PORT, SERVICE_URL.

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';

const serviceUrl = process.env['SERVICE_URL'];
let token: Promise<string> | undefined;

async function logIn(): Promise<string> {
  const answer = await fetch(`${serviceUrl}/services/oauth2/token`, { method: 'POST' });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
}

const app = new Hono().post('/rest/*', async (c) => {
  token ??= logIn();
  const applicationId = c.req.header('ApplicationID');
  return proxy(`${serviceUrl}${c.req.path}`, {
    ...c.req,
    headers: {
      'content-type': 'application/json',
      Authorization: `Bearer ${await token}`,
      ...(applicationId === undefined ? {} : { ApplicationID: applicationId }),
    },
  });
});

serve({ fetch: app.fetch, port: Number(process.env['PROXY_PORT']), hostname: '127.0.0.1' });
