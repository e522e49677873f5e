// The contract of the retention policy.

import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, held, rejected, useStoreRig, waiting, type OpenTestDatabase } from './rig.ts';
import { bytes, createAttachment, createConsent, createNewApplication } from './rows.ts';

const day = 24 * 3_600_000;
const policy = {
  recordMs: 30 * day,
  undeliveredMs: 40 * day,
  rejectedMs: 7 * day,
  evidenceMs: 100 * day,
  abandonedMs: 2 * day,
};

export function describeRetention(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.store.addApplication(createNewApplication(), [createConsent('c1')]);
  });

  describe('purge', () => {
    it('erases nothing new', async () => {
      await rig.complete('d1', 'one');
      rig.now += day;
      expect(await rig.store.purge(policy)).toEqual({ undelivered: [], rows: 0 });
    });

    it('erases names and tracking URLs of finished rows', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt({ ...accepted, encryptedTrackingUrl: bytes(7) });
      await rig.attempt({ state: 'accepted', serviceId: 'D1' }, 'document');
      rig.now += policy.recordMs;
      expect((await rig.store.purge(policy)).rows).toBe(2);
      expect((await rig.find()).encryptedTrackingUrl).toBeUndefined();
      expect((await rig.store.findAttachment('d1'))?.encryptedName).toBeUndefined();
      expect((await rig.store.listConsents('a1'))[0]?.encryptedAddress).toBeDefined();
    });

    it('keeps new rows of any age', async () => {
      await rig.complete('d1', 'one');
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      await rig.attempt(accepted);
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('received');
    });

    it('keeps waiting rows of any age', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt({ ...waiting, isUncertain: true });
      rig.now += policy.evidenceMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      await rig.attempt(accepted);
      await rig.attempt({ ...waiting, isUncertain: true }, 'document');
      await rig.database.all(`update application set received_at = ?`, rig.now);
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('waiting');
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
    });

    it('erases held applications', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(held);
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual(['a1']);
      expect((await rig.find()).state).toBe('erased');
    });

    it('erases held documents', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt(held, 'document');
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual(['a1']);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('erased');
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect((await rig.find()).state).toBe('accepted');
    });

    it('erases the content of a rejected application after its retention time', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(rejected);
      rig.now += policy.rejectedMs - 1;
      expect((await rig.store.purge(policy)).rows).toBe(0);
      expect((await rig.find()).encryptedLead).toBeDefined();
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
      rig.now += 1;
      expect((await rig.store.purge(policy)).rows).toBe(2);
      expect((await rig.find()).encryptedLead).toBeUndefined();
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect((await rig.find()).state).toBe('rejected');
    });

    it('erases the content of a rejected document', async () => {
      await rig.complete('d1', 'one');
      await rig.complete('d2', 'two');
      await rig.attempt(accepted);
      await rig.attempt(rejected, 'document');
      rig.now += policy.rejectedMs;
      expect((await rig.store.purge(policy)).rows).toBe(1);
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect(await rig.store.readChunk('d2', 0)).toEqual(bytes(1));
    });

    it('deletes abandoned uploads', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      rig.now += policy.abandonedMs;
      expect((await rig.store.purge(policy)).rows).toBe(1);
      expect(await rig.store.findAttachment('d1')).toBeUndefined();
    });

    it('deletes sessions without an application', async () => {
      await rig.addSession('s2');
      rig.now += policy.abandonedMs;
      expect((await rig.store.purge(policy)).rows).toBe(1);
      expect(await rig.store.findSession('s2')).toBeUndefined();
      expect(await rig.store.findSession('s1')).toBeDefined();
    });

    it('deletes finished applications with all their rows', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      rig.now += policy.evidenceMs;
      await rig.store.purge(policy);
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
