// The contract of documents, bank reports, and contact requests. `states.ts` has the results in each state.

import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, sql } from '../../../../bff/store/database.ts';
import { createStore } from '../../../../bff/store/open-store.ts';
import * as results from './rig.ts';
import { leaseMs, type OpenTestDatabase, runTwenty, useStoreRig } from './rig.ts';
import { bytes, createAttachment } from './rows.ts';

const { accepted, held, rejected, waiting } = results;

export function describeAttachments(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(() => rig.add());

  const countChunks = async () => (await rig.database.all(sql`select number from chunk`)).length;

  describe('attachments', () => {
    it('are numbered in the order of their completion', async () => {
      await rig.begin('d1', {}, 2);
      await rig.complete('d2');
      const completed = { fingerprint: 'f', bytes: 7, encryptedName: bytes(9), limit: 2 };
      expect(await rig.findDocument()).toMatchObject({ encryptedName: undefined, bytes: 0 });
      expect(await rig.store.completeAttachment('d1', completed)).toEqual({
        kind: 'added',
        attachment: await rig.findDocument(),
      });
      expect(await rig.store.listAttachments('a1', 'document')).toMatchObject([
        { id: 'd2', number: 1 },
        { id: 'd1', number: 2, encryptedName: bytes(9), bytes: 7 },
      ]);
      expect(await rig.store.readChunk('d1', 1)).toEqual(bytes(1));
      expect(await rig.store.readChunk('d1', 2)).toBeUndefined();
    });

    it('have a limit for each kind, in which an upload of an hour counts', async () => {
      const begin = (id: string, kind?: 'bank-report') =>
        rig.store.beginAttachment(createAttachment(id, kind), 1);
      expect([await begin('d1'), await begin('r1', 'bank-report')]).toEqual(['begun', 'begun']);
      rig.now += 3_600_000 - 1;
      expect(await begin('d2')).toBe('limit-reached');
      rig.now += 1;
      expect(await begin('d2')).toBe('begun');
    });

    it('have a size limit for each kind', async () => {
      const complete = async (id: string, size: number, kind?: 'bank-report') =>
        (await rig.complete(id, kind, { bytes: size, maxTotalBytes: 10 })).kind;
      expect([await complete('d1', 4), await complete('d2', 6)]).toEqual(['added', 'added']);
      expect(await complete('d3', 1)).toBe('size-limit-reached');
      expect(await complete('r1', 10, 'bank-report')).toBe('added');
    });

    it.each([
      ['same', { fingerprint: 'd1', maxTotalBytes: 1 }],
      ['limit-reached', { limit: 1 }],
      ['size-limit-reached', { maxTotalBytes: 1 }],
    ])('are discarded with their chunks if the result is %s', async (kind, changes) => {
      const first = await rig.complete('d1');
      const result = await rig.complete('d2', 'document', changes);
      expect(result).toEqual(kind === 'same' ? { ...first, kind } : { kind });
      expect(await rig.findDocument('d2')).toBeUndefined();
      expect(await countChunks()).toBe(1);
    });

    it.each([
      ['number', { limit: 3 }, 'limit-reached'],
      ['size', { limit: 99, maxTotalBytes: 10 }, 'size-limit-reached'],
    ])('of twenty uploads do not exceed the limit of their %s', async (_of, limits, refusal) => {
      for (let number = 1; number <= 20; number += 1) await rig.begin(`d${number}`);
      const completions = await runTwenty((number) => {
        const completed = { fingerprint: `d${number}`, bytes: 3, ...limits };
        return rig.store.completeAttachment(`d${number}`, completed);
      });
      const kinds = completions.map(({ kind }) => kind).toSorted();
      expect(kinds).toEqual([...Array(3).fill('added'), ...Array(17).fill(refusal)]);
    });

    it('belong to the phone that sent them', async () => {
      await rig.begin('d1', { handoffId: 'h1' });
      await rig.store.completeAttachment('d1', { fingerprint: 'd1', bytes: 1, limit: 9 });
      await rig.complete('d2');
      const change = async (handoffId: string) => [
        (await rig.store.changeCategory('a1', 1, 'ein-letter', 9, handoffId)).kind,
        (await rig.store.withdrawDocument('a1', 1, handoffId)).kind,
      ];
      expect(await change('h2')).toEqual(['not-found', 'not-found']);
      expect(await change('h1')).toEqual(['changed', 'changed']);
      const documents = await rig.store.listAttachments('a1', 'document');
      expect(documents.map(({ handoffId }) => handoffId)).toEqual(['h1', undefined]);
    });
  });

  describe('a document that can be changed', () => {
    const holdMs = 30;
    const hold = (id = 'd1', ms = holdMs) =>
      rig.complete(id, 'document', { holdMs: ms, isCategoryChosen: false });
    const findNextMs = () => rig.store.findNextDueMs(['document']);

    it.each([
      [0, 30],
      [10, 20],
      [30, 0],
      [40, 0],
    ])('whose application is accepted after %i ms is due in %i ms', async (acceptedMs, dueMs) => {
      await hold();
      await rig.add('a2');
      await rig.begin('d2', { applicationId: 'a2' });
      await rig.store.completeAttachment('d2', { fingerprint: 'd2', bytes: 1, limit: 9 });
      rig.now += acceptedMs;
      expect(await findNextMs()).toBeUndefined();
      await rig.attempt(accepted);
      await rig.store.recover();
      expect(await findNextMs()).toBe(dueMs);
      rig.now += dueMs;
      expect(await rig.claim('document')).toMatchObject({ attachment: { uncertainAttempts: 0 } });
    });

    it.each([undefined, holdMs])(
      'gets the category that the applicant chooses, and is due %s ms later',
      async (dueMs) => {
        if (dueMs !== undefined) await rig.attempt(accepted);
        await hold('d1', 600);
        expect(await rig.findDocument()).toMatchObject({ isCategoryChosen: false });
        rig.now += 20;
        expect(await rig.store.changeCategory('a1', 1, 'ein-letter', holdMs)).toEqual({
          kind: 'changed',
          attachment: await rig.findDocument(),
        });
        const changed = { category: 'ein-letter', isCategoryChosen: true, releaseAt: 150 };
        expect(await rig.findDocument()).toMatchObject(changed);
        expect(await findNextMs()).toBe(dueMs);
      },
    );

    it('is erased with its content when it is withdrawn, but keeps its number', async () => {
      await rig.attempt(accepted);
      await hold();
      await rig.store.withdrawDocument('a1', 1);
      const withdrawn = await rig.findDocument();
      const erased = { state: 'erased', encryptedName: undefined, finishedAt: 100 };
      expect([withdrawn, await countChunks()]).toMatchObject([erased, 0]);
      rig.now += holdMs;
      expect(await rig.claimId('document')).toBeUndefined();
      await rig.store.withdrawDocument('a1', 1);
      expect(await rig.findDocument()).toEqual(withdrawn);
      const again = rig.complete('d2', 'document', { fingerprint: 'd1', limit: 1 });
      expect(await again).toMatchObject({ kind: 'added', attachment: { number: 2 } });
    });

    it.each([
      ['a2', 1],
      ['a1', 2],
    ])('is not found in application %s with number %i', async (applicationId, number) => {
      await hold();
      await rig.add('a2');
      const notFound = { kind: 'not-found' };
      expect(await rig.store.withdrawDocument(applicationId, number)).toEqual(notFound);
      expect(await rig.store.changeCategory(applicationId, number, 'other', 0)).toEqual(notFound);
    });

    it('is either sent or withdrawn when both happen at once', async () => {
      await rig.attempt(accepted);
      for (let number = 1; number <= 20; number += 1) {
        const id = `d${number}`;
        await hold(id, 0);
        const [claimed, { kind }] = await Promise.all([
          rig.claimId('document', id),
          rig.store.withdrawDocument('a1', number),
        ]);
        expect(kind).toBe(claimed === undefined ? 'changed' : 'sent');
        rig.now += leaseMs;
      }
    });
  });

  // Overwriting a whole file in one transaction would block all other requests.
  it.each([
    ['discarded', 9, [5, 1, 0]],
    ['discarded', 4, [0, 0]],
    ['same', 9, [9, 5, 1, 0]],
    ['limit-reached', 9, [9, 5, 1, 0]],
  ])('an upload that is %s loses its %i chunks in small steps', async (kind, count, expected) => {
    if (kind !== 'discarded')
      await rig.complete('d1').then(() => rig.database.all(sql`delete from chunk`));
    await rig.begin('d2', {}, count);
    const steps: { readonly chunks: number; readonly turn: number }[] = [];
    let [turn, isOver] = [0, false];
    setImmediate(function countTurn() {
      turn += 1;
      if (!isOver) setImmediate(countTurn);
    });
    const watched: Database = {
      ...rig.database,
      async transaction(work, locks) {
        const result = await rig.database.transaction(work, locks);
        steps.push({ chunks: await countChunks(), turn });
        return result;
      },
    };
    const store = createStore(watched);
    const fingerprint = kind === 'same' ? 'd1' : 'd2';
    const limit = kind === 'same' ? 9 : 1;
    if (kind === 'discarded') await store.discardAttachment('d2');
    else await store.completeAttachment('d2', { fingerprint, bytes: 9, limit });
    isOver = true;
    expect(steps.map(({ chunks }) => chunks)).toEqual(expected);
    expect(new Set(steps.map((step) => step.turn)).size).toBe(expected.length);
    expect(await rig.findDocument('d2')).toBeUndefined();
  });

  describe('the delivery of attachments', () => {
    it('sends one attachment of each kind per application at a time', async () => {
      for (const id of ['d1', 'd2']) await rig.complete(id);
      await rig.complete('r1', 'bank-report');
      await rig.attempt(accepted);
      const first = await rig.claim('document');
      expect(await rig.claimId('document')).toBeUndefined();
      expect(await rig.claimId('bank-report')).toBe('r1');
      await rig.store.recordResult(first, { ...accepted, serviceId: 'D1' });
      expect(await rig.findDocument()).toMatchObject({ state: 'accepted', serviceId: 'D1' });
      expect(await rig.claimId('document')).toBe('d2');
    });

    it('ends with the rejection of the application, and keeps what is complete', async () => {
      await rig.complete('d1');
      await rig.begin('d2');
      await rig.attempt(rejected);
      expect(await rig.findDocument()).toMatchObject({ state: 'rejected', finishedAt: 100 });
      expect(await rig.findDocument('d2')).toBeUndefined();
      expect(await countChunks()).toBe(1);
    });
  });

  describe('a contact request', () => {
    it.each([
      ['is accepted', 'added', accepted],
      ['is rejected', 'added', rejected],
      ['waits', 'pending', waiting],
      ['is held', 'pending', held],
      ['is received', 'pending', undefined],
    ] as const)('after one that %s is %s, with its consent', async (_name, kind, result) => {
      const first = { kind: 'added', attachment: { state: 'received', number: 1 } };
      expect(await rig.addContactRequest('w1')).toMatchObject(first);
      await rig.attempt(accepted);
      if (result) await rig.attempt(result, 'contact');
      const attachment = kind === 'added' ? { id: 'w2', number: 2 } : { id: 'w1' };
      expect(await rig.addContactRequest('w2')).toMatchObject({ kind, attachment });
      expect(await rig.store.listConsents('a1')).toHaveLength(3);
    });

    it('of a rejected application adds no consent', async () => {
      await rig.attempt(rejected);
      expect(await rig.addContactRequest('w1')).toEqual({ kind: 'closed' });
      expect(await rig.store.listConsents('a1')).toHaveLength(1);
    });
  });
}
