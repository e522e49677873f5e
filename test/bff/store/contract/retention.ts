// What every store must do with what has become old, as a suite that runs on an engine.

import { beforeEach, describe, expect, it } from 'vitest';
import { createStoreRig, type StoreRig, type OpenTestDatabase } from './rig.ts';
import { bytes, createAttachment, createConsent, createNew } from './rows.ts';

const day = 24 * 3_600_000;
const policy = {
  recordMs: 30 * day,
  undeliveredMs: 40 * day,
  rejectedMs: 7 * day,
  evidenceMs: 100 * day,
  abandonedMs: 2 * day,
};

export function describeRetention(engine: string, open: OpenTestDatabase): void {
  describe(`what the store on ${engine} keeps`, () => {
    let rig: StoreRig;

    beforeEach(async () => {
      rig = await createStoreRig(open);
      await rig.store.addApplication(createNew(), [createConsent('c1', 'a1')]);
      return () => rig.store.close();
    });

    it('keeps everything that is young', async () => {
      await rig.complete('d1', 'one');
      rig.now += day;
      expect(await rig.store.purge(policy)).toEqual({ undelivered: [], rows: 0 });
    });

    it('erases names and tracking addresses of what is finished', async () => {
      await rig.complete('d1', 'one');
      await rig.store.recordResult(await rig.claim(), {
        state: 'accepted',
        serviceId: 'L1',
        encryptedTrackingUrl: bytes(7),
      });
      await rig.store.recordResult(await rig.claim('document'), {
        state: 'accepted',
        serviceId: 'D1',
      });
      rig.now += policy.recordMs;
      expect((await rig.store.purge(policy)).rows).toBe(2);
      expect((await rig.find()).encryptedTrackingUrl).toBeUndefined();
      expect((await rig.store.findAttachment('d1'))?.encryptedName).toBeUndefined();
      expect((await rig.store.listConsents('a1'))[0]?.encryptedAddress).toBeDefined();
    });

    it('keeps what is acknowledged and still on its way, however old', async () => {
      await rig.complete('d1', 'one');
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      await rig.accept();
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('received');
    });

    it('erases what was given up and never delivered, and says so', async () => {
      await rig.complete('d1', 'one');
      await rig.hold();
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual(['a1']);
      expect((await rig.find()).state).toBe('erased');
    });

    it('keeps what waits to be sent again, however old', async () => {
      await rig.complete('d1', 'one');
      const waiting = { state: 'waiting', delayMs: 0, isUncertain: true } as const;
      await rig.store.recordResult(await rig.claim(), waiting);
      rig.now += policy.evidenceMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      await rig.accept();
      await rig.store.recordResult(await rig.claim('document'), waiting);
      await rig.database.all(`update application set received_at = ?`, rig.now);
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual([]);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('waiting');
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
    });

    it('keeps the content of a rejection for its grace time, then erases it', async () => {
      await rig.complete('d1', 'one');
      await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
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

    it('erases the content of a rejected document after its grace time', async () => {
      await rig.complete('d1', 'one');
      await rig.complete('d2', 'two');
      await rig.accept();
      await rig.store.recordResult(await rig.claim('document'), { state: 'rejected' });
      rig.now += policy.rejectedMs;
      expect((await rig.store.purge(policy)).rows).toBe(1);
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect(await rig.store.readChunk('d2', 0)).toEqual(bytes(1));
    });

    it('erases documents that were never delivered, and says so', async () => {
      await rig.holdDocument();
      rig.now += policy.undeliveredMs;
      expect((await rig.store.purge(policy)).undelivered).toEqual(['a1']);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('erased');
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect((await rig.find()).state).toBe('accepted');
    });

    it('drops uploads that broke off, and sessions without an application', async () => {
      await rig.addSession('s2');
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      rig.now += policy.abandonedMs;
      expect((await rig.store.purge(policy)).rows).toBe(2);
      expect(await rig.store.findAttachment('d1')).toBeUndefined();
      expect(await rig.store.findSession('s2')).toBeUndefined();
      expect(await rig.store.findSession('s1')).toBeDefined();
    });

    it('drops the tombstone with its consents and documents at the end', async () => {
      await rig.complete('d1', 'one');
      await rig.accept();
      rig.now += policy.evidenceMs;
      await rig.store.purge(policy);
      expect(await rig.store.findApplication('a1')).toBeUndefined();
      expect(await rig.store.listConsents('a1')).toEqual([]);
      expect(await rig.store.findSession('s1')).toBeUndefined();
    });

    it('scrubs without complaint', async () => {
      await rig.store.erase('a1');
      await expect(rig.store.scrub()).resolves.toBe(true);
    });
  });
}
