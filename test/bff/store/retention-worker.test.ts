// When the store is purged and made to forget, and what is told of it, with a clock that only the test moves.

import { beforeEach, describe, expect, it } from 'vitest';
import {
  createRetentionWorker,
  toRetentionPolicy,
  type RetentionWorker,
  type RetentionEvent,
  type RetentionWorkerOptions,
} from '../../../bff/store/retention-worker.ts';
import { createManualTime, type ManualTime } from '../manual-time.ts';

const minuteMs = 60_000;
const policy = toRetentionPolicy({
  recordDays: 30,
  undeliveredDays: 7,
  rejectedDays: 7,
  evidenceDays: 1825,
});

describe('the retention', () => {
  let time: ManualTime;
  let events: RetentionEvent[];
  /** What the store was asked, in order; a test may put a failure before the next answer. */
  let asked: string[];
  let failures: Error[];
  /** Whether somebody reads, so that the disk cannot forget. */
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
      policy,
      startTimer: time.startTimer,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
      ...changes,
    });
  }

  /** Moves the clock, and lets everything happen that follows from it. */
  async function pass(ms: number): Promise<void> {
    time.advance(ms);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  it('purges soon after the start, then every ten minutes', async () => {
    create().start();
    await pass(30_000);
    await pass(10 * minuteMs - 1);
    expect(asked).toEqual(['purge', 'scrub']);
    await pass(1);
    expect(asked).toEqual(['purge', 'scrub', 'purge', 'scrub']);
    expect(events).toEqual([]);
  });

  it('purges at different moments in different processes', () => {
    create({ random: () => 0 }).start();
    create({ random: () => 0.999 }).start();
    const [first = 0, second = 0] = time.listTimers();
    expect(second - first).toBeGreaterThan(5_000);
  });

  it('hands the policy to the store, and tells what went and what was never delivered', async () => {
    const policies: unknown[] = [];
    const retention = create({
      store: {
        isShared: false,
        purge: async (given) => {
          policies.push(given);
          return { undelivered: ['a1', 'a2'], rows: 5 };
        },
        scrub: async () => true,
      },
    });
    await retention.run();
    expect(policies).toEqual([policy]);
    expect(events).toEqual([
      { event: 'undelivered-erased', reference: 'a1' },
      { event: 'undelivered-erased', reference: 'a2' },
      { event: 'purged', rows: 5 },
    ]);
  });

  it('makes the disk forget several erasures at once, seconds later', async () => {
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

  it('tries again when somebody was just reading', async () => {
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

  it('asks a shared database for that once a minute at most', () => {
    const retention = create({}, true);
    retention.scheduleScrub();
    expect(time.listTimers()).toEqual([]);
    retention.start();
    retention.scheduleScrub();
    expect(time.listTimers()).toEqual([30_000, minuteMs]);
  });

  it('tells a failure, makes the disk forget later, and goes on', async () => {
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

  it('begins nothing after its stop, which waits for what is under way', async () => {
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

describe('the policy', () => {
  it('counts in milliseconds, and keeps what was abandoned as long as a session may last', () => {
    const dayMs = 86_400_000;
    expect(policy).toMatchObject({
      recordMs: 30 * dayMs,
      undeliveredMs: 7 * dayMs,
      evidenceMs: 1825 * dayMs,
    });
    expect(policy.abandonedMs).toBeGreaterThan(dayMs);
  });
});
