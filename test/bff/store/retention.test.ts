// The schedule of purges and scrubs, with a clock that the test moves.

import { beforeEach, describe, expect, it } from 'vitest';
import {
  createRetentionWorker,
  type RetentionEvent,
  type RetentionWorkerOptions,
} from '../../../bff/store/retention.ts';
import type { PurgeResult } from '../../../bff/store/store.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { retention } from './contract/rig.ts';

const minuteMs = 60_000;

describe('createRetentionWorker', () => {
  let time: ManualTime;
  let events: RetentionEvent[];
  /** Calls of the store, in order. */
  let calls: string[];
  /** The results of the next calls. Default: nothing was erased, and the scrub succeeded. */
  let purges: (PurgeResult | Error | Promise<PurgeResult>)[];
  let scrubs: boolean[];

  beforeEach(() => {
    time = createManualTime();
    [events, calls, purges, scrubs] = [[], [], [], []];
  });

  function create(changes: Partial<RetentionWorkerOptions> = {}, isShared = false) {
    return createRetentionWorker({
      store: {
        isShared,
        async purge(given) {
          expect(given).toBe(retention);
          calls.push('purge');
          const result = await (purges.shift() ?? { undelivered: [], rows: 0 });
          if (result instanceof Error) throw result;
          return result;
        },
        async scrub() {
          calls.push('scrub');
          return scrubs.shift() ?? true;
        },
      },
      retention,
      startTimer: time.startTimer,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
      ...changes,
    });
  }

  function start(changes?: Partial<RetentionWorkerOptions>) {
    const worker = create(changes);
    worker.start();
    return worker;
  }

  /** Advances the clock, and runs the timers and promises that are due. */
  async function pass(ms: number): Promise<void> {
    time.advance(ms);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  it('purges 30 seconds after the start, then every ten minutes', async () => {
    start();
    await pass(30_000);
    await pass(10 * minuteMs - 1);
    expect(calls).toEqual(['purge', 'scrub']);
    await pass(1);
    expect(calls).toEqual(['purge', 'scrub', 'purge', 'scrub']);
    expect(events).toEqual([]);
  });

  it('spreads the purges of several processes', () => {
    for (const random of [0, 0.999]) start({ random: () => random });
    const [first = 0, second = 0] = time.listTimers();
    expect(second - first).toBeGreaterThan(5_000);
  });

  it('reports each application that was erased undelivered', async () => {
    purges = [{ undelivered: ['a1', 'a2'], rows: 5 }];
    start();
    await pass(30_000);
    expect(events).toEqual([
      { event: 'undelivered-erased', reference: 'a1' },
      { event: 'undelivered-erased', reference: 'a2' },
      { event: 'purged', rows: 5 },
    ]);
  });

  it('scrubs the erasures of ten seconds together, again if a reader prevented it', async () => {
    const worker = start();
    worker.scheduleScrub();
    time.advance(5_000);
    worker.scheduleScrub();
    scrubs = [false];
    await pass(5_000);
    expect(calls).toEqual(['scrub']);
    await pass(10_000);
    await pass(9_999);
    expect(calls).toEqual(['scrub', 'scrub']);
    worker.scheduleScrub();
    await pass(10_000);
    expect(calls.filter((call) => call === 'scrub')).toHaveLength(4);
  });

  it('scrubs a shared database once a minute', () => {
    const worker = create({}, true);
    worker.scheduleScrub();
    expect(time.listTimers()).toEqual([]);
    worker.start();
    worker.scheduleScrub();
    expect(time.listTimers()).toEqual([30_000, minuteMs]);
  });

  it('continues after a failed purge', async () => {
    const error = new Error('disk full');
    purges = [error];
    start();
    await pass(30_000);
    expect(events).toEqual([{ event: 'retention-failed', error }]);
    await pass(10_000);
    expect(calls).toEqual(['purge', 'scrub']);
    await pass(10 * minuteMs - 10_000);
    expect(calls).toEqual(['purge', 'scrub', 'purge', 'scrub']);
    expect(events).toHaveLength(1);
  });

  it('waits for a purge in progress when it stops', async () => {
    const { promise, resolve } = Promise.withResolvers<PurgeResult>();
    purges = [promise];
    const worker = start();
    await pass(30_000);
    worker.scheduleScrub();
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await pass(0);
    expect(isStopped).toBe(false);
    resolve({ undelivered: [], rows: 1 });
    await stopped;
    expect(events).toEqual([{ event: 'purged', rows: 1 }]);
    expect(time.listTimers()).toEqual([]);
  });
});
