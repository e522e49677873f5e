// The delivery as a loop that runs by itself: when it wakes, when it stops, who waits for it.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../../bff/journal/journal.ts';
import { until } from '../manual-time.ts';
import { createDeliveryRig, type DeliveryRig } from './delivery-rig.ts';

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
});
