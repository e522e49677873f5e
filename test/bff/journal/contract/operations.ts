// What every journal must do for an operator, and with what has become old, as a suite that runs on an engine.

import { beforeEach, describe, expect, it } from 'vitest';
import { createJournalRig, leaseMs, type JournalRig, type OpenTestDatabase } from './rig.ts';
import { bytes, createChild, createConsent, createNew } from './rows.ts';

const day = 24 * 3_600_000;
const policy = {
  recordMs: 30 * day,
  undeliveredMs: 40 * day,
  evidenceMs: 100 * day,
  abandonedMs: 2 * day,
};

export function describeOperations(engine: string, open: OpenTestDatabase): void {
  describe(`operations on the journal on ${engine}`, () => {
    let rig: JournalRig;

    beforeEach(async () => {
      rig = await createJournalRig(open);
      await rig.journal.addApplication(createNew(), [createConsent('c1', 'a1')]);
      return () => rig.journal.close();
    });

    async function hold(): Promise<void> {
      await rig.journal.settle(await rig.claim(), {
        state: 'held',
        reason: 'deadline',
        isUncertain: true,
      });
    }

    async function holdDocument(): Promise<void> {
      await rig.complete('d1', 'one');
      await rig.accept();
      await rig.journal.settle(await rig.claim('document'), {
        state: 'held',
        reason: 'uncertain',
        isUncertain: true,
      });
    }

    it('counts rows by kind and state, with the age of the oldest', async () => {
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2', receivedAt: 50 });
      await rig.complete('d1', 'one');
      expect(await rig.journal.countStates()).toEqual(
        expect.arrayContaining([
          { kind: 'application', state: 'received', count: 2, oldestAt: 50 },
          { kind: 'document', state: 'received', count: 1, oldestAt: 100 },
        ]),
      );
    });

    it('counts a row in no state we know, without hiding the others', async () => {
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      await rig.database.all(`update application set state = 'lost' where id = 'a2'`);
      const states = (await rig.journal.countStates()).map(({ state }) => state);
      expect(states.toSorted()).toEqual(['received', 'unreadable']);
    });

    it('lists what needs an operator, oldest first', async () => {
      await holdDocument();
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      await rig.journal.settle(await rig.claim(), { state: 'unconfirmed' });
      expect(await rig.journal.listNeedingOperator(9)).toEqual([
        {
          kind: 'application',
          state: 'unconfirmed',
          reference: 'a2',
          since: 100,
          heldReason: undefined,
        },
        {
          kind: 'document',
          state: 'held',
          reference: 'a1',
          since: 100,
          heldReason: 'uncertain',
        },
      ]);
    });

    it('makes a held application due again, with the whole time before it', async () => {
      await hold();
      rig.now = 5_000;
      expect(await rig.journal.retry('a1')).toBe(1);
      expect((await rig.claim()).application).toMatchObject({
        firstAttemptAt: 5_000,
        uncertainAttempts: 1,
        heldReason: undefined,
      });
    });

    it('makes held documents due again, and clears what was uncertain so far', async () => {
      await holdDocument();
      expect(await rig.journal.retryHeld()).toBe(1);
      expect(await rig.claim('document')).toMatchObject({
        child: { uncertainAttempts: 1, clearedAttempts: 1 },
      });
    });

    it('leaves alone what waits when all that is held is tried again', async () => {
      await holdDocument();
      await rig.complete('d2', 'two');
      const pauseMs = 9_000;
      const waiting = { state: 'waiting', pauseMs, isUncertain: true } as const;
      await rig.journal.settle(await rig.claim('document'), waiting);
      expect(await rig.journal.retryHeld()).toBe(1);
      expect((await rig.journal.findChild('d2'))?.clearedAttempts).toBe(0);
    });

    it('retries nothing of what was decided', async () => {
      await rig.accept();
      expect(await rig.journal.retry('a1')).toBe(0);
    });

    it('resolves an unconfirmed application: its lead goes, its documents go out', async () => {
      await rig.complete('d1', 'one');
      await rig.journal.settle(await rig.claim(), { state: 'unconfirmed' });
      expect(await rig.journal.resolve('a1', 'L7')).toBe(true);
      expect(await rig.find()).toMatchObject({
        state: 'accepted',
        serviceId: 'L7',
        sealedLead: undefined,
      });
      expect(await rig.claim('document')).toMatchObject({ application: { serviceId: 'L7' } });
    });

    it('resolves nothing that is being sent, was accepted or was rejected', async () => {
      const claim = await rig.claim();
      expect(await rig.journal.resolve('a1', 'L7')).toBe(false);
      await rig.journal.settle(claim, { state: 'rejected' });
      expect(await rig.journal.resolve('a1', 'L7')).toBe(false);
    });

    describe('erasing', () => {
      it('leaves a tombstone without anything personal, and sends nothing any more', async () => {
        await rig.complete('d1', 'one');
        expect(await rig.journal.erase('a1')).toBe('erased');
        const { key, ...row } = await rig.find();
        expect(row).toMatchObject({
          state: 'erased',
          sealedLead: undefined,
          fingerprint: '',
          erasedAt: 100,
        });
        expect(key.bytes).toHaveLength(0);
        expect(await rig.journal.findChild('d1')).toMatchObject({
          state: 'erased',
          sealedName: undefined,
        });
        expect(await rig.journal.readChunk('d1', 0)).toBeUndefined();
        expect((await rig.journal.listConsents('a1'))[0]?.sealedAddress).toBeUndefined();
        expect(await rig.journal.claimDue('application', leaseMs)).toBeUndefined();
      });

      it('keeps what was decided, and the session is free again', async () => {
        await rig.complete('d1', 'one');
        await rig.accept();
        await rig.journal.erase('a1');
        expect(await rig.find()).toMatchObject({ state: 'accepted', serviceId: 'L1' });
        expect(await rig.journal.claimDue('document', leaseMs)).toBeUndefined();
        expect(await rig.journal.findCurrentApplication('s1')).toBeUndefined();
        const next = createNew({ id: 'a2', idempotencyKey: 'k2' });
        expect((await rig.journal.addApplication(next, [])).kind).toBe('added');
      });

      it('waits for what is being sent', async () => {
        await rig.claim();
        expect(await rig.journal.erase('a1')).toBe('sending');
        expect((await rig.find()).sealedLead).toBeDefined();
      });

      it('knows no application it was not given', async () => {
        expect(await rig.journal.erase('a9')).toBe('not-found');
      });

      it('takes no document any more that was still coming in', async () => {
        await rig.journal.beginChild(createChild('d1'), 9);
        await rig.journal.erase('a1');
        expect(await rig.journal.addChunk('d1', 0, bytes(1))).toBe(false);
      });
    });

    it('replaces a wrapped key only by the one that was made from it', async () => {
      const [found] = await rig.journal.listKeysNotUnder('2', 9);
      expect(found).toEqual({ applicationId: 'a1', key: createNew().key });
      const to = { keyId: '2', bytes: bytes(9) };
      const stale = { keyId: '1', bytes: bytes(7) };
      expect(await rig.journal.replaceKey('a1', stale, to)).toBe(false);
      expect(await rig.journal.replaceKey('a1', createNew().key, to)).toBe(true);
      expect((await rig.find()).key).toEqual(to);
      expect(await rig.journal.listKeysNotUnder('2', 9)).toEqual([]);
    });

    it('counts how many applications each data key wraps, without those that were erased', async () => {
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2', key: { keyId: '2', bytes: bytes(1) } });
      await rig.addSession('s3');
      await rig.add('a3', 's3', { idempotencyKey: 'k3' });
      const both = await rig.journal.countKeys();
      expect([...both].sort((a, b) => Number(a.keyId) - Number(b.keyId))).toEqual([
        { keyId: '1', count: 2 },
        { keyId: '2', count: 1 },
      ]);
      await rig.journal.erase('a2');
      expect(await rig.journal.countKeys()).toEqual([{ keyId: '1', count: 2 }]);
    });

    describe('purging', () => {
      it('keeps everything that is young', async () => {
        await rig.complete('d1', 'one');
        rig.now += day;
        expect(await rig.journal.purge(policy)).toEqual({ undelivered: [], rows: 0 });
      });

      it('erases names and tracking addresses of what is finished', async () => {
        await rig.complete('d1', 'one');
        await rig.journal.settle(await rig.claim(), {
          state: 'accepted',
          serviceId: 'L1',
          sealedTrackingUrl: bytes(7),
        });
        await rig.journal.settle(await rig.claim('document'), {
          state: 'accepted',
          serviceId: 'D1',
        });
        rig.now += policy.recordMs;
        expect((await rig.journal.purge(policy)).rows).toBe(2);
        expect((await rig.find()).sealedTrackingUrl).toBeUndefined();
        expect((await rig.journal.findChild('d1'))?.sealedName).toBeUndefined();
        expect((await rig.journal.listConsents('a1'))[0]?.sealedAddress).toBeDefined();
      });

      it('keeps what is acknowledged and still on its way, however old', async () => {
        await rig.complete('d1', 'one');
        rig.now += policy.undeliveredMs;
        expect((await rig.journal.purge(policy)).undelivered).toEqual([]);
        await rig.accept();
        rig.now += policy.undeliveredMs;
        expect((await rig.journal.purge(policy)).undelivered).toEqual([]);
        expect((await rig.journal.findChild('d1'))?.state).toBe('received');
      });

      it('erases what was given up and never delivered, and says so', async () => {
        await rig.complete('d1', 'one');
        await hold();
        rig.now += policy.undeliveredMs;
        expect((await rig.journal.purge(policy)).undelivered).toEqual(['a1']);
        expect((await rig.find()).state).toBe('erased');
      });

      it('erases documents that were never delivered, and says so', async () => {
        await holdDocument();
        rig.now += policy.undeliveredMs;
        expect((await rig.journal.purge(policy)).undelivered).toEqual(['a1']);
        expect((await rig.journal.findChild('d1'))?.state).toBe('erased');
        expect(await rig.journal.readChunk('d1', 0)).toBeUndefined();
        expect((await rig.find()).state).toBe('accepted');
      });

      it('drops uploads that broke off, and sessions without an application', async () => {
        await rig.addSession('s2');
        await rig.journal.beginChild(createChild('d1'), 9);
        rig.now += policy.abandonedMs;
        expect((await rig.journal.purge(policy)).rows).toBe(2);
        expect(await rig.journal.findChild('d1')).toBeUndefined();
        expect(await rig.journal.findSession('s2')).toBeUndefined();
        expect(await rig.journal.findSession('s1')).toBeDefined();
      });

      it('drops the tombstone with its consents and documents at the end', async () => {
        await rig.complete('d1', 'one');
        await rig.accept();
        rig.now += policy.evidenceMs;
        await rig.journal.purge(policy);
        expect(await rig.journal.findApplication('a1')).toBeUndefined();
        expect(await rig.journal.listConsents('a1')).toEqual([]);
        expect(await rig.journal.findSession('s1')).toBeUndefined();
      });

      it('scrubs without complaint', async () => {
        await rig.journal.erase('a1');
        await expect(rig.journal.scrub()).resolves.toBe(true);
      });
    });
  });
}
