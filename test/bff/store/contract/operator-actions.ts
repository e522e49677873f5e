// The contract of an operator's queries and commands.

import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import type { ApplicationKey } from '../../../../bff/store/store.ts';
import {
  accepted,
  held,
  leaseMs,
  rejected,
  unconfirmed,
  useStoreRig,
  waiting,
  type OpenTestDatabase,
} from './rig.ts';
import {
  bytes,
  createAttachment,
  createConsent,
  createNewApplication,
  createSession,
} from './rows.ts';

export function describeOperatorActions(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.store.addApplication(createNewApplication(), [createConsent('c1')]);
  });

  async function addHeldDocument(): Promise<void> {
    await rig.complete('d1', 'one');
    await rig.attempt(accepted);
    await rig.attempt({ ...held, reason: 'uncertain' }, 'document');
  }

  describe('queries', () => {
    it('count rows by kind and state', async () => {
      await rig.add('a2', { receivedAt: 50 });
      await rig.complete('d1', 'one');
      expect(await rig.store.countStates()).toEqual(
        expect.arrayContaining([
          { kind: 'application', state: 'received', count: 2, oldestAt: 50 },
          { kind: 'document', state: 'received', count: 1, oldestAt: 100 },
        ]),
      );
    });

    it('count a row with an unknown state as unreadable', async () => {
      await rig.add('a2');
      await rig.database.all(sql`update application set state = 'lost' where id = 'a2'`);
      const states = (await rig.store.countStates()).map(({ state }) => state);
      expect(states.toSorted()).toEqual(['received', 'unreadable']);
    });

    it('list held and unconfirmed rows', async () => {
      await addHeldDocument();
      await rig.add('a2');
      await rig.attempt(unconfirmed);
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

    it('list refused rows', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt({ ...waiting, isRefused: true, outcome: 'too-large' }, 'document');
      await rig.add('a2');
      await rig.attempt(waiting);
      expect(await rig.store.listRowsNeedingOperator(9)).toMatchObject([
        { kind: 'document', state: 'waiting', reference: 'a1', lastOutcome: 'too-large' },
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
      const [one, other] = ids;
      expect(await rig.store.findReferences('7K4-92M')).toEqual([
        { reference: one, receivedAt: 100, state: 'received' },
        { reference: other, receivedAt: 100, state: 'received' },
      ]);
      expect(await rig.store.findReferences('000-000')).toEqual([]);
    });

    it('find the reference of an undelivered row by kind and time', async () => {
      await rig.complete('d1', 'one');
      await rig.add('a2', { receivedAt: 50 });
      expect(await rig.store.findWaitingReference('application', 50)).toBe('a2');
      expect(await rig.store.findWaitingReference('application', 100)).toBe('a1');
      expect(await rig.store.findWaitingReference('document', 100)).toBe('a1');
      expect(await rig.store.findWaitingReference('document', 50)).toBeUndefined();
      expect(await rig.store.findWaitingReference('bank-report', 100)).toBeUndefined();
    });

    it('find no reference of a finished or held row', async () => {
      const claim = await rig.claim();
      expect(await rig.store.findWaitingReference('application', 100)).toBe('a1');
      await rig.store.recordResult(claim, waiting);
      expect(await rig.store.findWaitingReference('application', 100)).toBe('a1');
      await addHeldDocument();
      expect(await rig.store.findWaitingReference('application', 100)).toBeUndefined();
      expect(await rig.store.findWaitingReference('document', 100)).toBeUndefined();
    });
  });

  describe('retry', () => {
    it('makes a held application due for another 72 hours', async () => {
      await rig.attempt(held);
      rig.now = 5_000;
      expect(await rig.store.retry('a1')).toBe(1);
      expect((await rig.claim()).application).toMatchObject({
        firstAttemptAt: 5_000,
        uncertainAttempts: 1,
        clearedAttempts: 1,
        heldReason: undefined,
      });
    });

    it('makes all held documents due', async () => {
      await addHeldDocument();
      expect(await rig.store.retryHeld()).toBe(1);
      expect(await rig.claim('document')).toMatchObject({
        attachment: { uncertainAttempts: 1, clearedAttempts: 1 },
      });
    });

    it('leaves waiting rows alone when it retries all held rows', async () => {
      await addHeldDocument();
      await rig.complete('d2', 'two');
      await rig.attempt({ ...waiting, delayMs: 9_000, isUncertain: true }, 'document');
      expect(await rig.store.retryHeld()).toBe(1);
      expect((await rig.store.findAttachment('d2'))?.clearedAttempts).toBe(0);
    });

    it('leaves finished rows alone', async () => {
      await rig.attempt(accepted);
      expect(await rig.store.retry('a1')).toBe(0);
    });
  });

  describe('retryRejected', () => {
    const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;

    it('makes a rejected application due again', async () => {
      await rig.attempt({ ...rejected, errors });
      rig.now = 5_000;
      expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 1 });
      expect((await rig.claim()).application).toMatchObject({
        firstAttemptAt: 5_000,
        encryptedLead: createNewApplication().encryptedLead,
        errors: [],
        finishedAt: undefined,
      });
    });

    it('includes the documents of the application', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(rejected);
      expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 2 });
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
      await rig.attempt(accepted);
      expect(await rig.claim('document')).toMatchObject({ attachment: { id: 'd1' } });
    });

    it('changes nothing when the session has another active application', async () => {
      await rig.attempt(rejected);
      await rig.add('a2', { session: createSession('s1') });
      expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'superseded', by: 'a2' });
      expect((await rig.find()).state).toBe('rejected');
    });

    it('leaves an application without content rejected', async () => {
      await rig.attempt(rejected);
      await rig.database.all(sql`update application set encrypted_lead = null where id = 'a1'`);
      expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 0 });
    });

    it('leaves a document rejected that was uploaded again', async () => {
      await rig.complete('d1', 'one');
      await rig.complete('d2', 'two');
      await rig.attempt(accepted);
      await rig.attempt(rejected, 'document');
      await rig.attempt(rejected, 'document');
      await rig.complete('d3', 'two');
      expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 1 });
      expect((await rig.store.findAttachment('d1'))?.state).toBe('waiting');
      expect((await rig.store.findAttachment('d2'))?.state).toBe('rejected');
    });

    it('leaves other states alone', async () => {
      await rig.attempt(held);
      expect(await rig.store.retryRejected('a1')).toEqual({ kind: 'retried', rows: 0 });
      expect(await rig.store.retryRejected('nobody')).toEqual({ kind: 'retried', rows: 0 });
    });
  });

  describe('resolve', () => {
    it('accepts an unconfirmed application', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(unconfirmed);
      expect(await rig.store.resolve('a1', 'L7')).toBe(true);
      expect(await rig.find()).toMatchObject({
        state: 'accepted',
        serviceId: 'L7',
        encryptedLead: undefined,
      });
      expect(await rig.claim('document')).toMatchObject({ application: { serviceId: 'L7' } });
    });

    it('changes nothing while the application is sent, or after a rejection', async () => {
      const claim = await rig.claim();
      expect(await rig.store.resolve('a1', 'L7')).toBe(false);
      await rig.store.recordResult(claim, rejected);
      expect(await rig.store.resolve('a1', 'L7')).toBe(false);
    });
  });

  describe('resolveAttachment', () => {
    it('accepts a held document with its id', async () => {
      await addHeldDocument();
      rig.now = 5_000;
      expect(await rig.store.resolveAttachment('a1', 'document', 1, '068')).toBe(true);
      expect(await rig.store.findAttachment('d1')).toMatchObject({
        state: 'accepted',
        serviceId: '068',
        heldReason: undefined,
        lastOutcome: 'resolved',
        finishedAt: 5_000,
      });
      expect(await rig.store.readChunk('d1', 0)).toBeUndefined();
      expect(await rig.store.findNextDueMs(['document'])).toBeUndefined();
    });

    it('ends a refusal', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt({ ...waiting, isRefused: true }, 'document');
      expect(await rig.store.resolveAttachment('a1', 'document', 1, '')).toBe(true);
      expect(await rig.store.countRefused()).toEqual([]);
    });

    it('leaves another attachment alone', async () => {
      await addHeldDocument();
      expect(await rig.store.resolveAttachment('a1', 'document', 2, '068')).toBe(false);
      expect(await rig.store.resolveAttachment('a1', 'bank-report', 1, '068')).toBe(false);
      expect(await rig.store.resolveAttachment('a2', 'document', 1, '068')).toBe(false);
      expect((await rig.store.findAttachment('d1'))?.state).toBe('held');
    });

    it('changes nothing while the attachment is sent', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      const claim = await rig.claim('document');
      expect(await rig.store.resolveAttachment('a1', 'document', 1, '068')).toBe(false);
      expect(await rig.store.recordResult(claim, rejected)).toBe(true);
    });
  });

  describe('erase', () => {
    it('erases all personal data', async () => {
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

    it('keeps the state of an accepted application', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.store.erase('a1');
      expect(await rig.find()).toMatchObject(accepted);
      expect(await rig.store.claimDue('document', leaseMs)).toBeUndefined();
    });

    it('frees the session for another application', async () => {
      await rig.store.erase('a1');
      expect((await rig.store.findSession('s1'))?.application).toBeUndefined();
      const next = createNewApplication({ id: 'a2', idempotencyKey: 'k2' });
      expect((await rig.store.addApplication(next, [])).kind).toBe('added');
    });

    it('erases nothing while a row is sent', async () => {
      await rig.claim();
      expect(await rig.store.erase('a1')).toBe('sending');
      expect((await rig.find()).encryptedLead).toBeDefined();
    });

    it('finds no unknown application', async () => {
      expect(await rig.store.erase('a9')).toBe('not-found');
    });

    it('stops an upload in progress', async () => {
      await rig.store.beginAttachment(createAttachment('d1'), 9);
      await rig.store.erase('a1');
      expect(await rig.store.addChunk('d1', 0, bytes(1))).toBe(false);
    });
  });

  describe('keys', () => {
    async function addUnder(keyId: string, id: string): Promise<ApplicationKey> {
      const key = { keyId, bytes: bytes(...Buffer.from(id)) };
      await rig.add(id, { key });
      return { applicationId: id, key };
    }

    it('are replaced only by a key that was made from them', async () => {
      const [found] = await rig.store.listKeysToRewrap('2', 9);
      expect(found).toEqual({ applicationId: 'a1', key: createNewApplication().key });
      const to = { keyId: '2', bytes: bytes(9) };
      const stale = { keyId: '1', bytes: bytes(7) };
      expect(await rig.store.replaceKey('a1', stale, to)).toBe(false);
      expect(await rig.store.replaceKey('a1', createNewApplication().key, to)).toBe(true);
      expect((await rig.find()).key).toEqual(to);
      expect(await rig.store.listKeysToRewrap('2', 9)).toEqual([]);
    });

    it('have the oldest and the newest of each data key as its samples', async () => {
      const first = { applicationId: 'a1', key: createNewApplication().key };
      const other = await addUnder('2', 'a2');
      const middle = await addUnder('1', 'a3');
      const last = await addUnder('1', 'a4');
      expect(await rig.store.listDataKeySamples()).toEqual([
        { ...first, count: 3 },
        { ...other, count: 1 },
        { ...last, count: 3 },
      ]);
      await rig.store.erase('a1');
      await rig.store.erase('a2');
      expect(await rig.store.listDataKeySamples()).toEqual([
        { ...middle, count: 2 },
        { ...last, count: 2 },
      ]);
    });
  });
}
