import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDeliverySemaphore,
  type DeliverySemaphore,
  type DeliveryWorker,
} from '../../../bff/delivery/delivery-worker.ts';
import type { Readiness } from '../../../bff/funding-service/funding-service.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { AddedApplication, Store } from '../../../bff/store/store.ts';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import { until } from '../../support/manual-time.ts';
import {
  accepted,
  createDeliveryRig,
  type DeliveryRig,
  duplicate,
  hang,
  holdAnswer,
  leaseMs,
  watchCalls,
} from './delivery-rig.ts';

describe('a started worker', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    return () => rig.store.close();
  });

  it('wakes when a retry is due', async () => {
    rig.answers.push({ kind: 'not-sent' });
    await rig.worker.start();
    await until(async () => (await rig.findApplication()).state === 'waiting');
    await until(() => rig.time.listTimers().includes(2_000));
    rig.time.advance(2_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await rig.worker.stop();
  });

  it('finds a row of another process within ten seconds', async () => {
    await rig.worker.start();
    await isAsleep(10_000);
    await rig.addApplication('a2');
    rig.time.advance(10_000);
    await until(async () => (await rig.findApplication('a2')).state === 'accepted');
    await rig.worker.stop();
  });

  it('polls a shared store every two seconds', async () => {
    const worker = rig.createWorker({ ...rig.store, isShared: true });
    await worker.start();
    await isAsleep(2_000);
    await worker.stop();
  });

  it('sleeps while a due row cannot be claimed', async () => {
    const calls: string[] = [];
    const store: Store = {
      ...rig.store,
      claimDue: async () => undefined,
      findNextDueMs: async () => -60_000,
    };
    const worker = rig.createWorker(watchCalls(store, calls));
    await worker.start();
    await isAsleep(250);
    expect(calls.filter((name) => name === 'findNextDueMs')).toHaveLength(1);
    await worker.stop();
  });

  it('limits concurrent deliveries', async () => {
    await rig.addApplication('a2');
    const answer = holdAnswer(rig.answers);
    const worker = rig.createWorker(rig.store, { maxConcurrent: 1 });
    await worker.start();
    await until(() => rig.sent.length === 1);
    worker.wake();
    await new Promise(setImmediate);
    expect(rig.sent).toHaveLength(1);
    answer(accepted);
    await until(() => rig.sent.length === 2);
    await worker.stop();
  });

  it('can be woken at any moment', async () => {
    for (let ticks = 0; ticks < 200; ticks += 1) {
      const own = await createDeliveryRig();
      const started = own.worker.start();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      await own.addApplication('a2');
      own.worker.wake();
      await started;
      await until(async () => (await own.findApplication('a2')).state === 'accepted');
      await own.worker.stop();
      await own.store.close();
    }
  });

  it('continues after an error of the store', async () => {
    let failures = 1;
    const failing: Store = {
      ...rig.store,
      claimDue: (...wanted) => {
        failures -= 1;
        if (failures >= 0) return Promise.reject(new Error('disk full'));
        return rig.store.claimDue(...wanted);
      },
    };
    const worker = rig.createWorker(failing, { maxConcurrent: 1 });
    await worker.start();
    await until(() => rig.events.some(({ event }) => event === 'delivery-stalled'));
    rig.time.advance(5_000);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    await worker.stop();
  });

  it('claims several rows of a backlog at the same time', async () => {
    for (let count = 1; count <= 40; count += 1) await rig.addApplication(`b${count}`);
    let claiming = 0;
    let most = 0;
    const store: Store = {
      ...rig.store,
      async claimDue(...wanted) {
        claiming += 1;
        most = Math.max(most, claiming);
        const claimed = await rig.store.claimDue(...wanted);
        claiming -= 1;
        return claimed;
      },
    };
    await rig.createWorker(store, { maxConcurrent: 50 }).runDue();
    expect(most).toBe(8);
    expect((await rig.findApplication('b40')).state).toBe('accepted');
  });

  it('waits for the other claims after one has failed', async () => {
    let claims = 0;
    let release = () => {};
    const store: Store = {
      ...rig.store,
      claimDue(...wanted) {
        claims += 1;
        if (claims === 3) return Promise.reject(new Error('disk full'));
        if (claims !== 2) return rig.store.claimDue(...wanted);
        return new Promise((resolve) => {
          release = () => resolve(undefined);
        });
      },
    };
    const worker = rig.createWorker(store);
    await worker.start();
    await until(() => claims === 3);
    let isStopped = false;
    const stopping = worker.stop().then(() => (isStopped = true));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    release();
    await stopping;
    expect(rig.events.map(({ event }) => event)).toContain('delivery-stalled');
  });

  it('skips an unreadable row', async () => {
    let isFirst = true;
    const store: Store = {
      ...rig.store,
      claimDue(kind, ...rest) {
        if (!isFirst) return rig.store.claimDue(kind, ...rest);
        isFirst = false;
        return Promise.resolve({ kind: 'unreadable', deliveryKind: kind, id: 'a0' });
      },
    };
    await rig.createWorker(store).runDue();
    expect(rig.events).toContainEqual({ event: 'row-unreadable', kind: 'application', id: 'a0' });
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  it('extends the lease of a delivery', async () => {
    const leases: number[] = [];
    const store: Store = {
      ...rig.store,
      claimDue(kind, leaseMs, id) {
        leases.push(leaseMs);
        return rig.store.claimDue(kind, leaseMs, id);
      },
      extendLease(claim, leaseMs) {
        leases.push(leaseMs);
        return rig.store.extendLease(claim, leaseMs);
      },
    };
    hang(rig.answers, 1);
    const worker = rig.createWorker(store, { maxConcurrent: 1 });
    await worker.start();
    await until(() => rig.sent.length === 1);
    for (let step = 0; step < 9; step += 1) rig.time.advance(leaseMs / 3);
    expect(leases).toEqual(Array.from({ length: 10 }, () => leaseMs));
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
  });

  describe('while an operation is unavailable', () => {
    it('claims none of its rows', async () => {
      const calls: string[] = [];
      const worker = rig.createWorker(watchCalls(rig.store, calls));
      await rig.accept();
      for (let count = 2; count <= 9; count += 1) await rig.addApplication(`a${count}`);
      await rig.addAttachment('d1', 'document', ['x']);
      for (const operation of ['create-lead', 'upload-file'] as const) {
        rig.readiness.set(operation, { kind: 'unavailable', retryAfterMs: 30_000 });
      }
      rig.readiness.set('asset-report', { kind: 'unavailable', retryAfterMs: undefined });
      rig.readiness.set('contact-user', { kind: 'unavailable', retryAfterMs: undefined });
      calls.length = 0;
      await worker.start();
      for (let count = 0; count < 200; count += 1) {
        worker.wake();
        await new Promise(setImmediate);
      }
      for (let second = 0; second < 60; second += 1) rig.time.advance(1_000);
      expect(calls.filter((name) => !['isShared', 'recover'].includes(name))).toEqual([]);
      await worker.stop();
    });

    it('wakes when the operation can be called again', async () => {
      rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: 4_000 });
      await rig.worker.start();
      await isAsleep(4_000);
      rig.readiness.clear();
      rig.time.advance(4_000);
      await until(async () => (await rig.findApplication()).state === 'accepted');
      await rig.worker.stop();
    });

    it('sends one row while half-open, then the others', async () => {
      for (const id of ['a2', 'a3', 'a4']) await rig.addApplication(id);
      rig.readiness.set('create-lead', { kind: 'half-open' });
      const answer = holdAnswer(rig.answers);
      await rig.worker.start();
      await until(() => rig.sent.length === 1);
      rig.worker.wake();
      await new Promise(setImmediate);
      expect(rig.sent).toHaveLength(1);
      rig.readiness.clear();
      answer(accepted);
      await until(() => rig.sent.length === 4);
      await rig.worker.stop();
    });
  });

  function isAsleep(ms: number): Promise<void> {
    return until(() => rig.time.listTimers().includes(ms));
  }
});

describe('a worker that claims its own row again', () => {
  let rig: DeliveryRig;
  let sleptMs: number;

  beforeEach(async () => {
    sleptMs = 0;
    rig = await createDeliveryRig((clock) =>
      openStore('file::memory:', { clock: () => clock() + sleptMs }),
    );
    return () => rig.store.close();
  });

  it('does not send the row again', async () => {
    const answer = holdAnswer(rig.answers);
    rig.answers.push(duplicate);
    await rig.worker.start();
    await sleepThrough(rig.worker);
    answer(accepted);
    expect(await rig.worker.stop()).toBe(true);
    expect(rig.sent).toHaveLength(1);
    expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L1' });
  });

  it('counts no uncertain attempt', async () => {
    const answer = holdAnswer(rig.answers);
    await rig.worker.start();
    await sleepThrough(rig.worker);
    answer({ kind: 'not-sent' });
    await rig.worker.stop();
    expect(await rig.findApplication()).toMatchObject({ state: 'waiting', uncertainAttempts: 0 });
  });

  it('extends the new lease', async () => {
    hang(rig.answers, 1);
    await rig.worker.start();
    await sleepThrough(rig.worker);
    for (let step = 0; step < 9; step += 1) rig.time.advance(leaseMs / 3);
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
  });

  it('keeps its other permits', async () => {
    hang(rig.answers, 1);
    const worker = rig.createWorker(rig.store, { maxConcurrent: 2 });
    await worker.start();
    await sleepThrough(worker);
    await rig.addApplication('a2');
    worker.wake();
    await until(async () => (await rig.findApplication('a2')).state === 'accepted');
  });

  it('records a result that the store was writing', async () => {
    let isFirst = true;
    const worker: DeliveryWorker = rig.createWorker({
      ...rig.store,
      async recordResult(...result) {
        if (isFirst) {
          isFirst = false;
          await sleepThrough(worker);
        }
        return rig.store.recordResult(...result);
      },
    });
    rig.answers.push(duplicate);
    await worker.start();
    await until(async () => (await rig.findApplication()).state === 'unconfirmed');
  });

  it('sends a row that became due again while its result was recorded', async () => {
    let isFirst = true;
    const worker: DeliveryWorker = rig.createWorker({
      ...rig.store,
      async recordResult(...result) {
        const isRecorded = await rig.store.recordResult(...result);
        if (isFirst) {
          isFirst = false;
          await sleepThrough(worker);
        }
        return isRecorded;
      },
    });
    rig.answers.push({ kind: 'not-sent' });
    await worker.start();
    await until(async () => (await rig.findApplication()).state === 'accepted');
    expect(rig.sent).toHaveLength(2);
    expect(await rig.findApplication()).toMatchObject({ attempts: 2, uncertainAttempts: 0 });
  });

  it('sends a row again whose result came after the claim', async () => {
    const answer = holdAnswer(rig.answers);
    const recorded: boolean[] = [];
    const worker = rig.createWorker({
      ...rig.store,
      async claimDue(...wanted) {
        const claimed = await rig.store.claimDue(...wanted);
        if (sleptMs > 0 && claimed && recorded.length === 0) {
          answer({ kind: 'not-sent' });
          await until(() => recorded.length > 0);
          await new Promise(setImmediate);
        }
        return claimed;
      },
      async recordResult(...result) {
        const isRecorded = await rig.store.recordResult(...result);
        recorded.push(isRecorded);
        return isRecorded;
      },
    });
    await worker.start();
    await sleepThrough(worker);
    await until(async () => (await rig.findApplication()).state === 'accepted');
    expect(recorded).toEqual([false, true]);
    expect(rig.sent).toHaveLength(2);
  });

  it('sends nothing if the result was recorded before the claim', async () => {
    const answer = holdAnswer(rig.answers);
    const worker = rig.createWorker({
      ...rig.store,
      async claimDue(...wanted) {
        const claimed = await rig.store.claimDue(...wanted);
        if (sleptMs > 0 && claimed) {
          answer(accepted);
          await until(() => rig.events.some(({ event }) => event === 'delivery-recorded'));
          await new Promise(setImmediate);
        }
        return claimed;
      },
    });
    await worker.start();
    await sleepThrough(worker);
    await worker.stop();
    expect(rig.sent).toHaveLength(1);
    expect((await rig.findApplication()).state).toBe('accepted');
  });

  /** Resolves when the worker claimed the row that it is still sending. */
  async function sleepThrough(worker: DeliveryWorker): Promise<void> {
    await until(() => rig.sent.length === 1);
    sleptMs = leaseMs;
    worker.wake();
    await until(async () => (await rig.findApplication()).attempts === 2);
    await new Promise(setImmediate);
  }
});

const attachments = ['document', 'bank-report', 'contact'] as const;

describe('createDeliverySemaphore', () => {
  let readiness: Map<PartnerOperation, Readiness>;
  let semaphore: DeliverySemaphore;
  let maxLeads: number;

  beforeEach(() => {
    readiness = new Map();
    maxLeads = Infinity;
    semaphore = create(8);
  });

  it('allows two deliveries per kind of attachment', () => {
    for (const kind of attachments) {
      semaphore.acquire(kind);
      expect(semaphore.isFree(kind)).toBe(true);
      semaphore.acquire(kind);
      expect(semaphore.isFree(kind)).toBe(false);
    }
    expect(semaphore.listFree()).toEqual(['application']);
  });

  it('allows applications to use all permits', () => {
    for (let count = 0; count < 7; count += 1) semaphore.acquire('application');
    expect(semaphore.listFree()).toContain('application');
    semaphore.acquire('application');
    expect(semaphore.listFree()).toEqual([]);
  });

  it('reserves two permits for applications', () => {
    semaphore = create(5);
    for (const kind of attachments) semaphore.acquire(kind);
    expect(semaphore.listFree()).toEqual(['application']);
    semaphore.acquire('application');
    expect(semaphore.isFree('application')).toBe(true);
  });

  it('allows an attachment to use the only permit', () => {
    semaphore = create(1);
    expect(semaphore.isFree('document')).toBe(true);
    semaphore.acquire('document');
    expect(semaphore.listFree()).toEqual([]);
  });

  it('allows another delivery after a release', () => {
    semaphore.acquire('document');
    const release = semaphore.acquire('document');
    release();
    expect(semaphore.isFree('document')).toBe(true);
  });

  it('lists the kind that was acquired longest ago first', () => {
    semaphore.acquire('application');
    expect(semaphore.listFree()[0]).toBe('document');
    semaphore.acquire('document');
    expect(semaphore.listFree()).toEqual(['bank-report', 'contact', 'application', 'document']);
  });

  it('allows no delivery while the operation is unavailable', () => {
    readiness.set('upload-file', { kind: 'unavailable', retryAfterMs: 30_000 });
    expect(semaphore.isUnavailable('document')).toBe(true);
    expect(semaphore.listFree()).toEqual(['application', 'bank-report', 'contact']);
  });

  it('allows one trial delivery while the breaker is half-open', () => {
    semaphore.acquire('application');
    readiness.set('create-lead', { kind: 'half-open' });
    expect(semaphore.isFree('application')).toBe(true);
    const release = semaphore.acquire('application');
    expect(semaphore.isFree('application')).toBe(false);
    release();
    expect(semaphore.isFree('application')).toBe(true);
  });

  it('sends no more applications than the funding service can handle', () => {
    maxLeads = 2;
    semaphore.acquire('document');
    semaphore.acquire('application');
    expect(semaphore.isReady('application')).toBe(true);
    const release = semaphore.acquire('application');
    expect(semaphore.isReady('application')).toBe(false);
    expect(semaphore.listFree()).not.toContain('application');
    expect(semaphore.isFree('document')).toBe(true);
    release();
    expect(semaphore.isFree('application')).toBe(true);
  });

  it('lists when unavailable operations can be called', () => {
    expect(semaphore.listRetryAfterMs()).toEqual([]);
    readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: undefined });
    expect(semaphore.listRetryAfterMs()).toEqual([]);
    readiness.set('upload-file', { kind: 'unavailable', retryAfterMs: 30_000 });
    readiness.set('contact-user', { kind: 'unavailable', retryAfterMs: 5_000 });
    expect(semaphore.listRetryAfterMs()).toEqual([30_000, 5_000]);
  });

  function create(maxConcurrent: number): DeliverySemaphore {
    const readinessOf = (operation: PartnerOperation): Readiness =>
      readiness.get(operation) ?? { kind: 'ready' };
    return createDeliverySemaphore(
      { readiness: readinessOf, maxConcurrentLeads: () => maxLeads },
      maxConcurrent,
    );
  }
});

describe('the delivery worker', () => {
  it('sends a new application while uploads hang', async () => {
    const rig = await createDeliveryRig();
    for (let count = 1; count <= 8; count += 1) {
      await rig.addApplication(`b${count}`);
      await rig.accept(`b${count}`);
      await rig.addAttachment(`d${count}`, 'document', ['x'], `b${count}`);
      await rig.addAttachment(`r${count}`, 'bank-report', ['{}'], `b${count}`);
    }
    await rig.accept('a1');
    hang(rig.attachmentAnswers, 16);
    await rig.worker.start();
    await until(() => rig.sent.length === 4);
    await rig.addApplication('a2');
    rig.worker.wake();
    await until(async () => (await rig.findApplication('a2')).state === 'accepted');
    expect(rig.sent.filter((line) => !line.startsWith('lead'))).toHaveLength(4);
    await rig.store.close();
  });

  it('sends documents during a backlog of applications', async () => {
    const rig = await createDeliveryRig();
    await rig.accept();
    for (let count = 1; count <= 40; count += 1) await rig.addApplication(`b${count}`);
    await rig.addAttachment('d1', 'document', ['x']);
    await rig.worker.start();
    await until(async () => (await rig.findAttachment('d1')).state === 'accepted');
    expect(rig.sent.findIndex((line) => line.startsWith('file'))).toBeLessThan(10);
    await rig.worker.stop();
    await rig.store.close();
  });
});

describe('addApplication', () => {
  let rig: DeliveryRig;

  beforeEach(async () => {
    rig = await createDeliveryRig();
    await rig.accept();
    return () => rig.store.close();
  });

  function add(worker: DeliveryWorker, id: string): Promise<AddedApplication> {
    return worker.addApplication((ms) => rig.addApplication(id, id, ms));
  }

  async function startIdle(worker = rig.worker): Promise<DeliveryWorker> {
    await worker.start();
    await until(() => rig.time.listTimers().includes(10_000));
    return worker;
  }

  it('sends the application without a claim', async () => {
    const calls: string[] = [];
    const worker = await startIdle(rig.createWorker(watchCalls(rig.store, calls)));
    calls.length = 0;
    expect((await add(worker, 'a2')).application.state).toBe('sending');
    await worker.waitForResult({ kind: 'application', id: 'a2' }, 8_000);
    expect((await rig.findApplication('a2')).state).toBe('accepted');
    await worker.stop();
    expect(calls.filter((name) => name !== 'isShared')).toEqual(['recordResult', 'findNextDueMs']);
  });

  it.each([
    ['has not started', async () => rig.worker],
    [
      'is stopped',
      async () => {
        await rig.worker.stop();
        return rig.worker;
      },
    ],
    [
      'cannot call the operation',
      async () => {
        await startIdle();
        rig.readiness.set('create-lead', { kind: 'unavailable', retryAfterMs: 60_000 });
        return rig.worker;
      },
    ],
    [
      'would send a trial',
      async () => {
        await startIdle();
        rig.readiness.set('create-lead', { kind: 'half-open' });
        return rig.worker;
      },
    ],
  ])('adds a due row while the worker %s', async (_condition, prepare) => {
    const added = await add(await prepare(), 'a2');
    expect(added.application.state).toBe('received');
    await rig.worker.stop();
  });

  it('sends the row that waits for a permit before a new row', async () => {
    const worker = await startIdle(rig.createWorker(rig.store, { maxConcurrent: 1 }));
    const answers = [holdAnswer(rig.answers), holdAnswer(rig.answers)];
    await add(worker, 'a2');
    expect((await add(worker, 'a3')).application.state).toBe('received');
    answers[0]?.(accepted);
    const { application } = await add(worker, 'a4');
    expect(application.state).toBe('received');
    await until(() => rig.sent.length === 2);
    answers[1]?.(accepted);
    await until(() => rig.sent.length === 3);
    expect(rig.sent.map((line) => line.split(' ')[1])).toEqual(['a2', 'a3', 'a4']);
    await worker.stop();
  });

  it('sends new applications at once again after a backlog', async () => {
    const worker = await startIdle(rig.createWorker(rig.store, { maxConcurrent: 1 }));
    await add(worker, 'a2');
    await add(worker, 'a3');
    await until(async () => (await rig.findApplication('a3')).state === 'accepted');
    await until(() => rig.time.listTimers().includes(10_000));
    expect((await add(worker, 'a4')).application.state).toBe('sending');
    await worker.stop();
  });

  it.each([
    ['the store fails', () => Promise.reject(new Error('disk full'))],
    [
      'another application exists',
      async (): Promise<AddedApplication> => ({
        kind: 'same-key',
        application: await rig.findApplication(),
      }),
    ],
  ])('releases the permit if %s', async (_condition, addNothing) => {
    const worker = await startIdle(rig.createWorker(rig.store, { maxConcurrent: 1 }));
    await worker.addApplication(addNothing).catch(() => undefined);
    expect((await add(worker, 'a2')).application.state).toBe('sending');
    await worker.stop();
  });

  it('sends an application that was being added when the worker stopped', async () => {
    const worker = await startIdle();
    const { promise: isStopping, resolve: goOn } = Promise.withResolvers<void>();
    const added = worker.addApplication(async (ms) => {
      await isStopping;
      return rig.addApplication('a2', 'a2', ms);
    });
    const stopped = worker.stop();
    goOn();
    await added;
    expect(await stopped).toBe(true);
    expect((await rig.findApplication('a2')).state).toBe('accepted');
  });
});

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
    await until(async () => (await rig.findApplication()).state === 'sending');
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
