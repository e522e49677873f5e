// The contract of mounts in functions: without workers, on PostgreSQL, with `deliver` on a schedule.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Client } from 'pg';
import { expect, inject, it } from 'vitest';
import { createBff, type Bff } from '../../../bff/index.ts';
import { apiPaths } from '../../../shared/api/paths.ts';
import { createKey } from '../../support/applicant.ts';
import { createApplication } from '../../support/applications.ts';
import { describePostgres } from '../../support/postgres.ts';
import { createSchema } from '../../support/postgres-schema.ts';
import { startSandboxServer } from '../../support/sandbox-server.ts';
import { unlimited } from '../../support/unlimited.ts';
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
      const server = createAdaptorServer({
        overrideGlobalObjects: false,
        async fetch(request, { incoming }) {
          const { pathname } = new URL(request.url);
          if (!pathname.startsWith(`${basePath}/`)) {
            return new Response('hello', { status: pathname === '/hello' ? 200 : 404 });
          }
          if (parsesBodies) await request.arrayBuffer();
          return bff.fetch(request, { peerAddress: incoming.socket.remoteAddress });
        },
      }) as Server;
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

  it('finish the delivery of a request in waitUntil', async () => {
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

  // A platform starts many instances.
  it('have at most three connections to PostgreSQL each', async () => {
    const databaseUrl = await createDatabaseUrl();
    const name = `serverless-${crypto.randomUUID()}`;
    const url = new URL(databaseUrl);
    url.searchParams.set('application_name', name);
    const bff = await createBff({
      serverless: true,
      settings: { limits: unlimited },
      log: silent,
      variables: {
        FUNDING_ENVIRONMENT: 'sandbox',
        DATABASE_URL: url.href,
        WIDGET_FOLDER: 'none',
      },
    });
    const open = () => openFetchBrowser(bff, { peerAddress: '192.0.2.7' });
    const application = createApplication({}, { campaignId: undefined });
    const browsers = Array.from({ length: 12 }, open);
    const answers = await Promise.all(browsers.map((browser) => browser.apply(application)));
    expect(answers.map(({ status }) => status)).toEqual(browsers.map(() => 202));
    await Promise.all(browsers.map((browser) => browser.send('GET', apiPaths.application)));
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::integer as count from pg_stat_activity where application_name = $1',
      [name],
    );
    await client.end();
    await bff.stop();
    expect(rows[0]?.count).toBeGreaterThan(0);
    expect(rows[0]?.count).toBeLessThanOrEqual(3);
  });
});

const silent = { write: () => undefined };
