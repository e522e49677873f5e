// What a started BFF does by itself besides delivering: it erases what it need not keep, and makes the disk forget it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, PurgeResult, RetentionPolicy } from '../../bff/store/store.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { createRig, type Rig } from './bff-rig.ts';
import { createManualTime, until, type ManualTime } from './manual-time.ts';

const dayMs = 86_400_000;

describe('a started BFF', () => {
  let time: ManualTime;
  let store: Store;
  let rig: Rig;
  const policies: RetentionPolicy[] = [];
  let purged: PurgeResult;
  let scrubs: number;

  beforeEach(async () => {
    time = createManualTime();
    store = await openStore('file::memory:', { clock: time.clock });
    purged = { undelivered: [], rows: 0 };
    policies.length = 0;
    scrubs = 0;
    rig = await createRig({
      time,
      delivers: false,
      settings: { retention: { recordDays: 7 } },
      store: {
        ...store,
        async purge(policy) {
          policies.push(policy);
          return purged;
        },
        async scrub() {
          scrubs += 1;
          return true;
        },
      },
    });
    await rig.start();
  });

  afterEach(() => rig.close());

  it('makes the disk forget an application seconds after the service has it', async () => {
    expect((await rig.openBrowser().apply()).status).toBe(201);
    expect(scrubs).toBe(0);
    time.advance(10_000);
    await until(() => scrubs === 1);
  });

  it('erases by the partner’s settings, and alarms for what was never delivered', async () => {
    purged = { undelivered: ['a1'], rows: 1 };
    time.advance(60_000);
    await until(() => policies.length === 1);
    expect(policies[0]).toMatchObject({ recordMs: 7 * dayMs, undeliveredMs: 30 * dayMs });
    const line = rig.logLines.find((text) => text.includes('undelivered-erased')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 50, reference: 'a1' });
  });

  it('erases nothing any more once it is closed', async () => {
    expect(await rig.close()).toBe('recorded');
    time.advance(dayMs);
    expect(policies).toEqual([]);
    expect(time.listTimers()).toEqual([]);
  });
});
