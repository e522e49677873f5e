// Two workers with one PostgreSQL database and a connection each, like two processes.

import { expect, it } from 'vitest';
import { openStore } from '../../../bff/store/open-store.ts';
import { createTestDatabaseUrl, describePostgres } from '../../support/postgres.ts';
import { until } from '../../support/manual-time.ts';
import { createDeliveryRig } from './delivery-rig.ts';

describePostgres('workers that share a store', () => {
  it('send each row once', async () => {
    const url = await createTestDatabaseUrl();
    const rig = await createDeliveryRig((clock) => openStore(url, { clock }));
    const other = await openStore(url, { clock: rig.time.clock });
    await rig.addUpTo(20);
    for (let count = 1; count <= 6; count += 1) {
      await rig.addAttachment(`d${count}`, 'document', ['x'], `a${count}`);
      await rig.addAttachment(`r${count}`, 'bank-report', ['{}'], `a${count}`);
    }
    const workers = [rig.worker, rig.createWorker(other)];
    for (const worker of workers) await worker.start();
    await until(() => rig.sent.length >= 32);
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all([rig.store.close(), other.close()]);
    expect(rig.sent).toHaveLength(32);
    expect(new Set(rig.sent.filter((line) => line.startsWith('lead'))).size).toBe(20);
    expect(rig.events.filter(({ event }) => event !== 'delivery-recorded')).toEqual([]);
  });
});
