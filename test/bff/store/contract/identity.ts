// What a store on either engine must know about itself, and which store an opening accepts.

import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, openStore } from '../../../../bff/store/open-store.ts';
import { createNew } from './rows.ts';

const otherId = '0199c0de-0000-4000-8000-00000000000a';

/** @param createUrl answers the address of a place without a store. */
export function describeIdentity(engine: string, createUrl: () => Promise<string>): void {
  describe(`the identity of a store on ${engine}`, () => {
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

    it('is written once', async () => {
      const first = await openStore(url, { clock: () => 7_000 });
      const { id } = await first.readIdentity();
      expect(first.isNew).toBe(true);
      await first.close();
      const second = await openStore(url, { clock: () => 9_000 });
      expect(second.isNew).toBe(false);
      expect(await second.readIdentity()).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        createdAt: 7_000,
        applicationsReceived: 0,
      });
      expect((await second.readIdentity()).id).toBe(id);
      await second.close();
    });

    it('counts applications whose rows were deleted', async () => {
      const database = await openDatabase(url);
      await database.all(`insert into session (id, origin, created_at) values ('s1', 'o', 1)`);
      await database.close();
      const store = await openStore(url);
      await store.addApplication(createNew(), []);
      await store.close();
      const eraser = await openDatabase(url);
      await eraser.all('delete from application');
      await eraser.close();
      expect((await readIdentity()).applicationsReceived).toBe(1);
    });

    it('creates no tables when it may not', async () => {
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

    it('creates no store for an id that it would not have', async () => {
      const opening = openStore(url, { storeId: otherId });
      await expect(opening).rejects.toMatchObject({ code: 'STORE_OTHER' });
      await expect(readIdentity()).rejects.toMatchObject({ code: 'STORE_NEW' });
    });
  });
}
