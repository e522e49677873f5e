// Several deliveries on one PostgreSQL, each with a connection of its own as in several processes.

import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { until } from '../manual-time.ts';
import { createDeliveryRig, type DeliveryRig } from './delivery-rig.ts';

describePostgres('deliveries that share a store', () => {
  let rig: DeliveryRig;
  let other: Store;

  beforeEach(async () => {
    const url = await createTestDatabaseUrl();
    rig = await createDeliveryRig((clock) => openStore(url, { clock }));
    other = await openStore(url, { clock: rig.time.clock });
    return async () => {
      await Promise.all([rig.store.close(), other.close()]);
    };
  });

  it('send each application, document and report once', async () => {
    for (let count = 2; count <= 20; count += 1) await rig.addApplication(`a${count}`);
    for (let count = 1; count <= 6; count += 1) {
      await rig.addAttachment(`d${count}`, 'document', ['x'], `a${count}`);
      await rig.addAttachment(`r${count}`, 'bank-report', ['{}'], `a${count}`);
    }
    const loops = [rig.delivery, rig.createLoop(other)];
    for (const loop of loops) await loop.start();
    await until(() => rig.sent.length >= 32);
    await Promise.all(loops.map((loop) => loop.stop()));
    expect(rig.sent).toHaveLength(32);
    expect(new Set(rig.sent.filter((line) => line.startsWith('lead'))).size).toBe(20);
    expect(rig.events.filter(({ event }) => event !== 'delivery-recorded')).toEqual([]);
  });

  it('tell who waits at the one what the other has recorded', async () => {
    const loop = rig.createLoop(other);
    const wait = loop.waitForResult({ table: 'application', id: 'a1' }, 8_000);
    await until(() => rig.time.listTimers().includes(500));
    await rig.delivery.runDue();
    rig.time.advance(500);
    await wait;
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('take over what one of them left, once its lease is over', async () => {
    await rig.interrupt('application', 1);
    await rig.createLoop(other).runDue();
    expect(await rig.findApplication()).toMatchObject({ state: 'accepted', uncertainAttempts: 1 });
  });
});
