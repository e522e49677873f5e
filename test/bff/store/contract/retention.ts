// The contract of retention.

import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import { abandonedMs } from '../../../../bff/store/retention.ts';
import {
  accepted,
  day,
  held,
  rejected,
  useStoreRig,
  waiting,
  type OpenTestDatabase,
} from './rig.ts';
import {
  bytes,
  createAttachment,
  createConsent,
  createNewApplication,
  createSession,
} from './rows.ts';

const retention = { recordDays: 30, undeliveredDays: 40, rejectedDays: 7, evidenceDays: 100 };

export function describeRetention(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.store.addApplication(createNewApplication(), [createConsent('c1')]);
  });

  describe('purge', () => {
    it('erases nothing new', async () => {
      await rig.complete('d1', 'one');
      rig.now += day;
      expect(await rig.store.purge(retention)).toEqual({ undelivered: [], rows: 0 });
    });

    it('erases names and tracking URLs of finished rows', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt({ ...accepted, encryptedTrackingUrl: bytes(7) });
      await rig.attempt({ state: 'accepted', serviceId: 'D1' }, 'document');
      rig.now += retention.recordDays * day;
      expect((await rig.store.purge(retention)).rows).toBe(2);
      expect((await rig.find()).encryptedTrackingUrl).toBeUndefined();
      expect((await rig.store.findAttachment('d1'))?.encryptedName).toBeUndefined();
      expect((await rig.store.listConsents('a1'))[0]?.encryptedAddress).toBeDefined();
    });

    it('never erases received rows', async () => {
      await rig.complete('d1', 'one');
      rig.now += retention.undeliveredDays * day;
      expect((await rig.store.purge(retention)).undelivered).toEqual([]);
      await rig.attempt(accepted);
      rig.now += retention.undeliveredDays * day;
      expect((await rig.store.purge(retention)).undelivered).toEqual([]);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('received');
    });

    it('never erases waiting rows', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt({ ...waiting, isUncertain: true });
      rig.now += retention.evidenceDays * day;
      expect((await rig.store.purge(retention)).undelivered).toEqual([]);
      await rig.attempt(accepted);
      await rig.attempt({ ...waiting, isUncertain: true }, 'document');
      await rig.database.all(sql`update application set received_at = ${rig.now}`);
      rig.now += retention.undeliveredDays * day;
      expect((await rig.store.purge(retention)).undelivered).toEqual([]);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('waiting');
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
    });

    it('erases held applications', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(held);
      rig.now += retention.undeliveredDays * day;
      expect((await rig.store.purge(retention)).undelivered).toEqual(['a1']);
      expect((await rig.find()).state).toBe('erased');
    });

    it('erases held documents', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt(held, 'document');
      rig.now += retention.undeliveredDays * day;
      expect((await rig.store.purge(retention)).undelivered).toEqual(['a1']);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('erased');
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect((await rig.find()).state).toBe('accepted');
    });

    it('erases the content of a rejected application after its retention time', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(rejected);
      rig.now += retention.rejectedDays * day - 1;
      expect((await rig.store.purge(retention)).rows).toBe(0);
      expect((await rig.find()).encryptedLead).toBeDefined();
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
      rig.now += 1;
      expect((await rig.store.purge(retention)).rows).toBe(2);
      expect((await rig.find()).encryptedLead).toBeUndefined();
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect((await rig.find()).state).toBe('rejected');
    });

    it('erases the content of a rejected document', async () => {
      await rig.complete('d1', 'one');
      await rig.complete('d2', 'two');
      await rig.attempt(accepted);
      await rig.attempt(rejected, 'document');
      rig.now += retention.rejectedDays * day;
      expect((await rig.store.purge(retention)).rows).toBe(1);
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect(await rig.store.readChunk('d2', 0)).toEqual(bytes(1));
    });

    it('deletes abandoned uploads', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      rig.now += abandonedMs;
      expect((await rig.store.purge(retention)).rows).toBe(1);
      expect(await rig.store.findAttachment('d1')).toBeUndefined();
    });

    it('deletes sessions without an application', async () => {
      await rig.database.all(sql`
        insert into session (id, origin, created_at) values ('s2', 'https://a', 100)`);
      rig.now += abandonedMs;
      expect((await rig.store.purge(retention)).rows).toBe(1);
      expect(await rig.store.findSession('s2')).toBeUndefined();
      expect(await rig.store.findSession('s1')).toBeDefined();
    });

    it('deletes a session whose application another session has taken over', async () => {
      const own = { idempotencyKey: 'k-a2', session: createSession('s-a3') };
      await rig.add('a2');
      await rig.store.addApplication(createNewApplication({ id: 'a3', ...own }), [], () => true);
      rig.now += abandonedMs;
      await rig.store.purge(retention);
      expect(await rig.store.findSession('s-a2')).toBeUndefined();
      expect(await rig.store.findSession('s-a3')).toMatchObject({ application: { id: 'a2' } });
    });

    it('deletes the session that ended before its first application', async () => {
      await rig.store.endSession(createSession('s2'), 100);
      rig.now += abandonedMs;
      await rig.store.purge(retention);
      expect(await rig.store.findSession('s2')).toBeUndefined();
    });

    it('deletes finished applications with all their rows', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      rig.now += retention.evidenceDays * day;
      await rig.store.purge(retention);
      expect(await rig.store.findApplication('a1')).toBeUndefined();
      expect(await rig.store.listConsents('a1')).toEqual([]);
      expect(await rig.store.findSession('s1')).toBeUndefined();
    });
  });

  it('scrubs erased data', async () => {
    await rig.store.erase('a1');
    await expect(rig.store.scrub()).resolves.toBe(true);
  });
}
