// Requests that wait for a result: how they hear of it, and that they come before the backlog.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../bff/store/store.ts';
import { until } from '../manual-time.ts';
import {
  accepted,
  createDeliveryRig,
  duplicate,
  hang,
  holdAnswer,
  type DeliveryRig,
} from './delivery-rig.ts';

const awaited = { table: 'application', id: 'a1' } as const;

describe('whoever waits for a result', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('is told, all of them', async () => {
    const waits = [1, 2].map(() => rig.delivery.waitForResult(awaited, 8_000));
    await rig.delivery.start();
    await Promise.all(waits);
    expect((await rig.findApplication()).state).toBe('accepted');
    await rig.delivery.stop();
  });

  it('is told of what becomes of a child', async () => {
    await rig.accept();
    await rig.addAttachment('d1', 'document', ['x']);
    const wait = rig.delivery.waitForResult({ table: 'attachment', id: 'd1' }, 8_000);
    await rig.delivery.start();
    await wait;
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
    await rig.delivery.stop();
  });

  it('waits no longer than they want to', async () => {
    hang(rig.answers, 1);
    await rig.delivery.start();
    const wait = rig.delivery.waitForResult(awaited, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    rig.time.advance(8_000);
    await wait;
    expect((await rig.findApplication()).state).toBe('sending');
  });

  it('does not wait for a result that is there', async () => {
    await rig.delivery.runDue();
    await rig.delivery.waitForResult(awaited, 8_000);
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('keeps no timer when the row cannot be looked up', async () => {
    const failing: Store = {
      ...rig.store,
      findApplication: () => Promise.reject(new Error('disk broken')),
    };
    const waiting = rig.createLoop(failing).waitForResult(awaited, 8_000);
    await expect(waiting).rejects.toThrow('disk broken');
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('comes before the backlog', async () => {
    for (let count = 2; count <= 30; count += 1) await rig.addApplication(`a${count}`);
    const wait = rig.delivery.waitForResult({ table: 'application', id: 'a30' }, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    await new Promise(setImmediate);
    const loop = rig.delivery;
    hang(rig.answers, 7);
    await loop.start();
    await until(() => rig.sent.length >= 7);
    expect(rig.sent[0]).toContain('lead a30');
    expect(rig.sent[1]).toContain('lead a1 ');
    rig.time.advance(8_000);
    await wait;
  });

  it('has the next place that becomes free', async () => {
    for (let count = 2; count <= 30; count += 1) await rig.addApplication(`a${count}`);
    const answer = holdAnswer(rig.answers);
    hang(rig.answers, 7);
    await rig.delivery.start();
    await until(() => rig.sent.length === 8);
    const wait = rig.delivery.waitForResult({ table: 'application', id: 'a30' }, 8_000);
    await until(() => rig.time.listTimers().includes(8_000));
    await new Promise(setImmediate);
    answer(accepted);
    await wait;
    expect(rig.sent[8]).toContain('lead a30');
  });

  it('wakes the delivery for a row that nobody has spoken of', async () => {
    await rig.accept();
    await rig.delivery.start();
    await until(() => rig.time.listTimers().includes(10_000));
    await rig.addApplication('a2');
    await rig.delivery.waitForResult({ table: 'application', id: 'a2' }, 8_000);
    expect((await rig.findApplication('a2')).state).toBe('accepted');
    await rig.delivery.stop();
  });

  it('hears of a row that turns out to be unreadable', async () => {
    const store: Store = {
      ...rig.store,
      claimDue: async (kind, _leaseMs, id) =>
        id === undefined ? undefined : { kind: 'unreadable', deliveryKind: kind, id },
    };
    const loop = rig.createLoop(store);
    await loop.start();
    await loop.waitForResult(awaited, 8_000);
    expect(rig.events).toEqual([{ event: 'row-unreadable', kind: 'application', id: 'a1' }]);
    await loop.stop();
  });

  describe('while the operation is paused', () => {
    it('is not kept waiting', async () => {
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: 30_000 });
      await rig.delivery.start();
      await rig.delivery.waitForResult(awaited, 8_000);
      expect((await rig.findApplication()).state).toBe('received');
      await rig.delivery.stop();
    });

    it('is not kept waiting either when that began meanwhile', async () => {
      const answer = holdAnswer(rig.answers);
      await rig.addApplication('a2');
      const loop = rig.createLoop(rig.store, { maxConcurrent: 1 });
      await loop.start();
      await until(() => rig.sent.length === 1);
      const wait = loop.waitForResult({ table: 'application', id: 'a2' }, 8_000);
      await until(() => rig.time.listTimers().includes(8_000));
      await new Promise(setImmediate);
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: 30_000 });
      answer({ kind: 'unknown' });
      await wait;
      expect(rig.sent).toHaveLength(1);
      await loop.stop();
    });

    it('still waits for the one that is being sent', async () => {
      const answer = holdAnswer(rig.answers);
      await rig.delivery.start();
      await until(() => rig.sent.length === 1);
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: undefined });
      const wait = rig.delivery.waitForResult(awaited, 8_000);
      await until(() => rig.time.listTimers().includes(8_000));
      rig.delivery.wake();
      await new Promise(setImmediate);
      answer(duplicate);
      await wait;
      expect((await rig.findApplication()).state).toBe('unconfirmed');
      await rig.delivery.stop();
    });
  });

  describe('where another process may record the result', () => {
    it('looks again twice a second', async () => {
      const loop = rig.createLoop({ ...rig.store, isShared: true });
      const other = await rig.claim();
      let isTold = false;
      const wait = loop.waitForResult(awaited, 8_000).then(() => (isTold = true));
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

    it('waits no longer than they want to', async () => {
      const loop = rig.createLoop({ ...rig.store, isShared: true });
      await rig.claim();
      const wait = loop.waitForResult(awaited, 1_200);
      for (const ms of [500, 500, 200]) {
        await until(() => rig.time.listTimers().includes(500));
        rig.time.advance(ms);
      }
      await wait;
      expect(rig.time.listTimers()).toEqual([]);
    });

    it('is told at once of what this one records', async () => {
      const loop = rig.createLoop({ ...rig.store, isShared: true });
      await loop.start();
      await loop.waitForResult(awaited, 8_000);
      expect((await rig.findApplication()).state).toBe('accepted');
      await loop.stop();
    });
  });
});
