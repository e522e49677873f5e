// The connections of one serverless instance to PostgreSQL: a platform starts many instances.

import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createBff } from '../../bff/index.ts';
import { apiPaths } from '../../shared/api/paths.ts';
import { createApplication } from '../support/applications.ts';
import { createTestDatabaseUrl, describePostgres } from '../support/postgres.ts';
import { unlimited } from '../support/unlimited.ts';
import { openFetchBrowser } from './open-bff.ts';

describePostgres('a serverless BFF', () => {
  it('has at most three connections to PostgreSQL', async () => {
    const databaseUrl = await createTestDatabaseUrl();
    const name = `serverless-${crypto.randomUUID()}`;
    const url = new URL(databaseUrl);
    url.searchParams.set('application_name', name);
    const bff = await createBff({
      serverless: true,
      settings: { limits: unlimited },
      log: { write: () => undefined },
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
