// The contract of opening a store: its id, its version, and its migrations.

import { beforeEach, expect, it } from 'vitest';
import {
  type Database,
  type OpenOptions,
  sql,
  StoreError,
} from '../../../../bff/store/database.ts';
import { openDatabase, openStore } from '../../../../bff/store/open-store.ts';
import {
  migrate,
  type Migration,
  postgresDialect,
  sqliteDialect,
} from '../../../../bff/store/schema.ts';
import { createNewApplication } from './rows.ts';

const otherId = '0199c0de-0000-4000-8000-00000000000a';

/** @param createUrl Returns the URL of a place without a store. */
export function describeOpening(createUrl: () => string | Promise<string>): void {
  let url: string;

  beforeEach(async () => {
    url = await createUrl();
  });

  /** Returns the identity of the store, or the code of the refusal. */
  async function open(options: OpenOptions = {}) {
    try {
      const store = await openStore(url, options);
      const identity = { isNew: store.isNew, ...(await store.readIdentity()) };
      await store.close();
      return identity;
    } catch (error) {
      if (error instanceof StoreError) return error.code;
      throw error;
    }
  }

  async function use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await openDatabase(url);
    const result = await work(database);
    await database.close();
    return result;
  }

  it('keeps the id that it was created with', async () => {
    const created = await open({ clock: () => 7_000 });
    const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(created).toEqual({ isNew: true, id, createdAt: 7_000, applicationsReceived: 0 });
    expect(await open({ clock: () => 9_000 })).toEqual({ ...(created as object), isNew: false });
  });

  it('counts deleted applications', async () => {
    const store = await openStore(url);
    await store.addApplication(createNewApplication(), []);
    await store.close();
    await use((database) => database.all(sql`delete from application`));
    expect(await open()).toMatchObject({ applicationsReceived: 1 });
  });

  it('creates no tables without permission', async () => {
    expect(await open({ mayCreate: false })).toBe('STORE_NEW');
    expect(await open()).toMatchObject({ isNew: true });
  });

  it('refuses a store with another id', async () => {
    expect(await open({ storeId: otherId })).toBe('STORE_OTHER');
    expect(await open({ mayCreate: false })).toBe('STORE_NEW');
    const { id: storeId } = (await open()) as { readonly id: string };
    expect(await open({ storeId: otherId })).toBe('STORE_OTHER');
    expect(await open({ storeId })).toMatchObject({ id: storeId });
  });

  it('is created once when many processes open it', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(opened.filter((one) => (one as { isNew: boolean }).isNew)).toHaveLength(1);
    const versions = await use((database) => database.all(sql`select version from schema_version`));
    expect(versions).toEqual([{ version: 1 }]);
  });

  it.each([
    ['later', 99, 'STORE_NEWER'],
    ['earlier', 0, 'STORE_BEHIND'],
  ])('refuses a store of a %s version', async (_name, version, code) => {
    await use((database) => database.all(sql`update schema_version set version = ${version}`));
    expect(await open({ mayMigrate: false })).toBe(code);
  });

  it('runs each migration once', async () => {
    const addColumn: Migration = ({ integer }) => [`alter table session add column a ${integer}`];
    const found = await use(async (database) => {
      const dialect = database.isShared ? postgresDialect : sqliteDialect;
      const migrateTo = (migrations: readonly Migration[]) =>
        database.transaction(() => migrate(dialect, {}, migrations));
      // The first one has run already: a second time, it would fail.
      const first: Migration = () => ['create table session (id text)'];
      for (let turn = 1; turn <= 2; turn += 1) await migrateTo([first, addColumn]);
      await database.all(sql`select a from session`);
      return database.all(sql`select version from schema_version order by version`);
    });
    expect(found).toEqual([{ version: 1 }, { version: 2 }]);
    expect(await open()).toBe('STORE_NEWER');
  });
}
