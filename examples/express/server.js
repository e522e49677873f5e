// An Express server with the BFF below /funding, and a page that embeds the element.

import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { createBff, limitServer, serverOptions } from 'funding-application-bff';

const bff = await createBff({ basePath: '/funding' });

const app = express();
app.disable('x-powered-by');
// Before body parsers, because the BFF reads request bodies itself.
app.use(bff.basePath, bff.handler);
app.use(express.json());
app.use(express.static('public'));
app.get('/hello', (_request, response) => void response.send('hello'));

// `app.listen` would create a server without the limits of slow and idle clients.
const server = createServer(serverOptions, app);
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
