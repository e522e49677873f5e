// Where limits are counted: a bounded memory, and one table for several processes.

import { Client } from 'pg';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  createMemoryLimits,
  createPostgresLimits,
  type LimitStore,
} from '../../../bff/middleware/rate-limits.ts';
import { openPostgres } from '../../../bff/store/postgres.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';

const options = { name: 'limit', points: 1, windowSeconds: 60 };

type Limiter = ReturnType<LimitStore['createLimiter']>;

/** Whether each of these may pass, in this order. */
async function consume(limiter: Limiter, ...keys: string[]): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (const key of keys) {
    passed.push(await limiter.consume(key).then(() => true, isPassedBy));
  }
  return passed;
}

function isPassedBy(error: unknown): boolean {
  if (error instanceof RateLimiterRes) return false;
  throw error;
}

describe('limits in memory', () => {
  it('count each key for itself', async () => {
    const limiter = createMemoryLimits().createLimiter(options);
    expect(await consume(limiter, 'a', 'b', 'a')).toEqual([true, true, false]);
  });

  it('count each limit for itself', async () => {
    const store = createMemoryLimits();
    const [one, other] = ['one', 'other'].map((name) => store.createLimiter({ ...options, name }));
    expect(await consume(one!, 'a')).toEqual([true]);
    expect(await consume(other!, 'a')).toEqual([true]);
  });

  it('forget the key that was used longest ago, and no other, when there are too many', async () => {
    const limiter = createMemoryLimits(2).createLimiter(options);
    await consume(limiter, 'a', 'b', 'a', 'c');
    expect(await consume(limiter, 'a', 'c')).toEqual([false, false]);
    expect(await consume(limiter, 'b')).toEqual([true]);
  });
});

describePostgres('limits on PostgreSQL', () => {
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

  it('are shared by several processes', async () => {
    const [one, other] = [open().createLimiter(options), open().createLimiter(options)];
    expect(await consume(one, 'a')).toEqual([true]);
    expect(await consume(other, 'a', 'b')).toEqual([false, true]);
  });

  it('let no more pass when many ask at the same time', async () => {
    const limiters = [open(), open(), open()].map((store) =>
      store.createLimiter({ ...options, points: 20 }),
    );
    const passed = await Promise.all(
      Array.from({ length: 60 }, (_none, index) => consume(limiters[index % 3]!, 'a')),
    );
    expect(passed.flat().filter(Boolean)).toHaveLength(20);
  });

  it('turn away without a question who is past the limit', async () => {
    const limiter = open().createLimiter(options);
    await consume(limiter, 'a', 'a', 'a', 'a', 'a');
    expect(await execute('select points from rate_limit')).toEqual([{ points: 2 }]);
  });

  it('let a key pass again whose points another process has given back', async () => {
    const [one, other] = [open(), open()].map((store) =>
      store.createLimiter({ ...options, isRefundable: true }),
    );
    expect(await consume(one!, 'a', 'a')).toEqual([true, false]);
    for (const limiter of [one!, other!]) await limiter.reward('a');
    expect(await consume(one!, 'a')).toEqual([true]);
    expect(await consume(other!, 'a')).toEqual([false]);
  });

  it('are counted by the process itself while the table is away', async () => {
    const limiter = open().createLimiter(options);
    await execute('drop table rate_limit');
    expect(await consume(limiter, 'a', 'a')).toEqual([true, false]);
  });

  it('are counted by the process itself while nothing answers', async () => {
    const store = createPostgresLimits(`postgres://nobody@127.0.0.1:${await findFreePort()}/none`);
    onTestFinished(() => store.close());
    expect(await consume(store.createLimiter(options), 'a', 'a')).toEqual([true, false]);
  });
});
