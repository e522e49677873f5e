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

/** A started poller of a page that can go offline. Its checks have these results, and then `true`. */
function start(results: readonly PollResult[] = [], firstDelayMs?: number) {
  const polling = createManualPolling();
  const connection = createFakeConnection();
  let requests = 0;
  const poller = createPoller(
    createOnlinePolling(polling.environment, connection.environment),
    async () => {
      requests += 1;
      return results[requests - 1] ?? true;
    },
  );
  poller.start(firstDelayMs);
  return {
    connection,
    poller,
    polling,
    get requests() {
      return requests;
    },
    async hideForAMoment(): Promise<void> {
      await polling.setHidden(true);
      await polling.setHidden(false);
    },
  };
}

describe('the delays of a poller', () => {
  it.each<[string, PollResult[], number, number[]]>([
    [
      'grow up to a minute',
      [],
      9,
      [3000, 4800, 7680, 12288, 19661, 31457, 50332, 60000, 60000, 60000],
    ],
    ['are replaced once by the delay of the BFF', [60_000], 2, [3000, 60_000, 7680]],
    ['are not shortened by the delay of the BFF', [1_000], 1, [3000, 4800]],
    ['are at most five minutes', [86_400_000], 1, [3000, 300_000]],
  ])('%s', async (_rule, results, checks, delays) => {
    const { polling } = start(results);
    for (let count = 0; count < checks; count += 1) await polling.tick();
    expect(polling.delays.map(Math.round)).toEqual(delays);
  });

  it('can begin with a delay of the BFF', () => {
    expect(start([], 20_000).polling.delays).toEqual([20_000]);
  });
});

describe('the end of a poller', () => {
  it('comes when a check returns false', async () => {
    const world = start([true, false]);
    await world.polling.tick();
    await world.polling.tick();
    expect(world.requests).toBe(2);
    expect(world.polling).toMatchObject({ waiting: 0, listeners: 0 });
  });

  it('leaves no timer and no listener', () => {
    const { connection, poller, polling } = start();
    poller.stop();
    expect(polling).toMatchObject({ waiting: 0, listeners: 0 });
    expect(connection.listeners).toBe(0);
  });

  it('can come during a check', async () => {
    const { poller, polling } = start();
    const ticking = polling.tick();
    poller.stop();
    await ticking;
    expect(polling.waiting).toBe(0);
  });
});

describe('a poller of a hidden page', () => {
  it('checks at once when the page is visible again, and restarts its delays', async () => {
    const world = start();
    await world.polling.tick();
    await world.polling.setHidden(true);
    expect(world.polling.waiting).toBe(0);
    await world.polling.setHidden(false);
    expect(world.requests).toBe(2);
    expect(world.polling.delays.at(-1)).toBe(3000);
  });

  it('keeps a delay that the BFF asks for', async () => {
    const world = start([60_000]);
    await world.polling.tick();
    await world.hideForAMoment();
    expect(world.requests).toBe(1);
    await world.polling.tick();
    expect(world.requests).toBe(2);
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
    for (const isHidden of [true, false, true, false]) await polling.setHidden(isHidden);
    expect(responses).toHaveLength(1);
    responses[0]?.(true);
    await polling.settle();
    expect(polling.waiting).toBe(1);
  });
});

it('a poller checks at once when the page is online again', async () => {
  const world = start();
  world.connection.setOffline(true);
  expect(world.requests).toBe(0);
  expect(world.polling.waiting).toBe(1);
  world.connection.setOffline(false);
  await world.polling.settle();
  expect(world.requests).toBe(1);
  expect(world.polling.waiting).toBe(1);
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
