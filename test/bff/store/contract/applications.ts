// The contract of sessions, applications, and consents.

import { beforeEach, describe, expect, it } from 'vitest';
import { rejected, useStoreRig, type OpenTestDatabase } from './rig.ts';
import { createConsent, createNewApplication, createSession } from './rows.ts';

export function describeApplications(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  describe('sessions', () => {
    it('are added with their first application', async () => {
      expect(await rig.store.findSession('s1')).toBeUndefined();
      await rig.store.addApplication(createNewApplication(), []);
      expect(await rig.store.findSession('s1')).toMatchObject({
        id: 's1',
        origin: 'https://a',
        createdAt: 100,
        endedAt: undefined,
        scope: 'application',
        application: { id: 'a1' },
      });
    });

    it('stay ended if their first application is added afterwards', async () => {
      await rig.store.endSession(createSession('s1'), 5);
      await rig.store.addApplication(createNewApplication(), []);
      expect((await rig.store.findSession('s1'))?.endedAt).toBe(5);
    });

    it('keep their first end', async () => {
      await rig.store.addApplication(createNewApplication(), []);
      await rig.store.endSession(createSession('s1'), 5);
      await rig.store.endSession(createSession('s1'), 9);
      expect((await rig.store.findSession('s1'))?.endedAt).toBe(5);
    });
  });

  describe('applications', () => {
    it('finds an application as it was added', async () => {
      const { session, ...columns } = createNewApplication();
      const result = await rig.store.addApplication({ session, ...columns }, []);
      const stored = await rig.store.findApplication('a1');
      expect(result).toEqual({ kind: 'added', application: stored, claim: undefined });
      expect(stored).toEqual({
        ...columns,
        sessionId: session.id,
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
        encryptedBusinessName: undefined,
        errors: [],
      });
    });

    it('adds an application with a lease as a first claim leaves it', async () => {
      const { application, claim } = await rig.store.addApplication(
        createNewApplication(),
        [],
        undefined,
        1_000,
      );
      expect(claim).toEqual({
        kind: 'application',
        fencingToken: 1,
        claimedAt: application.firstAttemptAt,
        application,
      });
      expect(application).toMatchObject({ state: 'sending', attempts: 1, uncertainAttempts: 0 });
      expect(await rig.store.findApplication('a1')).toEqual(application);
      expect(await rig.store.findNextDueMs(['application'])).toBe(1_000);
      expect(await rig.store.recordResult(claim!, { state: 'unconfirmed' })).toBe(true);
    });

    it('claims an application whose first lease expired as an uncertain attempt', async () => {
      await rig.store.addApplication(createNewApplication(), [], undefined, 0);
      expect(await rig.store.claimDue('application', 1_000)).toMatchObject({
        fencingToken: 2,
        application: { attempts: 2, uncertainAttempts: 1, interruptions: 1 },
      });
    });

    it('returns no claim on an application that exists', async () => {
      await rig.store.addApplication(createNewApplication(), []);
      const other = createNewApplication({ id: 'a2' });
      const result = await rig.store.addApplication(other, [], undefined, 1_000);
      expect(result.claim).toBeUndefined();
      expect((await rig.store.findApplication('a1'))?.state).toBe('received');
    });

    it('returns the first application for a repeated key', async () => {
      await rig.store.addApplication(createNewApplication(), []);
      const result = await rig.store.addApplication(createNewApplication({ id: 'a2' }), []);
      expect([result.kind, result.application.id]).toEqual(['same-key', 'a1']);
    });

    it('adds no second active application to a session', async () => {
      await rig.store.addApplication(createNewApplication(), []);
      const other = createNewApplication({ id: 'a2', idempotencyKey: 'k2' });
      const result = await rig.store.addApplication(other, []);
      expect([result.kind, result.application.id]).toEqual(['other-active', 'a1']);
      expect(await rig.store.findApplication('a2')).toBeUndefined();
    });

    it('adds another application after a rejection', async () => {
      await rig.store.addApplication(createNewApplication(), []);
      await rig.attempt(rejected);
      const other = createNewApplication({ id: 'a2', idempotencyKey: 'k2', receivedAt: 200 });
      expect((await rig.store.addApplication(other, [])).kind).toBe('added');
      expect((await rig.store.findSession('s1'))?.application?.id).toBe('a2');
    });

    it('adds consents with their application only', async () => {
      const consent = createConsent('c1', 'a1');
      await rig.store.addApplication(createNewApplication(), [consent]);
      const other = createNewApplication({ id: 'a2', idempotencyKey: 'k2' });
      await rig.store.addApplication(other, [createConsent('c2', 'a2')]);
      expect(await rig.store.listConsents('a1')).toEqual([consent]);
      expect(await rig.store.listConsents('a2')).toEqual([]);
    });

    it('finds the active application, else the one added last', async () => {
      await rig.store.addApplication(createNewApplication(), []);
      await rig.attempt(rejected);
      // The clock was set back.
      await rig.add('a2', { session: createSession('s1'), receivedAt: 50 });
      expect((await rig.store.findSession('s1'))?.application?.id).toBe('a2');
      await rig.attempt(rejected);
      expect((await rig.store.findSession('s1'))?.application?.id).toBe('a2');
    });

    it('adds one application of twenty concurrent submissions in a session', async () => {
      const submissions = Array.from({ length: 20 }, (_, index) =>
        rig.store.addApplication(
          createNewApplication({
            id: `b${index}`,
            idempotencyKey: index % 2 === 0 ? 'k1' : `k${index}`,
          }),
          [],
        ),
      );
      const results = await Promise.all(submissions);
      expect(results.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(new Set(results.map(({ application }) => application.id)).size).toBe(1);
    });

    it('adds one application of twenty concurrent submissions with the same key', async () => {
      const submissions = Array.from({ length: 20 }, (_, index) =>
        rig.store.addApplication(
          createNewApplication({ id: `b${index}`, session: createSession(`t${index}`) }),
          [],
          () => true,
        ),
      );
      const results = await Promise.all(submissions);
      expect(results.filter(({ kind }) => kind === 'added')).toHaveLength(1);
    });
  });

  describe('an application that is submitted again in another session', () => {
    const always = () => true;

    beforeEach(async () => {
      await rig.store.addApplication(createNewApplication(), [createConsent('c1', 'a1')]);
    });

    it('is found by its key in its own session', async () => {
      expect(
        (await rig.store.findOrMoveApplication(createSession('s1'), 'k1', () => false))?.id,
      ).toBe('a1');
    });

    it('moves to the other session', async () => {
      const moved = await rig.store.findOrMoveApplication(
        createSession('s2'),
        'k1',
        ({ id }) => id === 'a1',
      );
      expect(moved).toMatchObject({ id: 'a1', sessionId: 's2' });
      expect((await rig.store.findSession('s2'))?.application?.id).toBe('a1');
      expect((await rig.store.findSession('s1'))?.application).toBeUndefined();
      expect(await rig.store.listConsents('a1')).toHaveLength(1);
    });

    it('moves instead of being added a second time', async () => {
      const again = createNewApplication({ id: 'a2', session: createSession('s2') });
      const result = await rig.store.addApplication(again, [createConsent('c2', 'a2')], always);
      expect([result.kind, result.application.id]).toEqual(['same-key', 'a1']);
      expect(await rig.store.findApplication('a2')).toBeUndefined();
      expect(await rig.store.listConsents('a2')).toEqual([]);
    });

    it('is added as another application when its content differs', async () => {
      const other = createNewApplication({ id: 'a2', session: createSession('s2') });
      expect((await rig.store.addApplication(other, [], () => false)).kind).toBe('added');
      expect((await rig.store.findSession('s1'))?.application?.id).toBe('a1');
    });

    it('does not move for another key', async () => {
      expect(
        await rig.store.findOrMoveApplication(createSession('s2'), 'k2', always),
      ).toBeUndefined();
    });

    it('does not move to a session of another origin', async () => {
      const session = createSession('s3', 'https://b');
      expect(await rig.store.findOrMoveApplication(session, 'k1', always)).toBeUndefined();
    });

    it('does not move to a session with an active application', async () => {
      await rig.add('a2', { session: createSession('s2') });
      expect(
        await rig.store.findOrMoveApplication(createSession('s2'), 'k1', always),
      ).toBeUndefined();
    });

    it('is compared with twenty earlier ones at most, the newest first', async () => {
      for (let number = 3; number <= 26; number += 1) {
        await rig.add(`a${number}`, { idempotencyKey: 'k1' });
      }
      const compared: string[] = [];
      await rig.store.findOrMoveApplication(createSession('s2'), 'k1', ({ id }) => {
        compared.push(id);
        return false;
      });
      expect([compared.length, compared[0], compared.at(-1)]).toEqual([20, 'a26', 'a7']);
    });
  });

  it('checks that it can commit', async () => {
    await expect(rig.store.check()).resolves.toBeUndefined();
    await expect(rig.store.check()).resolves.toBeUndefined();
  });
}
