// Retention of a started BFF, and the order in which its parts close.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, PurgeResult } from '../../bff/store/store.ts';
import { openStore } from '../../bff/store/open-store.ts';
import { startBff, type TestBff } from '../support/bff.ts';
import { createManualTime, until, type ManualTime } from '../support/manual-time.ts';
import { closeInOrder, type CloseParts } from '../../bff/app.ts';

const dayMs = 86_400_000;

describe('a BFF that was started', () => {
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

describe('closeInOrder', () => {
  let time: ManualTime;
  let steps: string[];

  beforeEach(() => {
    time = createManualTime();
    steps = [];
  });

  /** The parts record each call, and resolve at once unless `changes` replaces them. */
  function close(changes: {
    readonly stopDelivery?: (abandon: AbortSignal) => Promise<void>;
    readonly closeStore?: () => Promise<void>;
    readonly abortCalls?: () => void;
  }) {
    const record =
      <Given>(step: string, work?: (given: Given) => Promise<void>) =>
      async (given: Given) => {
        steps.push(step);
        await work?.(given);
      };
    const parts: unknown = {
      delivery: { stop: record('stop delivery', changes.stopDelivery) },
      retention: { stop: record('stop retention') },
      resources: [{ close: record('close store', changes.closeStore) }],
      abortCalls() {
        steps.push('abort calls');
        changes.abortCalls?.();
      },
      startTimer: time.startTimer,
    };
    // `closeInOrder` uses no other members.
    return closeInOrder(parts as CloseParts, 25_000);
  }

  it('stops the workers before it closes the store', async () => {
    expect(await close({})).toBe('recorded');
    expect(steps).toEqual(['stop delivery', 'stop retention', 'close store']);
    expect(time.listTimers()).toEqual([]);
  });

  it('aborts calls after the deadline', async () => {
    let finish: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const closed = close({ stopDelivery: () => stopped, abortCalls: () => finish() });
    time.advance(24_999);
    expect(steps).toEqual(['stop delivery', 'stop retention']);
    time.advance(1);
    expect(await closed).toBe('recorded');
    expect(steps.slice(2)).toEqual(['abort calls', 'close store']);
  });

  it('abandons an outcome that the store does not take', async () => {
    const closed = close({
      stopDelivery: (abandon) =>
        new Promise(() => {
          abandon.addEventListener('abort', () => steps.push('abandon'));
        }),
    });
    time.advance(25_000);
    await until(() => steps.includes('abort calls') && time.listTimers().length === 1);
    time.advance(5_000);
    expect(await closed).toBe('unrecorded');
    expect(steps.slice(2)).toEqual(['abort calls', 'abandon', 'close store']);
  });

  it('ends if closing the store hangs', async () => {
    const closed = close({ closeStore: () => new Promise(() => undefined) });
    await until(() => steps.includes('close store'));
    time.advance(5_000);
    expect(await closed).toBe('unrecorded');
  });

  it('ends if closing the store fails', async () => {
    const closed = close({ closeStore: () => Promise.reject(new Error('disk full')) });
    expect(await closed).toBe('unrecorded');
    expect(time.listTimers()).toEqual([]);
  });
});
