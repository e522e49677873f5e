// The worker on a store in memory, with a clock that the test advances and a consumer that follows a script.

import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createEventWorker,
  type EventWorker,
  type EventWorkerEvent,
  type EventWorkerOptions,
} from '../../../bff/events/event-worker.ts';
import type { SendResult } from '../../../bff/events/send-webhook.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { Store } from '../../../bff/store/store.ts';
import { createManualTime, type ManualTime, until } from '../../support/manual-time.ts';
import { createNewApplication, createSession } from '../store/contract/rows.ts';

const receiver = { name: 'webhook', target: '' } as const;
const sent = { kind: 'sent' } as const;
const failed = { kind: 'failed', outcome: 'http-500' } as const;
const hour = 3_600_000;
const near = (value: number): unknown => expect.closeTo(value, 0);

let time: ManualTime;
let store: Store;
/** The results of the next attempts. Default: sent. */
let answers: (SendResult | (() => Promise<SendResult>))[];
/** The attempts: id of the application, number of the event, and hours since the start. */
let attempts: string[];
let events: EventWorkerEvent[];
let startedAt: number;

beforeEach(async () => {
  time = createManualTime();
  startedAt = time.clock();
  store = await openStore('file::memory:', { clock: time.clock });
  answers = [];
  attempts = [];
  events = [];
  await store.registerEventConsumers([receiver]);
  return () => store.close();
});

function createWorker(changes: Partial<EventWorkerOptions> = {}): EventWorker {
  return createEventWorker({
    receiver,
    async send(_id, event) {
      attempts.push(`${event.data.reference} ${event.data.sequence}`);
      const answer = answers.shift() ?? sent;
      return typeof answer === 'function' ? answer() : answer;
    },
    store,
    environment: 'sandbox',
    clock: time.clock,
    startTimer: time.startTimer,
    random: () => 0.5,
    onEvent: (event) => events.push(event),
    ...changes,
  });
}

async function add(id: string): Promise<void> {
  const row = { id, session: createSession(id), idempotencyKey: id, receivedAt: time.clock() };
  await store.addApplication(createNewApplication(row), []);
}

async function accept(id: string): Promise<void> {
  const claim = await store.claimDue('application', 900, id);
  if (claim?.kind !== 'application') throw new Error(`${id} is not due`);
  await store.recordResult(claim, { state: 'accepted', serviceId: 'L1' });
}

const listNames = () => events.map(({ event }) => event);

describe('runDue', () => {
  it('sends what is due in the order of the application', async () => {
    await add('a1');
    await accept('a1');
    expect(await createWorker().runDue()).toBe(true);
    expect(attempts).toEqual(['a1 1', 'a1 2']);
    expect(events).toMatchObject([
      { event: 'status-event-sent', type: 'application.received', reference: 'a1', attempts: 1 },
      { event: 'status-event-sent', type: 'application.accepted' },
    ]);
  });

  it('sends no later event before a failed one succeeds', async () => {
    await add('a1');
    await accept('a1');
    answers.push(failed);
    const worker = createWorker();
    expect(await worker.runDue()).toBe(true);
    expect(attempts).toEqual(['a1 1']);
    time.advance(5_000);
    await worker.runDue();
    expect(attempts).toEqual(['a1 1', 'a1 1', 'a1 2']);
  });

  it('sends events of other applications while one fails', async () => {
    for (const id of ['a1', 'a2', 'a3']) await add(id);
    answers.push(failed);
    await createWorker().runDue();
    expect(attempts).toHaveLength(3);
  });

  it('sends at most four events at the same time', async () => {
    for (let number = 0; number < 9; number += 1) await add(`a${number}`);
    let active = 0;
    let most = 0;
    const worker = createWorker({
      async send() {
        active += 1;
        most = Math.max(most, active);
        // Long enough for the claims of all others.
        for (let turn = 0; turn < 20; turn += 1) await setImmediate();
        active -= 1;
        return sent;
      },
    });
    await worker.runDue();
    expect(most).toBe(4);
    expect(await store.countEvents()).toMatchObject([{ pending: 0 }]);
  });

  it('ends when its time is over', async () => {
    for (let number = 0; number < 20; number += 1) await add(`a${number}`);
    const worker = createWorker({
      async send() {
        attempts.push('one');
        time.advance(1_000);
        return sent;
      },
    });
    expect(await worker.runDue(5_000)).toBe(false);
    expect(attempts.length).toBeGreaterThan(4);
    expect(attempts.length).toBeLessThan(10);
    expect(await worker.runDue()).toBe(true);
    expect(attempts).toHaveLength(20);
  });
});

describe('retries', () => {
  it('follow the schedule of the specification, then the event is given up', async () => {
    await add('a1');
    await accept('a1');
    const at: number[] = [];
    const worker = createWorker({
      async send(_id, { data }) {
        if (data.sequence > 1) return sent;
        at.push((time.clock() - startedAt) / 1000);
        return failed;
      },
    });
    while ((await store.countEvents())[0]?.pending === 1) {
      await worker.runDue();
      time.advance(1_000 * (at.length < 3 ? 5 : 60));
    }
    const hours = at.map((seconds) => Math.round(seconds / 36) / 100);
    expect(hours).toEqual([0, 0, 0.08, 0.58, 2.6, 7.6, 17.6, 31.6, 51.6, 75.6].map(near));
    expect(events.findLast(({ event }) => event === 'status-event-given-up')).toMatchObject({
      type: 'application.received',
      attempts: 10,
      outcome: 'http-500',
    });
    expect(events.findLast(({ event }) => event === 'status-event-sent')).toMatchObject({
      type: 'application.accepted',
      attempts: 1,
    });
    expect(await store.countEvents()).toMatchObject([{ pending: 0, givenUp: 1 }]);
  });

  it('wait as long as the receiver asks', async () => {
    await add('a1');
    answers.push({ kind: 'failed', outcome: 'http-429', retryAfterMs: 60_000 });
    const worker = createWorker();
    await worker.runDue();
    time.advance(59_999);
    await worker.runDue();
    expect(attempts).toHaveLength(1);
    time.advance(1);
    await worker.runDue();
    expect(attempts).toHaveLength(2);
  });

  it('send nothing to a receiver that asked for time', async () => {
    await add('a1');
    answers.push({ kind: 'failed', outcome: 'http-503', retryAfterMs: 60_000 });
    const worker = createWorker();
    await worker.runDue();
    await add('a2');
    await worker.runDue();
    expect(attempts).toEqual(['a1 1']);
    time.advance(60_000);
    await worker.runDue();
    expect(attempts).toEqual(['a1 1', 'a2 1', 'a1 1']);
  });

  it('wait as long as the receiver asks after a success of another attempt', async () => {
    for (const id of ['a1', 'a2']) await add(id);
    const success = Promise.withResolvers<SendResult>();
    answers.push(() => success.promise);
    answers.push({ kind: 'failed', outcome: 'http-429', retryAfterMs: 60_000 });
    const worker = createWorker();
    const run = worker.runDue();
    await until(() => listNames().includes('status-event-failed'));
    success.resolve(sent);
    await run;
    await add('a3');
    expect(await worker.runDue()).toBe(true);
    expect(attempts).toEqual(['a1 1', 'a2 1']);
    time.advance(60_000);
    await worker.runDue();
    expect(attempts).toEqual(['a1 1', 'a2 1', 'a3 1', 'a2 1']);
  });

  it('wait at most five minutes after the clock is set back', async () => {
    await add('a1');
    answers.push({ kind: 'failed', outcome: 'http-503', retryAfterMs: 60_000 });
    let setBackMs = 0;
    const worker = createWorker({ clock: () => time.clock() - setBackMs });
    await worker.runDue();
    setBackMs = 24 * hour;
    await add('a2');
    await worker.runDue();
    expect(attempts).toEqual(['a1 1']);
    time.advance(5 * 60_000);
    await worker.runDue();
    expect(attempts).toContain('a2 1');
  });

  it('include an attempt that never ends', async () => {
    await add('a1');
    answers.push(() => new Promise(() => undefined));
    const worker = createWorker();
    const run = worker.runDue();
    await until(() => attempts.length === 1);
    time.advance(15_000);
    await run;
    expect(events).toMatchObject([{ event: 'status-event-failed', outcome: 'timeout' }]);
  });

  it('include an attempt that throws', async () => {
    await add('a1');
    const error = new Error('no database');
    answers.push(() => Promise.reject(error));
    await createWorker().runDue();
    expect(events).toMatchObject([{ event: 'status-event-failed', outcome: 'threw', error }]);
  });

  it('are repeated after the process ended before it recorded the result', async () => {
    await add('a1');
    const worker = createWorker({
      store: { ...store, recordEventSent: () => Promise.reject(new Error('disk')) },
    });
    await worker.runDue();
    expect(listNames()).toEqual(['status-events-stalled']);
    time.advance(60_000);
    await createWorker().runDue();
    expect(attempts).toEqual(['a1 1', 'a1 1']);
    expect(await store.countEvents()).toMatchObject([{ pending: 0 }]);
  });
});

describe('an unavailable consumer', () => {
  it('gets one event after each pause, and all when it is back', async () => {
    let isDown = true;
    for (let number = 0; number < 30; number += 1) await add(`a${number}`);
    const worker = createWorker({
      async send(_id, { data }) {
        attempts.push(data.reference);
        return isDown ? failed : sent;
      },
    });
    await worker.runDue();
    const first = attempts.length;
    expect(first).toBeLessThan(10);
    expect(listNames()).toContain('status-events-paused');
    for (let hours = 0; hours < 24; hours += 1) {
      for (let minute = 0; minute < 60; minute += 1) {
        time.advance(60_000);
        await worker.runDue();
      }
    }
    expect(await worker.runDue()).toBe(true);
    // One every five minutes, and no event was given up.
    expect(attempts.length - first).toBeLessThan(24 * 12 + 10);
    expect(await store.countEvents()).toMatchObject([{ pending: 30, givenUp: 0 }]);

    isDown = false;
    time.advance(24 * hour);
    await worker.runDue();
    expect(listNames()).toContain('status-events-resumed');
    expect(await store.countEvents()).toMatchObject([{ pending: 0 }]);
  });

  it('is not called again after 410 Gone', async () => {
    await add('a1');
    await add('a2');
    answers.push({ kind: 'gone', outcome: 'http-410' });
    const worker = createWorker({ random: () => 0 });
    await worker.runDue();
    const { length } = attempts;
    time.advance(24 * hour);
    await worker.runDue();
    expect(attempts).toHaveLength(length);
    expect(listNames()).toContain('status-events-stopped');
    await store.retryEvents({});
    await worker.runDue();
    expect(await store.countEvents()).toMatchObject([{ pending: 0 }]);
  });
});

describe('a worker with an earlier target', () => {
  it('stops alone after 410 Gone', async () => {
    await add('a1');
    await add('a2');
    const replacement = { name: 'webhook', target: 'new' } as const;
    await store.registerEventConsumers([replacement]);
    answers.push({ kind: 'gone', outcome: 'http-410' });
    answers.push({ kind: 'gone', outcome: 'http-410' });
    const outdated = createWorker();
    await outdated.runDue();
    const { length } = attempts;
    await store.registerEventConsumers([receiver]);
    time.advance(hour);
    await outdated.runDue();
    expect(attempts).toHaveLength(length);
    await createWorker({ receiver: replacement }).runDue();
    expect(await store.countEvents()).toMatchObject([{ pending: 0 }]);
  });
});

describe('a started worker', () => {
  it('sends events that are recorded later', async () => {
    const worker = createWorker();
    worker.start();
    await until(() => time.listTimers().length > 0);
    await add('a1');
    time.advance(2_000);
    await until(() => attempts.length === 1);
    await add('a2');
    worker.wake();
    await until(() => attempts.length === 2);
    await worker.stop();
    expect(time.listTimers()).toEqual([]);
  });

  it('retries when the delay is over', async () => {
    await add('a1');
    answers.push(failed);
    const worker = createWorker();
    worker.start();
    await until(() => events.length === 1);
    await until(() => time.listTimers().length > 0);
    for (let second = 0; second < 6; second += 1) {
      time.advance(1_000);
      await until(() => time.listTimers().length > 0);
    }
    await until(() => attempts.length === 2);
    await worker.stop();
  });

  it('continues after an error of the store', async () => {
    let isBroken = true;
    const worker = createWorker({
      store: {
        ...store,
        claimEvent: (...args) =>
          isBroken ? Promise.reject(new Error('disk')) : store.claimEvent(...args),
      },
    });
    await add('a1');
    worker.start();
    await until(() => listNames().includes('status-events-stalled'));
    await until(() => time.listTimers().length > 0);
    isBroken = false;
    time.advance(5_000);
    await until(() => attempts.length === 1);
    await worker.stop();
  });

  it('waits for the attempts in progress when it stops', async () => {
    await add('a1');
    const answer = Promise.withResolvers<SendResult>();
    answers.push(() => answer.promise);
    const worker = createWorker();
    worker.start();
    await until(() => attempts.length === 1);
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await add('a2');
    expect(isStopped).toBe(false);
    answer.resolve(sent);
    await stopped;
    expect(attempts).toEqual(['a1 1']);
    expect(await store.countEvents()).toMatchObject([{ pending: 1 }]);
  });
});
