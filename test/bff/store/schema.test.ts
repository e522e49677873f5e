// A store that an earlier release wrote, on both engines.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Rows, Statement } from '../../../bff/store/database.ts';
import { openDatabase, openStore } from '../../../bff/store/open-store.ts';
import {
  migrate,
  postgresDialect,
  sqliteDialect,
  type SqlDialect,
} from '../../../bff/store/schema.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';

type RunStatement = (statement: Statement) => Promise<Rows>;

function describeUpdate(engine: string, create: () => Promise<string>): void {
  describe(`a store of the first version on ${engine}`, () => {
    it('is brought up to date with all that is in it, by many processes at the same time', async () => {
      const url = await create();
      const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
      expect(await stores[0]?.findSession('s1')).toMatchObject({ origin: 'https://a' });
      expect(stores.filter(({ isNew }) => isNew)).toEqual([]);
      expect(await stores[0]?.readIdentity()).toMatchObject({
        createdAt: 7,
        applicationsReceived: 1,
      });
      await Promise.all(stores.map((store) => store.close()));
      const database = await openDatabase(url);
      expect(await database.all('select version from journal_schema order by version')).toEqual([
        { version: 1 },
        { version: 2 },
        { version: 3 },
        { version: 4 },
        { version: 5 },
      ]);
      await database.close();
    });
  });
}

it('a store of the first version is left as it is where nobody asks for more', async () => {
  const url = await createFirstOnSqlite();
  await expect(openStore(url, { mayMigrate: false })).rejects.toMatchObject({
    code: 'STORE_BEHIND',
  });
  const db = new DatabaseSync(url.slice('file:'.length));
  expect(db.prepare('select max(version) as version from journal_schema').get()).toEqual({
    version: 1,
  });
  db.close();
});

describeUpdate('SQLite', createFirstOnSqlite);
describePostgres('on a PostgreSQL', () => {
  describeUpdate('PostgreSQL', createFirstOnPostgres);
});

async function createFirstOnSqlite(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'store.db');
  const db = new DatabaseSync(path);
  await createFirst(sqliteDialect, async ({ sql, values }) => db.prepare(sql).all(...values));
  db.close();
  return `file:${path}`;
}

async function createFirstOnPostgres(): Promise<string> {
  const url = await createTestDatabaseUrl();
  const client = new Client({ connectionString: url });
  await client.connect();
  await createFirst(postgresDialect, async ({ sql, values }) => {
    const { rows } = await client.query(sql.replace('?', '$1'), [...values]);
    return rows;
  });
  await client.end();
  return url;
}

async function createFirst(words: SqlDialect, run: RunStatement): Promise<void> {
  const steps = migrate(words, { target: 1 });
  for (let step = steps.next([]); !step.done;) step = steps.next(await run(step.value));
  const insert = `insert into session (id, origin, created_at) values ('s1', 'https://a', 1)`;
  await run({ sql: insert, values: [] });
  const application = `insert into application
    (id, session_id, idempotency_key, fingerprint, state, key_id, wrapped_key, received_at)
    values ('a1', 's1', 'k1', 'f1', 'received', '1', cast('' as ${words.blob}), 7)`;
  await run({ sql: application, values: [] });
}
