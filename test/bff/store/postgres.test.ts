// The contract on PostgreSQL, and the behavior of several processes and of lost connections.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { Client } from 'pg';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { toApplicationLock } from '../../../bff/store/application-lock.ts';
import {
  sql,
  type Statement,
  type Transaction,
  unawaited,
  type Database,
  type Rows,
} from '../../../bff/store/database.ts';
import { createStore, openStore } from '../../../bff/store/open-store.ts';
import { openPostgres } from '../../../bff/store/postgres.ts';
import { createSchema } from '../../support/postgres-schema.ts';
import { until } from '../../support/manual-time.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { describeContract } from './contract/contract.ts';
import { describeIdentity } from './contract/identity.ts';
import {
  createAttachment,
  createConsent,
  createNewApplication,
  createSession,
} from './contract/rows.ts';
import { createStoreClient } from './old-store.ts';

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

  it('skips no event when two processes add a consumer at the same time', async () => {
    const slow = await openPostgres(url);
    const other = await openStore(url);
    const webhook = { name: 'webhook', target: '' } as const;
    const client = createStoreClient(url);
    await client.connect();
    onTestFinished(() => client.end());
    const run = async ({ sql: text, values }: Statement): Promise<Rows> => {
      let count = 0;
      const numbered = text.replaceAll('?', () => `$${(count += 1)}`).replaceAll('{now}', '9');
      return (await client.query(numbered, [...values])).rows;
    };
    const register = async () => {
      await other.registerEventConsumers([webhook]);
      await other.addApplication(createNewApplication(), []);
    };
    let registered: Promise<void> | undefined;
    /** After the first statement, the other process goes on until it has finished, or waits for this transaction. */
    const transaction = async <Result>(work: () => Transaction<Result>): Promise<Result> => {
      await client.query('begin');
      const steps = work();
      let step = steps.next([]);
      while (!step.done) {
        const rows = await run(step.value);
        if (!registered) {
          let isDone = false;
          registered = register().finally(() => {
            isDone = true;
          });
          await until(async () => isDone || (await isWaiting(client)));
        }
        step = steps.next(rows);
      }
      await client.query('commit');
      return step.value;
    };
    await createStore({ ...slow, transaction }).registerEventConsumers([webhook]);
    await registered;
    expect(await other.claimEvent(webhook, 60_000)).toMatchObject({ event: { sequence: 1 } });
    await Promise.all([slow.close(), other.close()]);
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

  it('counts each row once while several processes purge', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(url)));
    const { retention } = defaultSettings();
    const add = async (id: string) => {
      const row = createNewApplication({ id, session: createSession(id), idempotencyKey: id });
      await stores[0]?.addApplication(row, []);
    };
    for (let turn = 1; turn <= 20; turn += 1) {
      await Promise.all([
        ...stores.map((store) => store.purge(retention)),
        ...Array.from({ length: 5 }, (_, index) => add(`a${turn}-${index}`)),
        stores[1]?.claimDue('application', 60_000),
      ]);
      const counts = (await stores[2]?.countStates()) ?? [];
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(5 * turn);
    }
    await Promise.all(stores.map((store) => store.close()));
  });

  it('erases old attachments under the lock of their application', async () => {
    const now = Date.now();
    const retention = { ...defaultSettings().retention, undeliveredDays: 1 };
    const database = await openPostgres(url, { clock: () => now });
    const store = createStore(database);
    await store.addApplication(createNewApplication({ id: 'a1', receivedAt: now }), []);
    await store.beginAttachment(createAttachment('d1'), 9);
    await store.completeAttachment('d1', { fingerprint: 'd1', bytes: 1, limit: 9 });
    await database.all(sql`update attachment set state = 'held'`);
    const other = await holdLocks(url, [toApplicationLock('a1')]);
    const purged = store.purge(retention);
    await other.awaitWaiting(1);
    // The transaction locks nothing that another transaction of the application could wait for.
    expect(await other.client.query('select id from attachment for update nowait')).toMatchObject({
      rows: [{ id: 'd1' }],
    });
    await other.release();
    expect(await purged).toMatchObject({ undelivered: ['a1'] });
    await database.close();
  });

  it('repeats the transaction that PostgreSQL undoes in a deadlock', async () => {
    const [first, second] = [await openPostgres(url), await openPostgres(url)];
    for (const id of ['s1', 's2']) {
      await first.all(sql`insert into session (id, origin, created_at) values (${id}, 'o', 0)`);
    }
    const blocked = sql`select pg_advisory_xact_lock_shared(hashtextextended('both', 0))`;
    const change = (id: string) =>
      sql`update session set created_at = created_at + 1 where id = ${id}`;
    const changeBoth = (database: Database, ids: readonly [string, string]) =>
      database.transaction(function* () {
        yield change(ids[0]);
        yield blocked;
        yield change(ids[1]);
      });
    const other = await holdLocks(url, ['both']);
    const changes = [changeBoth(first, ['s1', 's2']), changeBoth(second, ['s2', 's1'])];
    await other.awaitWaiting(2);
    // From now on, each of them waits for the row of the other.
    await other.release();
    await Promise.all(changes);
    expect(await first.all(sql`select created_at from session`)).toEqual([
      { created_at: 2 },
      { created_at: 2 },
    ]);
    await Promise.all([first.close(), second.close()]);
  });

  it('refuses a server before version 13', async () => {
    const database = await openPostgres(url);
    const version = String(await show(database, 'server_version_num'));
    await database.close();
    const old = await replaceAnswers(url, version, '120022');
    await expect(openPostgres(old)).rejects.toMatchObject({ code: 'STORE_SERVER_OLD' });
    const oldest = await openPostgres(await replaceAnswers(url, version, '130000'));
    expect(oldest.isNew).toBe(false);
    await oldest.close();
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

  describe('a transaction', () => {
    const insertSession = (id: string) =>
      sql`insert into session (id, origin, created_at) values (${id}, 'o', 1)`;
    const listSessions = sql`select id from session order by id`;

    it('sends the statement after an unawaited one without waiting', async () => {
      const held = await holdAnswers(url);
      const database = await openPostgres(held.url);
      await database.all(listSessions);
      held.holdUntil('select 2 as two');
      const rows = await database.transaction(function* () {
        yield unawaited(sql`select 1 as one`);
        const twos: Rows = yield sql`select 2 as two`;
        return twos;
      });
      expect(rows).toEqual([{ two: 2 }]);
      await database.close();
    });

    it.each(['at its end', 'at the next statement'])(
      'fails with the error of an unawaited statement %s',
      async (when) => {
        const database = await openPostgres(url);
        const failing = database.transaction(function* () {
          yield unawaited(insertSession('s1'));
          yield unawaited(sql`select no_such_column`);
          if (when === 'at the next statement') yield listSessions;
        });
        await expect(failing).rejects.toMatchObject({ code: '42703' });
        expect(await database.all(listSessions)).toEqual([]);
        await database.close();
      },
    );

    it('takes its locks under any name', async () => {
      const database = await openPostgres(url);
      const names = [`key/'); drop table session; --`, 'Schlüssel'];
      const locks = await database.transaction(function* () {
        const counts: Rows = yield sql`
          select count(*) as count from pg_locks
          where locktype = 'advisory' and pid = pg_backend_pid()`;
        return counts;
      }, names);
      expect(locks).toEqual([{ count: 2 }]);
      expect(await database.all(listSessions)).toEqual([]);
      await database.close();
    });
  });

  describe('writes of one turn of the event loop', () => {
    const add = (id: string) =>
      sql`insert into session (id, origin, created_at) values (${id}, 'o', 1)`;
    const listIds = sql`select string_agg(id, ',' order by id) as ids from session`;
    let database: Database;

    beforeEach(async () => {
      database = await openPostgres(url);
      return () => database.close();
    });

    /** Each row names the transaction that inserted it. */
    async function countCommits(): Promise<unknown> {
      const [row] = await database.all(
        sql`select cast(count(distinct cast(xmin as text)) as integer) as commits from session`,
      );
      return (row as { readonly commits: unknown }).commits;
    }

    function writeOf(id: string, lock: string): Promise<Rows> {
      return database.transaction(
        function* () {
          const before: Rows = yield listIds;
          yield unawaited(add(id));
          return before;
        },
        [lock],
      );
    }

    it('share one commit', async () => {
      const ids = Array.from({ length: 10 }, (_, index) => `s${index}`);
      await Promise.all(ids.map((id) => writeOf(id, id)));
      expect(await countCommits()).toBe(1);
      expect(await database.all(listIds)).toEqual([{ ids: ids.join() }]);
    });

    it('do not share a commit if they have a common lock', async () => {
      const [first, second] = await Promise.all([writeOf('s1', 'same'), writeOf('s2', 'same')]);
      // Two connections wait for one lock: either can be the first.
      const firstWon = [[{ ids: null }], [{ ids: 's1' }]];
      const secondWon = [[{ ids: 's2' }], [{ ids: null }]];
      expect([firstWon, secondWon]).toContainEqual([first, second]);
      expect(await countCommits()).toBe(2);
    });

    it('keep their results when one of them fails', async () => {
      const results = await Promise.allSettled([
        writeOf('s1', 'a'),
        writeOf('s1', 'b'),
        writeOf('s2', 'c'),
      ]);
      const statuses = results.map(({ status }) => status);
      expect(statuses.toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(statuses[2]).toBe('fulfilled');
      expect(await database.all(listIds)).toEqual([{ ids: 's1,s2' }]);
    });

    it('are committed without the one that waits for a lock', async () => {
      const blocker = new Client(url);
      await blocker.connect();
      await blocker.query(`begin; select pg_advisory_xact_lock(hashtextextended('blocked', 0))`);
      const results = await Promise.allSettled([writeOf('s1', 'blocked'), writeOf('s2', 'free')]);
      expect(results).toMatchObject([
        { reason: { code: 'STORE_UNAVAILABLE', cause: { code: '55P03' } } },
        { status: 'fulfilled' },
      ]);
      await blocker.end();
    }, 20_000);

    it('all fail when their connection is lost', async () => {
      const lost = database.transaction(
        function* () {
          yield sql`select pg_terminate_backend(pg_backend_pid())`;
        },
        ['lost'],
      );
      const results = await Promise.allSettled([writeOf('s1', 'a'), lost]);
      expect(results).toMatchObject([
        { reason: { code: 'STORE_UNAVAILABLE' } },
        { reason: { code: 'STORE_UNAVAILABLE' } },
      ]);
      expect(await database.all(listIds)).toEqual([{ ids: null }]);
    });

    it('are committed before the database closes', async () => {
      const other = await openPostgres(url);
      const added = other.transaction(
        function* () {
          yield add('s1');
        },
        ['a'],
      );
      await other.close();
      await added;
      expect(await database.all(listIds)).toEqual([{ ids: 's1' }]);
    });
  });

  it('reads rows to which another process has added a column', async () => {
    const [store, migrating] = [await openStore(url), await openPostgres(url)];
    await store.addApplication(createNewApplication({ id: 'a1' }), []);
    const claim = await store.claimDue('application', 60_000);
    expect(claim).toMatchObject({ kind: 'application' });
    expect(await store.findApplication('a1')).toMatchObject({ id: 'a1' });
    await migrating.all(sql`alter table application add column added_later text`);
    expect(await store.findApplication('a1')).toMatchObject({ id: 'a1' });
    const again = createNewApplication({ id: 'a2' });
    expect(await store.addApplication(again, [])).toMatchObject({ kind: 'same-key' });
    await Promise.all([store.close(), migrating.close()]);
  });

  it('keeps no plan that reads a small table whole', async () => {
    const database = await openPostgres(url);
    await createStore(database).addApplication(createNewApplication({ id: 'a0' }), []);
    await database.all(sql`analyze application`);
    await database.close();
    const store = await openStore(url);
    // PostgreSQL keeps a plan from the sixth time on.
    for (let number = 1; number < 8; number += 1) {
      const id = `a${number}`;
      const row = createNewApplication({ id, idempotencyKey: id, session: createSession(id) });
      await store.findSession(id);
      await store.findOrMoveApplication(row.session, id, () => false);
      const { claim } = await store.addApplication(row, [createConsent(id)], undefined, 60_000);
      await store.recordResult(claim!, { state: 'accepted', serviceId: id });
      await store.claimDue('application', 60_000);
      await store.findNextDueMs(['application', 'document']);
      await store.findApplication(id);
    }
    // Its connections report their statistics when they end.
    await store.close();
    const reader = await openPostgres(url);
    const readScans = () =>
      reader.all(sql`
        select relname from pg_stat_user_tables
        where relname in ('application', 'attachment', 'session') and seq_tup_read > 0
          and schemaname = current_schema()`);
    await expect.poll(readScans).toEqual([]);
    await reader.close();
  });

  it('throws the error of an unreachable server', async () => {
    const elsewhere = new URL(url);
    elsewhere.port = '1';
    await expect(openPostgres(elsewhere.href)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

/** Takes the locks of these names on a connection of its own. */
async function holdLocks(url: string, names: readonly string[]) {
  const client = new Client(url);
  await client.connect();
  await client.query('begin');
  for (const name of names) {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }
  return {
    client,
    /** Resolves when this many other connections wait for the locks. */
    async awaitWaiting(count: number) {
      const readWaiting = async () => {
        const { rows } = await client.query<{ readonly count: number }>(`
          select count(*)::integer as count from pg_locks own
          join pg_locks other using (classid, objid, objsubid)
          where own.locktype = 'advisory' and own.pid = pg_backend_pid()
            and other.locktype = 'advisory' and not other.granted`);
        return rows[0]?.count;
      };
      await expect.poll(readWaiting).toBe(count);
    },
    async release() {
      await client.query('commit');
      await client.end();
    },
  };
}

/** A proxy before the server at `url`, which replaces a text of the same length in its answers. Returns its URL. */
async function replaceAnswers(url: string, text: string, other: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      client.write(Buffer.from(bytes.toString('latin1').replaceAll(text, other), 'latin1'));
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  return listenBefore(server, url);
}

/** Returns the URL of the database through a proxy. */
async function listenBefore(server: Server, url: string): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const through = new URL(url);
  // The server listens on a port.
  through.port = String((server.address() as AddressInfo).port);
  through.hostname = '127.0.0.1';
  return through.href;
}

/** A proxy before the server at `url`. */
async function holdAnswers(url: string) {
  const { hostname, port } = new URL(url);
  let awaited: string | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const held: Buffer[] = [];
    client.on('data', (bytes) => {
      if (awaited !== undefined && bytes.includes(awaited)) {
        awaited = undefined;
        for (const answer of held.splice(0)) client.write(answer);
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (awaited === undefined) client.write(bytes);
      else held.push(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  return {
    url: await listenBefore(server, url),
    /** Answers wait from now on, until a client sends this text. */
    holdUntil(text: string) {
      awaited = text;
    },
  };
}

/** True if another connection waits for the transaction of this one. */
async function isWaiting(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    'select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
  );
  return rows.length > 0;
}
