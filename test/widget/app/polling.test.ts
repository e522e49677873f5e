// Asking again: growing pauses, one at a time, silence while hidden, and an end.

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

function createWorld(answers: readonly PollResult[] = []) {
  const polling = createManualPolling();
  const world = { polling, asked: 0 };
  const poller = createPoller(polling.environment, async () => {
    world.asked += 1;
    return answers[world.asked - 1] ?? true;
  });
  return { ...world, poller, count: () => world.asked };
}

describe('a poller', () => {
  it('waits longer each time, up to a minute', async () => {
    const { poller, polling } = createWorld();
    poller.start();
    for (let count = 0; count < 9; count += 1) await polling.tick();
    expect(polling.delays.map(Math.round)).toEqual([
      3000, 4800, 7680, 12288, 19661, 31457, 50332, 60000, 60000, 60000,
    ]);
  });

  it('ends when the check says so', async () => {
    const { poller, polling, count } = createWorld([true, false]);
    poller.start();
    await polling.tick();
    await polling.tick();
    expect([count(), polling.waiting, polling.listeners]).toEqual([2, 0, 0]);
  });

  it('asks nothing while the page is hidden, and at once when it is shown again', async () => {
    const { poller, polling, count } = createWorld();
    poller.start();
    await polling.setHidden(true);
    expect([count(), polling.waiting]).toEqual([0, 0]);
    await polling.setHidden(false);
    expect([count(), polling.waiting]).toEqual([1, 1]);
    expect(polling.delays.at(-1)).toBe(3000);
  });

  it('asks once at a time, however often the page is hidden and shown meanwhile', async () => {
    const polling = createManualPolling();
    const answers: ((goOn: boolean) => void)[] = [];
    const poller = createPoller(
      polling.environment,
      () => new Promise((resolve) => answers.push(resolve)),
    );
    poller.start();
    await polling.tick();
    for (let time = 0; time < 3; time += 1) {
      await polling.setHidden(true);
      await polling.setHidden(false);
    }
    expect(answers).toHaveLength(1);
    answers[0]?.(true);
    await polling.settle();
    expect(polling.waiting).toBe(1);
    poller.stop();
    expect([polling.waiting, polling.listeners]).toEqual([0, 0]);
  });

  it('does not go on after it was stopped in the middle of a check', async () => {
    const { poller, polling } = createWorld();
    poller.start();
    const ticking = polling.tick();
    poller.stop();
    await ticking;
    expect(polling.waiting).toBe(0);
  });

  it('waits as long as it was told, and then as it would have', async () => {
    const { poller, polling } = createWorld([60_000]);
    poller.start();
    for (let time = 0; time < 2; time += 1) await polling.tick();
    expect(polling.delays.map(Math.round)).toEqual([3000, 60_000, 7680]);
  });

  it('is not made impatient by a pause that is shorter than its own', async () => {
    const { poller, polling } = createWorld([1_000]);
    poller.start();
    await polling.tick();
    expect(polling.delays).toEqual([3000, 4800]);
  });

  it('waits no longer than five minutes for anybody', async () => {
    const { poller, polling } = createWorld([86_400_000]);
    poller.start();
    await polling.tick();
    expect(polling.delays.at(-1)).toBe(300_000);
  });

  it('keeps to what it was told also when the page is hidden and shown again', async () => {
    const { poller, polling, count } = createWorld([60_000]);
    poller.start();
    await polling.tick();
    await polling.setHidden(true);
    await polling.setHidden(false);
    expect([count(), polling.waiting]).toEqual([1, 1]);
    await polling.tick();
    expect(count()).toBe(2);
  });

  it('begins with what it was told', () => {
    const { poller, polling } = createWorld();
    poller.start(20_000);
    expect(polling.delays).toEqual([20_000]);
  });
});

describe('going on', () => {
  it.each<[string, Parameters<typeof toPollResult>[0], PollResult]>([
    ['after an answer', { ok: true, value: 1 }, true],
    ['after a failure', fail('network'), true],
    ['after a refusal for a while', { ...fail('too-busy'), retryAfterMs: 5_000 }, 5_000],
    ['after a refusal for no while', { ...fail('too-busy'), retryAfterMs: 0 }, true],
  ])('%s', (_what, result, goOn) => {
    expect(toPollResult(result)).toBe(goOn);
  });
});

describe('a poller of a page that was offline', () => {
  it('asks at once when the page is back, and listens no longer than it runs', async () => {
    const polling = createManualPolling();
    const connection = createFakeConnection();
    const environment = createOnlinePolling(polling.environment, connection.environment);
    let asked = 0;
    const poller = createPoller(environment, async () => {
      asked += 1;
      return true;
    });
    poller.start();
    connection.setOffline(true);
    expect([asked, polling.waiting]).toEqual([0, 1]);
    connection.setOffline(false);
    await polling.settle();
    expect([asked, polling.waiting]).toEqual([1, 1]);
    poller.stop();
    expect([polling.waiting, polling.listeners, connection.listeners]).toEqual([0, 0, 0]);
  });
});
