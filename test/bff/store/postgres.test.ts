// The store on PostgreSQL: the contract, and what only a server with several processes can show.

import { Client } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { query, type Database } from '../../../bff/store/database.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { openPostgres } from '../../../bff/store/postgres.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { describeApplications } from './contract/applications.ts';
import { describeAttachments } from './contract/children.ts';
import { describeClaims } from './contract/claims.ts';
import { describeDiscards } from './contract/discards.ts';
import { describeIdentity } from './contract/identity.ts';
import { describeOperations } from './contract/operations.ts';
import { describeRetention } from './contract/retention.ts';
import type { OpenTestDatabase } from './contract/rig.ts';
import { createNew } from './contract/rows.ts';

const open: OpenTestDatabase = async (options) =>
  openPostgres(await createTestDatabaseUrl(), options);

describePostgres('on a PostgreSQL', () => {
  describeApplications('PostgreSQL', open);
  describeClaims('PostgreSQL', open);
  describeAttachments('PostgreSQL', open);
  describeDiscards('PostgreSQL', open);
  describeOperations('PostgreSQL', open);
  describeRetention('PostgreSQL', open);
  describeIdentity('PostgreSQL', createTestDatabaseUrl);
});

describePostgres('the store on PostgreSQL', () => {
  let url: string;

  beforeEach(async () => {
    url = await createTestDatabaseUrl();
  });

  async function show(database: Database, name: string): Promise<unknown> {
    const [row] = await database.all(`select current_setting('${name}') as value`);
    return (row as { readonly value: unknown }).value;
  }

  it('is on the disk when it is acknowledged', async () => {
    const database = await openPostgres(url);
    expect(await show(database, 'synchronous_commit')).toBe('on');
    await database.close();
  });

  it('counts leases by the clock of the database, whatever the machines think', async () => {
    const [first, second] = [await openStore(url), await openStore(url)];
    await first.addSession({ id: 's1', origin: 'https://a', createdAt: 1 });
    await first.addApplication(createNew({ receivedAt: 1 }), []);
    expect(await first.claimDue('application', 60_000)).toMatchObject({ fencingToken: 1 });
    expect(await second.claimDue('application', 60_000)).toBeUndefined();
    const leftMs = (await second.findNextDueMs(['application'])) ?? 0;
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    await Promise.all([first.close(), second.close()]);
  });

  it('leaves what another process may be sending alone after a restart', async () => {
    const store = await openStore(url);
    await store.addSession({ id: 's1', origin: 'https://a', createdAt: 1 });
    await store.addApplication(createNew(), []);
    await store.claimDue('application', 60_000);
    await store.recover();
    expect(await store.claimDue('application', 60_000)).toBeUndefined();
    await store.close();
  });

  it('gives each row to one of many processes', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
    const [first] = stores;
    for (let number = 0; number < 40; number += 1) {
      const session = { id: `s${number}`, origin: 'https://a', createdAt: 1 };
      await first?.addSession(session);
      const row = createNew({
        id: `a${number}`,
        sessionId: `s${number}`,
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
    // A row that another one is just claiming is passed over, so a round may leave some; none is given out twice.
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(30);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('erases nothing that is claimed in the same moment', async () => {
    const [first, second] = [await openStore(url), await openStore(url)];
    for (let number = 0; number < 60; number += 1) {
      const [id, sessionId] = [`a${number}`, `s${number}`];
      const session = { id: sessionId, origin: 'https://a', createdAt: 1 };
      await first.addSession(session);
      await first.addApplication(createNew({ id, sessionId, idempotencyKey: id }), []);
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

  it('does not let a process that stands still keep its locks', async () => {
    const database = await openPostgres(url);
    expect(await show(database, 'idle_in_transaction_session_timeout')).toBe('30s');
    expect(await show(database, 'lock_timeout')).toBe('5s');
    await database.close();
  });

  it('tells a lost connection from a fault of ours, and goes on with a new one', async () => {
    const database = await openPostgres(url);
    await expect(database.all('select no_such_column')).rejects.toMatchObject({ code: '42703' });
    const killer = new Client(url);
    await killer.connect();
    await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'funding-application' and query like '%no_such_column%'`,
    );
    await killer.end();
    // Whether the loss is noticed before the next statement or by it is a matter of luck.
    await database.all('select 1 as one').catch(() => undefined);
    expect(await database.all('select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('survives the loss of its connection in the middle of a transaction', async () => {
    const database = await openPostgres(url);
    const lost = database.transaction(() => query('select pg_terminate_backend(pg_backend_pid())'));
    await expect(lost).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await database.all('select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('says what the server says when it cannot be opened', async () => {
    const elsewhere = new URL(url);
    elsewhere.port = '1';
    await expect(openPostgres(elsewhere.href)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
