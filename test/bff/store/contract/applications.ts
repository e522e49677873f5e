// The contract of sessions, applications, and consents.

import { describe, expect, it } from 'vitest';
import { leaseMs, type OpenTestDatabase, rejected, runTwenty, useStoreRig } from './rig.ts';
import { bytes, createConsent, createNewApplication, createSession } from './rows.ts';

export function describeApplications(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);
  const findCurrent = async (sessionId: string) =>
    (await rig.store.findSession(sessionId))?.application?.id;

  describe('a session', () => {
    it('is added with its first application', async () => {
      expect(await rig.store.findSession('s1')).toBeUndefined();
      await rig.add();
      expect(await rig.store.findSession('s1')).toMatchObject({
        ...createSession('s1'),
        endedAt: undefined,
        scope: 'application',
        application: { id: 'a1' },
      });
    });

    it('keeps its first end, also if its first application is added afterwards', async () => {
      for (const at of [5, 9]) await rig.store.endSession(createSession('s1'), at);
      await rig.add();
      expect((await rig.store.findSession('s1'))?.endedAt).toBe(5);
    });

    it('has its active application, else the one added last', async () => {
      await rig.add();
      await rig.attempt(rejected);
      // The clock was set back.
      await rig.add('a2', { session: createSession('s1'), receivedAt: 50 });
      expect(await findCurrent('s1')).toBe('a2');
      await rig.attempt(rejected);
      expect(await findCurrent('s1')).toBe('a2');
    });
  });

  describe('an application', () => {
    it('is found as it was added', async () => {
      const { session, ...columns } = createNewApplication({
        encryptedBusinessName: bytes(7),
        campaignId: 'spring',
      });
      const consent = createConsent('c1');
      const result = await rig.store.addApplication({ session, ...columns }, [consent]);
      const stored = await rig.find();
      expect(await rig.store.listConsents('a1')).toEqual([consent]);
      expect(result).toEqual({ kind: 'added', application: stored, claim: undefined });
      expect(stored).toEqual({
        ...columns,
        sessionId: session.id,
        state: 'received',
        attempts: 0,
        uncertainAttempts: 0,
        clearedAttempts: 0,
        interruptions: 0,
        errors: [],
      });
    });

    it('that is added with a lease is as a first claim leaves it', async () => {
      const row = createNewApplication();
      const { application, claim } = await rig.store.addApplication(row, [], undefined, leaseMs);
      expect(claim).toEqual({
        kind: 'application',
        fencingToken: 1,
        claimedAt: 100,
        application,
      });
      expect(application).toMatchObject({ state: 'sending', attempts: 1, firstAttemptAt: 100 });
      expect(await rig.find()).toEqual(application);
      expect(await rig.store.extendLease(claim!, leaseMs + 1)).toBe(true);
      rig.now += leaseMs + 1;
      expect(await rig.claim()).toMatchObject({
        fencingToken: 2,
        application: { attempts: 2, uncertainAttempts: 1, interruptions: 1 },
      });
    });

    it.each([
      ['same-key', {}],
      ['other-active', { idempotencyKey: 'k2' }],
    ])('adds nothing where another one is returned as %s', async (kind, changes) => {
      const { application } = await rig.add();
      const row = createNewApplication({ id: 'a2', idempotencyKey: 'k1', ...changes });
      const other = { ...row, session: createSession('s1') };
      const result = rig.store.addApplication(other, [createConsent('c2', 'a2')], undefined, 1);
      expect(await result).toEqual({ kind, application });
      expect(await rig.store.findApplication('a2')).toBeUndefined();
      expect(await rig.store.listConsents('a2')).toEqual([]);
    });

    it.each([
      ['in one session', (n: number) => ({ idempotencyKey: n % 2 === 0 ? 'k1' : `k${n}` })],
      ['with one key', (n: number) => ({ idempotencyKey: 'k1', session: createSession(`t${n}`) })],
    ])('is added once by twenty submissions %s', async (_where, toChanges) => {
      const results = await runTwenty((number) => {
        const changes = { session: createSession('s1'), ...toChanges(number) };
        const row = createNewApplication({ id: `b${number}`, ...changes });
        return rig.store.addApplication(row, [], () => true);
      });
      expect(results.filter(({ kind }) => kind === 'added')).toHaveLength(1);
      expect(new Set(results.map(({ application }) => application.id)).size).toBe(1);
    });
  });

  describe('an application that is submitted again in another session', () => {
    const always = () => true;
    const move = async (session = createSession('s2'), key = 'k1', isSame = always) =>
      (await rig.store.findOrMoveApplication(session, key, isSame))?.id;

    it('moves to the other session with its consents', async () => {
      await rig.add();
      expect(await move(createSession('s1'), 'k1', () => false)).toBe('a1');
      expect(await move()).toBe('a1');
      expect((await rig.find()).sessionId).toBe('s2');
      expect([await findCurrent('s1'), await findCurrent('s2')]).toEqual([undefined, 'a1']);
      expect(await rig.store.listConsents('a1')).toHaveLength(1);
    });

    it('moves instead of being added a second time', async () => {
      await rig.add();
      const again = createNewApplication({ id: 'a2', idempotencyKey: 'k1' });
      const result = await rig.store.addApplication(again, [createConsent('c2', 'a2')], always);
      expect(result).toMatchObject({ kind: 'same-key', application: { id: 'a1' } });
      expect(await rig.store.findApplication('a2')).toBeUndefined();
      expect(await rig.store.listConsents('a2')).toEqual([]);
    });

    it('is added as another application when its content differs', async () => {
      await rig.add();
      expect((await rig.add('a2', { idempotencyKey: 'k1' })).kind).toBe('added');
      expect(await findCurrent('s1')).toBe('a1');
    });

    it.each([
      ['with another key', createSession('s2'), 'k9'],
      ['to a session of another origin', createSession('s2', 'https://b'), 'k1'],
      ['to a session with an active application', createSession('s3'), 'k1'],
    ])('does not move %s', async (_name, session, key) => {
      await rig.add();
      await rig.add('a3');
      expect(await move(session, key)).toBeUndefined();
    });

    it('is compared with twenty earlier ones at most, the newest first', async () => {
      for (let number = 1; number <= 24; number += 1) {
        await rig.add(`a${number}`, { idempotencyKey: 'k1' });
      }
      const compared: string[] = [];
      await rig.store.findOrMoveApplication(createSession('t'), 'k1', ({ id }) => {
        compared.push(id);
        return false;
      });
      expect([compared.length, compared[0], compared.at(-1)]).toEqual([20, 'a24', 'a5']);
    });
  });

  it('checks that it can commit, again and again', async () => {
    await rig.store.check();
    await rig.store.check();
  });
}
