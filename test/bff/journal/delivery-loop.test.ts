// The delivery as a loop that runs by itself: when it wakes, when it stops, who waits for it.

import { beforeEach, describe, expect, it } from 'vitest';
import type { LeadCreated, Outcome } from '../../../bff/funding-service/funding-service.ts';
import type { Journal } from '../../../bff/journal/journal.ts';
import { until } from '../manual-time.ts';
import { accepted, createDeliveryRig, duplicate, type DeliveryRig } from './delivery-rig.ts';

const awaited = { table: 'application', id: 'a1' } as const;

describe('the delivery once it is started', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.journal.close();
  });

  it('wakes by itself when a pause is over', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.delivery.start();
    await until(async () => (await rig.findApplication()).state === 'waiting');
    await until(() => rig.time.listTimers().length === 1);
    rig.time.advance(2_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await rig.delivery.stop();
  });

  it('claims nothing any more once it is stopped', async () => {
    await rig.delivery.start();
    await rig.delivery.stop();
    await rig.journal.addSession({ id: 's2', origin: 'o', createdAt: 1, endedAt: undefined });
    await rig.addApplication('a2', 's2');
    rig.delivery.wake();
    await until(() => rig.time.listTimers().length === 0);
    expect((await rig.findApplication('a2')).state).toBe('received');
  });

  it('tells those who wait for a result, all of them', async () => {
    const waits = [1, 2].map(() => rig.delivery.waitForResult(awaited, 8_000));
    await rig.delivery.start();
    await Promise.all(waits);
    expect((await rig.findApplication()).state).toBe('accepted');
    await rig.delivery.stop();
  });

  it('lets nobody wait longer than they want to', async () => {
    rig.answers.push(() => new Promise(() => undefined));
    await rig.delivery.start();
    const wait = rig.delivery.waitForResult(awaited, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    rig.time.advance(8_000);
    await wait;
    expect((await rig.findApplication()).state).toBe('sending');
  });

  it('lets nobody wait for a result that is there', async () => {
    await rig.delivery.runDue();
    await rig.delivery.waitForResult(awaited, 8_000);
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('holds a result that the journal does not take, and claims nothing meanwhile', async () => {
    let failures = 3;
    const failing: Journal = {
      ...rig.journal,
      settle: (...result) => {
        failures -= 1;
        if (failures >= 0) return Promise.reject(new Error('disk full'));
        return rig.journal.settle(...result);
      },
    };
    rig.answers.push(accepted, duplicate);
    const loop = rig.createLoop(failing);
    await loop.start();
    const isStalled = (times: number) =>
      rig.events.filter(({ event }) => event === 'delivery-stalled').length === times;
    for (const times of [1, 2, 3]) {
      await until(() => isStalled(times) && rig.time.listTimers().includes(5_000));
      if (times === 1) await addOther();
      loop.wake();
      rig.time.advance(5_000);
    }
    await until(async () => (await rig.findApplication()).state === 'accepted');
    expect((await rig.findApplication()).serviceId).toBe('L1');
    expect(rig.sent.filter((line) => line.includes('a1'))).toHaveLength(1);
    await loop.stop();
  });

  it('keeps the lease of a result that the journal does not take', async () => {
    let isFull = true;
    const failing: Journal = {
      ...rig.journal,
      settle: (...result) =>
        isFull ? Promise.reject(new Error('disk full')) : rig.journal.settle(...result),
    };
    const running = rig.createLoop(failing).runDue();
    await until(() => rig.events.length > 0);
    for (let step = 0; step < 120; step += 1) {
      await until(() => rig.time.listTimers().some((ms) => ms <= 5_000));
      rig.time.advance(5_000);
    }
    expect(await rig.journal.claimDue(rig.time.clock(), rig.time.clock() + 1)).toBeUndefined();
    isFull = false;
    await until(() => rig.time.listTimers().some((ms) => ms <= 5_000));
    rig.time.advance(5_000);
    await running;
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('ends only when the calls under way are recorded', async () => {
    const answer = holdAnswer();
    await rig.delivery.start();
    await until(() => rig.sent.length === 1);
    let isStopped = false;
    const stopping = rig.delivery.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    answer(accepted);
    await stopping;
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('makes no more calls at once than it may', async () => {
    await addOther();
    const answer = holdAnswer();
    const loop = rig.createLoop(rig.journal, { maxConcurrent: 1 });
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
    for (let ticks = 0; ticks < 40; ticks += 1) {
      const own = await createDeliveryRig();
      await own.journal.addSession({ id: 's2', origin: 'o', createdAt: 1, endedAt: undefined });
      const started = own.delivery.start();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      await own.addApplication('a2', 's2');
      own.delivery.wake();
      await started;
      await until(async () => (await own.findApplication('a2')).state === 'accepted');
      await own.delivery.stop();
      await own.journal.close();
    }
  });

  it('keeps no timer for somebody whose row cannot be looked up', async () => {
    const failing: Journal = {
      ...rig.journal,
      findApplication: () => Promise.reject(new Error('disk broken')),
    };
    const waiting = rig.createLoop(failing).waitForResult(awaited, 8_000);
    await expect(waiting).rejects.toThrow('disk broken');
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('goes on after the journal has failed', async () => {
    let failures = 1;
    const failing: Journal = {
      ...rig.journal,
      claimDue: (now, leaseUntil) => {
        failures -= 1;
        if (failures >= 0) return Promise.reject(new Error('disk full'));
        return rig.journal.claimDue(now, leaseUntil);
      },
    };
    const loop = rig.createLoop(failing);
    await loop.start();
    await until(() => rig.events.some(({ event }) => event === 'delivery-stalled'));
    rig.time.advance(5_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await loop.stop();
  });

  async function addOther(): Promise<void> {
    await rig.journal.addSession({ id: 's2', origin: 'o', createdAt: 1, endedAt: undefined });
    await rig.addApplication('a2', 's2');
  }

  /** The service keeps its next answer to itself until it is handed over. */
  function holdAnswer(): (outcome: Outcome<LeadCreated>) => void {
    let answer: (outcome: Outcome<LeadCreated>) => void = () => undefined;
    rig.answers.push(() => new Promise((resolve) => (answer = resolve)));
    return (outcome) => answer(outcome);
  }
});
