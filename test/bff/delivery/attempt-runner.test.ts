import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryWorker } from '../../../bff/delivery/delivery-worker.ts';
import type { Store } from '../../../bff/store/store.ts';
import {
  accepted,
  createDeliveryRig,
  type DeliveryRig,
  duplicate,
  hang,
  holdAnswer,
  settle,
} from './delivery-rig.ts';

let rig: DeliveryRig;

beforeEach(async () => {
  rig = await createDeliveryRig();
  return () => rig.store.close();
});

const state = async (id = 'a1') => (await rig.findApplication(id)).state;

describe('a delivery whose result the store rejects', () => {
  let isFull: boolean;

  beforeEach(() => {
    isFull = true;
  });

  /** The store rejects the results of these applications. The worker has one of them. */
  async function startStalled(ids = ['a1'], maxConcurrent = 8): Promise<DeliveryWorker> {
    const recordResult: Store['recordResult'] = (claim, result) =>
      isFull && ids.includes(claim.application.id)
        ? Promise.reject(new Error('disk full'))
        : rig.store.recordResult(claim, result);
    const worker = rig.createWorker({ recordResult }, { maxConcurrent });
    await worker.start();
    await settle();
    expect(countStalls()).toBe(1);
    return worker;
  }

  const countStalls = () => rig.countEvents('delivery-stalled');

  it('is recorded before other rows are claimed', async () => {
    rig.answers.push(accepted, duplicate);
    const worker = await startStalled();
    await rig.addUpTo(2);
    worker.wake();
    await rig.pass(10_000);
    expect([countStalls(), rig.sent.length]).toEqual([3, 1]);
    isFull = false;
    await rig.pass(5_000);
    expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L1' });
    expect(await state('a2')).toBe('unconfirmed');
    expect(rig.sent).toHaveLength(2);
  });

  it('is recorded without a limit of time, and keeps its lease and permit', async () => {
    await startStalled(['a1'], 1);
    await rig.addUpTo(2);
    await rig.pass(10 * 60_000);
    expect([countStalls(), rig.sent.length]).toEqual([121, 1]);
    expect(await rig.store.claimDue('application', 1, 'a1')).toBeUndefined();
    isFull = false;
    await rig.pass(5_000);
    expect([await state('a1'), await state('a2')]).toEqual(['accepted', 'accepted']);
    expect(rig.sent).toHaveLength(2);
  });

  it('blocks other deliveries for one minute, and for another if it is a second one', async () => {
    await startStalled(['a1', 'a2']);
    await rig.addUpTo(2);
    await rig.pass(55_000);
    expect(rig.sent).toHaveLength(1);
    await rig.pass(15_000);
    expect(rig.sent).toHaveLength(2);
    await rig.addApplication('a3');
    await rig.pass(45_000);
    expect(rig.sent).toHaveLength(2);
    await rig.pass(25_000);
    expect(await state('a3')).toBe('accepted');
  });

  it('does not delay the stop of the worker after the abort signal', async () => {
    const worker = await startStalled();
    const limit = new AbortController();
    const stopping = worker.stop(limit.signal);
    await settle();
    limit.abort();
    expect(await stopping).toBe(false);
    await rig.pass(60_000);
    expect(countStalls()).toBe(1);
  });

  it('counts as an uncertain attempt once it is abandoned', async () => {
    const worker = await startStalled();
    await worker.stop(AbortSignal.abort());
    expect(await state()).toBe('sending');
    await rig.store.recover();
    expect(await rig.claim()).toMatchObject({ application: { uncertainAttempts: 1 } });
  });
});

describe('a stopped worker', () => {
  it('claims no more rows', async () => {
    await rig.worker.start();
    expect(await rig.worker.stop()).toBe(true);
    await rig.addUpTo(2);
    rig.worker.wake();
    await rig.pass(60_000);
    expect(await state('a2')).toBe('received');
  });

  it('claims no rows if it is stopped during its start', async () => {
    const starting = rig.worker.start();
    expect(await rig.worker.stop()).toBe(true);
    await starting;
    await rig.pass(60_000);
    expect(rig.sent).toEqual([]);
  });

  it('waits for the deliveries in progress', async () => {
    const answer = holdAnswer(rig.answers);
    await rig.worker.start();
    await settle();
    let isRecorded: boolean | undefined;
    const stopping = rig.worker.stop(new AbortController().signal);
    void stopping.then((value) => (isRecorded = value));
    await settle();
    expect(isRecorded).toBeUndefined();
    answer(accepted);
    expect(await stopping).toBe(true);
    expect(await state()).toBe('accepted');
  });

  it('reports success if no delivery was in progress', async () => {
    await rig.worker.runDue();
    expect(await rig.worker.stop(AbortSignal.abort())).toBe(true);
  });

  it('records nothing after the abort signal', async () => {
    const answer = holdAnswer(rig.answers);
    await rig.worker.start();
    await settle();
    expect(await rig.worker.stop(AbortSignal.abort())).toBe(false);
    answer(accepted);
    await settle();
    expect([await state(), rig.events]).toEqual(['sending', []]);
  });

  it('sends no row that it claims after the abort signal', async () => {
    const opened = Promise.withResolvers<void>();
    const worker = rig.createWorker({
      async claimDue(...wanted) {
        await opened.promise;
        return rig.store.claimDue(...wanted);
      },
    });
    await worker.start();
    expect(await worker.stop(AbortSignal.abort())).toBe(false);
    opened.resolve();
    await settle();
    expect([await state(), rig.sent]).toEqual(['sending', []]);
  });

  it('releases requests that wait for rows it will not send', async () => {
    await rig.addUpTo(2);
    hang(rig.answers, 1);
    const worker = rig.createWorker({}, { maxConcurrent: 1 });
    await worker.start();
    const wait = worker.waitForResult({ kind: 'application', id: 'a2' }, 8_000);
    await settle();
    void worker.stop();
    await wait;
    await worker.waitForResult({ kind: 'application', id: 'a2' }, 8_000);
    expect(await state('a2')).toBe('received');
  });
});
