// When a campaign may stop its processes: after the last delivery, and after the events that it caused.

import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../bff/store/database.ts';
import { countEventsStatement } from '../../../bff/store/events.ts';
import { createStore, openDatabase } from '../../../bff/store/open-store.ts';
import { createNewApplication } from '../../bff/store/contract/rows.ts';
import { waitUntilSettled } from './rig.ts';
import { createStorage } from './storage.ts';

it('waits for the event of a delivery that ends while events are counted', async () => {
  const storage = await createStorage({ engine: 'SQLite' });
  const database = await openDatabase(storage.url);
  onTestFinished(async () => {
    await database.close();
    await storage.remove();
  });
  const store = createStore(database);
  const sendEvent = async () => {
    const claim = await store.claimEvent({ name: 'webhook', target: '' }, 1_000);
    if (claim) await store.recordEventSent(claim);
  };
  await store.registerEventConsumers([{ name: 'webhook', target: '' }]);
  const { claim } = await store.addApplication(createNewApplication(), [], undefined, 60_000);
  await sendEvent();

  let counts = 0;
  const busy: Database = {
    ...database,
    async all(statement) {
      const rows = await database.all(statement);
      if (statement.sql === countEventsStatement.sql) {
        counts += 1;
        if (counts === 1) await store.recordResult(claim!, { state: 'accepted', serviceId: 'L1' });
        if (counts === 2) await sendEvent();
      }
      return rows;
    },
  };
  await waitUntilSettled(busy);
  expect(counts).toBe(3);
  expect(await store.countEvents()).toMatchObject([{ pending: 0 }]);
});
