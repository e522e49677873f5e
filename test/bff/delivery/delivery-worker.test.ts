import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryWorker } from '../../../bff/delivery/delivery-worker.ts';
import type { Readiness } from '../../../bff/funding-service/funding-service.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Store } from '../../../bff/store/store.ts';
import { until } from '../../support/manual-time.ts';
import {
  accepted,
  createDeliveryRig,
  type DeliveryRig,
  duplicate,
  hang,
  holdAnswer,
  leaseMs,
  notSent,
  settle,
  unknown,
} from './delivery-rig.ts';

const unavailable = (retryAfterMs?: number): Readiness => ({ kind: 'unavailable', retryAfterMs });
const timeoutMs = 8_000;

let rig: DeliveryRig;
/** How far the clock of the store is ahead of that of the worker, as after the sleep of a machine. */
let sleptMs: number;

beforeEach(async () => {
  sleptMs = 0;
  rig = await createDeliveryRig((clock) =>
    openStore('file::memory:', { clock: () => clock() + sleptMs }),
  );
  return () => rig.store.close();
});

async function start(worker = rig.worker): Promise<DeliveryWorker> {
  await worker.start();
  await settle();
  return worker;
}

const state = async (id = 'a1') => (await rig.findApplication(id)).state;

// Permits, leads that the funding service can handle; due and started: leads, documents, bank reports, contact requests.
// prettier-ignore
const permits = [
  ['uses all permits for applications', 8, 99, [9, 0, 0, 0], [8, 0, 0, 0]],
  ['uses two permits for each kind of attachment', 20, 99, [9, 3, 3, 3], [9, 2, 2, 2]],
  ['reserves two permits for applications', 5, 99, [0, 2, 2, 2], [0, 1, 1, 1]],
  ['uses its only permit for any kind', 1, 99, [0, 1, 1, 1], [0, 1, 0, 0]],
  ['uses no more leads than the funding service can handle', 8, 2, [3, 1, 0, 0], [2, 1, 0, 0]],
] as const;

describe('a started worker', () => {
  it('wakes when a retry is due', async () => {
    rig.answers.push(notSent);
    await start();
    expect(await rig.passUntil(() => rig.isAccepted())).toBe(2_000);
  });

  it('finds a row of another process after two seconds', async () => {
    await start();
    await rig.addApplication('a2');
    expect(await rig.passUntil(() => rig.isAccepted('a2'))).toBe(2_000);
  });

  it('looks four times a second for a due row that cannot be claimed', async () => {
    let looks = 0;
    const findNextDueMs = async () => {
      looks += 1;
      return -60_000;
    };
    await start(rig.createWorker({ claimDue: async () => undefined, findNextDueMs }));
    expect(looks).toBe(1);
    await rig.pass(1_000, 50);
    expect(looks).toBe(5);
  });

  it.each(permits)('%s: %i, %i, %j', async (_name, maxConcurrent, maxLeads, due, started) => {
    const [leads, ...attachments] = due;
    await rig.accept();
    for (let count = 1; count <= 3; count += 1) {
      await rig.addApplication(`b${count}`);
      await rig.accept(`b${count}`);
      for (const [index, kind] of (['document', 'bank-report', 'contact'] as const).entries()) {
        if (count <= attachments[index]!)
          await rig.addAttachment(`${kind} ${count}`, kind, ['x'], `b${count}`);
      }
    }
    await rig.addUpTo(leads + 1);
    hang(rig.answers, 9);
    hang(rig.attachmentAnswers, 9);
    hang(rig.contactAnswers, 9);
    const fundingService = { ...rig.fundingService, maxConcurrentLeads: () => maxLeads };
    const worker = await start(rig.createWorker({}, { maxConcurrent, fundingService }));
    worker.wake();
    await settle();
    expect(['lead', 'file', 'report', 'contact'].map(rig.countSent)).toEqual(started);
  });

  it('can be woken at any moment', async () => {
    for (let ticks = 0; ticks < 200; ticks += 1) {
      await rig.addApplication(`due ${ticks}`);
      const worker = rig.createWorker();
      const started = worker.start();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      await rig.addApplication(`new ${ticks}`);
      worker.wake();
      await started;
      await until(() => rig.isAccepted(`new ${ticks}`));
      await worker.stop();
    }
  });

  it('continues five seconds after an error of the store', async () => {
    let failures = 1;
    const claimDue: Store['claimDue'] = (...wanted) =>
      failures-- > 0 ? Promise.reject(new Error('disk full')) : rig.store.claimDue(...wanted);
    await start(rig.createWorker({ claimDue }, { maxConcurrent: 1 }));
    expect(rig.countEvents('delivery-stalled')).toBe(1);
    expect(await rig.passUntil(() => rig.isAccepted())).toBe(5_000);
  });

  it('claims at most eight rows of a backlog at the same time', async () => {
    await rig.addUpTo(40);
    let claiming = 0;
    let most = 0;
    const claimDue: Store['claimDue'] = async (...wanted) => {
      claiming += 1;
      most = Math.max(most, claiming);
      const claimed = await rig.store.claimDue(...wanted);
      claiming -= 1;
      return claimed;
    };
    await rig.createWorker({ claimDue }, { maxConcurrent: 50 }).runDue();
    expect(most).toBe(8);
    expect(await state('a40')).toBe('accepted');
  });

  it('waits for the other claims after one has failed', async () => {
    let claims = 0;
    const pending = Promise.withResolvers<undefined>();
    const claimDue: Store['claimDue'] = (...wanted) => {
      claims += 1;
      if (claims === 3) return Promise.reject(new Error('disk full'));
      return claims === 2 ? pending.promise : rig.store.claimDue(...wanted);
    };
    const worker = await start(rig.createWorker({ claimDue }));
    let isStopped = false;
    const stopping = worker.stop().then(() => (isStopped = true));
    await settle();
    expect(isStopped).toBe(false);
    pending.resolve(undefined);
    await stopping;
    expect(rig.countEvents('delivery-stalled')).toBe(1);
  });

  it('keeps the lease during a long call', async () => {
    const leases: number[] = [];
    const answer = holdAnswer(rig.answers);
    await start(
      rig.createWorker(
        {
          claimDue: (kind, ms, id) => rig.store.claimDue(kind, leases[leases.push(ms) - 1]!, id),
          extendLease: (claim, ms) => rig.store.extendLease(claim, leases[leases.push(ms) - 1]!),
        },
        { maxConcurrent: 1 },
      ),
    );
    await rig.pass(9 * (leaseMs / 3), leaseMs / 3);
    expect(leases).toEqual(Array.from({ length: 10 }, () => leaseMs));
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
    answer(accepted);
    await settle();
    expect(await state()).toBe('accepted');
  });

  it('sends documents during a backlog of applications', async () => {
    await rig.accept();
    await rig.addUpTo(40);
    await rig.addAttachment('d1', 'document');
    await rig.worker.start();
    await until(async () => (await rig.findAttachment('d1')).state === 'accepted');
    expect(rig.sent.findIndex((line) => line.startsWith('file'))).toBeLessThan(10);
  });
});

describe('while an operation is unavailable', () => {
  it('the worker reads and claims none of its rows', async () => {
    await rig.accept();
    await rig.addUpTo(9);
    await rig.addAttachment('d1', 'document');
    for (const operation of ['create-lead', 'upload-file', 'asset-report', 'contact-user'] as const)
      rig.readiness.set(operation, unavailable(operation === 'create-lead' ? 30_000 : undefined));
    let reads = 0;
    const read = async () => void (reads += 1);
    const worker = await start(rig.createWorker({ claimDue: read, findNextDueMs: read }));
    for (let count = 0; count < 200; count += 1) {
      worker.wake();
      await settle();
    }
    await rig.pass(60_000, 1_000);
    expect([reads, rig.sent]).toEqual([0, []]);
  });

  it('the worker wakes when the operation can be called again', async () => {
    rig.readiness.set('create-lead', unavailable(1_000));
    rig.readiness.set('upload-file', unavailable(1_500));
    rig.readiness.set('contact-user', unavailable());
    await start();
    rig.readiness.clear();
    expect(await rig.passUntil(() => rig.isAccepted())).toBe(1_000);
  });

  it('the worker sends one row while half-open, then the others', async () => {
    const [before, trial] = [holdAnswer(rig.answers), holdAnswer(rig.answers)];
    await start();
    rig.readiness.set('create-lead', { kind: 'half-open' });
    await rig.addUpTo(5);
    rig.worker.wake();
    await settle();
    expect(rig.sent).toHaveLength(2);
    before(accepted);
    rig.worker.wake();
    await settle();
    expect(rig.sent).toHaveLength(2);
    rig.readiness.clear();
    trial(accepted);
    await settle();
    expect(rig.sent).toHaveLength(5);
  });
});

describe('a worker that claims its own row again', () => {
  /** Resolves when the worker claimed the row that it is still sending. */
  async function sleepThrough(worker: DeliveryWorker): Promise<void> {
    await until(() => rig.sent.length === 1);
    sleptMs = leaseMs;
    worker.wake();
    await until(async () => (await rig.findApplication()).attempts === 2);
    await settle();
  }

  it('does not send the row again', async () => {
    const answer = holdAnswer(rig.answers);
    rig.answers.push(duplicate);
    await sleepThrough(await start());
    answer(accepted);
    expect(await rig.worker.stop()).toBe(true);
    expect(rig.sent).toHaveLength(1);
    expect(await rig.findApplication()).toMatchObject({ state: 'accepted', serviceId: 'L1' });
  });

  it('counts no uncertain attempt', async () => {
    const answer = holdAnswer(rig.answers);
    await sleepThrough(await start());
    answer(notSent);
    await rig.worker.stop();
    expect(await rig.findApplication()).toMatchObject({ state: 'waiting', uncertainAttempts: 0 });
  });

  it('extends the new lease, and keeps its other permits', async () => {
    hang(rig.answers, 1);
    const worker = await start(rig.createWorker({}, { maxConcurrent: 2 }));
    await sleepThrough(worker);
    await rig.addUpTo(2);
    worker.wake();
    await settle();
    expect(await state('a2')).toBe('accepted');
    for (let step = 0; step < 9; step += 1) rig.time.advance(leaseMs / 3);
    expect(await rig.store.claimDue('application', 1)).toBeUndefined();
  });

  it.each([
    ['was being recorded', 'before', duplicate, { state: 'unconfirmed' }, 1],
    ['had just been recorded', 'after', notSent, { state: 'accepted', uncertainAttempts: 0 }, 2],
  ] as const)('uses a result that %s', async (_name, moment, answer, expected, sent) => {
    let isFirst = true;
    const sleepOnce = async (now: string) => {
      if (!isFirst || now !== moment) return;
      isFirst = false;
      await sleepThrough(worker);
    };
    const recordResult: Store['recordResult'] = async (...result) => {
      await sleepOnce('before');
      const isRecorded = await rig.store.recordResult(...result);
      await sleepOnce('after');
      return isRecorded;
    };
    const worker: DeliveryWorker = rig.createWorker({ recordResult });
    rig.answers.push(answer);
    await worker.start();
    await until(async () => (await state()) === expected.state);
    expect(rig.sent).toHaveLength(sent);
    expect(await rig.findApplication()).toMatchObject(expected);
  });

  it.each([
    ['sends a row again that failed after the new claim', notSent, [false, true], 2],
    ['sends a row once that was accepted after the new claim', accepted, [true], 1],
  ])('%s', async (_name, result, expected, sent) => {
    const answer = holdAnswer(rig.answers);
    const recorded: boolean[] = [];
    /** The result is recorded while the claim is made. */
    async function record(): Promise<void> {
      answer(result);
      await until(() => recorded.length > 0);
      await settle();
    }
    const worker = rig.createWorker({
      async claimDue(...wanted) {
        const claimed = await rig.store.claimDue(...wanted);
        if (sleptMs > 0 && claimed && recorded.length === 0) await record();
        return claimed;
      },
      async recordResult(...given) {
        const isRecorded = await rig.store.recordResult(...given);
        recorded.push(isRecorded);
        return isRecorded;
      },
    });
    await sleepThrough(await start(worker));
    await until(() => rig.isAccepted());
    await worker.stop();
    expect(recorded).toEqual(expected);
    expect(rig.sent).toHaveLength(sent);
  });
});

describe('addApplication', () => {
  const one = { maxConcurrent: 1 };

  beforeEach(() => rig.accept());

  /** Returns the state of the new row. */
  async function add(worker: DeliveryWorker, id: string): Promise<string> {
    const added = await worker.addApplication((ms) => rig.addApplication(id, id, ms));
    return added.application.state;
  }

  it('sends the application without a claim, or a read by the request that waits', async () => {
    let calls = 0;
    const count =
      <Args extends unknown[], Value>(call: (...args: Args) => Value) =>
      (...args: Args) => {
        calls += 1;
        return call(...args);
      };
    const { claimDue, findApplication } = rig.store;
    const counted = { claimDue: count(claimDue), findApplication: count(findApplication) };
    const worker = await start(rig.createWorker(counted));
    calls = 0;
    expect(await add(worker, 'a2')).toBe('sending');
    await worker.waitForResult({ kind: 'application', id: 'a2' }, timeoutMs);
    await settle();
    expect([await state('a2'), calls]).toEqual(['accepted', 0]);
  });

  it.each<[string, (() => Promise<unknown>)?, Readiness?]>([
    ['has not started'],
    ['is stopped', () => rig.worker.stop()],
    ['cannot call the operation', () => start(), unavailable(60_000)],
    ['would send a trial', () => start(), { kind: 'half-open' }],
  ])('adds a due row while the worker %s', async (_condition, prepare, readiness) => {
    await prepare?.();
    if (readiness) rig.readiness.set('create-lead', readiness);
    expect(await add(rig.worker, 'a2')).toBe('received');
  });

  it('sends the row that waits for a permit before a new row', async () => {
    const worker = await start(rig.createWorker({}, one));
    const answers = [holdAnswer(rig.answers), holdAnswer(rig.answers)];
    await add(worker, 'a2');
    expect(await add(worker, 'a3')).toBe('received');
    answers[0]?.(accepted);
    expect(await add(worker, 'a4')).toBe('received');
    answers[1]?.(accepted);
    await until(() => rig.isAccepted('a4'));
    await settle();
    expect(rig.sent.map((line) => line.split(' ')[1])).toEqual(['a2', 'a3', 'a4']);
    expect(await add(worker, 'a5')).toBe('sending');
  });

  it('releases the permit if the row is not added', async () => {
    const application = await rig.findApplication();
    const worker = await start(rig.createWorker({}, one));
    await worker.addApplication(async () => ({ kind: 'same-key', application }));
    const failing = worker.addApplication(() => Promise.reject(new Error('disk full')));
    await expect(failing).rejects.toThrow('disk full');
    expect(await add(worker, 'a2')).toBe('sending');
  });

  it('sends an application that was being added when the worker stopped', async () => {
    const worker = await start();
    const stopping = Promise.withResolvers<void>();
    const added = worker.addApplication(async (ms) => {
      await stopping.promise;
      return rig.addApplication('a2', 'a2', ms);
    });
    const stopped = worker.stop();
    stopping.resolve();
    await added;
    expect(await stopped).toBe(true);
    expect(await state('a2')).toBe('accepted');
  });
});

describe('waitForResult', () => {
  const waitFor = (worker: DeliveryWorker, id = 'a1', ms = timeoutMs) =>
    worker.waitForResult({ kind: 'application', id }, ms);

  /** Tells whether the waiting has ended. */
  function watch(wait: Promise<void>): () => boolean {
    let isEnded = false;
    void wait.then(() => (isEnded = true));
    return () => isEnded;
  }

  it('tries to claim the row of a waiting request once when it is woken', async () => {
    const ids: (string | undefined)[] = [];
    const claimDue: Store['claimDue'] = async (_kind, _ms, id) => void ids.push(id);
    const findNextDueMs = async () => 60_000;
    const worker = await start(rig.createWorker({ claimDue, findNextDueMs }));
    watch(waitFor(worker));
    await settle();
    expect(ids.filter((id) => id !== undefined)).toEqual(['a1']);
  });

  it('resolves for all requests that wait for a row', async () => {
    await rig.accept();
    await rig.addAttachment('d1', 'document');
    const row = { kind: 'document', id: 'd1' } as const;
    const waits = [1, 2].map(() => rig.worker.waitForResult(row, timeoutMs));
    await start();
    await Promise.all(waits);
    expect((await rig.findAttachment('d1')).state).toBe('accepted');
  });

  it('resolves after its timeout', async () => {
    hang(rig.answers, 1);
    await start();
    expect(await rig.passUntil(watch(waitFor(rig.worker)))).toBe(timeoutMs);
    expect(await state()).toBe('sending');
  });

  it('resolves at once for a row with a result', async () => {
    await rig.worker.runDue();
    await waitFor(rig.worker);
    expect(rig.sent).toHaveLength(1);
  });

  it('rejects if the store fails', async () => {
    const findApplication = () => Promise.reject(new Error('disk broken'));
    await expect(waitFor(rig.createWorker({ findApplication }))).rejects.toThrow('disk broken');
    expect(rig.time.listTimers()).toEqual([]);
  });

  it('sends the awaited row before the backlog', async () => {
    await rig.addUpTo(30);
    void waitFor(rig.worker, 'a30');
    await settle();
    hang(rig.answers, 8);
    await start();
    expect(rig.sent.map((line) => line.split(' ')[1]).slice(0, 3)).toEqual(['a30', 'a1', 'a2']);
  });

  it('gives the next free permit to the awaited row', async () => {
    await rig.addUpTo(30);
    const answer = holdAnswer(rig.answers);
    hang(rig.answers, 7);
    await start();
    expect(rig.sent).toHaveLength(8);
    const wait = waitFor(rig.worker, 'a30');
    await settle();
    answer(accepted);
    await wait;
    expect(rig.sent[8]).toContain('lead a30');
  });

  it('wakes the worker', async () => {
    await rig.accept();
    await start();
    await rig.addUpTo(2);
    await waitFor(rig.worker, 'a2');
    expect(await state('a2')).toBe('accepted');
  });

  it('resolves for an unreadable row, which the worker skips', async () => {
    await rig.addUpTo(2);
    const claimDue: Store['claimDue'] = async (kind, ms, id) =>
      id === undefined
        ? rig.store.claimDue(kind, ms, kind === 'application' ? 'a2' : undefined)
        : { kind: 'unreadable', deliveryKind: kind, id };
    const worker = rig.createWorker({ claimDue });
    const wait = waitFor(worker);
    await start(worker);
    await wait;
    expect(rig.events).toContainEqual({ event: 'row-unreadable', kind: 'application', id: 'a1' });
    expect(await state('a2')).toBe('accepted');
  });

  it('resolves at once while the operation is unavailable', async () => {
    rig.readiness.set('create-lead', unavailable(30_000));
    await waitFor(rig.worker);
    expect(await state()).toBe('received');
  });

  it('resolves when the operation becomes unavailable', async () => {
    const answer = holdAnswer(rig.answers);
    await rig.addUpTo(2);
    const worker = await start(rig.createWorker({}, { maxConcurrent: 1 }));
    const wait = waitFor(worker, 'a2');
    await settle();
    rig.readiness.set('create-lead', unavailable(30_000));
    answer(unknown);
    await wait;
    expect(rig.sent).toHaveLength(1);
  });

  it('waits for a row that is being sent to an unavailable operation', async () => {
    const answer = holdAnswer(rig.answers);
    await start();
    rig.readiness.set('create-lead', unavailable());
    const isEnded = watch(waitFor(rig.worker));
    rig.worker.wake();
    await settle();
    expect(isEnded()).toBe(false);
    answer(duplicate);
    await settle();
    expect([isEnded(), await state()]).toEqual([true, 'unconfirmed']);
  });

  describe('with a shared store', () => {
    it('looks twice a second for a result of another process', async () => {
      const other = await rig.claim();
      const isEnded = watch(waitFor(rig.createWorker({ isShared: true })));
      await rig.pass(700, 100);
      await rig.store.recordResult(other, { state: 'unconfirmed' });
      await settle();
      expect(isEnded()).toBe(false);
      expect(await rig.passUntil(isEnded, 100)).toBe(300);
      expect(rig.time.listTimers()).toEqual([]);
    });

    it('resolves at once when this process records the result', async () => {
      await waitFor(await start(rig.createWorker({ isShared: true })));
      expect(await state()).toBe('accepted');
    });
  });
});
