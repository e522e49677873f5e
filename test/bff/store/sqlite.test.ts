// The contract on SQLite, and the behavior of the file.

import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toClaimStatement, toNextDueStatement } from '../../../bff/store/claims.ts';
import { type Database, rawSql, sql, type Statement } from '../../../bff/store/database.ts';
import {
  countEventsStatement,
  toEventClaimStatement,
  toNextEventStatement,
} from '../../../bff/store/events.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import {
  countStatement,
  toMatchStatement,
  toWaitingStatement,
} from '../../../bff/store/operator-actions.ts';
import { defaultSettings } from '../../../bff/config/settings.ts';
import { toDeletionStatement, toPurgeStatements } from '../../../bff/store/retention.ts';
import { openSqlite } from '../../../bff/store/sqlite.ts';
import { deliveryKinds, type DeliveryKind } from '../../../bff/store/store.ts';
import { describeRecovery } from './contract/claims.ts';
import { describeContract } from './contract/contract.ts';
import { createNewApplication, createSession } from './contract/rows.ts';

describeContract('SQLite', async (options) => openSqlite('file::memory:', options));

describe('a store on SQLite', () => {
  describeRecovery(async (options) => openSqlite('file::memory:', options));
});

describe('openSqlite', () => {
  let folder: string;
  let url: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    url = `file:${join(folder, 'store.db')}`;
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('creates files that only their user can read', async () => {
    const path = join(folder, 'deep', 'store.db');
    const store = await openStore(`file:${path}`, { isOwner: true });
    for (const file of [path, `${path}-wal`, `${path}-lock`]) {
      expect(statSync(file).mode & 0o077).toBe(0);
    }
    await store.close();
  });

  it('persists rows', async () => {
    const first = await openStore(url);
    await first.addApplication(createNewApplication(), []);
    await first.close();
    const second = await openStore(url);
    expect((await second.findSession('s1'))?.origin).toBe('https://a');
    await second.close();
  });

  it('refuses a second owner while others can read', async () => {
    const owner = await openStore(url, { isOwner: true });
    await expect(openStore(url, { isOwner: true })).rejects.toMatchObject({
      code: 'STORE_IN_USE',
    });
    const reader = await openStore(url);
    expect(await reader.countStates()).toEqual([]);
    await reader.close();
    await owner.close();
    const next = await openStore(url, { isOwner: true });
    await next.close();
  });

  it('refuses a second owner through a symbolic link', async () => {
    const owner = await openStore(url, { isOwner: true });
    const link = join(folder, 'link.db');
    symlinkSync(join(folder, 'store.db'), link);
    await expect(openStore(`file:${link}`, { isOwner: true })).rejects.toMatchObject({
      code: 'STORE_IN_USE',
    });
    await owner.close();
  });

  it('syncs commits and overwrites deleted rows', async () => {
    const database = openSqlite(url);
    const read = async (name: string) =>
      Object.values((await database.all(rawSql(`pragma ${name}`)))[0] as object)[0];
    expect(await read('journal_mode')).toBe('wal');
    expect(await read('synchronous')).toBe(2);
    expect(await read('secure_delete')).toBe(1);
    expect(await read('foreign_keys')).toBe(1);
    await database.close();
  });

  it('copies no changed pages to temporary files', async () => {
    const database = openSqlite(url);
    expect(await database.all(sql`pragma temp_store`)).toEqual([{ temp_store: 2 }]);
    await database.close();
  });

  it('empties the write-ahead log when it scrubs', async () => {
    const store = await openStore(url);
    await store.addApplication(createNewApplication(), []);
    const log = join(folder, 'store.db-wal');
    expect(statSync(log).size).toBeGreaterThan(0);
    await store.scrub();
    expect(statSync(log).size).toBe(0);
    await store.close();
  });

  it('scrubs nothing while another connection reads', async () => {
    const store = await openStore(url);
    await store.addApplication(createNewApplication(), []);
    const reader = new DatabaseSync(join(folder, 'store.db'));
    reader.exec('begin');
    reader.prepare('select * from session').all();
    await store.endSession(createSession('s1'), 2);
    expect(await store.scrub()).toBe(false);
    reader.close();
    expect(await store.scrub()).toBe(true);
    await store.close();
  });

  it('rolls back a failed transaction', async () => {
    const database = openSqlite('file::memory:');
    const failing = database.transaction(function* () {
      yield sql`insert into session (id, origin, created_at) values ('s', 'o', 1)`;
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await database.all(sql`select * from session`)).toEqual([]);
    await database.close();
  });

  describe('writes of one turn of the event loop', () => {
    const add = (id: string) =>
      sql`insert into session (id, origin, created_at) values (${id}, 'https://a', 1)`;
    const listIds = `select group_concat(id) as ids from session`;

    it('share one commit', async () => {
      const database = openSqlite(url);
      await database.scrub();
      const ids = Array.from({ length: 10 }, (_, index) => `s${index}`);
      await Promise.all(
        ids.map((id, index) =>
          index % 2 === 0
            ? database.all(add(id))
            : database.transaction(function* () {
                yield add(id);
              }),
        ),
      );
      expect(countCommits(join(folder, 'store.db-wal'))).toBe(1);
      expect(await database.all(rawSql(listIds))).toEqual([{ ids: ids.join() }]);
      await database.close();
    });

    it('keep their results when one of them fails', async () => {
      const database = openSqlite(url);
      const failing = function* () {
        yield add('undone');
        yield add('first');
      };
      const results = await Promise.allSettled([
        database.all(add('first')),
        database.transaction(failing),
        database.all(add('last')),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await database.all(rawSql(listIds))).toEqual([{ ids: 'first,last' }]);
      await database.close();
    });

    it('keep their results when the database undoes their transaction', async () => {
      const database = openSqlite(url);
      await database.all(
        rawSql(`create trigger refuse before insert on session when new.id = 'fatal'
          begin select raise(rollback, 'undone'); end`),
      );
      const results = await Promise.allSettled([
        database.all(add('before')),
        database.all(add('fatal')),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(await database.all(rawSql(listIds))).toEqual([{ ids: 'before' }]);
      await database.close();
    });

    it('all fail when the store fails', async () => {
      const database = openSqlite(url);
      const [{ pages }] = (await database.all(
        rawSql('select page_count as pages from pragma_page_count'),
      )) as [{ pages: number }];
      await database.all(rawSql(`pragma max_page_count = ${pages}`));
      const results = await Promise.allSettled([
        database.all(add('before')),
        database.all(add('x'.repeat(20_000))),
      ]);
      const failed = { status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } };
      expect(results).toMatchObject([failed, failed]);
      expect(await database.all(rawSql(listIds))).toEqual([{ ids: null }]);
      await database.close();
    });

    it('are invisible to a read before their commit', async () => {
      const database = openSqlite(url);
      const added = database.all(add('s1'));
      expect(await database.all(rawSql(listIds))).toEqual([{ ids: null }]);
      await added;
      expect(await database.all(rawSql(listIds))).toEqual([{ ids: 's1' }]);
      await database.close();
    });

    it('are committed before the database closes', async () => {
      const database = openSqlite(url);
      const added = database.all(add('s1'));
      await database.close();
      await added;
      const reopened = openSqlite(url);
      expect(await reopened.all(rawSql(listIds))).toEqual([{ ids: 's1' }]);
      await reopened.close();
    });
  });

  const statements = [
    ['a short reference', toMatchStatement('7K4-92M')] as const,
    ['old applications', toDeletionStatement(defaultSettings().retention)] as const,
    ...deliveryKinds.flatMap(listDeliveryStatements),
    ['the next event', toEventClaimStatement({ name: 'webhook', target: '' }, 1)] as const,
    [
      'the time until the next event',
      toNextEventStatement({ name: 'webhook', target: '' }),
    ] as const,
    ...toPurgeStatements(defaultSettings().retention).map(
      (statement) => [statement.sql.replaceAll(/\s+/g, ' ').slice(0, 50), statement] as const,
    ),
  ];

  it.each(statements)('finds %s without a table scan', async (_name, statement) => {
    const database = openSqlite('file::memory:');
    const steps = await explain(database, statement);
    expect(steps.filter((step) => step.startsWith('SEARCH'))).not.toEqual([]);
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    await database.close();
  });

  it('counts rows without reading them', async () => {
    const database = openSqlite('file::memory:');
    const steps = await explain(database, countStatement);
    expect(steps.filter((step) => /application|attachment/.test(step))).toEqual([
      'SEARCH application USING COVERING INDEX application_unfinished (state=?)',
      'SEARCH attachment USING COVERING INDEX attachment_unfinished (kind=? AND state=?)',
    ]);
    await database.close();
  });

  it('counts events without reading them all', async () => {
    const database = openSqlite('file::memory:');
    const steps = await explain(database, countEventsStatement);
    expect(steps.filter((step) => /event_stream|event USING/.test(step))).toEqual([
      'SEARCH event_stream USING COVERING INDEX event_stream_next (consumer=? AND next_at>?)',
      'SEARCH event_stream USING INDEX event_stream_pending (consumer=?)',
      'SEARCH event USING COVERING INDEX event_given_up (consumer=? AND given_up_at>?)',
      'SEARCH event USING COVERING INDEX event_given_up (consumer=? AND given_up_at>?)',
    ]);
    await database.close();
  });

  it('reports a full disk as STORE_UNAVAILABLE', async () => {
    const database = openSqlite(url);
    await database.all(sql`pragma max_page_count = 60`);
    const fill = async () => {
      for (let number = 0; ; number += 1) {
        await database.all(sql`
          insert into session (id, origin, created_at)
          values (${`s${number}`}, ${'x'.repeat(4000)}, 1)`);
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(database.all(sql`select no_such_column`)).rejects.toMatchObject({
      code: 'ERR_SQLITE_ERROR',
    });
    await database.all(sql`pragma max_page_count = 100000`);
    expect(await database.all(sql`select id from session where id = 's0'`)).toHaveLength(1);
    await database.close();
  });

  it('refuses a URL that is not file:', () => {
    expect(() => openSqlite('postgres://host/db')).toThrow(RangeError);
  });
});

/** The last frame of a commit names the size of the database (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
function countCommits(logPath: string): number {
  const log = readFileSync(logPath);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let start = 32; start < log.length; start += frameBytes) {
    if (log.readUInt32BE(start + 4) > 0) commits += 1;
  }
  return commits;
}

async function explain(database: Database, statement: Statement): Promise<readonly string[]> {
  const steps = await database.all(sql`explain query plan ${statement}`);
  return steps.map((step) => (step as { readonly detail: string }).detail);
}

function listDeliveryStatements(kind: DeliveryKind): readonly (readonly [string, Statement])[] {
  return [
    [`the next ${kind}`, toClaimStatement(kind, 1)],
    [`${kind} by id`, toClaimStatement(kind, 1, 'a1')],
    [`the time until the next ${kind}`, toNextDueStatement(kind)],
    [`a waiting ${kind}`, toWaitingStatement(kind, 1)],
  ];
}
