// The schedule of purges and scrubs, with a clock that the test moves.

import { beforeEach, describe, expect, it } from 'vitest';
import {
  createRetentionWorker,
  type RetentionWorker,
  type RetentionEvent,
  type RetentionWorkerOptions,
} from '../../../bff/store/retention.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';

const minuteMs = 60_000;
const settings = {
  recordDays: 30,
  undeliveredDays: 7,
  rejectedDays: 7,
  evidenceDays: 1825,
};

describe('createRetentionWorker', () => {
  let time: ManualTime;
  let events: RetentionEvent[];
  /** Calls of the store, in order. */
  let asked: string[];
  /** Errors for the next calls. */
  let failures: Error[];
  /** True while a reader prevents a scrub. */
  let isRead: boolean;

  beforeEach(() => {
    time = createManualTime();
    events = [];
    asked = [];
    failures = [];
    isRead = false;
  });

  function create(
    changes: Partial<RetentionWorkerOptions> = {},
    isShared = false,
  ): RetentionWorker {
    async function answer<Value>(question: string, value: Value): Promise<Value> {
      asked.push(question);
      const failure = failures.shift();
      if (failure) throw failure;
      return value;
    }
    return createRetentionWorker({
      store: {
        isShared,
        purge: () => answer('purge', { undelivered: [], rows: 0 }),
        scrub: () => answer('scrub', !isRead),
      },
      retention: settings,
      startTimer: time.startTimer,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
      ...changes,
    });
  }

  /** Advances the clock, and runs the timers and promises that are due. */
  async function pass(ms: number): Promise<void> {
    time.advance(ms);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  it('purges 30 seconds after the start, then every ten minutes', async () => {
    create().start();
    await pass(30_000);
    await pass(10 * minuteMs - 1);
    expect(asked).toEqual(['purge', 'scrub']);
    await pass(1);
    expect(asked).toEqual(['purge', 'scrub', 'purge', 'scrub']);
    expect(events).toEqual([]);
  });

  it('spreads the purges of several processes', () => {
    create({ random: () => 0 }).start();
    create({ random: () => 0.999 }).start();
    const [first = 0, second = 0] = time.listTimers();
    expect(second - first).toBeGreaterThan(5_000);
  });

  it('reports each application that was erased undelivered', async () => {
    const purges: unknown[] = [];
    const retention = create({
      store: {
        isShared: false,
        purge: async (given) => {
          purges.push(given);
          return { undelivered: ['a1', 'a2'], rows: 5 };
        },
        scrub: async () => true,
      },
    });
    retention.start();
    await pass(30_000);
    expect(purges).toEqual([settings]);
    expect(events).toEqual([
      { event: 'undelivered-erased', reference: 'a1' },
      { event: 'undelivered-erased', reference: 'a2' },
      { event: 'purged', rows: 5 },
    ]);
  });

  it('scrubs the erasures of ten seconds together', async () => {
    const retention = create();
    retention.start();
    retention.scheduleScrub();
    time.advance(5_000);
    retention.scheduleScrub();
    await pass(5_000);
    expect(asked).toEqual(['scrub']);
    retention.scheduleScrub();
    await pass(10_000);
    expect(asked).toEqual(['scrub', 'scrub']);
  });

  it('scrubs again after a reader prevented it', async () => {
    const retention = create();
    retention.start();
    retention.scheduleScrub();
    isRead = true;
    await pass(10_000);
    isRead = false;
    await pass(10_000);
    await pass(9_999);
    expect(asked).toEqual(['scrub', 'scrub']);
    expect(events).toEqual([]);
  });

  it('scrubs a shared database once a minute', () => {
    const retention = create({}, true);
    retention.scheduleScrub();
    expect(time.listTimers()).toEqual([]);
    retention.start();
    retention.scheduleScrub();
    expect(time.listTimers()).toEqual([30_000, minuteMs]);
  });

  it('continues after a failed purge', async () => {
    const error = new Error('disk full');
    failures.push(error);
    create().start();
    await pass(30_000);
    expect(events).toEqual([{ event: 'retention-failed', error }]);
    await pass(10_000);
    expect(asked).toEqual(['purge', 'scrub']);
    await pass(10 * minuteMs - 10_000);
    expect(asked).toEqual(['purge', 'scrub', 'purge', 'scrub']);
    expect(events).toHaveLength(1);
  });

  it('waits for a purge in progress when it stops', async () => {
    let finish: (() => void) | undefined;
    const retention = create({
      store: {
        isShared: false,
        purge: () =>
          new Promise((resolve) => {
            finish = () => resolve({ undelivered: [], rows: 1 });
          }),
        scrub: async () => true,
      },
    });
    retention.start();
    await pass(30_000);
    retention.scheduleScrub();
    let isStopped = false;
    const stopped = retention.stop().then(() => {
      isStopped = true;
    });
    await pass(0);
    expect(isStopped).toBe(false);
    finish?.();
    await stopped;
    expect(events).toEqual([{ event: 'purged', rows: 1 }]);
    expect(time.listTimers()).toEqual([]);
  });
});
