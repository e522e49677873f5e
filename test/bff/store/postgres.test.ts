// The contract on PostgreSQL, and the behavior of several processes and of lost connections.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Client } from 'pg';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { toApplicationLock } from '../../../bff/store/application-lock.ts';
import {
  type Database,
  type OpenOptions,
  type Rows,
  sql,
  type Transaction,
  unawaited,
} from '../../../bff/store/database.ts';
import { createStore } from '../../../bff/store/open-store.ts';
import { openPostgres } from '../../../bff/store/postgres.ts';
import type { Store } from '../../../bff/store/store.ts';
import { createSchema } from '../../support/postgres-schema.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { describeCommits } from './contract/commits.ts';
import { describeContract } from './contract/contract.ts';
import { describeOpening } from './contract/opening.ts';
import { leaseMs } from './contract/rig.ts';
import { createAttachment, createConsent, createNewApplication } from './contract/rows.ts';

const { retention } = defaultSettings();

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
  describeOpening(createTestDatabaseUrl);
});

describePostgres('openPostgres', () => {
  let url: string;

  beforeEach(async () => {
    url = await createTestDatabaseUrl();
  });

  /** Closes the database at the end of the test. */
  async function open(options: OpenOptions = {}): Promise<Database> {
    const database = await openPostgres(url, options);
    // A test may have closed it already.
    onTestFinished(() => database.close().catch(() => undefined));
    return database;
  }

  /** A store of another process. */
  const openStore = async (): Promise<Store> => createStore(await open());
  const openStores = (count: number) => Promise.all(Array.from({ length: count }, openStore));
  const claim = (store: Store | undefined, id?: string) =>
    store?.claimDue('application', 60_000, id);
  const add = (store: Store | undefined, id = 'a1') =>
    store?.addApplication(createNewApplication({ id, receivedAt: Date.now() }), []);
  const insert = (id: string) =>
    sql`insert into session (id, origin, created_at) values (${id}, 'o', 0)`;
  const listIds = sql`select string_agg(id, ',' order by id) as ids from session`;

  /** Each row names the transaction that inserted it. */
  async function countCommits(database: Database): Promise<unknown> {
    const ids = await database.all(sql`select distinct cast(xmin as text) from session`);
    return ids.length;
  }

  describeCommits(open, countCommits);

  it.each([
    ['commits to disk', 'synchronous_commit', 'on'],
    ['ends a transaction of a stopped process', 'idle_in_transaction_session_timeout', '30s'],
    ['waits a short time for locks', 'lock_timeout', '5s'],
    ['ends a slow statement', 'statement_timeout', '30s'],
  ])('%s', async (_behavior, name, value) => {
    const rows = await (await open()).all(sql`select current_setting(${name}) as value`);
    expect(rows).toEqual([{ value }]);
  });

  it('measures leases with the clock of the database', async () => {
    const [first, second] = await openStores(2);
    await add(first);
    expect(await claim(first)).toMatchObject({ fencingToken: 1 });
    expect(await claim(second)).toBeUndefined();
    const leftMs = (await second?.findNextDueMs(['application'])) ?? 0;
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  it('recovers no row that another process may be sending', async () => {
    const store = await openStore();
    await add(store);
    await claim(store);
    await store.recover();
    expect(await claim(store)).toBeUndefined();
  });

  it('gives each row to one of four processes', async () => {
    const stores = await openStores(4);
    for (let number = 0; number < 40; number += 1) await add(stores[0], `a${number}`);
    const claims = await Promise.all(
      stores.flatMap((store) => Array.from({ length: 12 }, async () => claim(store))),
    );
    const ids = claims.flatMap((row) => (row?.kind === 'application' ? row.application.id : []));
    // Rows that another process is claiming are skipped, so some may be left.
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(30);
  });

  it('skips no event when two processes add a consumer at the same time', async () => {
    const [slow, other] = [await open(), await openStore()];
    const webhook = { name: 'webhook', target: '' } as const;
    const pause = await holdLocks(url, ['pause']);
    /** Waits after the first statement. */
    const transaction = <Result>(work: () => Transaction<Result>) =>
      slow.transaction(function* () {
        const steps = work();
        let step = steps.next([]);
        for (let isFirst = true; !step.done; isFirst = false) {
          const rows: Rows = yield step.value;
          if (isFirst) yield waitForLock('pause');
          step = steps.next(rows);
        }
        return step.value;
      });
    const registered = createStore({ ...slow, transaction }).registerEventConsumers([webhook]);
    await pause.awaitWaiting(1);
    const registeredToo = other.registerEventConsumers([webhook]).then(() => add(other));
    await pause.awaitBlocked(1);
    await pause.release();
    await Promise.all([registered, registeredToo]);
    expect(await other.claimEvent(webhook, 60_000)).toMatchObject({ event: { sequence: 1 } });
  });

  it('erases no application that another process claims', async () => {
    const [first, second] = await openStores(2);
    for (let number = 0; number < 60; number += 1) {
      const id = `a${number}`;
      await add(first, id);
      const [erasure, claimed] = await Promise.all([first?.erase(id), claim(second, id)]);
      expect(erasure).toBe(claimed === undefined ? 'erased' : 'sending');
    }
  });

  it('counts each row once while several processes purge', async () => {
    const stores = await openStores(3);
    for (let turn = 1; turn <= 20; turn += 1) {
      await Promise.all([
        ...stores.map((store) => store.purge(retention)),
        ...Array.from({ length: 5 }, (_, index) => add(stores[0], `a${turn}-${index}`)),
        claim(stores[1]),
      ]);
      const counts = (await stores[2]?.countStates()) ?? [];
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(5 * turn);
    }
  });

  it('erases old attachments under the lock of their application', async () => {
    const now = Date.now();
    const database = await open({ clock: () => now });
    const store = createStore(database);
    await store.addApplication(createNewApplication({ receivedAt: now }), []);
    await store.beginAttachment(createAttachment('d1'), 9);
    await store.completeAttachment('d1', { fingerprint: 'd1', bytes: 1, limit: 9 });
    await database.all(sql`update attachment set state = 'held'`);
    const other = await holdLocks(url, [toApplicationLock('a1')]);
    const purged = store.purge({ ...retention, undeliveredDays: 1 });
    await other.awaitWaiting(1);
    // The transaction locks nothing that another transaction of the application could wait for.
    const rows = await other.client.query('select id from attachment for update nowait');
    expect(rows).toMatchObject({ rowCount: 1 });
    await other.release();
    expect(await purged).toMatchObject({ undelivered: ['a1'] });
  });

  it('repeats the transaction that PostgreSQL undoes in a deadlock', async () => {
    const databases = [await open(), await open()];
    for (const id of ['s1', 's2']) await databases[0]?.all(insert(id));
    const change = (id: string) =>
      sql`update session set created_at = created_at + 1 where id = ${id}`;
    const other = await holdLocks(url, ['both']);
    const changes = databases.map((database, index) =>
      database.transaction(function* () {
        yield change(index === 0 ? 's1' : 's2');
        yield waitForLock('both');
        yield change(index === 0 ? 's2' : 's1');
      }),
    );
    await other.awaitWaiting(2);
    // From now on, each of them waits for the row of the other.
    await other.release();
    await Promise.all(changes);
    const rows = await databases[0]?.all(sql`select created_at from session`);
    expect(rows).toEqual([{ created_at: 2 }, { created_at: 2 }]);
  });

  it.each([
    ['120022', { code: 'STORE_SERVER_OLD' }],
    ['130000', { isNew: true }],
  ])('opens no store on a server before version 13: %s', async (version, expected) => {
    // A function of the store's schema hides that of PostgreSQL.
    const pretending = new URL(url);
    const schema = pretending.searchParams.get('options');
    pretending.searchParams.set('options', `${schema},pg_catalog`);
    const client = await openClient(url);
    await client.query(`create function current_setting(text) returns text
      language sql as $$ select '${version}' $$`);
    const opened = await openPostgres(pretending.href).catch((error: unknown) => error);
    expect(opened).toMatchObject(expected);
    await (opened as Partial<Database>).close?.();
  });

  it('opens a new connection after a lost one', async () => {
    const database = await open();
    await expect(database.all(sql`select no_such_column`)).rejects.toMatchObject({ code: '42703' });
    const killer = await openClient(url);
    await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'funding-application' and query like '%no_such_column%'`,
    );
    // The loss is noticed before this statement or by it.
    await database.all(sql`select 1 as one`).catch(() => undefined);
    expect(await database.all(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  it('reads rows to which another process has added a column', async () => {
    const [store, migrating] = [await openStore(), await open()];
    await add(store);
    expect(await claim(store)).toMatchObject({ kind: 'application' });
    expect(await store.findApplication('a1')).toMatchObject({ id: 'a1' });
    await migrating.all(sql`alter table application add column added_later text`);
    expect(await store.findApplication('a1')).toMatchObject({ id: 'a1' });
    expect(await add(store)).toMatchObject({ kind: 'same-key' });
  });

  it('keeps no plan that reads a small table whole', async () => {
    const database = await openPostgres(url);
    const store = createStore(database);
    await add(store, 'a0');
    await database.all(sql`analyze application`);
    // PostgreSQL keeps a plan from the sixth time on.
    for (let number = 1; number < 8; number += 1) {
      const id = `a${number}`;
      const row = createNewApplication({ id });
      await store.findSession(id);
      await store.findOrMoveApplication(row.session, id, () => false);
      const consents = [createConsent(id, id)];
      const added = await store.addApplication(row, consents, undefined, leaseMs);
      await store.recordResult(added.claim!, { state: 'accepted', serviceId: id });
      await store.claimDue('application', leaseMs);
      await store.findNextDueMs(['application', 'document']);
      await store.findApplication(id);
    }
    // Its connections report their statistics when they end.
    await store.close();
    const reader = await open();
    const readScans = () =>
      reader.all(sql`
        select relname from pg_stat_user_tables
        where relname in ('application', 'attachment', 'session') and seq_tup_read > 0
          and schemaname = current_schema()`);
    await expect.poll(readScans).toEqual([]);
  });

  describe('a transaction', () => {
    it('sends the statement after an unawaited one without waiting', async () => {
      const proxy = await holdAnswers(url);
      const database = await openPostgres(proxy.url);
      await database.all(listIds);
      proxy.holdUntil('select 2 as two');
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
        const database = await open();
        const failing = database.transaction(function* () {
          yield unawaited(insert('s1'));
          yield unawaited(sql`select no_such_column`);
          if (when === 'at the next statement') yield listIds;
        });
        await expect(failing).rejects.toMatchObject({ code: '42703' });
        expect(await database.all(listIds)).toEqual([{ ids: null }]);
      },
    );

    it('takes its locks under any name', async () => {
      const names = [`key/'); drop table session; --`, 'Schlüssel'];
      const database = await open();
      const locks = await database.transaction(function* () {
        const counts: Rows = yield sql`
          select count(*) as count from pg_locks
          where locktype = 'advisory' and pid = pg_backend_pid()`;
        return counts;
      }, names);
      expect(locks).toEqual([{ count: 2 }]);
      expect(await database.all(listIds)).toEqual([{ ids: null }]);
    });
  });

  describe('writes of one turn of the event loop', () => {
    let database: Database;

    beforeEach(async () => {
      database = await open();
    });

    const writeOf = (id: string, lock: string) =>
      database.transaction(
        function* () {
          const before: Rows = yield listIds;
          yield unawaited(insert(id));
          return before;
        },
        [lock],
      );
    const unavailable = { reason: { code: 'STORE_UNAVAILABLE' } };

    it('do not share a commit if they have a common lock', async () => {
      const [first, second] = await Promise.all([writeOf('s1', 'same'), writeOf('s2', 'same')]);
      // Two connections wait for one lock: either can be the first.
      const firstWon = [[{ ids: null }], [{ ids: 's1' }]];
      const secondWon = [[{ ids: 's2' }], [{ ids: null }]];
      expect([firstWon, secondWon]).toContainEqual([first, second]);
      expect(await countCommits(database)).toBe(2);
    });

    it('are committed without the one that waits for a lock', async () => {
      const blocker = await holdLocks(url, ['blocked']);
      // The default is 5 s.
      database = await openPostgres(`${url}&lock_timeout=300`);
      onTestFinished(() => database.close());
      const results = await Promise.allSettled([writeOf('s1', 'blocked'), writeOf('s2', 'free')]);
      expect(results).toMatchObject([
        { reason: { code: 'STORE_UNAVAILABLE', cause: { code: '55P03' } } },
        { status: 'fulfilled' },
      ]);
      await blocker.release();
    });

    it('all fail when their connection is lost', async () => {
      const lost = database.transaction(
        function* () {
          yield sql`select pg_terminate_backend(pg_backend_pid())`;
        },
        ['lost'],
      );
      const results = await Promise.allSettled([writeOf('s1', 'a'), lost]);
      expect(results).toMatchObject([unavailable, unavailable]);
      expect(await database.all(listIds)).toEqual([{ ids: null }]);
    });
  });
});

async function openClient(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

/** A statement that waits while `holdLocks` holds the lock of this name. Several can go on at the same time. */
function waitForLock(name: string) {
  return sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`;
}

/** Takes the locks of these names on a connection of its own. */
async function holdLocks(url: string, names: readonly string[]) {
  const client = await openClient(url);
  await client.query('begin');
  for (const name of names) {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }
  async function awaitCount(count: number, text: string): Promise<void> {
    await expect.poll(async () => (await client.query(text)).rows.length).toBe(count);
  }
  return {
    client,
    /** Resolves when this many other connections wait for the locks. */
    awaitWaiting: (count: number) =>
      awaitCount(
        count,
        `select 1 from pg_locks own join pg_locks other using (classid, objid, objsubid)
          where own.locktype = 'advisory' and own.pid = pg_backend_pid()
            and other.locktype = 'advisory' and not other.granted`,
      ),
    /** Resolves when this many connections wait for one that waits for the locks. */
    awaitBlocked: (count: number) =>
      awaitCount(
        count,
        `select 1 from pg_stat_activity blocked
          join pg_stat_activity waiting on waiting.pid = any(pg_blocking_pids(blocked.pid))
          where pg_backend_pid() = any(pg_blocking_pids(waiting.pid))`,
      ),
    release: () => client.query('commit'),
  };
}

/** A proxy before the server at `url`, whose answers can wait until a client sends a certain text. */
async function holdAnswers(url: string) {
  const through = new URL(url);
  const { hostname, port } = through;
  let awaited: string | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const waiting: Buffer[] = [];
    client.on('data', (bytes) => {
      if (awaited !== undefined && bytes.includes(awaited)) {
        awaited = undefined;
        for (const answer of waiting.splice(0)) client.write(answer);
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (awaited === undefined) client.write(bytes);
      else waiting.push(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // The server listens on a port.
  through.port = String((server.address() as AddressInfo).port);
  through.hostname = '127.0.0.1';
  return {
    url: through.href,
    holdUntil(text: string) {
      awaited = text;
    },
  };
}
