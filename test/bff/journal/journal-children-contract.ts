// What every journal must do with documents and reports, as a suite that runs on an implementation.

import { beforeEach, describe, expect, it } from 'vitest';
import type { ChildRow, Claim, Journal } from '../../../bff/journal/journal.ts';
import { bytes, createChild, createNew } from './journal-rows.ts';

export function describeJournalChildren(
  name: string,
  open: () => Journal | Promise<Journal>,
): void {
  describe(`documents and reports in the journal on ${name}`, () => {
    let journal: Journal;

    beforeEach(async () => {
      journal = await open();
      await journal.addSession({ id: 's1', origin: 'https://a', createdAt: 1, endedAt: undefined });
      await journal.addApplication(createNew(), []);
      return () => journal.close();
    });

    it('lists complete children only, numbered in the order they became complete', async () => {
      await journal.beginChild(createChild('d1'), 9);
      await journal.beginChild(createChild('d2'), 9);
      await journal.completeChild('d2', { fingerprint: 'f2', bytes: 2, limit: 9 });
      await journal.beginChild(createChild('d3'), 9);
      await journal.completeChild('d1', { fingerprint: 'f1', bytes: 1, limit: 9 });
      const documents = await journal.listChildren('a1', 'document');
      expect(documents.map(({ id, number }) => [id, number])).toEqual([
        ['d2', 1],
        ['d1', 2],
      ]);
    });

    it('gives back the pieces of a child', async () => {
      await journal.beginChild(createChild('d1'), 9);
      expect(await journal.addChunk('d1', 0, bytes(1, 2))).toBe(true);
      expect(await journal.addChunk('d1', 1, bytes(3))).toBe(true);
      expect(await journal.readChunk('d1', 1)).toEqual(bytes(3));
      expect(await journal.readChunk('d1', 2)).toBeUndefined();
    });

    it('begins no more than the limit, incomplete ones included', async () => {
      expect(await journal.beginChild(createChild('d1'), 1)).toBe(true);
      expect(await journal.beginChild(createChild('d2'), 1)).toBe(false);
      expect(await journal.beginChild(createChild('r1', 'asset-report'), 1)).toBe(true);
    });

    it('drops a child that is there already, with its pieces', async () => {
      await complete('d1', 'same');
      await journal.beginChild(createChild('d2'), 9);
      await journal.addChunk('d2', 0, bytes(1));
      const result = await journal.completeChild('d2', {
        fingerprint: 'same',
        bytes: 1,
        limit: 9,
      });
      expect(result).toMatchObject({ kind: 'same', child: { id: 'd1' } });
      expect(await journal.findChild('d2')).toBeUndefined();
      expect(await journal.readChunk('d2', 0)).toBeUndefined();
    });

    it('drops a child beyond the limit when it is complete', async () => {
      await complete('d1', 'one');
      await journal.beginChild(createChild('d2'), 2);
      const completed = { fingerprint: 'two', bytes: 1, limit: 1 };
      expect(await journal.completeChild('d2', completed)).toEqual({ kind: 'limit-reached' });
      expect(await journal.findChild('d2')).toBeUndefined();
    });

    it('drops a child that was given up, and takes no more pieces of it', async () => {
      await journal.beginChild(createChild('d1'), 9);
      await journal.addChunk('d1', 0, bytes(1));
      await journal.discardChild('d1');
      expect(await journal.readChunk('d1', 0)).toBeUndefined();
      expect(await journal.addChunk('d1', 1, bytes(1))).toBe(false);
      const completed = { fingerprint: 'f', bytes: 1, limit: 9 };
      expect(await journal.completeChild('d1', completed)).toEqual({ kind: 'dropped' });
    });

    it('gives up incomplete children after a restart, and keeps complete ones', async () => {
      await complete('d1', 'one');
      await journal.beginChild(createChild('d2'), 9);
      await journal.recover();
      expect((await journal.findChild('d1'))?.state).toBe('received');
      expect(await journal.findChild('d2')).toBeUndefined();
    });

    it('claims no child before its application is accepted', async () => {
      await complete('d1', 'one');
      const parent = await claim();
      expect(await journal.claimDue(200, 1_000)).toBeUndefined();
      expect(await journal.findNextDue()).toBe(1_000);
      await journal.settle(parent, { state: 'accepted', serviceId: 'L1' });
      expect(await journal.claimDue(200, 1_000)).toMatchObject({
        kind: 'document',
        application: { serviceId: 'L1' },
        child: { id: 'd1', attempts: 1 },
      });
    });

    it('erases the pieces of a delivered child, and keeps its row', async () => {
      await complete('d1', 'one');
      await journal.settle(await claim(), { state: 'accepted', serviceId: 'L1' });
      await journal.settle(await claim(), { state: 'accepted', serviceId: 'D1' });
      expect(await journal.findChild('d1')).toMatchObject({ state: 'accepted', serviceId: 'D1' });
      expect(await journal.readChunk('d1', 0)).toBeUndefined();
    });

    it('keeps a held child and its pieces, sends it no more, and takes it only once', async () => {
      await complete('d1', 'one');
      await journal.settle(await claim(), { state: 'accepted', serviceId: 'L1' });
      await journal.settle(await claim(), { state: 'held' });
      expect(await journal.readChunk('d1', 0)).toEqual(bytes(1));
      expect(await journal.claimDue(9_999, 10_000)).toBeUndefined();
      expect(await journal.findNextDue()).toBeUndefined();
      expect(await complete('d2', 'one')).toMatchObject({ kind: 'same', child: { id: 'd1' } });
    });

    it('lets children found sending be claimed at once after a restart', async () => {
      await complete('d1', 'one');
      await journal.settle(await claim(), { state: 'accepted', serviceId: 'L1' });
      await claim();
      await journal.recover();
      expect(await claim()).toMatchObject({ kind: 'document', child: { uncertainAttempts: 1 } });
    });

    it('takes the same child again after it was rejected', async () => {
      await complete('d1', 'one');
      await journal.settle(await claim(), { state: 'accepted', serviceId: 'L1' });
      await journal.settle(await claim(), { state: 'rejected' });
      expect((await complete('d2', 'one')).kind).toBe('added');
    });

    it('rejects the children of a rejected application and erases their pieces', async () => {
      await complete('d1', 'one');
      await journal.beginChild(createChild('d2'), 9);
      await journal.settle(await claim(), { state: 'rejected' });
      expect((await journal.findChild('d1'))?.state).toBe('rejected');
      expect(await journal.readChunk('d1', 0)).toBeUndefined();
      expect(await journal.findChild('d2')).toBeUndefined();
    });

    async function claim(): Promise<Claim> {
      const claimed = await journal.claimDue(100, 1_000);
      if (!claimed) throw new Error('Nothing was due');
      return claimed;
    }

    async function complete(
      id: string,
      fingerprint: string,
    ): Promise<{ readonly kind: string; readonly child?: ChildRow }> {
      await journal.beginChild(createChild(id), 9);
      await journal.addChunk(id, 0, bytes(1));
      return journal.completeChild(id, { fingerprint, bytes: 1, limit: 9 });
    }
  });
}
