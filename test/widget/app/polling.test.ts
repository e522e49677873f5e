// Tests for polling: growing delays, one request at a time, and pauses while the page is hidden.

import { describe, expect, it } from 'vitest';
import {
  createOnlinePolling,
  createPoller,
  toPollResult,
  type PollResult,
} from '../../../widget/app/polling.ts';
import { createFakeConnection } from '../../support/fake-page.ts';
import { fail } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

/** A poller whose checks have these results, and then `true`. */
function create(results: readonly PollResult[] = []) {
  const polling = createManualPolling();
  let requests = 0;
  const poller = createPoller(polling.environment, async () => {
    requests += 1;
    return results[requests - 1] ?? true;
  });
  return {
    poller,
    polling,
    get requests() {
      return requests;
    },
  };
}

/** A poller of a page that can go offline. */
function createOnline() {
  const polling = createManualPolling();
  const connection = createFakeConnection();
  let requests = 0;
  const poller = createPoller(
    createOnlinePolling(polling.environment, connection.environment),
    async () => {
      requests += 1;
      return true;
    },
  );
  poller.start();
  return {
    connection,
    poller,
    polling,
    get requests() {
      return requests;
    },
  };
}

describe('a poller', () => {
  it('increases its delay up to a minute', async () => {
    const { poller, polling } = create();
    poller.start();
    for (let count = 0; count < 9; count += 1) await polling.tick();
    expect(polling.delays.map(Math.round)).toEqual([
      3000, 4800, 7680, 12288, 19661, 31457, 50332, 60000, 60000, 60000,
    ]);
  });

  it('ends when a check returns false', async () => {
    const world = create([true, false]);
    world.poller.start();
    await world.polling.tick();
    await world.polling.tick();
    expect(world.requests).toBe(2);
    expect(world.polling).toMatchObject({ waiting: 0, listeners: 0 });
  });

  it('leaves no timer and no listener when it is stopped', () => {
    const { poller, polling } = create();
    poller.start();
    poller.stop();
    expect(polling).toMatchObject({ waiting: 0, listeners: 0 });
  });

  it('does not continue after it was stopped during a check', async () => {
    const { poller, polling } = create();
    poller.start();
    const ticking = polling.tick();
    poller.stop();
    await ticking;
    expect(polling.waiting).toBe(0);
  });
});

describe('a poller of a hidden page', () => {
  it('has no timer', async () => {
    const { poller, polling } = create();
    poller.start();
    await polling.setHidden(true);
    expect(polling.waiting).toBe(0);
  });

  it('checks at once when the page is visible again', async () => {
    const world = create();
    world.poller.start();
    await world.polling.setHidden(true);
    await world.polling.setHidden(false);
    expect(world.requests).toBe(1);
  });

  it('restarts its delays when the page is visible again', async () => {
    const { poller, polling } = create();
    poller.start();
    await polling.tick();
    await polling.setHidden(true);
    await polling.setHidden(false);
    expect(polling.delays.at(-1)).toBe(3000);
  });

  it('starts no second check during the first one', async () => {
    const polling = createManualPolling();
    const responses: ((result: boolean) => void)[] = [];
    const poller = createPoller(
      polling.environment,
      () => new Promise((resolve) => responses.push(resolve)),
    );
    poller.start();
    await polling.tick();
    for (let time = 0; time < 3; time += 1) {
      await polling.setHidden(true);
      await polling.setHidden(false);
    }
    expect(responses).toHaveLength(1);
    responses[0]?.(true);
    await polling.settle();
    expect(polling.waiting).toBe(1);
  });
});

describe('a delay that the BFF asks for', () => {
  it('replaces one delay of the poller', async () => {
    const { poller, polling } = create([60_000]);
    poller.start();
    for (let time = 0; time < 2; time += 1) await polling.tick();
    expect(polling.delays.map(Math.round)).toEqual([3000, 60_000, 7680]);
  });

  it('does not shorten the delay of the poller', async () => {
    const { poller, polling } = create([1_000]);
    poller.start();
    await polling.tick();
    expect(polling.delays).toEqual([3000, 4800]);
  });

  it('is at most five minutes', async () => {
    const { poller, polling } = create([86_400_000]);
    poller.start();
    await polling.tick();
    expect(polling.delays.at(-1)).toBe(300_000);
  });

  it('is not shortened when the page is hidden for a moment', async () => {
    const world = create([60_000]);
    world.poller.start();
    await world.polling.tick();
    await world.polling.setHidden(true);
    await world.polling.setHidden(false);
    expect(world.requests).toBe(1);
    await world.polling.tick();
    expect(world.requests).toBe(2);
  });

  it('can precede the first check', () => {
    const { poller, polling } = create();
    poller.start(20_000);
    expect(polling.delays).toEqual([20_000]);
  });
});

describe('toPollResult', () => {
  it.each<[string, Parameters<typeof toPollResult>[0], PollResult]>([
    ['a response', { ok: true, value: 1 }, true],
    ['a failure', fail('network'), true],
    ['a failure with a delay', { ...fail('too-busy'), retryAfterMs: 5_000 }, 5_000],
    ['a failure with a delay of 0', { ...fail('too-busy'), retryAfterMs: 0 }, true],
  ])('continues after %s', (_what, result, pollResult) => {
    expect(toPollResult(result)).toBe(pollResult);
  });
});

describe('a poller of a page that goes offline', () => {
  it('keeps its timer', () => {
    const world = createOnline();
    world.connection.setOffline(true);
    expect(world.requests).toBe(0);
    expect(world.polling.waiting).toBe(1);
  });

  it('checks at once when the page is online again', async () => {
    const world = createOnline();
    world.connection.setOffline(true);
    world.connection.setOffline(false);
    await world.polling.settle();
    expect(world.requests).toBe(1);
    expect(world.polling.waiting).toBe(1);
  });

  it('leaves no listener when it is stopped', () => {
    const { connection, poller, polling } = createOnline();
    poller.stop();
    expect(polling).toMatchObject({ waiting: 0, listeners: 0 });
    expect(connection.listeners).toBe(0);
  });
});
