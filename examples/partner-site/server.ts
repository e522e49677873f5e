// Serves the partner's website on PAGE_PORT (8080), its own origin. The BFF runs on BFF_PORT (8081).

import { serve } from '@hono/node-server';
import { createPartnerSite } from './partner-site.ts';

const port = Number(process.env['PAGE_PORT'] ?? 8080);
const bffPort = Number(process.env['BFF_PORT'] ?? 8081);

const site = createPartnerSite({ bffUrl: `http://localhost:${bffPort}` });
const server = serve({ fetch: site.fetch, port });

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, shutDown);

function shutDown(): void {
  server.close();
  // Browsers keep connections open for the next page, and the process would wait for them.
  if ('closeAllConnections' in server) server.closeAllConnections();
}
