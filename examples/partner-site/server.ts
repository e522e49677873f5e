// Serves the partner's website on its own origin: PAGE_PORT, with the BFF at BFF_PORT.

import { serve } from '@hono/node-server';
import { createPartnerSite } from './partner-site.ts';

const port = Number(process.env['PAGE_PORT'] ?? 8080);
const bffPort = Number(process.env['BFF_PORT'] ?? 8081);

const site = createPartnerSite({ bffUrl: `http://localhost:${bffPort}` });
const server = serve({ fetch: site.fetch, port });

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

function stop(): void {
  server.close();
  // A browser keeps its connection open for the next page; without this the process would wait for it.
  if ('closeAllConnections' in server) server.closeAllConnections();
}
