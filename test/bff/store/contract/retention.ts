// The contract of retention. `states.ts` has the states in which a row is erased.

import { beforeEach, describe, expect, it } from 'vitest';
import { abandonedMs } from '../../../../bff/store/retention.ts';
import * as results from './rig.ts';
import { type OpenTestDatabase, retention, useStoreRig } from './rig.ts';
import { bytes, createNewApplication, createSession, day } from './rows.ts';

const { accepted, held } = results;

export function describeRetention(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(() => rig.add());

  /** Purges just before the end of a time, and at its end. Returns the numbers of rows. */
  async function purgeAtEnd(ms: number): Promise<readonly number[]> {
    rig.now += ms - 1;
    const before = await rig.store.purge(retention);
    rig.now += 1;
    return [before.rows, (await rig.store.purge(retention)).rows];
  }

  const readContent = (id: string) => rig.store.readChunk(id, 0);

  describe('a purge', () => {
    it('erases names and tracking URLs of finished rows', async () => {
      await rig.complete('d1');
      await rig.attempt({ ...accepted, encryptedTrackingUrl: bytes(7) });
      await rig.attempt(accepted, 'document');
      expect(await purgeAtEnd(retention.recordDays * day)).toEqual([0, 2]);
      expect((await rig.find()).encryptedTrackingUrl).toBeUndefined();
      expect((await rig.store.listConsents('a1'))[0]?.encryptedAddress).toBeDefined();
    });

    it('erases a held application, or a held document of another', async () => {
      await rig.play('add d1, accepted, document held');
      await rig.add('a2');
      await rig.attempt(held);
      expect(await purgeAtEnd(retention.undeliveredDays * day)).toEqual([0, 2]);
      expect([(await rig.find()).state, (await rig.find('a2')).state]).toEqual([
        'accepted',
        'erased',
      ]);
      expect(await rig.findDocument()).toMatchObject({ state: 'erased', encryptedName: undefined });
      expect(await readContent('d1')).toBeUndefined();
    });

    it('erases the content of a rejected application', async () => {
      await rig.play('add d1, rejected');
      expect(await purgeAtEnd(retention.rejectedDays * day)).toEqual([0, 2]);
      expect((await rig.find()).encryptedLead).toBeUndefined();
      expect(await readContent('d1')).toBeUndefined();
    });

    it('erases the content of a rejected document only', async () => {
      await rig.play('add d1, accepted, document rejected');
      await rig.complete('d2');
      expect(await purgeAtEnd(retention.rejectedDays * day)).toEqual([0, 1]);
      expect([await readContent('d1'), await readContent('d2')]).toEqual([undefined, bytes(0)]);
    });

    it('deletes abandoned uploads, and sessions without an application', async () => {
      await rig.begin('d1');
      await rig.store.endSession(createSession('s2'), 100);
      expect(await purgeAtEnd(abandonedMs)).toEqual([0, 2]);
      expect(await rig.findDocument()).toBeUndefined();
      expect(await rig.store.findSession('s2')).toBeUndefined();
      expect(await rig.store.findSession('s1')).toBeDefined();
    });

    it('deletes a session whose application another session has taken over', async () => {
      const again = createNewApplication({ id: 'a2', idempotencyKey: 'k1' });
      await rig.store.addApplication(again, [], () => true);
      expect(await purgeAtEnd(abandonedMs)).toEqual([0, 1]);
      expect(await rig.store.findSession('s1')).toBeUndefined();
      expect(await rig.store.findSession('s2')).toMatchObject({ application: { id: 'a1' } });
    });

    it('deletes finished applications with all their rows', async () => {
      await rig.attempt(accepted);
      // The application, and then its session.
      expect(await purgeAtEnd(retention.evidenceDays * day)).toEqual([0, 2]);
      expect(await rig.store.findApplication('a1')).toBeUndefined();
      expect(await rig.store.listConsents('a1')).toEqual([]);
      expect(await rig.store.findSession('s1')).toBeUndefined();
    });
  });
}
