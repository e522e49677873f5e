// What every store must do for an operator, as a suite that runs on an engine.

import { beforeEach, describe, expect, it } from 'vitest';
import type { ApplicationKey } from '../../../../bff/store/store.ts';
import { createStoreRig, leaseMs, type StoreRig, type OpenTestDatabase } from './rig.ts';
import { bytes, createAttachment, createConsent, createNew } from './rows.ts';

export function describeOperations(engine: string, open: OpenTestDatabase): void {
  describe(`operations on the store on ${engine}`, () => {
    let rig: StoreRig;

    beforeEach(async () => {
      rig = await createStoreRig(open);
      await rig.store.addApplication(createNew(), [createConsent('c1', 'a1')]);
      return () => rig.store.close();
    });

    async function addUnder(keyId: string, id: string): Promise<ApplicationKey> {
      const key = { keyId, bytes: bytes(...Buffer.from(id)) };
      await rig.addSession(`s-${id}`);
      await rig.add(id, `s-${id}`, { key });
      return { applicationId: id, key };
    }

    it('counts rows by kind and state, with the age of the oldest', async () => {
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2', receivedAt: 50 });
      await rig.complete('d1', 'one');
      expect(await rig.store.countStates()).toEqual(
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
      const states = (await rig.store.countStates()).map(({ state }) => state);
      expect(states.toSorted()).toEqual(['received', 'unreadable']);
    });

    it('lists what needs an operator, oldest first', async () => {
      await rig.holdDocument();
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      await rig.store.recordResult(await rig.claim(), { state: 'unconfirmed' });
      expect(await rig.store.listRowsNeedingOperator(9)).toEqual([
        {
          kind: 'application',
          state: 'unconfirmed',
          reference: 'a2',
          since: 100,
          heldReason: undefined,
          lastOutcome: 'duplicate-id',
        },
        {
          kind: 'document',
          state: 'held',
          reference: 'a1',
          since: 100,
          heldReason: 'uncertain',
          lastOutcome: undefined,
        },
      ]);
    });

    it('lists what the funding service refuses', async () => {
      await rig.complete('d1', 'one');
      await rig.accept();
      const waiting = { state: 'waiting', delayMs: 0, isUncertain: false } as const;
      await rig.store.recordResult(await rig.claim('document'), {
        ...waiting,
        isRefused: true,
        outcome: 'too-large',
      });
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      await rig.store.recordResult(await rig.claim(), waiting);
      expect(await rig.store.listRowsNeedingOperator(9)).toMatchObject([
        { kind: 'document', state: 'waiting', reference: 'a1', lastOutcome: 'too-large' },
      ]);
    });

    describe('a rejection that was a mistake', () => {
      const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;

      async function reject(): Promise<void> {
        await rig.store.recordResult(await rig.claim(), { state: 'rejected', errors });
      }

      it('is taken back: the application is due again', async () => {
        await reject();
        rig.now = 5_000;
        expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 1 });
        expect((await rig.claim()).application).toMatchObject({
          firstAttemptAt: 5_000,
          encryptedLead: createNew().encryptedLead,
          errors: [],
          finishedAt: undefined,
        });
      });

      it('takes the documents along, which wait for the application again', async () => {
        await rig.complete('d1', 'one');
        await reject();
        expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 2 });
        expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
        await rig.accept();
        expect(await rig.claim('document')).toMatchObject({ attachment: { id: 'd1' } });
      });

      it('stands where the applicant has filed another application since', async () => {
        await reject();
        await rig.add('a2', 's1', { idempotencyKey: 'k2' });
        expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'superseded', by: 'a2' });
        expect((await rig.find()).state).toBe('rejected');
      });

      it('is over once the content is gone', async () => {
        await reject();
        await rig.database.all(`update application set encrypted_lead = null where id = 'a1'`);
        expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 0 });
      });

      it('is taken back for a document, unless the same one was sent again', async () => {
        await rig.complete('d1', 'one');
        await rig.complete('d2', 'two');
        await rig.accept();
        await rig.store.recordResult(await rig.claim('document'), { state: 'rejected' });
        await rig.store.recordResult(await rig.claim('document'), { state: 'rejected' });
        await rig.complete('d3', 'two');
        expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 1 });
        expect((await rig.store.findAttachment('d1'))?.state).toBe('waiting');
        expect((await rig.store.findAttachment('d2'))?.state).toBe('rejected');
      });

      it('leaves alone what is not rejected', async () => {
        await rig.hold();
        expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 0 });
        expect(await rig.store.retryRejected('nobody')).toEqual({ kind: 'retried', rows: 0 });
      });
    });

    it('finds what waits since a moment, by its kind', async () => {
      await rig.complete('d1', 'one');
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2', receivedAt: 50 });
      expect(await rig.store.findWaitingReference('application', 50)).toBe('a2');
      expect(await rig.store.findWaitingReference('application', 100)).toBe('a1');
      expect(await rig.store.findWaitingReference('document', 100)).toBe('a1');
      expect(await rig.store.findWaitingReference('document', 50)).toBeUndefined();
      expect(await rig.store.findWaitingReference('bank-report', 100)).toBeUndefined();
    });

    it('takes for waiting what is being sent or to be sent again, and nothing that is over', async () => {
      const claim = await rig.claim();
      expect(await rig.store.findWaitingReference('application', 100)).toBe('a1');
      const waiting = { state: 'waiting', delayMs: 0, isUncertain: false } as const;
      await rig.store.recordResult(claim, waiting);
      expect(await rig.store.findWaitingReference('application', 100)).toBe('a1');
      await rig.holdDocument();
      expect(await rig.store.findWaitingReference('application', 100)).toBeUndefined();
      expect(await rig.store.findWaitingReference('document', 100)).toBeUndefined();
    });

    it('makes a held application due again, with the whole time before it', async () => {
      await rig.hold();
      rig.now = 5_000;
      expect(await rig.store.retry('a1')).toBe(1);
      expect((await rig.claim()).application).toMatchObject({
        firstAttemptAt: 5_000,
        uncertainAttempts: 1,
        clearedAttempts: 1,
        heldReason: undefined,
      });
    });

    it('makes held documents due again, and clears what was uncertain so far', async () => {
      await rig.holdDocument();
      expect(await rig.store.retryHeld()).toBe(1);
      expect(await rig.claim('document')).toMatchObject({
        attachment: { uncertainAttempts: 1, clearedAttempts: 1 },
      });
    });

    it('leaves alone what waits when all that is held is tried again', async () => {
      await rig.holdDocument();
      await rig.complete('d2', 'two');
      const delayMs = 9_000;
      const waiting = { state: 'waiting', delayMs, isUncertain: true } as const;
      await rig.store.recordResult(await rig.claim('document'), waiting);
      expect(await rig.store.retryHeld()).toBe(1);
      expect((await rig.store.findAttachment('d2'))?.clearedAttempts).toBe(0);
    });

    it('retries nothing of what was decided', async () => {
      await rig.accept();
      expect(await rig.store.retry('a1')).toBe(0);
    });

    it('resolves an unconfirmed application: its lead goes, its documents go out', async () => {
      await rig.complete('d1', 'one');
      await rig.store.recordResult(await rig.claim(), { state: 'unconfirmed' });
      expect(await rig.store.resolve('a1', 'L7')).toBe(true);
      expect(await rig.find()).toMatchObject({
        state: 'accepted',
        serviceId: 'L7',
        encryptedLead: undefined,
      });
      expect(await rig.claim('document')).toMatchObject({ application: { serviceId: 'L7' } });
    });

    it('resolves nothing that is being sent, was accepted or was rejected', async () => {
      const claim = await rig.claim();
      expect(await rig.store.resolve('a1', 'L7')).toBe(false);
      await rig.store.recordResult(claim, { state: 'rejected' });
      expect(await rig.store.resolve('a1', 'L7')).toBe(false);
    });

    describe('erasing', () => {
      it('leaves a tombstone without anything personal, and sends nothing any more', async () => {
        await rig.complete('d1', 'one');
        expect(await rig.store.erase('a1')).toBe('erased');
        const { key, ...row } = await rig.find();
        expect(row).toMatchObject({
          state: 'erased',
          encryptedLead: undefined,
          fingerprint: '',
          erasedAt: 100,
        });
        expect(key.bytes).toHaveLength(0);
        expect(await rig.store.findAttachment('d1')).toMatchObject({
          state: 'erased',
          encryptedName: undefined,
        });
        expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
        expect((await rig.store.listConsents('a1'))[0]?.encryptedAddress).toBeUndefined();
        expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
      });

      it('keeps what was decided, and the session is free again', async () => {
        await rig.complete('d1', 'one');
        await rig.accept();
        await rig.store.erase('a1');
        expect(await rig.find()).toMatchObject({ state: 'accepted', serviceId: 'L1' });
        expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
        expect(await rig.store.findCurrentApplication('s1')).toBeUndefined();
        const next = createNew({ id: 'a2', idempotencyKey: 'k2' });
        expect((await rig.store.addApplication(next, [])).kind).toBe('added');
      });

      it('waits for what is being sent', async () => {
        await rig.claim();
        expect(await rig.store.erase('a1')).toBe('sending');
        expect((await rig.find()).encryptedLead).toBeDefined();
      });

      it('knows no application it was not given', async () => {
        expect(await rig.store.erase('a9')).toBe('not-found');
      });

      it('takes no document any more that was still coming in', async () => {
        await rig.store.beginAttachment(createAttachment('d1'), 9);
        await rig.store.erase('a1');
        expect(await rig.store.addChunk('d1', 0, bytes(1))).toBe(false);
      });
    });

    it('replaces a wrapped key only by the one that was made from it', async () => {
      const [found] = await rig.store.listKeysToRewrap('2', 9);
      expect(found).toEqual({ applicationId: 'a1', key: createNew().key });
      const to = { keyId: '2', bytes: bytes(9) };
      const stale = { keyId: '1', bytes: bytes(7) };
      expect(await rig.store.replaceKey('a1', stale, to)).toBe(false);
      expect(await rig.store.replaceKey('a1', createNew().key, to)).toBe(true);
      expect((await rig.find()).key).toEqual(to);
      expect(await rig.store.listKeysToRewrap('2', 9)).toEqual([]);
    });

    it('counts what each data key wraps, with the oldest and the newest, and nothing that was erased', async () => {
      const first = { applicationId: 'a1', key: createNew().key };
      const other = await addUnder('2', 'a2');
      const middle = await addUnder('1', 'a3');
      const last = await addUnder('1', 'a4');
      expect(await rig.store.listDataKeyUse()).toEqual([
        { keyId: '1', count: 3, samples: [first, last] },
        { keyId: '2', count: 1, samples: [other] },
      ]);
      await rig.store.erase('a1');
      await rig.store.erase('a2');
      const rest = { keyId: '1', count: 2, samples: [middle, last] };
      expect(await rig.store.listDataKeyUse()).toEqual([rest]);
    });
  });
}
