// The contract on PostgreSQL, and the behavior of several processes and of lost connections.

import { Client } from 'pg';
import { beforeEach, expect, inject, it } from 'vitest';
import { sql, type Database } from '../../../bff/store/database.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { openPostgres } from '../../../bff/store/postgres.ts';
import { createSchema } from '../../support/postgres-schema.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { describeContract } from './contract/contract.ts';
import { describeIdentity } from './contract/identity.ts';
import { createNewApplication, createSession } from './contract/rows.ts';

describePostgres('with PostgreSQL', () => {
  describeContract('PostgreSQL', async (options) => {
    const { url, drop } = await createSchema(inject('postgresUrl')!);
    const database = await openPostgres(url, options);
    return {
      ...database,
      async close() {
        await database.close();
        await drop();
      },
    };
  });
});

describePostgres('opening a store on PostgreSQL', () => {
  describeIdentity(createTestDatabaseUrl);
});

describePostgres('openPostgres', () => {
  let url: string;

  beforeEach(async () => {
    url = await createTestDatabaseUrl();
  });

  async function show(database: Database, name: string): Promise<unknown> {
    const [row] = await database.all(sql`select current_setting(${name}) as value`);
    return (row as { readonly value: unknown }).value;
  }

  it('commits to disk', async () => {
    const database = await openPostgres(url);
    expect(await show(database, 'synchronous_commit')).toBe('on');
    await database.close();
  });

  it('measures leases with the clock of the database', async () => {
    const [first, second] = [await openStore(url), await openStore(url)];
    await first.addApplication(createNewApplication({ receivedAt: 1 }), []);
    expect(await first.claimDue('application', 60_000)).toMatchObject({ fencingToken: 1 });
    expect(await second.claimDue('application', 60_000)).toBeUndefined();
    const leftMs = (await second.findNextDueMs(['application'])) ?? 0;
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    await Promise.all([first.close(), second.close()]);
  });

  it('recovers no row that another process may be sending', async () => {
    const store = await openStore(url);
    await store.addApplication(createNewApplication(), []);
    await store.claimDue('application', 60_000);
    await store.recover();
    expect(await store.claimDue('application', 60_000)).toBeUndefined();
    await store.close();
  });

  it('gives each row to one of four processes', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
    const [first] = stores;
    for (let number = 0; number < 40; number += 1) {
      const row = createNewApplication({
        id: `a${number}`,
        session: createSession(`s${number}`),
        idempotencyKey: `k${number}`,
      });
      await first?.addApplication(row, []);
    }
    const claims = await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 12 }, () => store.claimDue('application', 60_000)),
      ),
    );
    const ids = claims.flatMap((claim) =>
      claim?.kind === 'application' ? [claim.application.id] : [],
    );
    // Rows that another process is claiming are skipped, so some may be left.
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(30);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('erases no application that another process claims', async () => {
    const [first, second] = [await openStore(url), await openStore(url)];
    for (let number = 0; number < 60; number += 1) {
      const [id, session] = [`a${number}`, createSession(`s${number}`)];
      await first.addApplication(createNewApplication({ id, session, idempotencyKey: id }), []);
      const [erasure, claim] = await Promise.all([
        first.erase(id),
        second.claimDue('application', 60_000, id),
      ]);
      expect([erasure, claim === undefined]).toEqual(
        claim === undefined ? ['erased', true] : ['sending', false],
      );
    }
    await Promise.all([first.close(), second.close()]);
  });

  it('limits the time of locks', async () => {
    const database = await openPostgres(url);
    expect(await show(database, 'idle_in_transaction_session_timeout')).toBe('30s');
    expect(await show(database, 'lock_timeout')).toBe('5s');
    await database.close();
  });

  it('opens a new connection after a lost one', async () => {
    const database = await openPostgres(url);
    await expect(database.all(sql`select no_such_column`)).rejects.toMatchObject({ code: '42703' });
    const killer = new Client(url);
    await killer.connect();
    await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'funding-application' and query like '%no_such_column%'`,
    );
    await killer.end();
    // The loss is noticed before this statement or by it.
    await database.all(sql`select 1 as one`).catch(() => undefined);
    expect(await database.all(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('reports a connection that is lost in a transaction as STORE_UNAVAILABLE', async () => {
    const database = await openPostgres(url);
    const lost = database.transaction(function* () {
      yield sql`select pg_terminate_backend(pg_backend_pid())`;
    });
    await expect(lost).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await database.all(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('throws the error of an unreachable server', async () => {
    const elsewhere = new URL(url);
    elsewhere.port = '1';
    await expect(openPostgres(elsewhere.href)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
