// The contract of a store's id and of opening a store.

import { beforeEach, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import { openDatabase, openStore } from '../../../../bff/store/open-store.ts';
import { createNewApplication } from './rows.ts';

const otherId = '0199c0de-0000-4000-8000-00000000000a';

/** @param createUrl Returns the URL of a place without a store. */
export function describeIdentity(createUrl: () => string | Promise<string>): void {
  let url: string;

  beforeEach(async () => {
    url = await createUrl();
  });

  async function readIdentity() {
    const store = await openStore(url, { mayCreate: false });
    const identity = await store.readIdentity();
    await store.close();
    return identity;
  }

  it('keeps the id that it was created with', async () => {
    const first = await openStore(url, { clock: () => 7_000 });
    const { id } = await first.readIdentity();
    expect(first.isNew).toBe(true);
    await first.close();
    const second = await openStore(url, { clock: () => 9_000 });
    expect(second.isNew).toBe(false);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await second.readIdentity()).toEqual({ id, createdAt: 7_000, applicationsReceived: 0 });
    await second.close();
  });

  it('counts deleted applications', async () => {
    const store = await openStore(url);
    await store.addApplication(createNewApplication(), []);
    await store.close();
    const database = await openDatabase(url);
    await database.all(sql`delete from application`);
    await database.close();
    expect((await readIdentity()).applicationsReceived).toBe(1);
  });

  it('creates no tables without permission', async () => {
    const opening = openStore(url, { mayCreate: false });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_NEW' });
    const store = await openStore(url);
    expect(store.isNew).toBe(true);
    await store.close();
  });

  it('refuses a store with another id', async () => {
    await (await openStore(url)).close();
    const opening = openStore(url, { storeId: otherId });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_OTHER' });
    const { id } = await readIdentity();
    await (await openStore(url, { storeId: id })).close();
  });

  it('creates no store when an id is expected', async () => {
    const opening = openStore(url, { storeId: otherId });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_OTHER' });
    await expect(readIdentity()).rejects.toMatchObject({ code: 'STORE_NEW' });
  });
}
