// The order in which everything ends, and that it ends whatever fails or hangs, on a clock that only the test moves.

import { beforeEach, describe, expect, it } from 'vitest';
import { closeInOrder, type CloseParts } from '../../bff/app.ts';
import { createManualTime, until, type ManualTime } from './manual-time.ts';

describe('the closing', () => {
  let time: ManualTime;
  let steps: string[];

  beforeEach(() => {
    time = createManualTime();
    steps = [];
  });

  /** Parts that note what they are asked and answer at once, unless `changes` says otherwise. */
  function close(changes: {
    readonly stopDelivery?: (giveUp: AbortSignal) => Promise<void>;
    readonly closeStore?: () => Promise<void>;
    readonly abortCalls?: () => void;
  }) {
    const note =
      <Given>(step: string, work?: (given: Given) => Promise<void>) =>
      async (given: Given) => {
        steps.push(step);
        await work?.(given);
      };
    const parts: unknown = {
      delivery: { stop: note('stop delivery', changes.stopDelivery) },
      retention: { stop: note('stop retention') },
      resources: [{ close: note('close store', changes.closeStore) }],
      abortCalls() {
        steps.push('abort calls');
        changes.abortCalls?.();
      },
      startTimer: time.startTimer,
    };
    // Checked by hand: these are all the members it uses.
    return closeInOrder(parts as CloseParts, 25_000);
  }

  it('stops what writes, then closes the store, and leaves no timer', async () => {
    expect(await close({})).toBe('recorded');
    expect(steps).toEqual(['stop delivery', 'stop retention', 'close store']);
    expect(time.listTimers()).toEqual([]);
  });

  it('aborts calls only once the deadline is over, and waits for their record', async () => {
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

  it('gives up a result that cannot be recorded, closes the store and says so', async () => {
    const closed = close({
      stopDelivery: (giveUp) =>
        new Promise(() => {
          giveUp.addEventListener('abort', () => steps.push('give up'));
        }),
    });
    time.advance(25_000);
    await until(() => steps.includes('abort calls') && time.listTimers().length === 1);
    time.advance(5_000);
    expect(await closed).toBe('unrecorded');
    expect(steps.slice(2)).toEqual(['abort calls', 'give up', 'close store']);
  });

  it('ends when the store neither closes nor fails', async () => {
    const closed = close({ closeStore: () => new Promise(() => undefined) });
    await until(() => steps.includes('close store'));
    time.advance(5_000);
    expect(await closed).toBe('unrecorded');
  });

  it('ends when closing the store fails', async () => {
    const closed = close({ closeStore: () => Promise.reject(new Error('disk full')) });
    expect(await closed).toBe('unrecorded');
    expect(time.listTimers()).toEqual([]);
  });
});
