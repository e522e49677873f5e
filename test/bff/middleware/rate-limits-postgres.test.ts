// Rate limits that processes count together in PostgreSQL.

import { Client } from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createPostgresLimits, type LimitStore } from '../../../bff/middleware/rate-limits.ts';
import { openPostgres } from '../../../bff/store/postgres.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { consume, options } from './consume.ts';

describePostgres('rate limits in PostgreSQL', () => {
  let url: string;

  beforeEach(async () => {
    url = await createTestDatabaseUrl();
    await (await openPostgres(url)).close();
  });

  function open(): LimitStore {
    const store = createPostgresLimits(url);
    onTestFinished(() => store.close());
    return store;
  }

  async function execute(sql: string) {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows as Record<string, unknown>[];
  }

  it('are shared by processes', async () => {
    const [one, other] = [open().createLimiter(options), open().createLimiter(options)];
    expect(await consume(one, 'a')).toEqual([true]);
    expect(await consume(other, 'a', 'b')).toEqual([false, true]);
  });

  it('hold under concurrent requests', async () => {
    const limiters = [open(), open(), open()].map((store) =>
      store.createLimiter({ ...options, points: 20 }),
    );
    const accepted = await Promise.all(
      Array.from({ length: 60 }, (_none, index) => consume(limiters[index % 3]!, 'a')),
    );
    expect(accepted.flat().filter(Boolean)).toHaveLength(20);
  });

  it('refuse without a query above the limit', async () => {
    const limiter = open().createLimiter(options);
    await consume(limiter, 'a', 'a', 'a', 'a', 'a');
    expect(await execute('select points from rate_limit')).toEqual([{ points: 2 }]);
  });

  it('accept a key again after another process’s refund', async () => {
    const [one, other] = [open(), open()].map((store) =>
      store.createLimiter({ ...options, isRefundable: true }),
    );
    expect(await consume(one!, 'a', 'a')).toEqual([true, false]);
    for (const limiter of [one!, other!]) await limiter.reward('a');
    expect(await consume(one!, 'a')).toEqual([true]);
    expect(await consume(other!, 'a')).toEqual([false]);
  });

  it('count in memory without the table', async () => {
    const limiter = open().createLimiter(options);
    await execute('drop table rate_limit');
    expect(await consume(limiter, 'a', 'a')).toEqual([true, false]);
  });

  it('count in memory without the database', async () => {
    const store = createPostgresLimits(`postgres://nobody@127.0.0.1:${await findFreePort()}/none`);
    onTestFinished(() => store.close());
    expect(await consume(store.createLimiter(options), 'a', 'a')).toEqual([true, false]);
  });
});
