// The delivery as a loop that runs by itself: when it wakes, what it does when the store fails, how long it sleeps.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../bff/store/store.ts';
import type { DeliveryWorker } from '../../../bff/delivery/delivery-worker.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { until } from '../manual-time.ts';
import {
  accepted,
  createDeliveryRig,
  duplicate,
  hang,
  holdAnswer,
  leaseMs,
  watchCalls,
  type DeliveryRig,
} from './delivery-rig.ts';

describe('the delivery once it is started', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('wakes by itself when a pause is over', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.delivery.start();
    await until(async () => (await rig.findApplication()).state === 'waiting');
    await until(() => rig.time.listTimers().includes(2_000));
    rig.time.advance(2_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await rig.delivery.stop();
  });

  it('finds within ten seconds what another process has put there without a word', async () => {
    await rig.delivery.start();
    await isAsleep(10_000);
    await rig.addApplication('a2');
    rig.time.advance(10_000);
    await until(async () => (await rig.findApplication('a2')).state === 'accepted');
    await rig.delivery.stop();
  });

  it('looks every two seconds where other processes are at work', async () => {
    const loop = rig.createLoop({ ...rig.store, isShared: true });
    await loop.start();
    await isAsleep(2_000);
    await loop.stop();
  });

  it('does not spin while something due is kept back', async () => {
    const calls: string[] = [];
    const store: Store = {
      ...rig.store,
      claimDue: async () => undefined,
      findNextDueMs: async () => -60_000,
    };
    const loop = rig.createLoop(watchCalls(store, calls));
    await loop.start();
    await isAsleep(250);
    expect(calls.filter((name) => name === 'findNextDueMs')).toHaveLength(1);
    await loop.stop();
  });

  it('makes no more calls at once than it may', async () => {
    await rig.addApplication('a2');
    const answer = holdAnswer(rig.answers);
    const loop = rig.createLoop(rig.store, { maxConcurrent: 1 });
    await loop.start();
    await until(() => rig.sent.length === 1);
    loop.wake();
    await new Promise(setImmediate);
    expect(rig.sent).toHaveLength(1);
    answer(accepted);
    await until(() => rig.sent.length === 2);
    await loop.stop();
  });

  it('is woken at whatever moment something new is due', async () => {
    for (let ticks = 0; ticks < 200; ticks += 1) {
      const own = await createDeliveryRig();
      const started = own.delivery.start();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      await own.addApplication('a2');
      own.delivery.wake();
      await started;
      await until(async () => (await own.findApplication('a2')).state === 'accepted');
      await own.delivery.stop();
      await own.store.close();
    }
  });

  it('goes on after the store has failed', async () => {
    let failures = 1;
    const failing: Store = {
      ...rig.store,
      claimDue: (...wanted) => {
        failures -= 1;
        if (failures >= 0) return Promise.reject(new Error('disk full'));
        return rig.store.claimDue(...wanted);
      },
    };
    const loop = rig.createLoop(failing, { maxConcurrent: 1 });
    await loop.start();
    await until(() => rig.events.some(({ event }) => event === 'delivery-stalled'));
    rig.time.advance(5_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await loop.stop();
  });

  it('passes over a row that cannot be read, and says so', async () => {
    let isFirst = true;
    const store: Store = {
      ...rig.store,
      claimDue(kind, ...rest) {
        if (!isFirst) return rig.store.claimDue(kind, ...rest);
        isFirst = false;
        return Promise.resolve({ kind: 'unreadable', deliveryKind: kind, id: 'a0' });
      },
    };
    await rig.createLoop(store).runDue();
    expect(rig.events).toContainEqual({ event: 'row-unreadable', kind: 'application', id: 'a0' });
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('claims for as long as it is told, and extends that in good time', async () => {
    const leases: number[] = [];
    const store: Store = {
      ...rig.store,
      claimDue(kind, leaseMs, id) {
        leases.push(leaseMs);
        return rig.store.claimDue(kind, leaseMs, id);
      },
      extendLease(claim, leaseMs) {
        leases.push(leaseMs);
        return rig.store.extendLease(claim, leaseMs);
      },
    };
    hang(rig.answers, 1);
    const loop = rig.createLoop(store, { leaseMs: 900, maxConcurrent: 1 });
    await loop.start();
    await until(() => rig.sent.length === 1);
    for (let step = 0; step < 9; step += 1) rig.time.advance(300);
    expect(leases).toEqual(Array.from({ length: 10 }, () => 900));
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
  });

  describe('while an operation is paused', () => {
    it('touches none of its rows, however often it is woken', async () => {
      const calls: string[] = [];
      const loop = rig.createLoop(watchCalls(rig.store, calls));
      await rig.accept();
      for (let count = 2; count <= 9; count += 1) await rig.addApplication(`a${count}`);
      await rig.addAttachment('d1', 'document', ['x']);
      for (const operation of ['create-lead', 'upload-file'] as const) {
        rig.readiness.set(operation, { kind: 'unavailable', retryAfterMs: 30_000 });
      }
      rig.readiness.set('asset-report', { kind: 'unavailable', retryAfterMs: undefined });
      rig.readiness.set('contact-user', { kind: 'unavailable', retryAfterMs: undefined });
      calls.length = 0;
      await loop.start();
      for (let count = 0; count < 200; count += 1) {
        loop.wake();
        await new Promise(setImmediate);
      }
      for (let second = 0; second < 60; second += 1) rig.time.advance(1_000);
      expect(calls.filter((name) => !['isShared', 'recover'].includes(name))).toEqual([]);
      await loop.stop();
    });

    it('wakes when the pause is over', async () => {
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: 4_000 });
      await rig.delivery.start();
      await isAsleep(4_000);
      rig.readiness.clear();
      rig.time.advance(4_000);
      await until(async () => (await rig.findApplication()).state === 'accepted');
      await rig.delivery.stop();
    });

    it('sends one to see whether the service is back, and all the others when it is', async () => {
      for (const id of ['a2', 'a3', 'a4']) await rig.addApplication(id);
      rig.readiness.set('create-lead', { kind: 'half-open' });
      const answer = holdAnswer(rig.answers);
      await rig.delivery.start();
      await until(() => rig.sent.length === 1);
      rig.delivery.wake();
      await new Promise(setImmediate);
      expect(rig.sent).toHaveLength(1);
      rig.readiness.clear();
      answer(accepted);
      await until(() => rig.sent.length === 4);
      await rig.delivery.stop();
    });
  });

  function isAsleep(ms: number): Promise<void> {
    return until(() => rig.time.listTimers().includes(ms));
  }
});

describe('a delivery that finds its own row due, as after the machine slept', () => {
  let rig: DeliveryRig;
  let sleptMs: number;

  beforeEach(async () => {
    sleptMs = 0;
    rig = await createDeliveryRig((clock) =>
      openStore('file::memory:', { clock: () => clock() + sleptMs }),
    );
    return () => rig.store.close();
  });

  it('does not send it again, and records how the first attempt ends', async () => {
    const answer = holdAnswer(rig.answers);
    rig.answers.push(duplicate);
    await rig.delivery.start();
    await sleepThrough(rig.delivery);
    answer(accepted);
    expect(await rig.delivery.stop()).toBe(true);
    expect(rig.sent).toHaveLength(1);
    expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L1' });
  });

  it('does not count an attempt in doubt, since nothing was interrupted', async () => {
    const answer = holdAnswer(rig.answers);
    await rig.delivery.start();
    await sleepThrough(rig.delivery);
    answer({ kind: 'not-sent' });
    await rig.delivery.stop();
    expect(await rig.findApplication()).toMatchObject({ state: 'waiting', uncertainAttempts: 0 });
  });

  it('extends the new lease', async () => {
    hang(rig.answers, 1);
    await rig.delivery.start();
    await sleepThrough(rig.delivery);
    for (let step = 0; step < 9; step += 1) rig.time.advance(leaseMs / 3);
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
  });

  it('has its other slots left', async () => {
    hang(rig.answers, 1);
    const loop = rig.createLoop(rig.store, { maxConcurrent: 2 });
    await loop.start();
    await sleepThrough(loop);
    await rig.addApplication('a2');
    loop.wake();
    await until(async () => (await rig.findApplication('a2')).state === 'accepted');
  });

  it('records a result that was on its way to the store when the row was claimed again', async () => {
    let isFirst = true;
    const loop: DeliveryWorker = rig.createLoop({
      ...rig.store,
      async recordResult(...result) {
        if (isFirst) {
          isFirst = false;
          await sleepThrough(loop);
        }
        return rig.store.recordResult(...result);
      },
    });
    rig.answers.push(duplicate);
    await loop.start();
    await until(async () => (await rig.findApplication()).state === 'unconfirmed');
  });

  it('sends nothing either when the claim comes only after the result was recorded', async () => {
    const answer = holdAnswer(rig.answers);
    const loop = rig.createLoop({
      ...rig.store,
      async claimDue(...wanted) {
        const claimed = await rig.store.claimDue(...wanted);
        if (sleptMs > 0 && claimed) {
          answer(accepted);
          await until(() => rig.events.some(({ event }) => event === 'delivery-recorded'));
          await new Promise(setImmediate);
        }
        return claimed;
      },
    });
    await loop.start();
    await sleepThrough(loop);
    await loop.stop();
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  /** Until the loop has claimed the row that it is still sending. */
  async function sleepThrough(loop: DeliveryWorker): Promise<void> {
    await until(() => rig.sent.length === 1);
    sleptMs = leaseMs;
    loop.wake();
    await until(async () => (await rig.findApplication()).attempts === 2);
    await new Promise(setImmediate);
  }
});
