import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../bff/store/store.ts';
import { until } from '../../support/manual-time.ts';
import {
  accepted,
  createDeliveryRig,
  duplicate,
  hang,
  holdAnswer,
  type DeliveryRig,
} from './delivery-rig.ts';

describe('a delivery whose result the store rejects', () => {
  let rig: DeliveryRig;
  let full: FullStore;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    full = fill(rig.store);
    return () => rig.store.close();
  });

  it('is recorded before other rows are claimed', async () => {
    rig.answers.push(accepted, duplicate);
    const worker = rig.createWorker(full.store);
    await worker.start();
    for (const times of [1, 2, 3]) {
      await until(() => countStalls() === times && rig.time.listTimers().includes(5_000));
      if (times === 1) await rig.addApplication('a2');
      if (times === 3) full.isFull = false;
      worker.wake();
      await new Promise(setImmediate);
      expect(rig.sent).toHaveLength(1);
      rig.time.advance(5_000);
    }
    await until(async () => (await rig.findApplication('a2')).state === 'unconfirmed');
    expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L1' });
    expect(rig.sent.filter((line) => line.includes('a1'))).toHaveLength(1);
    await worker.stop();
  });

  it('keeps its lease', async () => {
    const running = rig.createWorker(full.store).runDue();
    await until(() => rig.events.length > 0);
    for (let step = 0; step < 120; step += 1) {
      await until(() => rig.time.listTimers().some((ms) => ms <= 5_000));
      rig.time.advance(5_000);
    }
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
    full.isFull = false;
    await until(() => rig.time.listTimers().some((ms) => ms <= 5_000));
    rig.time.advance(5_000);
    await running;
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('blocks other deliveries for one minute', async () => {
    const worker = rig.createWorker(refuse('a1'));
    await worker.start();
    await until(() => countStalls() === 1);
    await rig.addApplication('a2');
    await pass(55_000);
    expect(rig.sent).toHaveLength(1);
    await pass(15_000);
    expect((await rig.findApplication('a2')).state).toBe('accepted');
  });

  it('retries the write without a limit', async () => {
    const worker = rig.createWorker(refuse('a1'));
    await worker.start();
    await until(() => countStalls() === 1);
    await pass(10 * 60_000);
    expect(countStalls()).toBe(121);
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
    full.isFull = false;
    await pass(5_000);
    expect((await rig.findApplication()).state).toBe('accepted');
    expect(rig.sent).toHaveLength(1);
  });

  it('keeps its permit', async () => {
    const worker = rig.createWorker(refuse('a1'), { maxConcurrent: 1 });
    await worker.start();
    await until(() => countStalls() === 1);
    await rig.addApplication('a2');
    await pass(10 * 60_000);
    expect(rig.sent).toHaveLength(1);
  });

  it('blocks other deliveries for another minute if it is a second one', async () => {
    const worker = rig.createWorker(refuse('a1', 'a2'));
    await worker.start();
    await until(() => countStalls() === 1);
    await rig.addApplication('a2');
    await pass(70_000);
    expect(rig.sent).toHaveLength(2);
    await rig.addApplication('a3');
    await pass(45_000);
    expect(rig.sent).toHaveLength(2);
    await pass(25_000);
    expect(rig.sent).toHaveLength(3);
  });

  it('does not delay the stop of the worker after the abort signal', async () => {
    const worker = rig.createWorker(full.store);
    await worker.start();
    await until(() => countStalls() === 1);
    const limit = new AbortController();
    const stopping = worker.stop(limit.signal);
    await new Promise(setImmediate);
    limit.abort();
    expect(await stopping).toBe(false);
    await new Promise(setImmediate);
    expect(rig.time.listTimers()).toEqual([]);
    expect(countStalls()).toBe(1);
  });

  it('counts as an uncertain attempt once it is abandoned', async () => {
    const worker = rig.createWorker(full.store);
    await worker.start();
    await until(() => countStalls() === 1);
    await worker.stop(AbortSignal.abort());
    expect((await rig.findApplication()).state).toBe('sending');
    await rig.store.recover();
    expect(await rig.claim()).toMatchObject({ application: { uncertainAttempts: 1 } });
  });

  /** A store that rejects the results of these applications only. */
  function refuse(...ids: readonly string[]): Store {
    return {
      ...rig.store,
      recordResult: (claim, result) =>
        (ids.includes(claim.application.id) ? full.store : rig.store).recordResult(claim, result),
    };
  }

  async function pass(ms: number): Promise<void> {
    for (let step = 0; step < ms / 5_000; step += 1) {
      rig.time.advance(5_000);
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    }
  }

  function countStalls(): number {
    return rig.events.filter(({ event }) => event === 'delivery-stalled').length;
  }
});

describe('a stopped worker', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('claims no more rows', async () => {
    await rig.worker.start();
    expect(await rig.worker.stop()).toBe(true);
    await rig.addApplication('a2');
    rig.worker.wake();
    await until(() => rig.time.listTimers().length === 0);
    expect((await rig.findApplication('a2')).state).toBe('received');
  });

  it('claims no rows if it is stopped during its start', async () => {
    const starting = rig.worker.start();
    expect(await rig.worker.stop()).toBe(true);
    await starting;
    await new Promise(setImmediate);
    expect(rig.sent).toEqual([]);
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('waits for the deliveries in progress', async () => {
    const answer = holdAnswer(rig.answers);
    await rig.worker.start();
    await until(() => rig.sent.length === 1);
    let isStopped = false;
    const stopping = rig.worker.stop(new AbortController().signal).then((isRecorded) => {
      isStopped = true;
      return isRecorded;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    answer(accepted);
    expect(await stopping).toBe(true);
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('reports success if no delivery was in progress', async () => {
    await rig.worker.runDue();
    expect(await rig.worker.stop(AbortSignal.abort())).toBe(true);
  });

  it('records nothing after the abort signal', async () => {
    const answer = holdAnswer(rig.answers);
    await rig.worker.start();
    await until(() => rig.sent.length === 1);
    expect(await rig.worker.stop(AbortSignal.abort())).toBe(false);
    answer(accepted);
    await new Promise(setImmediate);
    expect((await rig.findApplication()).state).toBe('sending');
    expect(rig.events).toEqual([]);
  });

  it('sends no row that it claims after the abort signal', async () => {
    let give: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      give = resolve;
    });
    const slow: Store = {
      ...rig.store,
      async claimDue(...wanted) {
        await opened;
        return rig.store.claimDue(...wanted);
      },
    };
    const worker = rig.createWorker(slow);
    await worker.start();
    expect(await worker.stop(AbortSignal.abort())).toBe(false);
    give();
    await until(async () => (await rig.findApplication()).state === 'sending');
    await new Promise(setImmediate);
    expect(rig.sent).toEqual([]);
  });

  it('releases requests that wait for rows it will not send', async () => {
    await rig.addApplication('a2');
    hang(rig.answers, 1);
    const worker = rig.createWorker(rig.store, { maxConcurrent: 1 });
    await worker.start();
    await until(() => rig.sent.length === 1);
    const wait = worker.waitForResult({ kind: 'application', id: 'a2' }, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    await new Promise(setImmediate);
    void worker.stop();
    await wait;
    await worker.waitForResult({ kind: 'application', id: 'a2' }, 8_000);
  });
});

interface FullStore {
  readonly store: Store;
  isFull: boolean;
}

function fill(store: Store): FullStore {
  const full: FullStore = {
    isFull: true,
    store: {
      ...store,
      recordResult: (...result) =>
        full.isFull ? Promise.reject(new Error('disk full')) : store.recordResult(...result),
    },
  };
  return full;
}
