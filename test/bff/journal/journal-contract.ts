// What every journal must do with sessions and applications, as a suite that runs on an implementation.

import { beforeEach, describe, expect, it } from 'vitest';
import type {
  ApplicationRow,
  Claim,
  Journal,
  NewApplication,
} from '../../../bff/journal/journal.ts';
import { bytes, createConsent, createNew } from './journal-rows.ts';

export function describeJournal(name: string, open: () => Journal | Promise<Journal>): void {
  describe(`the journal on ${name}`, () => {
    let journal: Journal;

    beforeEach(async () => {
      journal = await open();
      await journal.addSession({ id: 's1', origin: 'https://a', createdAt: 1, endedAt: undefined });
      return () => journal.close();
    });

    describe('sessions', () => {
      it('finds a session it was given', async () => {
        expect(await journal.findSession('s1')).toEqual({
          id: 's1',
          origin: 'https://a',
          createdAt: 1,
          endedAt: undefined,
        });
      });

      it('knows no session it was not given', async () => {
        expect(await journal.findSession('s2')).toBeUndefined();
      });

      it('keeps the first end of a session', async () => {
        await journal.endSession('s1', 5);
        await journal.endSession('s1', 9);
        expect((await journal.findSession('s1'))?.endedAt).toBe(5);
      });
    });

    describe('applications', () => {
      it('gives back what was added, as received', async () => {
        const result = await journal.addApplication(createNew(), []);
        expect(result.kind).toBe('added');
        expect(await journal.findApplication('a1')).toEqual({
          ...createNew(),
          state: 'received',
          attempts: 0,
          uncertainAttempts: 0,
          serviceId: undefined,
          sealedTrackingUrl: undefined,
          errors: [],
        });
      });

      it('answers a repeated key with the first application', async () => {
        await journal.addApplication(createNew(), []);
        const result = await journal.addApplication(createNew({ id: 'a2' }), []);
        expect([result.kind, result.application.id]).toEqual(['same-key', 'a1']);
      });

      it('has one living application a session', async () => {
        await journal.addApplication(createNew(), []);
        const result = await journal.addApplication(
          createNew({ id: 'a2', idempotencyKey: 'k2' }),
          [],
        );
        expect([result.kind, result.application.id]).toEqual(['other-live', 'a1']);
        expect(await journal.findApplication('a2')).toBeUndefined();
      });

      it('takes another application once the first was rejected', async () => {
        await journal.addApplication(createNew(), []);
        await journal.settle(await claim(), { state: 'rejected' });
        const other = createNew({ id: 'a2', idempotencyKey: 'k2', receivedAt: 200 });
        expect((await journal.addApplication(other, [])).kind).toBe('added');
        expect((await journal.findCurrentApplication('s1'))?.id).toBe('a2');
      });

      it('adds consents with their application, or neither', async () => {
        const consent = createConsent('c1', 'a1');
        await journal.addApplication(createNew(), [consent]);
        const other = createNew({ id: 'a2', idempotencyKey: 'k2' });
        await journal.addApplication(other, [createConsent('c2', 'a2')]);
        expect(await journal.listConsents('a1')).toEqual([consent]);
        expect(await journal.listConsents('a2')).toEqual([]);
      });

      it('answers with the living application, then with the one added last, whatever the clock said', async () => {
        await journal.addApplication(createNew(), []);
        await journal.settle(await claim(), { state: 'rejected' });
        await add('a2', 's1', { idempotencyKey: 'k2', receivedAt: 50 });
        expect((await journal.findCurrentApplication('s1'))?.id).toBe('a2');
        await journal.settle(await claim(), { state: 'rejected' });
        expect((await journal.findCurrentApplication('s1'))?.id).toBe('a2');
      });
    });

    describe('an application filed again from another session', () => {
      const always = () => true;

      beforeEach(async () => {
        await addSession('s2');
        await journal.addApplication(createNew(), [createConsent('c1', 'a1')]);
      });

      it('is found by its key in its own session, whatever it holds', async () => {
        expect((await journal.takeApplicationByKey('s1', 'k1', () => false))?.id).toBe('a1');
      });

      it('moves to that session when key, content and origin are the same', async () => {
        const taken = await journal.takeApplicationByKey('s2', 'k1', ({ id }) => id === 'a1');
        expect(taken).toMatchObject({ id: 'a1', sessionId: 's2' });
        expect((await journal.findCurrentApplication('s2'))?.id).toBe('a1');
        expect(await journal.findCurrentApplication('s1')).toBeUndefined();
        expect(await journal.listConsents('a1')).toHaveLength(1);
      });

      it('moves instead of being added a second time', async () => {
        const again = createNew({ id: 'a2', sessionId: 's2' });
        const result = await journal.addApplication(again, [createConsent('c2', 'a2')], always);
        expect([result.kind, result.application.id]).toEqual(['same-key', 'a1']);
        expect(await journal.findApplication('a2')).toBeUndefined();
        expect(await journal.listConsents('a2')).toEqual([]);
      });

      it('is another application when its content differs', async () => {
        const other = createNew({ id: 'a2', sessionId: 's2' });
        expect((await journal.addApplication(other, [], () => false)).kind).toBe('added');
        expect((await journal.findCurrentApplication('s1'))?.id).toBe('a1');
      });

      it('stays where it is when its key differs', async () => {
        expect(await journal.takeApplicationByKey('s2', 'k2', always)).toBeUndefined();
      });

      it('stays where it is when the other session is of another origin', async () => {
        await addSession('s3', 'https://b');
        expect(await journal.takeApplicationByKey('s3', 'k1', always)).toBeUndefined();
      });

      it('stays where it is when the other session has one of its own', async () => {
        await add('a2', 's2', { idempotencyKey: 'k2' });
        expect(await journal.takeApplicationByKey('s2', 'k1', always)).toBeUndefined();
      });
    });

    describe('claims of applications', () => {
      beforeEach(async () => {
        await journal.addApplication(createNew(), []);
      });

      it('claims a new application once', async () => {
        expect(await claim()).toMatchObject({
          kind: 'application',
          application: { id: 'a1', state: 'sending', attempts: 1, uncertainAttempts: 0 },
        });
        expect(await journal.claimDue(100, 1_000)).toBeUndefined();
      });

      it('claims a waiting application when its time has come, not before', async () => {
        await journal.settle(await claim(), { state: 'waiting', nextAt: 500, isUncertain: false });
        expect(await journal.claimDue(499, 1_000)).toBeUndefined();
        expect(await journal.findNextDue()).toBe(500);
        expect(await journal.claimDue(500, 1_000)).toMatchObject({ application: { attempts: 2 } });
      });

      it('claims a row that a clock set back has left far ahead', async () => {
        const day = 24 * 3_600_000;
        const settlement = {
          state: 'waiting',
          nextAt: day + 3_600_000,
          isUncertain: false,
        } as const;
        await journal.settle(await claim(), settlement);
        expect(await journal.claimDue(day, day + 1_000)).toBeUndefined();
        expect(await journal.claimDue(0, 1_000)).toMatchObject({ application: { id: 'a1' } });
      });

      it('counts uncertain attempts', async () => {
        await journal.settle(await claim(), { state: 'waiting', nextAt: 500, isUncertain: true });
        const again = await journal.claimDue(500, 1_000);
        expect(again?.application.uncertainAttempts).toBe(1);
      });

      it('takes a row whose lease is over as uncertain', async () => {
        await claim();
        const again = await journal.claimDue(1_000, 2_000);
        expect(again?.application).toMatchObject({ attempts: 2, uncertainAttempts: 1 });
      });

      it('leaves a row whose lease was extended alone', async () => {
        await journal.extendLease(await claim(), 5_000);
        expect(await journal.claimDue(4_999, 9_000)).toBeUndefined();
      });

      it('lets rows found sending be claimed at once after a restart', async () => {
        await claim();
        await journal.recover();
        const again = await journal.claimDue(101, 1_000);
        expect(again?.application.uncertainAttempts).toBe(1);
      });

      it('ignores the result of a claim that was taken over', async () => {
        const first = await claim();
        const second = await journal.claimDue(1_000, 2_000);
        expect(await journal.settle(first, { state: 'rejected' })).toBe(false);
        expect((await find()).state).toBe('sending');
        const accepted = { state: 'accepted', serviceId: 'L1' } as const;
        expect(second && (await journal.settle(second, accepted))).toBe(true);
      });

      it('erases the lead once it is accepted', async () => {
        const sealedTrackingUrl = bytes(7);
        await journal.settle(await claim(), {
          state: 'accepted',
          serviceId: 'L1',
          sealedTrackingUrl,
        });
        expect(await find()).toMatchObject({
          state: 'accepted',
          serviceId: 'L1',
          sealedTrackingUrl,
          sealedLead: undefined,
        });
        expect(await journal.findNextDue()).toBeUndefined();
      });

      it('erases the lead once it is rejected, and keeps the errors', async () => {
        const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;
        await journal.settle(await claim(), { state: 'rejected', errors });
        expect(await find()).toMatchObject({ state: 'rejected', errors, sealedLead: undefined });
      });

      it('keeps the lead while it is unconfirmed, and sends it no more', async () => {
        await journal.settle(await claim(), { state: 'unconfirmed' });
        expect((await find()).sealedLead).toEqual(createNew().sealedLead);
        expect(await journal.claimDue(9_999, 10_000)).toBeUndefined();
      });
    });

    it('proves that it can commit', async () => {
      await expect(journal.check()).resolves.toBeUndefined();
    });

    async function addSession(id: string, origin = 'https://a'): Promise<void> {
      await journal.addSession({ id, origin, createdAt: 1, endedAt: undefined });
    }

    async function add(
      id: string,
      sessionId: string,
      changes: Partial<NewApplication>,
    ): Promise<void> {
      await journal.addApplication(createNew({ id, sessionId, ...changes }), []);
    }

    async function claim(): Promise<Claim> {
      const claimed = await journal.claimDue(100, 1_000);
      if (!claimed) throw new Error('Nothing was due');
      return claimed;
    }

    async function find(): Promise<ApplicationRow> {
      const row = await journal.findApplication('a1');
      if (!row) throw new Error('The application is gone');
      return row;
    }
  });
}
