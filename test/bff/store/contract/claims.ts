// The contract of leases and results.

import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import * as results from './rig.ts';
import { leaseMs, type OpenTestDatabase, useStoreRig } from './rig.ts';
import { bytes, createNewApplication, day } from './rows.ts';

const { accepted, held, refused, rejected, unconfirmed, waiting } = results;

export function describeClaims(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(() => rig.add());

  /** Lets the lease of the claim end, and claims the row again. */
  async function claimTwice() {
    const first = await rig.claim();
    rig.now += leaseMs;
    return [first, await rig.claim()] as const;
  }

  describe('claimDue', () => {
    it('claims a new application with a lease', async () => {
      const progress = { attempts: 1, uncertainAttempts: 0, firstAttemptAt: 100 };
      expect(await rig.claim()).toMatchObject({
        kind: 'application',
        fencingToken: 1,
        claimedAt: 100,
        application: { id: 'a1', state: 'sending', ...progress },
      });
    });

    it('claims a waiting application after its delay', async () => {
      await rig.attempt({ ...waiting, delayMs: 400, outcome: 'not-sent' });
      await rig.add('a2');
      await rig.attempt({ ...waiting, delayMs: 900 });
      rig.now = 499;
      expect(await rig.claimId()).toBeUndefined();
      expect(await rig.store.findNextDueMs(['application'])).toBe(1);
      rig.now = 500;
      const progress = { attempts: 2, firstAttemptAt: 100, lastOutcome: 'not-sent' };
      expect((await rig.claim()).application).toMatchObject(progress);
    });

    it.each(['received', 'waiting'])(
      'claims a %s row after the clock was set back',
      async (state) => {
        rig.now = day;
        if (state === 'waiting') await rig.attempt({ ...waiting, delayMs: 3_600_000 });
        else await rig.database.all(sql`update application set next_at = {now} + ${3_600_000}`);
        expect(await rig.claimId()).toBeUndefined();
        rig.now = 0;
        expect(await rig.claimId()).toBe('a1');
      },
    );

    it('claims a row by its id before older rows', async () => {
      await rig.add('a2');
      expect(await rig.claimId('application', 'a2')).toBe('a2');
      expect(await rig.claimId('application', 'a2')).toBeUndefined();
      expect(await rig.claimId()).toBe('a1');
    });

    it('claims new rows first, then those that have been due the longest', async () => {
      await rig.attempt(waiting);
      for (rig.now of [200, 300]) await rig.add(`a${rig.now}`);
      rig.now = 9_000;
      const ids = [await rig.claimId(), await rig.claimId(), await rig.claimId()];
      expect(ids).toEqual(['a200', 'a300', 'a1']);
    });
  });

  it('extends the lease of the latest claim until it has a result', async () => {
    const [first, second] = await claimTwice();
    rig.now += leaseMs - 1;
    expect(await rig.store.extendLease(first, leaseMs)).toBe(false);
    expect(await rig.store.extendLease(second, leaseMs)).toBe(true);
    rig.now += leaseMs - 1;
    expect(await rig.claimId()).toBeUndefined();
    await rig.store.recordResult(second, waiting);
    expect(await rig.store.extendLease(second, leaseMs)).toBe(false);
  });

  // The second value is beyond the safe integers.
  it.each([sql`errors = 'no list'`, sql`finished_at = 9223372036854775807`])(
    'holds an unreadable row without blocking the next one: $sql',
    async (change) => {
      await rig.database.all(sql`update application set ${change}`);
      rig.now = 200;
      await rig.add('a2');
      const unreadable = { kind: 'unreadable', deliveryKind: 'application', id: 'a1' };
      expect(await rig.store.claimDue('application', leaseMs)).toEqual(unreadable);
      expect(await rig.claimId()).toBe('a2');
      expect(await rig.store.listRowsNeedingOperator(9)).toMatchObject([
        { reference: 'a1', state: 'held', heldReason: 'unreadable' },
      ]);
      expect(await rig.store.retryHeld()).toBe(0);
    },
  );

  describe('recordResult', () => {
    it('counts uncertain attempts, and resets the interruptions', async () => {
      const [, second] = await claimTwice();
      await rig.store.recordResult(second, { ...waiting, isUncertain: true });
      expect(await rig.find()).toMatchObject({ uncertainAttempts: 2, interruptions: 0 });
      await rig.attempt(waiting);
      expect(await rig.find()).toMatchObject({ uncertainAttempts: 2, attempts: 3 });
    });

    it('ignores a result with a stale fencing token', async () => {
      const [first, second] = await claimTwice();
      expect(await rig.store.recordResult(first, rejected)).toBe(false);
      expect((await rig.find()).state).toBe('sending');
      expect(await rig.store.recordResult(second, accepted)).toBe(true);
    });

    it.each([undefined, { ...waiting, delayMs: 9_000 }, unconfirmed, held])(
      'records a stale acceptance after the later result %o',
      async (later) => {
        const [first, second] = await claimTwice();
        if (later) await rig.store.recordResult(second, later);
        expect(await rig.store.recordResult(first, accepted)).toBe(true);
        expect(await rig.find()).toMatchObject({ ...accepted, heldReason: undefined });
        expect(await rig.store.recordResult(second, unconfirmed)).toBe(false);
      },
    );

    it.each(['rejected', 'accepted', 'erased'])(
      'ignores a stale acceptance of a row that is %s',
      async (state) => {
        const [first, second] = await claimTwice();
        if (state === 'erased') await rig.database.all(sql`update application set erased_at = 1`);
        else await rig.store.recordResult(second, state === 'rejected' ? rejected : accepted);
        const before = await rig.find();
        const late = { ...accepted, serviceId: 'L0' };
        expect(await rig.store.recordResult(first, late)).toBe(false);
        expect(await rig.find()).toEqual(before);
      },
    );

    it('returns true for a result that is recorded twice', async () => {
      const claim = await rig.claim();
      expect(await rig.store.recordResult(claim, unconfirmed)).toBe(true);
      expect(await rig.store.recordResult(claim, unconfirmed)).toBe(true);
      expect(await rig.store.recordResult(claim, rejected)).toBe(false);
    });

    const url = { encryptedTrackingUrl: bytes(7) };
    const lead = { encryptedLead: createNewApplication().encryptedLead };
    const errors = [{ pointer: '/owner/ssn', code: 'rejected' }] as const;
    it.each([
      [
        { ...accepted, ...url },
        { ...url, encryptedLead: undefined, finishedAt: 100 },
      ],
      [accepted, { serviceId: 'L1', lastOutcome: 'accepted' }],
      [
        { ...rejected, errors },
        { ...lead, errors, lastOutcome: 'rejected', finishedAt: 100 },
      ],
      [
        { ...rejected, outcome: 'no' },
        { errors: [], lastOutcome: 'no' },
      ],
      [unconfirmed, { ...lead, lastOutcome: 'duplicate-id', heldReason: undefined }],
      [held, { ...lead, heldReason: 'deadline', uncertainAttempts: 1, lastOutcome: 'earlier' }],
      [
        { ...held, outcome: 'no', isUncertain: false },
        { lastOutcome: 'no', uncertainAttempts: 0 },
      ],
    ] as const)('stores what is known after %o', async (result, expected) => {
      await rig.attempt({ ...waiting, outcome: 'earlier' });
      await rig.attempt(result);
      expect(await rig.find()).toMatchObject({ state: result.state, ...expected });
      rig.now = 1_000_000_000;
      expect(await rig.claimId()).toBeUndefined();
    });

    it('counts a row as refused from the first to the last refusal', async () => {
      for (rig.now of [200, 300]) await rig.attempt(refused);
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

  beforeEach(() => rig.add());

  describe('recover', () => {
    it('makes an interrupted document due at once, and deletes incomplete ones', async () => {
      await rig.complete('d1');
      await rig.begin('d2');
      await rig.attempt(accepted);
      await rig.claim('document');
      await rig.complete('d3');
      await rig.store.recover();
      const claim = await rig.store.claimDue('document', leaseMs, 'd1');
      expect(claim).toMatchObject({ attachment: { uncertainAttempts: 1 } });
      expect(await rig.findDocument('d2')).toBeUndefined();
      expect((await rig.findDocument('d3'))?.state).toBe('received');
    });

    it('sends an interrupted event again, as the same attempt', async () => {
      const webhook = { name: 'webhook', target: '' } as const;
      await rig.store.registerEventConsumers([webhook]);
      await rig.store.erase('a1');
      const claim = () => rig.store.claimEvent(webhook, leaseMs);
      expect(await claim()).toMatchObject({ attempts: 1, fencingToken: 1 });
      await rig.store.recover();
      expect(await claim()).toMatchObject({ attempts: 1, fencingToken: 2 });
    });

    it.each([
      [0, 1e9, -100],
      [1, 1e9, -100],
      [2, 1e9, 4_000],
      [3, 1e9, 8_000],
      [99, 1e9, 15 * 60_000],
      [99, leaseMs, leaseMs],
    ])('after %i interruptions, ends a lease of %i ms in %i ms', async (count, leftMs, dueMs) => {
      await rig.claim();
      await rig.database.all(sql`
        update application set interruptions = ${count}, lease_until = {now} + ${leftMs}`);
      await rig.store.recover();
      expect(await rig.store.findNextDueMs(['application'])).toBe(dueMs);
      rig.now += Math.max(0, dueMs);
      expect((await rig.claim()).application.uncertainAttempts).toBe(1);
    });
  });
}
