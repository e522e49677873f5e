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

const awaited = { kind: 'application', id: 'a1' } as const;

describe('waitForResult', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('resolves for all requests that wait for the row', async () => {
    const waits = [1, 2].map(() => rig.worker.waitForResult(awaited, 8_000));
    await rig.worker.start();
    await Promise.all(waits);
    expect((await rig.findApplication()).state).toBe('accepted');
    await rig.worker.stop();
  });

  it('resolves when an attachment has a result', async () => {
    await rig.accept();
    await rig.addAttachment('d1', 'document', ['x']);
    const wait = rig.worker.waitForResult({ kind: 'document', id: 'd1' }, 8_000);
    await rig.worker.start();
    await wait;
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
    await rig.worker.stop();
  });

  it('resolves after its timeout', async () => {
    hang(rig.answers, 1);
    await rig.worker.start();
    const wait = rig.worker.waitForResult(awaited, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    rig.time.advance(8_000);
    await wait;
    expect((await rig.findApplication()).state).toBe('sending');
  });

  it('resolves at once for a row with a result', async () => {
    await rig.worker.runDue();
    await rig.worker.waitForResult(awaited, 8_000);
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('leaves no timer if the store fails', async () => {
    const failing: Store = {
      ...rig.store,
      findApplication: () => Promise.reject(new Error('disk broken')),
    };
    const waiting = rig.createWorker(failing).waitForResult(awaited, 8_000);
    await expect(waiting).rejects.toThrow('disk broken');
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('sends the awaited row before the backlog', async () => {
    for (let count = 2; count <= 30; count += 1) await rig.addApplication(`a${count}`);
    const wait = rig.worker.waitForResult({ kind: 'application', id: 'a30' }, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    await new Promise(setImmediate);
    const worker = rig.worker;
    hang(rig.answers, 7);
    await worker.start();
    await until(() => rig.sent.length >= 7);
    expect(rig.sent[0]).toContain('lead a30');
    expect(rig.sent[1]).toContain('lead a1 ');
    rig.time.advance(8_000);
    await wait;
  });

  it('gives the next free permit to the awaited row', async () => {
    for (let count = 2; count <= 30; count += 1) await rig.addApplication(`a${count}`);
    const answer = holdAnswer(rig.answers);
    hang(rig.answers, 7);
    await rig.worker.start();
    await until(() => rig.sent.length === 8);
    const wait = rig.worker.waitForResult({ kind: 'application', id: 'a30' }, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    await new Promise(setImmediate);
    answer(accepted);
    await wait;
    expect(rig.sent[8]).toContain('lead a30');
  });

  it('wakes the worker', async () => {
    await rig.accept();
    await rig.worker.start();
    await until(() => rig.time.listTimers().includes(10_000));
    await rig.addApplication('a2');
    await rig.worker.waitForResult({ kind: 'application', id: 'a2' }, 8_000);
    expect((await rig.findApplication('a2')).state).toBe('accepted');
    await rig.worker.stop();
  });

  it('resolves for an unreadable row', async () => {
    const store: Store = {
      ...rig.store,
      claimDue: async (kind, _leaseMs, id) =>
        id === undefined ? undefined : { kind: 'unreadable', deliveryKind: kind, id },
    };
    const worker = rig.createWorker(store);
    await worker.start();
    await worker.waitForResult(awaited, 8_000);
    expect(rig.events).toEqual([{ event: 'row-unreadable', kind: 'application', id: 'a1' }]);
    await worker.stop();
  });

  describe('while the operation is unavailable', () => {
    it('resolves at once', async () => {
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: 30_000 });
      await rig.worker.start();
      await rig.worker.waitForResult(awaited, 8_000);
      expect((await rig.findApplication()).state).toBe('received');
      await rig.worker.stop();
    });

    it('resolves when the operation becomes unavailable', async () => {
      const answer = holdAnswer(rig.answers);
      await rig.addApplication('a2');
      const worker = rig.createWorker(rig.store, { maxConcurrent: 1 });
      await worker.start();
      await until(() => rig.sent.length === 1);
      const wait = worker.waitForResult({ kind: 'application', id: 'a2' }, 8_000);
      await until(() => rig.time.listTimers().includes(8_000));
      await new Promise(setImmediate);
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: 30_000 });
      answer({ kind: 'unknown' });
      await wait;
      expect(rig.sent).toHaveLength(1);
      await worker.stop();
    });

    it('waits for a row that is being sent', async () => {
      const answer = holdAnswer(rig.answers);
      await rig.worker.start();
      await until(() => rig.sent.length === 1);
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: undefined });
      const wait = rig.worker.waitForResult(awaited, 8_000);
      await until(() => rig.time.listTimers().includes(8_000));
      rig.worker.wake();
      await new Promise(setImmediate);
      answer(duplicate);
      await wait;
      expect((await rig.findApplication()).state).toBe('unconfirmed');
      await rig.worker.stop();
    });
  });

  describe('with a shared store', () => {
    it('polls twice a second', async () => {
      const worker = rig.createWorker({ ...rig.store, isShared: true });
      const other = await rig.claim();
      let isTold = false;
      const wait = worker.waitForResult(awaited, 8_000).then(() => (isTold = true));
      await until(() => rig.time.listTimers().includes(500));
      rig.time.advance(500);
      await until(() => rig.time.listTimers().includes(500));
      await rig.store.recordResult(other, { state: 'unconfirmed' });
      await new Promise(setImmediate);
      expect(isTold).toBe(false);
      rig.time.advance(500);
      await wait;
      expect(rig.time.listTimers()).toEqual([]);
    });

    it('resolves after its timeout', async () => {
      const worker = rig.createWorker({ ...rig.store, isShared: true });
      await rig.claim();
      const wait = worker.waitForResult(awaited, 1_200);
      for (const ms of [500, 500, 200]) {
        await until(() => rig.time.listTimers().includes(500));
        rig.time.advance(ms);
      }
      await wait;
      expect(rig.time.listTimers()).toEqual([]);
    });

    it('resolves at once when this process records the result', async () => {
      const worker = rig.createWorker({ ...rig.store, isShared: true });
      await worker.start();
      await worker.waitForResult(awaited, 8_000);
      expect((await rig.findApplication()).state).toBe('accepted');
      await worker.stop();
    });
  });
});
