// Two workers with one PostgreSQL database and a connection each, like two processes.

import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { until } from '../../support/manual-time.ts';
import { createDeliveryRig, type DeliveryRig } from './delivery-rig.ts';

describePostgres('workers that share a store', () => {
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

  it('send each row once', async () => {
    await rig.addUpTo(20);
    for (let count = 1; count <= 6; count += 1) {
      await rig.addAttachment(`d${count}`, 'document', ['x'], `a${count}`);
      await rig.addAttachment(`r${count}`, 'bank-report', ['{}'], `a${count}`);
    }
    const workers = [rig.worker, rig.createWorker(other)];
    for (const worker of workers) await worker.start();
    await until(() => rig.sent.length >= 32);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(rig.sent).toHaveLength(32);
    expect(new Set(rig.sent.filter((line) => line.startsWith('lead'))).size).toBe(20);
    expect(rig.events.filter(({ event }) => event !== 'delivery-recorded')).toEqual([]);
  });

  it("release requests that wait for the other's result", async () => {
    const wait = rig.createWorker(other).waitForResult({ kind: 'application', id: 'a1' }, 8_000);
    // The request looks for a result from now on.
    await until(() => rig.time.listTimers().includes(500));
    await rig.worker.runDue();
    rig.time.advance(500);
    await wait;
    expect(await rig.isAccepted()).toBe(true);
  });

  it('claim a row after its lease expired', async () => {
    await rig.interrupt('application', 1);
    await rig.createWorker(other).runDue();
    expect(await rig.findApplication()).toMatchObject({ state: 'accepted', uncertainAttempts: 1 });
  });
});
