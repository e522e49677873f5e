// Retention of a started BFF, and its end.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, PurgeResult } from '../../bff/store/store.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { createKey } from '../support/applicant.ts';
import { createApplication } from '../support/applications.ts';
import { startBff, type TestBff } from '../support/bff.ts';
import { createManualTime, until, type ManualTime } from '../support/manual-time.ts';

const dayMs = 86_400_000;

describe('a started BFF', () => {
  let time: ManualTime;
  let store: Store;
  let bff: TestBff;
  const purges: Parameters<Store['purge']>[0][] = [];
  let purged: PurgeResult;
  let scrubs: number;

  beforeEach(async () => {
    time = createManualTime();
    store = await openStore('file::memory:', { clock: time.clock });
    purged = { undelivered: [], rows: 0 };
    purges.length = 0;
    scrubs = 0;
    bff = await startBff({
      time,
      delivers: false,
      settings: { retention: { recordDays: 7 } },
      store: {
        ...store,
        async purge(retention) {
          purges.push(retention);
          return purged;
        },
        async scrub() {
          scrubs += 1;
          return true;
        },
      },
    });
    await bff.start();
  });

  afterEach(() => bff.close());

  it('scrubs the store seconds after a delivery', async () => {
    expect((await bff.openBrowser().apply()).status).toBe(201);
    expect(scrubs).toBe(0);
    time.advance(10_000);
    await until(() => scrubs === 1);
  });

  it('logs applications that were erased undelivered', async () => {
    purged = { undelivered: ['a1'], rows: 1 };
    time.advance(60_000);
    await until(() => purges.length === 1);
    expect(purges[0]).toMatchObject({ recordDays: 7, undeliveredDays: 30 });
    const line = bff.logLines.find((text) => text.includes('undelivered-erased')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 50, reference: 'a1' });
  });

  it('erases nothing after close', async () => {
    expect(await bff.close()).toBe('recorded');
    time.advance(dayMs);
    expect(purges).toEqual([]);
    expect(time.listTimers()).toEqual([]);
  });
});

describe('bff.close', () => {
  const time = createManualTime();

  /** A BFF whose store is in memory, with `changes`. */
  async function start(changes: Partial<Store>): Promise<TestBff> {
    const store = await openStore('file::memory:', { clock: time.clock });
    const bff = await startBff({ time, delivers: false, store: { ...store, ...changes } });
    await bff.start();
    return bff;
  }

  it('waits for a purge before it closes the store', async () => {
    const steps: string[] = [];
    let endPurge: (result: PurgeResult) => void = () => undefined;
    const bff = await start({
      async purge() {
        steps.push('purge');
        return new Promise((resolve) => {
          endPurge = resolve;
        });
      },
      close: async () => void steps.push('close'),
    });
    time.advance(60_000);
    await until(() => steps.length > 0);
    const closed = bff.close();
    await until(() => time.listTimers().includes(25_000));
    expect(steps).toEqual(['purge']);
    endPurge({ undelivered: [], rows: 0 });
    expect(await closed).toBe('recorded');
    expect(steps).toEqual(['purge', 'close']);
  });

  it('ends if closing the store hangs', async () => {
    const bff = await start({ close: () => new Promise(() => undefined) });
    const closed = bff.close();
    await until(() => time.listTimers().includes(5_000));
    time.advance(5_000);
    expect(await closed).toBe('unrecorded');
  });

  it('ends if closing the store fails', async () => {
    const bff = await start({ close: () => Promise.reject(new Error('disk full')) });
    expect(await bff.close()).toBe('unrecorded');
    expect(time.listTimers()).toEqual([]);
  });
});

describe('bff.deliver', () => {
  /** The request waits for a worker, which does not run. */
  async function addUnsent(bff: TestBff): Promise<void> {
    const applied = bff.openBrowser().apply(createApplication(), createKey());
    await until(() => bff.time.listTimers().includes(8_000));
    bff.time.advance(8_000);
    expect((await applied).json).toMatchObject({ status: 'received' });
  }

  it('has no more to do while the receiver of events is unavailable', async () => {
    const onStatus = () => Promise.reject(new Error('down'));
    const bff = await startBff({ delivers: false, onStatus });
    await bff.statusEvents.register();
    for (let count = 0; count < 12; count += 1) await addUnsent(bff);
    expect(await bff.deliver(60_000)).toEqual({ attempts: 12, hasMore: false });
    expect(await bff.store.countEvents()).toMatchObject([{ pending: 12 }]);
    expect(await bff.store.findNextEventMs({ name: 'hook', target: '' })).toBeLessThanOrEqual(0);
    await bff.close();
  });

  it('has no more to do while the funding service is unavailable', async () => {
    const bff = await startBff({ delivers: false });
    for (let count = 0; count < 20; count += 1) {
      await addUnsent(bff);
      bff.faults.push({
        path: '/creditapp',
        result: { kind: 'not-sent', failure: 'ECONNREFUSED' },
      });
    }
    expect(await bff.deliver(60_000)).toMatchObject({ hasMore: false });
    expect(await bff.store.findNextDueMs(['application'])).toBeLessThanOrEqual(0);
    await bff.close();
  });

  it('has more to do when its time is over', async () => {
    const bff = await startBff({ delivers: false });
    await addUnsent(bff);
    expect(await bff.deliver(0)).toEqual({ attempts: 0, hasMore: true });
    expect(await bff.deliver(60_000)).toEqual({ attempts: 1, hasMore: false });
    await bff.close();
  });

  it('joins a call in progress, because it ends the leases of all rows', async () => {
    const store = await openStore('file::memory:');
    let recoveries = 0;
    const recover = () => {
      recoveries += 1;
      return store.recover();
    };
    const bff = await startBff({ delivers: false, store: { ...store, recover } });
    await addUnsent(bff);
    const results = await Promise.all([bff.deliver(60_000), bff.deliver(60_000)]);
    expect(results).toEqual([1, 1].map((attempts) => ({ attempts, hasMore: false })));
    expect(recoveries).toBe(1);
    await bff.deliver(60_000);
    expect(recoveries).toBe(2);
    await bff.close();
  });
});
