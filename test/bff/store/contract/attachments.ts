// The contract of documents, bank reports, and contact requests.

import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, sql } from '../../../../bff/store/database.ts';
import { createStore } from '../../../../bff/store/open-store.ts';
import type { AttachmentKind, Store } from '../../../../bff/store/store.ts';
import { accepted, held, leaseMs, rejected, useStoreRig, type OpenTestDatabase } from './rig.ts';
import { bytes, createAttachment, createConsent, createNewApplication } from './rows.ts';

export function describeAttachments(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.store.addApplication(createNewApplication(), []);
  });

  describe('attachments', () => {
    it('lists complete attachments in the order of their completion', async () => {
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

    it('reads chunks by number', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      expect(await rig.store.addChunk('d1', 0, bytes(1, 2))).toBe(true);
      expect(await rig.store.addChunk('d1', 1, bytes(3))).toBe(true);
      expect(await rig.store.readChunk('d1', 1)).toEqual(bytes(3));
      expect(await rig.store.readChunk('d1', 2)).toBeUndefined();
    });

    it('counts incomplete attachments towards the limit of their kind', async () => {
      expect(await rig.store.beginAttachment(createAttachment('d1'), 1)).toBe('begun');
      expect(await rig.store.beginAttachment(createAttachment('d2'), 1)).toBe('limit-reached');
      const report = createAttachment('r1', 'bank-report');
      expect(await rig.store.beginAttachment(report, 1)).toBe('begun');
    });

    it('does not count an upload that is older than an hour', async () => {
      expect(await rig.store.beginAttachment(createAttachment('d1'), 1)).toBe('begun');
      rig.now += 3_600_001;
      expect(await rig.store.beginAttachment(createAttachment('d2'), 1)).toBe('begun');
    });

    it('begins no attachment of a rejected application', async () => {
      await rig.attempt(rejected);
      expect(await rig.store.beginAttachment(createAttachment('d1'), 9)).toBe('closed');
    });

    it('stores the name when an attachment is complete', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      expect((await rig.store.findAttachment('d1'))?.encryptedName).toBeUndefined();
      const completed = { fingerprint: 'f', bytes: 1, encryptedName: bytes(9), limit: 9 };
      const result = await rig.store.completeAttachment('d1', completed);
      expect(result).toMatchObject({ kind: 'added', attachment: { encryptedName: bytes(9) } });
      expect((await rig.store.findAttachment('d1'))?.encryptedName).toEqual(bytes(9));
    });

    it('discards a duplicate with its chunks', async () => {
      await rig.complete('d1', 'same');
      expect(await rig.complete('d2', 'same')).toMatchObject({
        kind: 'same',
        attachment: { id: 'd1' },
      });
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
      expect(await rig.store.readChunk('d2', 0)).toBeUndefined();
    });

    it('accepts a duplicate of a rejected attachment', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt(rejected, 'document');
      expect((await rig.complete('d2', 'one')).kind).toBe('added');
    });

    it('discards an attachment beyond the limit on completion', async () => {
      await rig.complete('d1', 'one');
      await rig.store.beginAttachment(createAttachment('d2'), 2);
      const completed = { fingerprint: 'two', bytes: 1, limit: 1 };
      expect(await rig.store.completeAttachment('d2', completed)).toEqual({
        kind: 'limit-reached',
      });
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
    });

    it('completes no more than the limit of twenty concurrent attachments', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `d${index}`);
      for (const id of ids) await rig.store.beginAttachment(createAttachment(id), 99);
      const results = await Promise.all(
        ids.map((id) => rig.store.completeAttachment(id, { fingerprint: id, bytes: 1, limit: 5 })),
      );
      expect(results.filter(({ kind }) => kind === 'added')).toHaveLength(5);
      const numbers = (await rig.store.listAttachments('a1', 'document')).map((row) => row.number);
      expect(numbers).toEqual([1, 2, 3, 4, 5]);
    });

    it('adds no chunks to a discarded attachment', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      await rig.store.addChunk('d1', 0, bytes(1));
      await rig.store.discardAttachment('d1');
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect(await rig.store.addChunk('d1', 1, bytes(1))).toBe(false);
      const completed = { fingerprint: 'f', bytes: 1, limit: 9 };
      expect(await rig.store.completeAttachment('d1', completed)).toEqual({ kind: 'discarded' });
    });
  });

  describe('a held document', () => {
    const hold = async (id: string, holdMs = 30, isCategoryChosen = true) => {
      await rig.store.beginAttachment(createAttachment(id), 99);
      await rig.store.addChunk(id, 0, bytes(1));
      await rig.store.addChunk(id, 1, bytes(2));
      const completed = { fingerprint: id, bytes: 2, encryptedName: bytes(9), limit: 99 };
      await rig.store.completeAttachment(id, { ...completed, holdMs, isCategoryChosen });
    };
    const claim = () => rig.store.claimDue('document', leaseMs);

    it('is due when its time is over', async () => {
      await rig.attempt(accepted);
      await hold('d1');
      expect(await rig.store.findNextDueMs(['document'])).toBe(30);
      expect(await claim()).toBeUndefined();
      rig.now += 30;
      expect(await claim()).toMatchObject({ attachment: { id: 'd1' } });
    });

    it('is held for the rest of its time after its application is accepted', async () => {
      await hold('d1');
      rig.now += 10;
      await rig.attempt(accepted);
      expect(await rig.store.findNextDueMs(['document'])).toBe(20);
    });

    it('is due at once if its application is accepted after its time', async () => {
      await hold('d1');
      rig.now += 40;
      await rig.attempt(accepted);
      expect(await claim()).toMatchObject({ attachment: { id: 'd1' } });
    });

    it('is due after a restart', async () => {
      await rig.attempt(accepted);
      await hold('d1');
      await rig.store.recover();
      rig.now += 30;
      expect(await claim()).toMatchObject({ attachment: { id: 'd1', uncertainAttempts: 0 } });
    });

    it('gets the category that the applicant chooses, for another time', async () => {
      await rig.attempt(accepted);
      await hold('d1', 600, false);
      expect(await rig.store.findAttachment('d1')).toMatchObject({ isCategoryChosen: false });
      rig.now += 20;
      expect(await rig.store.changeCategory('a1', 1, 'ein-letter', 30)).toMatchObject({
        kind: 'changed',
        attachment: { category: 'ein-letter', isCategoryChosen: true, releaseAt: 150 },
      });
      expect(await rig.store.findNextDueMs(['document'])).toBe(30);
    });

    it('stays not due before its application is accepted, when its category changes', async () => {
      await hold('d1');
      await rig.store.changeCategory('a1', 1, 'ein-letter', 30);
      expect(await rig.store.findNextDueMs(['document'])).toBeUndefined();
    });

    it('is erased with its content when it is withdrawn', async () => {
      await rig.attempt(accepted);
      await hold('d1');
      expect((await rig.store.withdrawDocument('a1', 1)).kind).toBe('changed');
      const rows = await rig.database.all(sql`select * from chunk where attachment_id = 'd1'`);
      expect(rows).toEqual([]);
      expect(await rig.store.findAttachment('d1')).toMatchObject({
        state: 'erased',
        encryptedName: undefined,
        finishedAt: 100,
      });
      rig.now += 30;
      expect(await claim()).toBeUndefined();
    });

    it('can be withdrawn twice', async () => {
      await hold('d1');
      await rig.store.withdrawDocument('a1', 1);
      expect((await rig.store.withdrawDocument('a1', 1)).kind).toBe('changed');
      expect((await rig.store.changeCategory('a1', 1, 'other', 0)).kind).toBe('not-found');
    });

    it('frees its place but not its number when it is withdrawn', async () => {
      await hold('d1');
      await rig.store.withdrawDocument('a1', 1);
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      const completed = { fingerprint: 'd1', bytes: 1, limit: 1 };
      expect(await rig.store.completeAttachment('d2', completed)).toMatchObject({
        kind: 'added',
        attachment: { number: 2 },
      });
    });

    it.each(['sending', 'waiting', 'accepted', 'rejected', 'held'] as const)(
      'does not change any more when it is %s',
      async (state) => {
        await rig.attempt(accepted);
        await hold('d1', 0);
        await rig.claim('document');
        await rig.database.all(sql`update attachment set state = ${state} where id = 'd1'`);
        const before = await rig.store.findAttachment('d1');
        expect(await rig.store.withdrawDocument('a1', 1)).toEqual({ kind: 'sent' });
        expect(await rig.store.changeCategory('a1', 1, 'ein-letter', 9)).toEqual({ kind: 'sent' });
        expect(await rig.store.findAttachment('d1')).toEqual(before);
        expect(await rig.store.readChunk('d1', 1)).toEqual(bytes(2));
      },
    );

    it('is not found by the number of another application', async () => {
      await hold('d1');
      await rig.add('a2');
      expect(await rig.store.withdrawDocument('a2', 1)).toEqual({ kind: 'not-found' });
      expect(await rig.store.changeCategory('a2', 1, 'other', 0)).toEqual({ kind: 'not-found' });
      expect(await rig.store.withdrawDocument('a1', 0)).toEqual({ kind: 'not-found' });
    });

    it('is either sent or withdrawn when both happen at once', async () => {
      await rig.attempt(accepted);
      for (let number = 1; number <= 20; number += 1) {
        const id = `d${number}`;
        await hold(id, 0);
        const [claimed, withdrawn] = await Promise.all([
          rig.store.claimDue('document', leaseMs, id),
          rig.store.withdrawDocument('a1', number),
        ]);
        expect(withdrawn.kind).toBe(claimed === undefined ? 'changed' : 'sent');
        if (claimed && claimed.kind !== 'unreadable')
          await rig.store.recordResult(claimed, accepted);
      }
    });
  });

  describe('the size limit', () => {
    const complete = async (id: string, size: number, kind?: AttachmentKind) => {
      await rig.store.beginAttachment(createAttachment(id, kind), 9);
      await rig.store.addChunk(id, 0, bytes(1));
      const completed = { fingerprint: id, bytes: size, limit: 9, maxTotalBytes: 10 };
      return (await rig.store.completeAttachment(id, completed)).kind;
    };

    it('discards an attachment that exceeds it', async () => {
      expect([await complete('d1', 4), await complete('d2', 6)]).toEqual(['added', 'added']);
      expect(await complete('d3', 1)).toBe('size-limit-reached');
      expect(await rig.store.findAttachment('d3')).toBeUndefined();
      expect(await rig.store.readChunk('d3', 0)).toBeUndefined();
    });

    it('applies to each kind separately', async () => {
      await complete('d1', 10);
      expect(await complete('r1', 10, 'bank-report')).toBe('added');
    });

    it('does not count rejected attachments', async () => {
      await complete('d1', 10);
      await rig.attempt(accepted);
      await rig.attempt(rejected, 'document');
      expect(await complete('d2', 10)).toBe('added');
    });

    it('does not count a duplicate', async () => {
      await complete('d1', 10);
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      const completed = { fingerprint: 'd1', bytes: 10, limit: 9, maxTotalBytes: 10 };
      expect(await rig.store.completeAttachment('d2', completed)).toMatchObject({
        kind: 'same',
        attachment: { id: 'd1' },
      });
    });

    it('holds for twenty concurrent attachments', async () => {
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
  });

  describe('discarding an upload', () => {
    const completed = { fingerprint: 'same', bytes: 9, limit: 9 };
    let store: Store;
    /** The number of chunks after each transaction, and the turns of the event loop before it. */
    let steps: { readonly chunks: number; readonly turn: number }[];

    beforeEach(() => {
      steps = [];
      let turn = 0;
      let isOver = false;
      setImmediate(function count() {
        turn += 1;
        if (!isOver) setImmediate(count);
      });
      const watched: Database = {
        ...rig.database,
        async transaction(work, locks) {
          const result = await rig.database.transaction(work, locks);
          steps.push({ chunks: await countChunks(), turn });
          return result;
        },
      };
      store = createStore(watched);
      return () => {
        isOver = true;
      };
    });

    it('deletes few chunks per transaction, in separate turns of the event loop', async () => {
      await begin('d1', 9);
      await store.discardAttachment('d1');
      expect(steps.map(({ chunks }) => chunks)).toEqual([5, 1, 0]);
      expect(new Set(steps.map(({ turn }) => turn)).size).toBe(3);
      expect(await store.findAttachment('d1')).toBeUndefined();
    });

    it('deletes the attachment after a full transaction', async () => {
      await begin('d1', 4);
      await store.discardAttachment('d1');
      expect(steps.map(({ chunks }) => chunks)).toEqual([0, 0]);
      expect(await store.findAttachment('d1')).toBeUndefined();
    });

    it('deletes duplicates in small transactions', async () => {
      await rig.complete('d1', 'same');
      await begin('d2', 9);
      expect((await store.completeAttachment('d2', completed)).kind).toBe('same');
      // One chunk of `d1`, and nine of `d2`.
      expect(steps.map(({ chunks }) => chunks)).toEqual([10, 6, 2, 1]);
      expect(await store.findAttachment('d2')).toBeUndefined();
    });

    it('deletes attachments beyond the limit in small transactions', async () => {
      await rig.complete('d1', 'one');
      await begin('d2', 9);
      const result = await store.completeAttachment('d2', { ...completed, limit: 1 });
      expect(result.kind).toBe('limit-reached');
      expect(steps.map(({ chunks }) => chunks)).toEqual([10, 6, 2, 1]);
      expect(await store.findAttachment('d2')).toBeUndefined();
    });

    it('does not delete a complete attachment', async () => {
      await begin('d1', 9);
      await store.completeAttachment('d1', completed);
      steps = [];
      await store.discardAttachment('d1');
      expect(steps.map(({ chunks }) => chunks)).toEqual([9]);
      expect(await store.findAttachment('d1')).toMatchObject({ state: 'received' });
    });

    it('deletes no chunk of another attachment', async () => {
      await begin('d1', 2);
      await begin('d2', 2);
      await store.discardAttachment('d1');
      expect(await store.readChunk('d2', 1)).toEqual(bytes(1));
    });

    async function begin(id: string, chunks: number): Promise<void> {
      await rig.store.beginAttachment(createAttachment(id), 9);
      for (let number = 0; number < chunks; number += 1) {
        await rig.store.addChunk(id, number, bytes(number));
      }
    }

    async function countChunks(): Promise<number> {
      return (await rig.database.all(sql`select number from chunk`)).length;
    }
  });

  describe('the delivery of attachments', () => {
    it('starts when the application is accepted', async () => {
      await rig.complete('d1', 'one');
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
      expect(await rig.store.findNextDueMs(['document'])).toBeUndefined();
      await rig.attempt(accepted);
      expect(await rig.store.findNextDueMs(['document'])).toBe(0);
      expect(await rig.claim('document')).toMatchObject({
        kind: 'document',
        application: { serviceId: 'L1' },
        attachment: { id: 'd1', attempts: 1 },
      });
    });

    it('starts at once for an attachment of an accepted application', async () => {
      await rig.attempt(accepted);
      await rig.complete('d1', 'one');
      expect(await rig.claim('document')).toMatchObject({ attachment: { id: 'd1' } });
    });

    it('sends one attachment of each kind per application at a time', async () => {
      await rig.complete('d1', 'one');
      await rig.complete('d2', 'two');
      await rig.complete('r1', 'report', 'bank-report');
      await rig.attempt(accepted);
      const first = await rig.claim('document');
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
      expect(await rig.claim('bank-report')).toMatchObject({ attachment: { id: 'r1' } });
      await rig.store.recordResult(first, { state: 'accepted', serviceId: 'D1' });
      expect(await rig.claim('document')).toMatchObject({ attachment: { id: 'd2' } });
    });

    it('erases the content of an accepted attachment', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt({ state: 'accepted', serviceId: 'D1' }, 'document');
      expect(await rig.store.findAttachment('d1')).toMatchObject({
        state: 'accepted',
        serviceId: 'D1',
      });
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
    });

    it('keeps the content of a held attachment without sending it', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt(held, 'document');
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
      rig.now = 1_000_000;
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
      expect(await rig.store.findNextDueMs(['document'])).toBeUndefined();
      expect(await rig.complete('d2', 'one')).toMatchObject({
        kind: 'same',
        attachment: { id: 'd1' },
      });
    });

    it('rejects the attachments of a rejected application with their content', async () => {
      await rig.complete('d1', 'one');
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      await rig.attempt(rejected);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('rejected');
      expect(await rig.store.readChunk('d1', 0)).toEqual(bytes(1));
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
    });
  });

  describe('contact requests', () => {
    const request = (id: string) => ({ id, applicationId: 'a1', createdAt: 100 });

    it('are complete at once', async () => {
      const result = await rig.store.addContactRequest(request('w1'), createConsent('c1'));
      expect(result).toMatchObject({
        kind: 'added',
        attachment: { state: 'received', number: 1 },
      });
      expect(await rig.store.listConsents('a1')).toHaveLength(1);
      await rig.attempt(accepted);
      expect(await rig.claim('contact')).toMatchObject({
        kind: 'contact',
        attachment: { id: 'w1' },
      });
    });

    it('add only their consent while an earlier one is pending', async () => {
      await rig.store.addContactRequest(request('w1'), createConsent('c1'));
      const again = await rig.store.addContactRequest(request('w2'), createConsent('c2'));
      expect(again).toMatchObject({ kind: 'pending', attachment: { id: 'w1' } });
      expect(await rig.store.listConsents('a1')).toHaveLength(2);
    });

    it('are added again after an accepted one', async () => {
      await rig.store.addContactRequest(request('w1'), createConsent('c1'));
      await rig.attempt(accepted);
      await rig.attempt({ state: 'accepted', serviceId: '' }, 'contact');
      const again = await rig.store.addContactRequest(request('w2'), createConsent('c2'));
      expect(again).toMatchObject({ kind: 'added', attachment: { id: 'w2', number: 2 } });
    });

    it('are not added to a rejected application', async () => {
      await rig.attempt(rejected);
      const result = await rig.store.addContactRequest(request('w1'), createConsent('c1'));
      expect(result).toEqual({ kind: 'closed' });
      expect(await rig.store.listConsents('a1')).toEqual([]);
    });
  });
}
