// What every store must do with documents, reports and wishes to be contacted, as a suite that runs on an engine.

import { beforeEach, describe, expect, it } from 'vitest';
import type { AttachmentKind } from '../../../../bff/store/store.ts';
import { createStoreRig, leaseMs, type StoreRig, type OpenTestDatabase } from './rig.ts';
import { bytes, createAttachment, createConsent, createNew } from './rows.ts';

export function describeAttachments(engine: string, open: OpenTestDatabase): void {
  describe(`documents and reports in the store on ${engine}`, () => {
    let rig: StoreRig;

    beforeEach(async () => {
      rig = await createStoreRig(open);
      await rig.store.addApplication(createNew(), []);
      return () => rig.store.close();
    });

    it('lists complete children only, numbered in the order they became complete', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      await rig.store.completeAttachment('d2', { fingerprint: 'f2', bytes: 2, limit: 9 });
      await rig.store.beginAttachment(createAttachment('d3'), 9);
      await rig.store.completeAttachment('d1', { fingerprint: 'f1', bytes: 1, limit: 9 });
      const documents = await rig.store.listAttachments('a1', 'document');
      expect(documents.map(({ id, number }) => [id, number])).toEqual([
        ['d2', 1],
        ['d1', 2],
      ]);
    });

    it('gives back the pieces of a child', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      expect(await rig.store.addChunk('d1', 0, bytes(1, 2))).toBe(true);
      expect(await rig.store.addChunk('d1', 1, bytes(3))).toBe(true);
      expect(await rig.store.readChunk('d1', 1)).toEqual(bytes(3));
      expect(await rig.store.readChunk('d1', 2)).toBeUndefined();
    });

    it('begins no more than the limit, incomplete ones included', async () => {
      expect(await rig.store.beginAttachment(createAttachment('d1'), 1)).toBe('begun');
      expect(await rig.store.beginAttachment(createAttachment('d2'), 1)).toBe('limit-reached');
      expect(await rig.store.beginAttachment(createAttachment('r1', 'bank-report'), 1)).toBe(
        'begun',
      );
    });

    it('begins none for an application that was refused meanwhile', async () => {
      await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
      expect(await rig.store.beginAttachment(createAttachment('d1'), 9)).toBe('closed');
    });

    it('takes no more than the limit of twenty completed at once', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `d${index}`);
      for (const id of ids) await rig.store.beginAttachment(createAttachment(id), 99);
      const results = await Promise.all(
        ids.map((id) => rig.store.completeAttachment(id, { fingerprint: id, bytes: 1, limit: 5 })),
      );
      expect(results.filter(({ kind }) => kind === 'added')).toHaveLength(5);
      const numbers = (await rig.store.listAttachments('a1', 'document')).map((row) => row.number);
      expect(numbers).toEqual([1, 2, 3, 4, 5]);
    });

    it('drops a child that is there already, with its pieces', async () => {
      await rig.complete('d1', 'same');
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      await rig.store.addChunk('d2', 0, bytes(1));
      const result = await rig.store.completeAttachment('d2', {
        fingerprint: 'same',
        bytes: 1,
        limit: 9,
      });
      expect(result).toMatchObject({ kind: 'same', attachment: { id: 'd1' } });
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
      expect(await rig.store.readChunk('d2', 0)).toBeUndefined();
    });

    it('drops a child beyond the limit when it is complete', async () => {
      await rig.complete('d1', 'one');
      await rig.store.beginAttachment(createAttachment('d2'), 2);
      const completed = { fingerprint: 'two', bytes: 1, limit: 1 };
      expect(await rig.store.completeAttachment('d2', completed)).toEqual({
        kind: 'limit-reached',
      });
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
    });

    it('keeps a name from the moment a child is complete', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      expect((await rig.store.findAttachment('d1'))?.encryptedName).toBeUndefined();
      const completed = { fingerprint: 'f', bytes: 1, encryptedName: bytes(9), limit: 9 };
      const result = await rig.store.completeAttachment('d1', completed);
      expect(result).toMatchObject({ kind: 'added', attachment: { encryptedName: bytes(9) } });
      expect((await rig.store.findAttachment('d1'))?.encryptedName).toEqual(bytes(9));
    });

    describe('with a limit to the bytes of all together', () => {
      const complete = async (id: string, size: number, kind?: AttachmentKind) => {
        await rig.store.beginAttachment(createAttachment(id, kind), 9);
        await rig.store.addChunk(id, 0, bytes(1));
        const completed = { fingerprint: id, bytes: size, limit: 9, maxTotalBytes: 10 };
        return (await rig.store.completeAttachment(id, completed)).kind;
      };

      it('takes exactly as much, and drops what is beyond it with its pieces', async () => {
        expect([await complete('d1', 4), await complete('d2', 6)]).toEqual(['added', 'added']);
        expect(await complete('d3', 1)).toBe('size-limit-reached');
        expect(await rig.store.findAttachment('d3')).toBeUndefined();
        expect(await rig.store.readChunk('d3', 0)).toBeUndefined();
      });

      it('counts each kind for itself, and not what was rejected', async () => {
        await complete('d1', 10);
        expect(await complete('r1', 10, 'bank-report')).toBe('added');
        await rig.accept();
        await rig.store.recordResult(await rig.claim('document'), { state: 'rejected' });
        expect(await complete('d2', 10)).toBe('added');
      });

      it('takes no more of twenty that are completed at once', async () => {
        const ids = Array.from({ length: 20 }, (_, index) => `d${index}`);
        for (const id of ids) await rig.store.beginAttachment(createAttachment(id), 99);
        const kinds = await Promise.all(
          ids.map(async (id) => {
            const completed = { fingerprint: id, bytes: 3, limit: 99, maxTotalBytes: 10 };
            return (await rig.store.completeAttachment(id, completed)).kind;
          }),
        );
        expect(kinds.filter((kind) => kind === 'added')).toHaveLength(3);
        expect(kinds.filter((kind) => kind === 'size-limit-reached')).toHaveLength(17);
      });

      it('takes the same again when there is no space left, since it takes none', async () => {
        await complete('d1', 10);
        await rig.store.beginAttachment(createAttachment('d2'), 9);
        const completed = { fingerprint: 'd1', bytes: 10, limit: 9, maxTotalBytes: 10 };
        expect(await rig.store.completeAttachment('d2', completed)).toMatchObject({
          kind: 'same',
          attachment: { id: 'd1' },
        });
      });
    });

    it('drops a child that was given up, and takes no more pieces of it', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      await rig.store.addChunk('d1', 0, bytes(1));
      await rig.store.discardAttachment('d1');
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect(await rig.store.addChunk('d1', 1, bytes(1))).toBe(false);
      const completed = { fingerprint: 'f', bytes: 1, limit: 9 };
      expect(await rig.store.completeAttachment('d1', completed)).toEqual({ kind: 'discarded' });
    });

    it('claims no child before its application is accepted', async () => {
      await rig.complete('d1', 'one');
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
      expect(await rig.store.findNextDueMs(['document'])).toBeUndefined();
      await rig.accept();
      expect(await rig.store.findNextDueMs(['document'])).toBe(0);
      expect(await rig.claim('document')).toMatchObject({
        kind: 'document',
        application: { serviceId: 'L1' },
        attachment: { id: 'd1', attempts: 1 },
      });
    });

    it('claims at once what is completed after the acceptance', async () => {
      await rig.accept();
      await rig.complete('d1', 'one');
      expect(await rig.claim('document')).toMatchObject({ attachment: { id: 'd1' } });
    });

    it('forgets an upload that was cut off with its process when it counts to the limit', async () => {
      expect(await rig.store.beginAttachment(createAttachment('d1'), 1)).toBe('begun');
      rig.now += 3_600_001;
      expect(await rig.store.beginAttachment(createAttachment('d2'), 1)).toBe('begun');
    });

    it('claims one document of an application at a time, and those of others meanwhile', async () => {
      await rig.complete('d1', 'one');
      await rig.complete('d2', 'two');
      await rig.complete('r1', 'report', 'bank-report');
      await rig.accept();
      const first = await rig.claim('document');
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
      expect(await rig.claim('bank-report')).toMatchObject({ attachment: { id: 'r1' } });
      await rig.store.recordResult(first, { state: 'accepted', serviceId: 'D1' });
      expect(await rig.claim('document')).toMatchObject({ attachment: { id: 'd2' } });
    });

    it('erases the pieces of a delivered child, and keeps its row', async () => {
      await rig.complete('d1', 'one');
      await rig.accept();
      await rig.store.recordResult(await rig.claim('document'), {
        state: 'accepted',
        serviceId: 'D1',
      });
      expect(await rig.store.findAttachment('d1')).toMatchObject({
        state: 'accepted',
        serviceId: 'D1',
      });
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
    });

    it('keeps a held child and its pieces, sends it no more, and takes it only once', async () => {
      await rig.complete('d1', 'one');
      await rig.accept();
      await rig.store.recordResult(await rig.claim('document'), {
        state: 'held',
        reason: 'uncertain',
        isUncertain: true,
      });
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
      rig.now = 1_000_000;
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
      expect(await rig.store.findNextDueMs(['document'])).toBeUndefined();
      expect(await rig.complete('d2', 'one')).toMatchObject({
        kind: 'same',
        attachment: { id: 'd1' },
      });
    });

    it('takes the same child again after it was rejected', async () => {
      await rig.complete('d1', 'one');
      await rig.accept();
      await rig.store.recordResult(await rig.claim('document'), { state: 'rejected' });
      expect((await rig.complete('d2', 'one')).kind).toBe('added');
    });

    it('rejects the attachments of a rejected application with their content', async () => {
      await rig.complete('d1', 'one');
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
      expect((await rig.store.findAttachment('d1'))?.state).toBe('rejected');
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
    });

    describe('a wish to be contacted', () => {
      const contact = (id: string) => ({ id, applicationId: 'a1', createdAt: 100 });

      it('is ready to be sent, with the consent given for it', async () => {
        const result = await rig.store.addContactRequest(contact('w1'), createConsent('c1', 'a1'));
        expect(result).toMatchObject({
          kind: 'added',
          attachment: { state: 'received', number: 1 },
        });
        expect(await rig.store.listConsents('a1')).toHaveLength(1);
        await rig.accept();
        expect(await rig.claim('contact')).toMatchObject({
          kind: 'contact',
          attachment: { id: 'w1' },
        });
      });

      it('is one while it is on its way, and each consent is kept', async () => {
        await rig.store.addContactRequest(contact('w1'), createConsent('c1', 'a1'));
        const again = await rig.store.addContactRequest(contact('w2'), createConsent('c2', 'a1'));
        expect(again).toMatchObject({ kind: 'pending', attachment: { id: 'w1' } });
        expect(await rig.store.listConsents('a1')).toHaveLength(2);
      });

      it('is another one once the first was done', async () => {
        await rig.store.addContactRequest(contact('w1'), createConsent('c1', 'a1'));
        await rig.accept();
        await rig.store.recordResult(await rig.claim('contact'), {
          state: 'accepted',
          serviceId: '',
        });
        const again = await rig.store.addContactRequest(contact('w2'), createConsent('c2', 'a1'));
        expect(again).toMatchObject({ kind: 'added', attachment: { id: 'w2', number: 2 } });
      });

      it('is not taken by an application that was refused', async () => {
        await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
        const result = await rig.store.addContactRequest(contact('w1'), createConsent('c1', 'a1'));
        expect(result).toEqual({ kind: 'closed' });
        expect(await rig.store.listConsents('a1')).toEqual([]);
      });
    });
  });
}
