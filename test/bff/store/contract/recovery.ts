// What a store that belongs to one process must do with what that process left behind.

import { beforeEach, describe, expect, it } from 'vitest';
import { createStoreRig, leaseMs, type StoreRig, type OpenTestDatabase } from './rig.ts';
import { createAttachment, createNew } from './rows.ts';

export function describeRecovery(engine: string, open: OpenTestDatabase): void {
  describe(`the store on ${engine} after a restart`, () => {
    let rig: StoreRig;

    beforeEach(async () => {
      rig = await createStoreRig(open);
      await rig.store.addApplication(createNew(), []);
      return () => rig.store.close();
    });

    it('lets an application found sending be claimed at once, as uncertain', async () => {
      await rig.claim();
      await rig.store.recover();
      expect((await rig.claim()).application.uncertainAttempts).toBe(1);
    });

    it('lets a document found sending be claimed at once, as uncertain', async () => {
      await rig.complete('d1', 'one');
      await rig.accept();
      await rig.claim('document');
      await rig.store.recover();
      expect(await rig.claim('document')).toMatchObject({ attachment: { uncertainAttempts: 1 } });
    });

    it('gives up incomplete documents, and keeps complete ones', async () => {
      await rig.complete('d1', 'one');
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      await rig.store.recover();
      expect((await rig.store.findAttachment('d1'))?.state).toBe('received');
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
    });

    it('lets a row that ends the process again and again wait, longer each time', async () => {
      await rig.claim();
      for (let crash = 1; crash <= 2; crash += 1) {
        await rig.store.recover();
        await rig.claim();
      }
      await rig.store.recover();
      expect(await rig.store.findNextDueMs(['application'])).toBe(leaseMs);
      const long = 10 * 60_000;
      await rig.database.all('update application set lease_until = {now} + ?', long);
      await rig.store.recover();
      expect(await rig.store.findNextDueMs(['application'])).toBe(4_000);
      await rig.database.all('update application set interruptions = 99');
      await rig.database.all('update application set lease_until = {now} + ?', 99 * long);
      await rig.store.recover();
      expect(await rig.store.findNextDueMs(['application'])).toBe(15 * 60_000);
    });
  });
}
