// A Fastify proxy without a store, for comparison. Like `hono-proxy.ts`, it adds a cached token and forwards everything, but with
// undici instead of `fetch`. Environment: PROXY_PORT, SERVICE_URL.

import type { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { Agent, request } from 'undici';

const serviceUrl = process.env['SERVICE_URL'];
const dispatcher = new Agent({ connections: 64 });
let token: Promise<string> | undefined;

async function logIn(): Promise<string> {
  const url = `${serviceUrl}/services/oauth2/token`;
  const { body } = await request(url, { method: 'POST', dispatcher });
  return ((await body.json()) as { readonly access_token: string }).access_token;
}

const app = fastify({ logger: false });
// The body is the stream of the request. A request without a body has none.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
app.post<{ Body: Readable | undefined }>('/rest/*', async ({ url, headers, body }, reply) => {
  token ??= logIn();
  const { 'content-length': length, applicationid: applicationId } = headers;
  const answer = await request(`${serviceUrl}${url}`, {
    method: 'POST',
    dispatcher,
    body: body ?? null,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await token}`,
      ...(length === undefined ? {} : { 'content-length': length }),
      ...(applicationId === undefined ? {} : { applicationid: applicationId }),
    },
  });
  reply.code(answer.statusCode).header('content-type', 'application/json');
  return answer.body.text();
});

await app.listen({ port: Number(process.env['PROXY_PORT']), host: '127.0.0.1' });
