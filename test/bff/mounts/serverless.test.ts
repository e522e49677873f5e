// The contract of mounts in functions: without workers, on PostgreSQL, with `deliver` on a schedule.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, inject, it } from 'vitest';
import { createBff, type Bff } from '../../../bff/index.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { describePostgres } from '../../support/postgres.ts';
import { createSchema } from '../../support/postgres-schema.ts';
import { startSandboxServer } from '../../support/sandbox-server.ts';
import { openFetchBrowser } from '../open-bff.ts';
import { describeMount } from './mount-contract.ts';

let bff: Bff;

async function createDatabaseUrl(): Promise<string> {
  // The database goes away with the server of the tests.
  const { url } = await createSchema(inject('postgresUrl')!);
  return url;
}

describePostgres('functions', () => {
  describeMount('functions', {
    createDatabaseUrl,
    deliver: () => bff.deliver({ maxMs: 10_000 }),
    async start({ port, basePath, variables, settings, parsesBodies }) {
      bff = await createBff({ variables, settings, serverless: true, log: silent });
      const server = createServer((incoming, outgoing) => {
        void (async () => {
          const { method = 'GET', url = '', socket } = incoming;
          if (!url.startsWith(`${basePath}/`)) {
            outgoing.writeHead(url === '/hello' ? 200 : 404).end('hello');
            return;
          }
          const hasBody = method === 'POST';
          const request = new Request(`http://localhost:${port}${url}`, {
            method,
            headers: Object.entries(incoming.headers) as [string, string][],
            ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
          } as RequestInit);
          if (parsesBodies && hasBody) await request.arrayBuffer();
          const response = await bff.fetch(request, { peerAddress: socket.remoteAddress });
          outgoing.writeHead(response.status, [...response.headers].flat());
          // The client of an aborted upload is gone.
          await pipeline(response.body ?? [], outgoing).catch(() => outgoing.destroy());
        })();
      });
      server.listen(port);
      await once(server, 'listening');
      return {
        async stop() {
          const result = await bff.stop();
          server.close();
          server.closeAllConnections();
          return result;
        },
      };
    },
  });

  it('finishes the delivery of a request in waitUntil', async () => {
    const sandbox = await startSandboxServer();
    const mounted = await createBff({
      serverless: true,
      log: silent,
      settings: {
        lead: { allowedCampaignIds: ['spring-2026'] },
        limits: { minimumFillSeconds: 0 },
      },
      variables: {
        FUNDING_ENVIRONMENT: 'sandbox',
        DATABASE_URL: await createDatabaseUrl(),
        WIDGET_FOLDER: 'none',
        ...sandbox.variables,
      },
    });
    const later: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void later.push(work);
    const browser = openFetchBrowser(mounted, { waitUntil });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    sandbox.holdLeads(held);
    // The request answers "received" after 8 s, and the platform lets the delivery end.
    const answer = await browser.apply(createApplication(), createKey());
    expect(answer.json).toMatchObject({ status: 'received' });
    release();
    await Promise.all(later);
    const status = await browser.send('GET', apiPaths.application);
    expect(status.json).toMatchObject({ status: 'accepted' });
    await expect(mounted.start()).rejects.toThrow('A serverless BFF has no workers');
    await mounted.stop();
    await sandbox.close();
  });
});

const silent = { write: () => undefined };
