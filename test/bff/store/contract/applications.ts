// What every store must do with sessions and applications, as a suite that runs on an engine.

import { beforeEach, describe, expect, it } from 'vitest';
import { createStoreRig, type StoreRig, type OpenTestDatabase } from './rig.ts';
import { createConsent, createNew } from './rows.ts';

export function describeApplications(engine: string, open: OpenTestDatabase): void {
  describe(`applications in the store on ${engine}`, () => {
    let rig: StoreRig;

    beforeEach(async () => {
      rig = await createStoreRig(open);
      return () => rig.store.close();
    });

    describe('sessions', () => {
      it('finds a session it was given', async () => {
        expect(await rig.store.findSession('s1')).toEqual({
          id: 's1',
          origin: 'https://a',
          createdAt: 100,
          endedAt: undefined,
        });
      });

      it('knows no session it was not given', async () => {
        expect(await rig.store.findSession('s2')).toBeUndefined();
      });

      it('keeps the first end of a session', async () => {
        await rig.store.endSession('s1', 5);
        await rig.store.endSession('s1', 9);
        expect((await rig.store.findSession('s1'))?.endedAt).toBe(5);
      });
    });

    describe('applications', () => {
      it('gives back what was added, as received', async () => {
        const result = await rig.store.addApplication(createNew(), []);
        expect(result.kind).toBe('added');
        expect(await rig.store.findApplication('a1')).toEqual({
          ...createNew(),
          state: 'received',
          attempts: 0,
          uncertainAttempts: 0,
          clearedAttempts: 0,
          interruptions: 0,
          firstAttemptAt: undefined,
          lastOutcome: undefined,
          heldReason: undefined,
          refusedSince: undefined,
          finishedAt: undefined,
          erasedAt: undefined,
          serviceId: undefined,
          encryptedTrackingUrl: undefined,
          errors: [],
        });
      });

      it('answers a repeated key with the first application', async () => {
        await rig.store.addApplication(createNew(), []);
        const result = await rig.store.addApplication(createNew({ id: 'a2' }), []);
        expect([result.kind, result.application.id]).toEqual(['same-key', 'a1']);
      });

      it('has one living application a session', async () => {
        await rig.store.addApplication(createNew(), []);
        const result = await rig.store.addApplication(
          createNew({ id: 'a2', idempotencyKey: 'k2' }),
          [],
        );
        expect([result.kind, result.application.id]).toEqual(['other-active', 'a1']);
        expect(await rig.store.findApplication('a2')).toBeUndefined();
      });

      it('takes another application once the first was rejected', async () => {
        await rig.store.addApplication(createNew(), []);
        await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
        const other = createNew({ id: 'a2', idempotencyKey: 'k2', receivedAt: 200 });
        expect((await rig.store.addApplication(other, [])).kind).toBe('added');
        expect((await rig.store.findCurrentApplication('s1'))?.id).toBe('a2');
      });

      it('adds consents with their application, or neither', async () => {
        const consent = createConsent('c1', 'a1');
        await rig.store.addApplication(createNew(), [consent]);
        const other = createNew({ id: 'a2', idempotencyKey: 'k2' });
        await rig.store.addApplication(other, [createConsent('c2', 'a2')]);
        expect(await rig.store.listConsents('a1')).toEqual([consent]);
        expect(await rig.store.listConsents('a2')).toEqual([]);
      });

      it('answers with the living application, then with the one added last, whatever the clock said', async () => {
        await rig.store.addApplication(createNew(), []);
        await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
        await rig.add('a2', 's1', { idempotencyKey: 'k2', receivedAt: 50 });
        expect((await rig.store.findCurrentApplication('s1'))?.id).toBe('a2');
        await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
        expect((await rig.store.findCurrentApplication('s1'))?.id).toBe('a2');
      });
    });

    describe('an application filed again from another session', () => {
      const always = () => true;

      beforeEach(async () => {
        await rig.addSession('s2');
        await rig.store.addApplication(createNew(), [createConsent('c1', 'a1')]);
      });

      it('is found by its key in its own session, whatever it holds', async () => {
        expect((await rig.store.findOrMoveApplication('s1', 'k1', () => false))?.id).toBe('a1');
      });

      it('moves to that session when key, content and origin are the same', async () => {
        const taken = await rig.store.findOrMoveApplication('s2', 'k1', ({ id }) => id === 'a1');
        expect(taken).toMatchObject({ id: 'a1', sessionId: 's2' });
        expect((await rig.store.findCurrentApplication('s2'))?.id).toBe('a1');
        expect(await rig.store.findCurrentApplication('s1')).toBeUndefined();
        expect(await rig.store.listConsents('a1')).toHaveLength(1);
      });

      it('moves instead of being added a second time', async () => {
        const again = createNew({ id: 'a2', sessionId: 's2' });
        const result = await rig.store.addApplication(again, [createConsent('c2', 'a2')], always);
        expect([result.kind, result.application.id]).toEqual(['same-key', 'a1']);
        expect(await rig.store.findApplication('a2')).toBeUndefined();
        expect(await rig.store.listConsents('a2')).toEqual([]);
      });

      it('is another application when its content differs', async () => {
        const other = createNew({ id: 'a2', sessionId: 's2' });
        expect((await rig.store.addApplication(other, [], () => false)).kind).toBe('added');
        expect((await rig.store.findCurrentApplication('s1'))?.id).toBe('a1');
      });

      it('stays where it is when its key differs', async () => {
        expect(await rig.store.findOrMoveApplication('s2', 'k2', always)).toBeUndefined();
      });

      it('stays where it is when the other session is of another origin', async () => {
        await rig.addSession('s3', 'https://b');
        expect(await rig.store.findOrMoveApplication('s3', 'k1', always)).toBeUndefined();
      });

      it('stays where it is when the other session has one of its own', async () => {
        await rig.add('a2', 's2', { idempotencyKey: 'k2' });
        expect(await rig.store.findOrMoveApplication('s2', 'k1', always)).toBeUndefined();
      });
    });

    it('proves that it can commit', async () => {
      await expect(rig.store.check()).resolves.toBeUndefined();
      await expect(rig.store.check()).resolves.toBeUndefined();
    });

    it('makes one application of twenty filed at once, under one key or several', async () => {
      const filings = Array.from({ length: 20 }, (_, index) =>
        rig.store.addApplication(
          createNew({ id: `b${index}`, idempotencyKey: index % 2 === 0 ? 'k1' : `k${index}` }),
          [],
        ),
      );
      const results = await Promise.all(filings);
      expect(results.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(new Set(results.map(({ application }) => application.id)).size).toBe(1);
    });

    it('makes one application of twenty filed at once in sessions of their own', async () => {
      const sessions = Array.from({ length: 20 }, (_, index) => `t${index}`);
      for (const session of sessions) await rig.addSession(session);
      const filings = sessions.map((sessionId) =>
        rig.store.addApplication(createNew({ id: `of ${sessionId}`, sessionId }), [], () => true),
      );
      const results = await Promise.all(filings);
      expect(results.filter(({ kind }) => kind === 'added')).toHaveLength(1);
    });
  });
}
