// What every store must do when rows are claimed and settled, as a suite that runs on an engine.

import { beforeEach, describe, expect, it } from 'vitest';
import { createStoreRig, leaseMs, type StoreRig, type OpenTestDatabase } from './rig.ts';
import { bytes, createNew } from './rows.ts';

export function describeClaims(engine: string, open: OpenTestDatabase): void {
  describe(`claims in the store on ${engine}`, () => {
    let rig: StoreRig;

    beforeEach(async () => {
      rig = await createStoreRig(open);
      await rig.store.addApplication(createNew(), []);
      return () => rig.store.close();
    });

    it('claims a new application once', async () => {
      expect(await rig.claim()).toMatchObject({
        kind: 'application',
        application: {
          id: 'a1',
          state: 'sending',
          attempts: 1,
          uncertainAttempts: 0,
          firstAttemptAt: 100,
        },
      });
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
    });

    it('claims a waiting application when its time has come, not before', async () => {
      await rig.store.recordResult(await rig.claim(), {
        state: 'waiting',
        delayMs: 400,
        isUncertain: false,
        outcome: 'not-sent',
      });
      rig.now = 499;
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
      expect(await rig.store.findNextDueMs(['application'])).toBe(1);
      rig.now = 500;
      expect((await rig.claim()).application).toMatchObject({
        attempts: 2,
        firstAttemptAt: 100,
        lastOutcome: 'not-sent',
      });
    });

    it('claims a row that a clock set back has left far ahead', async () => {
      const day = 24 * 3_600_000;
      rig.now = day;
      await rig.store.recordResult(await rig.claim(), {
        state: 'waiting',
        delayMs: 3_600_000,
        isUncertain: false,
      });
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
      rig.now = 0;
      expect((await rig.claim()).application.id).toBe('a1');
    });

    it('claims the one that is asked for, if it is due, before older ones', async () => {
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      expect(await rig.store.claimDue('application', leaseMs, 'a2')).toMatchObject({
        application: { id: 'a2' },
      });
      expect(await rig.store.claimDue('application', leaseMs, 'a2')).toBeUndefined();
      expect((await rig.claim()).application.id).toBe('a1');
    });

    it('claims the row that has been due the longest', async () => {
      rig.now = 200;
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      rig.now = 300;
      expect((await rig.claim()).application.id).toBe('a1');
      expect((await rig.claim()).application.id).toBe('a2');
    });

    it('claims what was never tried before what was tried, however long that has been due', async () => {
      await rig.store.recordResult(await rig.claim(), {
        state: 'waiting',
        delayMs: 0,
        isUncertain: false,
      });
      rig.now = 9_000;
      await rig.addSession('s2');
      await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      expect((await rig.claim()).application.id).toBe('a2');
      expect((await rig.claim()).application.id).toBe('a1');
    });

    it('gives each row to one of many that claim at once', async () => {
      for (let number = 2; number <= 9; number += 1) {
        await rig.addSession(`s${number}`);
        await rig.add(`a${number}`, `s${number}`, { idempotencyKey: `k${number}` });
      }
      const claims = await Promise.all(
        Array.from({ length: 9 }, () => rig.store.claimDue('application', leaseMs)),
      );
      const ids = claims.map((claim) => claim?.kind === 'application' && claim.application.id);
      expect(new Set(ids).size).toBe(9);
    });

    it('counts uncertain attempts', async () => {
      await rig.store.recordResult(await rig.claim(), {
        state: 'waiting',
        delayMs: 0,
        isUncertain: true,
      });
      expect((await rig.claim()).application.uncertainAttempts).toBe(1);
    });

    it('takes a row whose lease is over as uncertain and interrupted', async () => {
      await rig.claim();
      rig.now += leaseMs;
      expect((await rig.claim()).application).toMatchObject({
        attempts: 2,
        uncertainAttempts: 1,
        interruptions: 1,
      });
    });

    it('forgets interruptions once an attempt is recorded', async () => {
      await rig.claim();
      rig.now += leaseMs;
      await rig.store.recordResult(await rig.claim(), {
        state: 'waiting',
        delayMs: 0,
        isUncertain: false,
      });
      expect((await rig.claim()).application).toMatchObject({
        uncertainAttempts: 1,
        interruptions: 0,
      });
    });

    it('leaves a row whose lease was extended alone', async () => {
      const claim = await rig.claim();
      rig.now += leaseMs - 1;
      await rig.store.extendLease(claim, leaseMs);
      rig.now += leaseMs - 1;
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
    });

    it('ignores the result of a claim that was taken over', async () => {
      const first = await rig.claim();
      rig.now += leaseMs;
      const second = await rig.claim();
      expect(await rig.store.recordResult(first, { state: 'rejected' })).toBe(false);
      expect((await rig.find()).state).toBe('sending');
      expect(await rig.store.recordResult(second, { state: 'accepted', serviceId: 'L1' })).toBe(
        true,
      );
    });

    it.each([
      ['is being sent again', undefined],
      ['waits', { state: 'waiting', delayMs: 9_000, isUncertain: true }],
      ['is unconfirmed', { state: 'unconfirmed' }],
      ['is held', { state: 'held', reason: 'deadline', isUncertain: true }],
    ] as const)(
      'takes the ApplicationID from an earlier claim while the row %s',
      async (_name, later) => {
        const first = await rig.claim();
        rig.now += leaseMs;
        const second = await rig.claim();
        if (later) await rig.store.recordResult(second, later);
        const accepted = { state: 'accepted', serviceId: 'L1' } as const;
        expect(await rig.store.recordResult(first, accepted)).toBe(true);
        expect(await rig.find()).toMatchObject({ ...accepted, heldReason: undefined });
        expect(await rig.store.recordResult(second, { state: 'unconfirmed' })).toBe(false);
      },
    );

    it('takes no ApplicationID any more once something else is decided', async () => {
      const first = await rig.claim();
      rig.now += leaseMs;
      await rig.store.recordResult(await rig.claim(), { state: 'rejected' });
      expect(await rig.store.recordResult(first, { state: 'accepted', serviceId: 'L1' })).toBe(
        false,
      );
      expect((await rig.find()).state).toBe('rejected');
    });

    it('says once more that a result is recorded, since the first answer may be lost', async () => {
      const claim = await rig.claim();
      const result = { state: 'unconfirmed' } as const;
      expect(await rig.store.recordResult(claim, result)).toBe(true);
      expect(await rig.store.recordResult(claim, result)).toBe(true);
      expect(await rig.store.recordResult(claim, { state: 'rejected' })).toBe(false);
    });

    it('erases the lead once it is accepted', async () => {
      const encryptedTrackingUrl = bytes(7);
      await rig.store.recordResult(await rig.claim(), {
        state: 'accepted',
        serviceId: 'L1',
        encryptedTrackingUrl,
      });
      expect(await rig.find()).toMatchObject({
        state: 'accepted',
        serviceId: 'L1',
        encryptedTrackingUrl,
        encryptedLead: undefined,
        finishedAt: 100,
      });
      expect(await rig.store.findNextDueMs(['application'])).toBeUndefined();
    });

    it('keeps the lead and the errors of a rejected application', async () => {
      const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;
      await rig.store.recordResult(await rig.claim(), { state: 'rejected', errors });
      const { encryptedLead } = createNew();
      expect(await rig.find()).toMatchObject({ state: 'rejected', errors, encryptedLead });
    });

    it('counts a row as refused from the first refusal until it waits for another reason', async () => {
      const waiting = { state: 'waiting', delayMs: 0, isUncertain: false } as const;
      const refused = { ...waiting, isRefused: true } as const;
      rig.now = 200;
      await rig.store.recordResult(await rig.claim(), refused);
      rig.now = 300;
      await rig.store.recordResult(await rig.claim(), refused);
      expect(await rig.store.countRefused()).toEqual([
        { kind: 'application', state: 'waiting', count: 1, oldestAt: 200 },
      ]);
      await rig.store.recordResult(await rig.claim(), waiting);
      expect(await rig.store.countRefused()).toEqual([]);
    });

    it.each([
      [{ state: 'unconfirmed' }],
      [{ state: 'held', reason: 'deadline', isUncertain: true }],
    ] as const)('keeps the lead while it is %o, and sends it no more', async (result) => {
      await rig.store.recordResult(await rig.claim(), result);
      expect(await rig.find()).toMatchObject({
        state: result.state,
        encryptedLead: createNew().encryptedLead,
        heldReason: result.state === 'held' ? 'deadline' : undefined,
        uncertainAttempts: result.state === 'held' ? 1 : 0,
      });
      rig.now = 1_000_000_000;
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
    });

    it('hold a row whose numbers are beyond those of the program', async () => {
      await rig.database.all(`update application set finished_at = 9223372036854775807`);
      expect(await rig.store.claimDue('application', leaseMs)).toMatchObject({
        kind: 'unreadable',
        id: 'a1',
      });
    });

    describe('of a row that cannot be read', () => {
      beforeEach(async () => {
        await rig.database.all(`update application set errors = 'no list' where id = 'a1'`);
        rig.now = 200;
        await rig.addSession('s2');
        await rig.add('a2', 's2', { idempotencyKey: 'k2' });
      });

      it('hold it, and go on with the next', async () => {
        expect(await rig.store.claimDue('application', leaseMs)).toEqual({
          kind: 'unreadable',
          deliveryKind: 'application',
          id: 'a1',
        });
        expect((await rig.claim()).application.id).toBe('a2');
        expect(await rig.store.listRowsNeedingOperator(9)).toMatchObject([
          { reference: 'a1', state: 'held', heldReason: 'unreadable' },
        ]);
      });

      it('do not come back to it when everything held is retried', async () => {
        await rig.store.claimDue('application', leaseMs);
        expect(await rig.store.retryHeld()).toBe(0);
      });
    });
  });
}
