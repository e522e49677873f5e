// The contract of an operator's queries and commands. `states.ts` has their results in each state.

import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import * as results from './rig.ts';
import { type OpenTestDatabase, useStoreRig } from './rig.ts';
import { bytes, createNewApplication, createSession } from './rows.ts';

const { accepted, held, refused, rejected, unconfirmed, waiting } = results;

export function describeOperatorActions(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(() => rig.add());

  const retryRejected = async () => (await rig.store.retryRejected('a1')) as { rows?: number };

  describe('queries', () => {
    it('count rows by kind and state', async () => {
      await rig.add('a2', { receivedAt: 50 });
      await rig.complete('d1');
      await rig.add('a3');
      await rig.database.all(sql`update application set state = 'lost' where id = 'a3'`);
      const counts = await rig.store.countStates();
      expect(counts.toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? 1 : -1))).toEqual([
        { kind: 'application', state: 'received', count: 2, oldestAt: 50 },
        { kind: 'document', state: 'received', count: 1, oldestAt: 100 },
        { kind: 'application', state: 'unreadable', count: 1, oldestAt: 100 },
      ]);
    });

    it('list rows that need an operator', async () => {
      await rig.play('add d1, accepted');
      await rig.attempt({ ...held, reason: 'uncertain' }, 'document');
      await rig.complete('r1', 'bank-report');
      await rig.attempt({ ...refused, outcome: 'too-large' }, 'bank-report');
      for (const [id, result] of [
        ['a2', unconfirmed],
        ['a3', { ...refused, outcome: 'locked' }],
        ['a4', { ...waiting, delayMs: 9_000 }],
      ] as const) {
        await rig.add(id);
        await rig.attempt(result);
      }
      const toRow = (kind: string, state: string, reference: string, lastOutcome?: string) => {
        const heldReason = state === 'held' ? 'uncertain' : undefined;
        return { kind, state, reference, lastOutcome, since: 100, heldReason };
      };
      expect(await rig.store.listRowsNeedingOperator(9)).toEqual([
        toRow('application', 'unconfirmed', 'a2', 'duplicate-id'),
        toRow('application', 'waiting', 'a3', 'locked'),
        toRow('document', 'held', 'a1'),
        toRow('bank-report', 'waiting', 'a1', 'too-large'),
      ]);
      expect(await rig.store.listRowsNeedingOperator(0)).toEqual([]);
      const counted = { state: 'waiting', count: 1, oldestAt: 100 };
      expect(await rig.store.countRefused()).toEqual([
        { kind: 'application', ...counted },
        { kind: 'bank-report', ...counted },
      ]);
    });

    it('find all applications with a short reference', async () => {
      const ids = [
        '0199c0de-0000-7000-8000-00000f322454',
        '019a0c11-5e1f-7b3a-91d4-5d064f322454',
        // Differ in the first two bits only.
        '019a0c11-5e1f-7b3a-91d4-5d061f322454',
        '019a0c11-5e1f-7b3a-91d4-5d060f322455',
      ];
      for (const id of ids) await rig.add(id);
      const row = { receivedAt: 100, state: 'received' };
      const found = ids.slice(0, 2).map((reference) => ({ reference, ...row }));
      expect(await rig.store.findReferences('7K4-92M')).toEqual(found);
      expect(await rig.store.findReferences('000-000')).toEqual([]);
    });

    it('find the reference of a waiting row by its kind and time', async () => {
      await rig.complete('d1');
      await rig.add('a2', { receivedAt: 50 });
      const find = (kind: 'application' | 'document' | 'contact') =>
        Promise.all([50, 100].map((at) => rig.store.findWaitingReference(kind, at)));
      expect(await find('application')).toEqual(['a2', 'a1']);
      expect(await find('document')).toEqual([undefined, 'a1']);
      expect(await find('contact')).toEqual([undefined, undefined]);
    });
  });

  describe('retry', () => {
    it('makes a held application due for another 72 hours', async () => {
      await rig.attempt(held);
      rig.now = 5_000;
      await rig.store.retry('a1');
      const cleared = { uncertainAttempts: 1, clearedAttempts: 1, heldReason: undefined };
      expect((await rig.claim()).application).toMatchObject({ ...cleared, firstAttemptAt: 5_000 });
    });

    it('ends a refusal', async () => {
      await rig.attempt(refused);
      await rig.store.retry('a1');
      expect(await rig.store.countRefused()).toEqual([]);
    });

    it('leaves rows of other applications alone', async () => {
      await rig.play('add d1, accepted, document held');
      await rig.add('a2');
      await rig.attempt(held);
      expect(await rig.store.retry('a2')).toBe(1);
      expect((await rig.findDocument())?.state).toBe('held');
      expect(await rig.store.retryHeld()).toBe(1);
      expect(await rig.findDocument()).toMatchObject({ uncertainAttempts: 1, clearedAttempts: 1 });
    });
  });

  describe('retryRejected', () => {
    it('makes an application due again, and then its documents', async () => {
      await rig.complete('d1');
      await rig.attempt({ ...rejected, errors: [{ pointer: '/owner/ssn', code: 'rejected' }] });
      rig.now = 5_000;
      expect(await retryRejected()).toEqual({ kind: 'retried', rows: 2 });
      expect(await rig.claimId('document')).toBeUndefined();
      const claim = await rig.claim();
      const reset = { firstAttemptAt: 5_000, errors: [], finishedAt: undefined };
      expect(claim.application).toMatchObject(reset);
      await rig.store.recordResult(claim, accepted);
      const attachment = { id: 'd1', finishedAt: undefined };
      expect(await rig.claim('document')).toMatchObject({ attachment });
    });

    it('changes nothing when the session has another active application', async () => {
      await rig.attempt(rejected);
      await rig.add('a2', { session: createSession('s1') });
      expect(await retryRejected()).toEqual({ kind: 'superseded', by: 'a2' });
      expect((await rig.find()).state).toBe('rejected');
    });

    it.each(['erased', 'rejected'])('ignores another application that is %s', async (state) => {
      await rig.attempt(rejected);
      await rig.add('a2', { session: createSession('s1') });
      await (state === 'erased' ? rig.store.erase('a2') : rig.attempt(rejected));
      expect(await retryRejected()).toEqual({ kind: 'retried', rows: 1 });
    });

    it.each([
      ['application', sql`update application set encrypted_lead = null`],
      ['document', sql`delete from chunk`],
    ])('leaves an %s without content rejected', async (kind, erasure) => {
      if (kind === 'document') await rig.play('add d1, accepted, document rejected');
      else await rig.complete('d1').then(() => rig.attempt(rejected));
      await rig.database.all(erasure);
      expect((await retryRejected()).rows).toBe(0);
    });

    it('leaves a document rejected that was uploaded again', async () => {
      await rig.complete('d2');
      await rig.play('add d1, accepted, document rejected');
      await rig.attempt(rejected, 'document');
      await rig.complete('d3', 'document', { fingerprint: 'd2' });
      expect((await retryRejected()).rows).toBe(1);
      expect((await rig.findDocument('d1'))?.state).toBe('waiting');
    });

    it('sends a contact request again, which has no content', async () => {
      await rig.addContactRequest('w1');
      await rig.attempt(accepted);
      await rig.attempt(rejected, 'contact');
      expect((await retryRejected()).rows).toBe(1);
    });
  });

  it.each(['erase', 'retryRejected'] as const)('%s finds no unknown application', async (name) => {
    const nothing = { erase: 'not-found', retryRejected: { kind: 'retried', rows: 0 } };
    expect(await rig.store[name]('a9')).toEqual(nothing[name]);
  });

  describe('resolve', () => {
    const resolved = { state: 'accepted', lastOutcome: 'resolved', finishedAt: 5_000 };

    it.each([unconfirmed, held])('accepts an application: %o', async (result) => {
      await rig.complete('d1');
      await rig.attempt(result);
      rig.now = 5_000;
      await rig.store.resolve('a1', 'L7');
      const erased = { encryptedLead: undefined, heldReason: undefined };
      expect(await rig.find()).toMatchObject({ ...resolved, ...erased, serviceId: 'L7' });
      expect(await rig.claim('document')).toMatchObject({ application: { serviceId: 'L7' } });
    });

    it.each([held, refused])('accepts an attachment: %o', async (result) => {
      await rig.play('add d1, accepted');
      await rig.attempt(result, 'document');
      await rig.complete('d2');
      for (const [id, kind, number] of [
        ['a1', 'document', 3],
        ['a1', 'bank-report', 1],
        ['a2', 'document', 1],
      ] as const) {
        expect(await rig.store.resolveAttachment(id, kind, number, '068')).toBe(false);
      }
      rig.now = 5_000;
      await rig.store.resolveAttachment('a1', 'document', 1, '068');
      const row = { ...resolved, serviceId: '068', heldReason: undefined };
      expect(await rig.findDocument()).toMatchObject(row);
      const chunks = [await rig.store.readChunk('d1', 0), await rig.store.readChunk('d2', 0)];
      expect(chunks).toEqual([undefined, bytes(0)]);
      expect(await rig.store.countRefused()).toEqual([]);
    });
  });

  describe('erase', () => {
    it('erases all personal data', async () => {
      await rig.complete('d1');
      await rig.store.erase('a1');
      const times = { erasedAt: 100, finishedAt: 100 };
      const erased = { encryptedLead: undefined, fingerprint: '', key: { bytes: bytes() } };
      expect(await rig.find()).toMatchObject({ ...erased, ...times });
      const document = { encryptedName: undefined, finishedAt: 100 };
      expect(await rig.findDocument()).toMatchObject(document);
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect((await rig.store.listConsents('a1'))[0]?.encryptedAddress).toBeUndefined();
    });

    it('keeps what is no personal data of an accepted application', async () => {
      await rig.attempt({ ...accepted, encryptedTrackingUrl: bytes(7) });
      for (rig.now of [5_000, 9_000]) await rig.store.erase('a1');
      const changed = { erasedAt: 5_000, finishedAt: 100, encryptedTrackingUrl: undefined };
      expect(await rig.find()).toMatchObject({ ...accepted, ...changed });
    });
  });

  describe('keys', () => {
    it('are replaced only by a key that was made from them', async () => {
      const { key } = createNewApplication();
      expect(await rig.store.listKeysToRewrap('2', 9)).toEqual([{ applicationId: 'a1', key }]);
      const to = { keyId: '2', bytes: bytes(9) };
      for (const stale of [{ bytes: bytes(7) }, { keyId: '3' }]) {
        expect(await rig.store.replaceKey('a1', { ...key, ...stale }, to)).toBe(false);
      }
      expect(await rig.store.replaceKey('a1', key, to)).toBe(true);
      expect((await rig.find()).key).toEqual(to);
      expect(await rig.store.listKeysToRewrap('2', 9)).toEqual([]);
    });

    it('have the oldest and the newest of each data key as its samples', async () => {
      const list = async () =>
        (await rig.store.listDataKeySamples()).map(({ applicationId, key, count }) =>
          [applicationId, key.keyId, count].join(),
        );
      for (const [id, keyId] of [
        ['a2', '2'],
        ['a3', '1'],
        ['a4', '1'],
      ] as const) {
        await rig.add(id, { key: { keyId, bytes: bytes(1) } });
      }
      expect(await list()).toEqual(['a1,1,3', 'a2,2,1', 'a4,1,3']);
      for (const id of ['a1', 'a2']) await rig.store.erase(id);
      expect(await list()).toEqual(['a3,1,2', 'a4,1,2']);
      expect((await rig.store.listDataKeySamples())[0]?.key.bytes).toEqual(bytes(1));
    });
  });
}
