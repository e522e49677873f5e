// A Hono server with the BFF below /funding.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createAdaptorServer } from '@hono/node-server';
import { createBff, limitServer, serverOptions } from 'funding-application-bff';
import { Hono } from 'hono';

const bff = await createBff({ basePath: '/funding' });
const page = await readFile(new URL('page.html', import.meta.url), 'utf8');

const app = new Hono();
// `c.env` contains Node's request, from which the BFF reads the address of the connection.
app.all(`${bff.basePath}/*`, (c) => bff.fetch(c.req.raw, c.env));
app.get('/', (c) => c.html(page));
app.get('/hello', (c) => c.text('hello'));

const server = createAdaptorServer({ fetch: app.fetch, serverOptions });
limitServer(server);
server.listen(process.env.PORT ?? 3000);
await once(server, 'listening');
await bff.start();
console.log(`The page is at ${new URL(bff.publicUrl).origin}`);

async function stop() {
  const result = await bff.stop();
  process.exit(result === 'recorded' ? 0 : 1);
}

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop());
