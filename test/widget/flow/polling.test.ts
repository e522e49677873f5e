// Asking again: growing pauses, silence while hidden, and an end.

import { describe, expect, it } from 'vitest';
import { createPoller, type PollingEnvironment } from '../../../widget/flow/polling.ts';

function createWorld(answers: readonly boolean[] = []) {
  let isHidden = false;
  let listener: (() => void) | undefined;
  let pending: { callback: () => void; handle: number } | undefined;
  const pauses: number[] = [];
  let asked = 0;
  const environment: PollingEnvironment = {
    setTimeout: (callback, ms) => {
      pauses.push(ms);
      pending = { callback, handle: pauses.length };
      return pauses.length;
    },
    clearTimeout: (handle) => {
      if (pending?.handle === handle) pending = undefined;
    },
    isHidden: () => isHidden,
    onVisibilityChange: (callback) => {
      listener = callback;
      return () => {
        listener = undefined;
      };
    },
    random: () => 0.5,
  };
  const poller = createPoller(environment, async () => {
    asked += 1;
    return answers[asked - 1] ?? true;
  });
  return {
    poller,
    pauses,
    get asked() {
      return asked;
    },
    get isWaiting() {
      return pending !== undefined;
    },
    get isListening() {
      return listener !== undefined;
    },
    async tick() {
      const due = pending;
      pending = undefined;
      due?.callback();
      await Promise.resolve();
      await Promise.resolve();
    },
    async setHidden(hidden: boolean) {
      isHidden = hidden;
      listener?.();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('a poller', () => {
  it('waits longer each time, up to a minute', async () => {
    const world = createWorld();
    world.poller.start();
    for (let count = 0; count < 9; count += 1) await world.tick();
    expect(world.pauses.map(Math.round)).toEqual([
      3000, 4800, 7680, 12288, 19661, 31457, 50332, 60000, 60000, 60000,
    ]);
  });

  it('ends when the check says so', async () => {
    const world = createWorld([true, false]);
    world.poller.start();
    await world.tick();
    await world.tick();
    expect([world.asked, world.isWaiting, world.isListening]).toEqual([2, false, false]);
  });

  it('asks nothing while the page is hidden, and at once when it is shown again', async () => {
    const world = createWorld();
    world.poller.start();
    await world.setHidden(true);
    expect(world.isWaiting).toBe(false);
    await world.setHidden(false);
    expect(world.asked).toBe(1);
    expect(world.pauses.at(-1)).toBe(3000);
  });

  it('does not go on after it was stopped in the middle of a check', async () => {
    const world = createWorld();
    world.poller.start();
    const ticking = world.tick();
    world.poller.stop();
    await ticking;
    expect(world.isWaiting).toBe(false);
  });
});
