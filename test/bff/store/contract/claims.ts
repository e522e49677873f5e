// The contract of leases and results.

import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import {
  accepted,
  day,
  held,
  leaseMs,
  rejected,
  unconfirmed,
  useStoreRig,
  waiting,
  type OpenTestDatabase,
} from './rig.ts';
import { bytes, createAttachment, createNewApplication } from './rows.ts';

export function describeClaims(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.store.addApplication(createNewApplication(), []);
  });

  describe('claimDue', () => {
    it('claims a new application once', async () => {
      expect(await rig.claim()).toMatchObject({
        kind: 'application',
        fencingToken: 1,
        claimedAt: 100,
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

    it('claims a waiting application after its delay', async () => {
      await rig.attempt({ ...waiting, delayMs: 400, outcome: 'not-sent' });
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

    it('claims a row that is far ahead because the clock was set back', async () => {
      rig.now = day;
      await rig.attempt({ ...waiting, delayMs: 3_600_000 });
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
      rig.now = 0;
      expect((await rig.claim()).application.id).toBe('a1');
    });

    it('claims a row by its id before older rows', async () => {
      await rig.add('a2');
      expect(await rig.store.claimDue('application', leaseMs, 'a2')).toMatchObject({
        application: { id: 'a2' },
      });
      expect(await rig.store.claimDue('application', leaseMs, 'a2')).toBeUndefined();
      expect((await rig.claim()).application.id).toBe('a1');
    });

    it('claims an attachment by its id', async () => {
      await rig.complete('d1', 'one');
      expect(await rig.store.claimDue('document', leaseMs, 'd1')).toBeUndefined();
      await rig.attempt(accepted);
      expect(await rig.store.claimDue('document', leaseMs, 'd1')).toMatchObject({
        attachment: { id: 'd1' },
      });
    });

    it('claims the row that has been due the longest', async () => {
      rig.now = 200;
      await rig.add('a2');
      rig.now = 300;
      expect((await rig.claim()).application.id).toBe('a1');
      expect((await rig.claim()).application.id).toBe('a2');
    });

    it('claims new rows before waiting rows', async () => {
      await rig.attempt(waiting);
      rig.now = 9_000;
      await rig.add('a2');
      expect((await rig.claim()).application.id).toBe('a2');
      expect((await rig.claim()).application.id).toBe('a1');
    });

    it('gives each row to one of nine concurrent workers', async () => {
      for (let number = 2; number <= 9; number += 1) await rig.add(`a${number}`);
      const claims = await Promise.all(
        Array.from({ length: 9 }, () => rig.store.claimDue('application', leaseMs)),
      );
      const ids = claims.map((claim) => claim?.kind === 'application' && claim.application.id);
      expect(new Set(ids).size).toBe(9);
    });

    it('counts an expired lease as an uncertain interruption', async () => {
      await rig.claim();
      rig.now += leaseMs;
      expect(await rig.claim()).toMatchObject({
        fencingToken: 2,
        application: { attempts: 2, uncertainAttempts: 1, interruptions: 1 },
      });
    });

    it('does not claim a row whose lease was extended', async () => {
      const claim = await rig.claim();
      rig.now += leaseMs - 1;
      await rig.store.extendLease(claim, leaseMs);
      rig.now += leaseMs - 1;
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
    });
  });

  it('extends the lease of the latest claim until it has a result', async () => {
    const first = await rig.claim();
    rig.now += leaseMs;
    const second = await rig.claim();
    expect(await rig.store.extendLease(first, leaseMs)).toBe(false);
    expect(await rig.store.extendLease(second, leaseMs)).toBe(true);
    await rig.store.recordResult(second, waiting);
    expect(await rig.store.extendLease(second, leaseMs)).toBe(false);
  });

  describe('an unreadable row', () => {
    const unreadable = { kind: 'unreadable', deliveryKind: 'application', id: 'a1' };

    beforeEach(async () => {
      await rig.database.all(sql`update application set errors = 'no list' where id = 'a1'`);
      rig.now = 200;
      await rig.add('a2');
    });

    it('is held without blocking the next row', async () => {
      expect(await rig.store.claimDue('application', leaseMs)).toEqual(unreadable);
      expect((await rig.claim()).application.id).toBe('a2');
      expect(await rig.store.listRowsNeedingOperator(9)).toMatchObject([
        { reference: 'a1', state: 'held', heldReason: 'unreadable' },
      ]);
    });

    it('is not retried', async () => {
      await rig.store.claimDue('application', leaseMs);
      expect(await rig.store.retryHeld()).toBe(0);
    });

    it('can contain a number beyond the safe integers', async () => {
      await rig.database.all(sql`
        update application set errors = '[]', finished_at = 9223372036854775807 where id = 'a1'`);
      expect(await rig.store.claimDue('application', leaseMs)).toEqual(unreadable);
    });
  });

  describe('recordResult', () => {
    it('counts uncertain attempts', async () => {
      await rig.attempt({ ...waiting, isUncertain: true });
      expect((await rig.claim()).application.uncertainAttempts).toBe(1);
    });

    it('resets the interruptions', async () => {
      await rig.claim();
      rig.now += leaseMs;
      await rig.attempt(waiting);
      expect((await rig.claim()).application).toMatchObject({
        uncertainAttempts: 1,
        interruptions: 0,
      });
    });

    it('ignores a result with a stale fencing token', async () => {
      const first = await rig.claim();
      rig.now += leaseMs;
      const second = await rig.claim();
      expect(await rig.store.recordResult(first, rejected)).toBe(false);
      expect((await rig.find()).state).toBe('sending');
      expect(await rig.store.recordResult(second, accepted)).toBe(true);
    });

    it.each([
      ['is being sent again', undefined],
      ['waits', { ...waiting, delayMs: 9_000, isUncertain: true }],
      ['is unconfirmed', unconfirmed],
      ['is held', held],
    ] as const)('records a stale acceptance while the row %s', async (_name, later) => {
      const first = await rig.claim();
      rig.now += leaseMs;
      const second = await rig.claim();
      if (later) await rig.store.recordResult(second, later);
      expect(await rig.store.recordResult(first, accepted)).toBe(true);
      expect(await rig.find()).toMatchObject({ ...accepted, heldReason: undefined });
      expect(await rig.store.recordResult(second, unconfirmed)).toBe(false);
    });

    it('ignores a stale acceptance of a rejected row', async () => {
      const first = await rig.claim();
      rig.now += leaseMs;
      await rig.attempt(rejected);
      expect(await rig.store.recordResult(first, accepted)).toBe(false);
      expect((await rig.find()).state).toBe('rejected');
    });

    it('returns true for a result that is recorded twice', async () => {
      const claim = await rig.claim();
      expect(await rig.store.recordResult(claim, unconfirmed)).toBe(true);
      expect(await rig.store.recordResult(claim, unconfirmed)).toBe(true);
      expect(await rig.store.recordResult(claim, rejected)).toBe(false);
    });

    it('erases the lead of an accepted application', async () => {
      const encryptedTrackingUrl = bytes(7);
      await rig.attempt({ ...accepted, encryptedTrackingUrl });
      expect(await rig.find()).toMatchObject({
        ...accepted,
        encryptedTrackingUrl,
        encryptedLead: undefined,
        finishedAt: 100,
      });
      expect(await rig.store.findNextDueMs(['application'])).toBeUndefined();
    });

    it('keeps the lead of a rejected application', async () => {
      const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;
      await rig.attempt({ ...rejected, errors });
      const { encryptedLead } = createNewApplication();
      expect(await rig.find()).toMatchObject({ state: 'rejected', errors, encryptedLead });
    });

    it.each([
      [unconfirmed, undefined, 0],
      [held, 'deadline', 1],
    ] as const)('keeps the lead for %o without sending it', async (...expected) => {
      const [result, heldReason, uncertainAttempts] = expected;
      await rig.attempt(result);
      expect(await rig.find()).toMatchObject({
        state: result.state,
        encryptedLead: createNewApplication().encryptedLead,
        heldReason,
        uncertainAttempts,
      });
      rig.now = 1_000_000_000;
      expect(await rig.store.claimDue('application', leaseMs)).toBeUndefined();
    });

    it('counts a row as refused from the first to the last refusal', async () => {
      const refused = { ...waiting, isRefused: true };
      rig.now = 200;
      await rig.attempt(refused);
      rig.now = 300;
      await rig.attempt(refused);
      expect(await rig.store.countRefused()).toEqual([
        { kind: 'application', state: 'waiting', count: 1, oldestAt: 200 },
      ]);
      await rig.attempt(waiting);
      expect(await rig.store.countRefused()).toEqual([]);
    });
  });
}

/** A store that belongs to one process. */
export function describeRecovery(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.store.addApplication(createNewApplication(), []);
  });

  describe('recover', () => {
    it('makes an interrupted application due at once', async () => {
      await rig.claim();
      await rig.store.recover();
      expect((await rig.claim()).application.uncertainAttempts).toBe(1);
    });

    it('makes an interrupted document due at once', async () => {
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.claim('document');
      await rig.store.recover();
      expect(await rig.claim('document')).toMatchObject({ attachment: { uncertainAttempts: 1 } });
    });

    it('deletes incomplete attachments only', async () => {
      await rig.complete('d1', 'one');
      await rig.store.beginAttachment(createAttachment('d2'), 9);
      await rig.store.recover();
      expect((await rig.store.findAttachment('d1'))?.state).toBe('received');
      expect(await rig.store.findAttachment('d2')).toBeUndefined();
    });

    it('delays a row longer after each interruption', async () => {
      await rig.claim();
      for (let crash = 1; crash <= 2; crash += 1) {
        await rig.store.recover();
        await rig.claim();
      }
      await rig.store.recover();
      expect(await rig.store.findNextDueMs(['application'])).toBe(leaseMs);
      const long = 10 * 60_000;
      await rig.database.all(sql`update application set lease_until = {now} + ${long}`);
      await rig.store.recover();
      expect(await rig.store.findNextDueMs(['application'])).toBe(4_000);
      await rig.database.all(sql`update application set interruptions = 99`);
      await rig.database.all(sql`update application set lease_until = {now} + ${99 * long}`);
      await rig.store.recover();
      expect(await rig.store.findNextDueMs(['application'])).toBe(15 * 60_000);
    });
  });
}
