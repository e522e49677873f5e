// What every store must do with an upload that is given up, as a suite that runs on an engine.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../bff/store/database.ts';
import type { Store } from '../../../../bff/store/store.ts';
import { createStore } from '../../../../bff/store/open-store.ts';
import { createStoreRig, type StoreRig, type OpenTestDatabase } from './rig.ts';
import { bytes, createAttachment, createNew } from './rows.ts';

const completed = { fingerprint: 'same', bytes: 9, limit: 9 };

export function describeDiscards(engine: string, open: OpenTestDatabase): void {
  describe(`an upload that is given up on ${engine}`, () => {
    let rig: StoreRig;
    let store: Store;
    /** Pieces left behind each transaction, and the turns of the event loop that had passed by then. */
    let steps: { readonly pieces: number; readonly turn: number }[];

    beforeEach(async () => {
      rig = await createStoreRig(open);
      await rig.store.addApplication(createNew(), []);
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
          steps.push({ pieces: await countPieces(), turn });
          return result;
        },
      };
      store = createStore(watched);
      return () => {
        isOver = true;
        return rig.store.close();
      };
    });

    it('goes in small transactions, and others have their turn between them', async () => {
      await begin('d1', 9);
      await store.discardAttachment('d1');
      expect(steps.map(({ pieces }) => pieces)).toEqual([5, 1, 0]);
      expect(new Set(steps.map(({ turn }) => turn)).size).toBe(3);
      expect(await store.findAttachment('d1')).toBeUndefined();
    });

    it('leaves none behind where the last transaction was full', async () => {
      await begin('d1', 4);
      await store.discardAttachment('d1');
      expect(steps.map(({ pieces }) => pieces)).toEqual([0, 0]);
      expect(await store.findAttachment('d1')).toBeUndefined();
    });

    it('goes so too when it is there already, or is one too many', async () => {
      await rig.complete('d1', 'same');
      for (const id of ['d2', 'd3']) await begin(id, 9);
      const same = await store.completeAttachment('d2', completed);
      const beyond = await store.completeAttachment('d3', {
        ...completed,
        fingerprint: 'another',
        limit: 1,
      });
      expect([same.kind, beyond.kind]).toEqual(['same', 'limit-reached']);
      // The piece of the first one, and behind the decision each time the nine in three steps.
      expect(steps.map(({ pieces }) => pieces)).toEqual([19, 15, 11, 10, 10, 6, 2, 1]);
      expect([await store.findAttachment('d2'), await store.findAttachment('d3')]).toEqual([
        undefined,
        undefined,
      ]);
    });

    it('is left alone once it is complete', async () => {
      await begin('d1', 9);
      await store.completeAttachment('d1', completed);
      steps = [];
      await store.discardAttachment('d1');
      expect(steps.map(({ pieces }) => pieces)).toEqual([9]);
      expect(await store.findAttachment('d1')).toMatchObject({ state: 'received' });
    });

    it('touches no piece of another one', async () => {
      await begin('d1', 2);
      await begin('d2', 2);
      await store.discardAttachment('d1');
      expect(await store.readChunk('d2', 1)).toEqual(bytes(1));
    });

    async function begin(id: string, pieces: number): Promise<void> {
      await rig.store.beginAttachment(createAttachment(id), 9);
      for (let number = 0; number < pieces; number += 1) {
        await rig.store.addChunk(id, number, bytes(number));
      }
    }

    async function countPieces(): Promise<number> {
      return (await rig.database.all('select number from chunk')).length;
    }
  });
}
