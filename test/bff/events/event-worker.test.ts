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
const gone = { kind: 'gone', outcome: 'http-410' } as const;
const busy = { kind: 'failed', outcome: 'http-429', retryAfterMs: 60_000 } as const;
const hourMs = 3_600_000;

let time: ManualTime;
let store: Store;
/** The results of the next attempts. Default: sent. */
let answers: (SendResult | (() => Promise<SendResult>))[];
/** The attempts: id of the application, and number of the event. */
let attempts: string[];
let events: EventWorkerEvent[];

beforeEach(async () => {
  time = createManualTime();
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

/** Adds applications with one event each. */
async function add(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const row = { id, session: createSession(id), idempotencyKey: id, receivedAt: time.clock() };
    await store.addApplication(createNewApplication(row), []);
  }
}

const addMany = (count: number) => add(...Array.from({ length: count }, (_, index) => `a${index}`));

/** Adds the second event of an application. */
async function accept(id: string): Promise<void> {
  const claim = await store.claimDue('application', 900, id);
  if (claim?.kind !== 'application') throw new Error(`${id} is not due`);
  await store.recordResult(claim, { state: 'accepted', serviceId: 'L1' });
}

async function runAfter(ms: number, worker: EventWorker): Promise<boolean> {
  time.advance(ms);
  return worker.runDue();
}

/** Lets the work go on that needs no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

const listNames = () => events.map(({ event }) => event);
const countEvents = async () => (await store.countEvents())[0];

describe('runDue', () => {
  it('sends what is due in the order of the application', async () => {
    await add('a1');
    await accept('a1');
    expect(await createWorker().runDue()).toBe(true);
    expect(attempts).toEqual(['a1 1', 'a1 2']);
    const event = { event: 'status-event-sent', reference: 'a1', attempts: 1 };
    const types = ['application.received', 'application.accepted'];
    expect(events).toMatchObject(types.map((type) => ({ ...event, type })));
  });

  it('sends no later event of the application before a failed one succeeds', async () => {
    await add('a1', 'a2', 'a3');
    await accept('a1');
    const error = new Error('no database');
    answers.push(() => Promise.reject(error));
    const worker = createWorker();
    expect(await worker.runDue()).toBe(true);
    expect(events).toContainEqual(expect.objectContaining({ outcome: 'threw', error }));
    expect(attempts).toEqual(['a1 1', 'a2 1', 'a3 1']);
    await runAfter(5_000, worker);
    expect(attempts.slice(3)).toEqual(['a1 1', 'a1 2']);
  });

  it('sends at most four events at the same time', async () => {
    await addMany(9);
    let active = 0;
    let most = 0;
    await createWorker({
      async send() {
        active += 1;
        most = Math.max(most, active);
        // Long enough for the claims of all others.
        await settle();
        active -= 1;
        return sent;
      },
    }).runDue();
    expect(most).toBe(4);
    expect(await countEvents()).toMatchObject({ pending: 0 });
  });

  it('ends when its time is over', async () => {
    await addMany(20);
    let count = 0;
    const worker = createWorker({
      async send() {
        count += 1;
        time.advance(1_000);
        return sent;
      },
    });
    expect(await worker.runDue(5_000)).toBe(false);
    expect(count).toBeGreaterThan(4);
    expect(count).toBeLessThan(10);
    expect(await worker.runDue()).toBe(true);
    expect(count).toBe(20);
  });
});

describe('retries', () => {
  it('follow the schedule of the specification, then the event is given up', async () => {
    await add('a1');
    await accept('a1');
    const startedAt = time.clock();
    const hours: number[] = [];
    const worker = createWorker({
      async send(_id, { data }) {
        if (data.sequence > 1) return sent;
        hours.push(Math.round((time.clock() - startedAt) / 36_000) / 100);
        return failed;
      },
    });
    while ((await countEvents())?.pending === 1) {
      await worker.runDue();
      time.advance(1_000 * (hours.length < 3 ? 5 : 60));
    }
    const near = (value: number): unknown => expect.closeTo(value, 0);
    expect(hours).toEqual([0, 0, 0.08, 0.58, 2.6, 7.6, 17.6, 31.6, 51.6, 75.6].map(near));
    expect(events.slice(-3)).toMatchObject([
      { event: 'status-event-given-up', attempts: 10, outcome: 'http-500' },
      { event: 'status-event-sent', type: 'application.accepted', attempts: 1 },
      { event: 'status-events-resumed' },
    ]);
    expect(await countEvents()).toMatchObject({ pending: 0, givenUp: 1 });
  });

  it('wait as long as the receiver asks, with all events', async () => {
    await add('a1');
    answers.push(busy);
    const worker = createWorker();
    await worker.runDue();
    await add('a2');
    await runAfter(59_999, worker);
    expect(attempts).toEqual(['a1 1']);
    await runAfter(1, worker);
    expect(attempts).toEqual(['a1 1', 'a2 1', 'a1 1']);
  });

  it('wait as long as the receiver asks after a success of another attempt', async () => {
    await add('a1', 'a2');
    const success = Promise.withResolvers<SendResult>();
    answers.push(() => success.promise, busy);
    const worker = createWorker();
    const run = worker.runDue();
    await until(() => listNames().includes('status-event-failed'));
    success.resolve(sent);
    await run;
    await add('a3');
    expect(await worker.runDue()).toBe(true);
    expect(attempts).toEqual(['a1 1', 'a2 1']);
    await runAfter(60_000, worker);
    expect(attempts.slice(2)).toEqual(['a3 1', 'a2 1']);
  });

  it('wait at most five minutes after the clock is set back', async () => {
    await add('a1');
    answers.push(busy);
    let setBackMs = 0;
    const worker = createWorker({ clock: () => time.clock() - setBackMs });
    await worker.runDue();
    setBackMs = 24 * hourMs;
    await add('a2');
    await worker.runDue();
    expect(attempts).toEqual(['a1 1']);
    await runAfter(5 * 60_000, worker);
    expect(attempts).toContain('a2 1');
  });

  it('are repeated after the process ended before it recorded the result', async () => {
    await add('a1');
    const recordEventSent = () => Promise.reject(new Error('disk'));
    await createWorker({ store: { ...store, recordEventSent } }).runDue();
    expect(listNames()).toEqual(['status-events-stalled']);
    await runAfter(60_000, createWorker());
    expect(attempts).toEqual(['a1 1', 'a1 1']);
    expect(await countEvents()).toMatchObject({ pending: 0 });
  });
});

describe('an unavailable consumer', () => {
  it('gets one event after each pause, and all when it is back', async () => {
    await addMany(30);
    let isDown = true;
    let count = 0;
    const worker = createWorker({
      async send() {
        count += 1;
        return isDown ? failed : sent;
      },
    });
    await worker.runDue();
    const first = count;
    expect(first).toBeLessThan(10);
    expect(listNames()).toContain('status-events-paused');
    for (let minute = 0; minute < 24 * 60; minute += 1) await runAfter(60_000, worker);
    expect(await worker.runDue()).toBe(true);
    // One every five minutes, and no event was given up.
    expect(count - first).toBeLessThan(24 * 12 + 10);
    expect(await countEvents()).toMatchObject({ pending: 30, givenUp: 0 });

    isDown = false;
    await runAfter(24 * hourMs, worker);
    expect(listNames()).toContain('status-events-resumed');
    expect(await countEvents()).toMatchObject({ pending: 0 });
  });

  it('is not called again after 410 Gone', async () => {
    await add('a1', 'a2');
    answers.push(gone);
    const worker = createWorker({ random: () => 0 });
    await worker.runDue();
    const { length } = attempts;
    await runAfter(24 * hourMs, worker);
    expect(attempts).toHaveLength(length);
    expect(listNames()).toContain('status-events-stopped');
    await store.retryEvents({});
    await worker.runDue();
    expect(await countEvents()).toMatchObject({ pending: 0 });
  });

  it('does not stop the consumer that replaced it', async () => {
    await add('a1', 'a2');
    const replacement = { name: 'webhook', target: 'new' } as const;
    await store.registerEventConsumers([replacement]);
    answers.push(gone, gone);
    const outdated = createWorker();
    await outdated.runDue();
    const { length } = attempts;
    await store.registerEventConsumers([receiver]);
    await runAfter(hourMs, outdated);
    expect(attempts).toHaveLength(length);
    await createWorker({ receiver: replacement }).runDue();
    expect(await countEvents()).toMatchObject({ pending: 0 });
  });
});

describe('a started worker', () => {
  async function start(changes?: Partial<EventWorkerOptions>): Promise<EventWorker> {
    const worker = createWorker(changes);
    worker.start();
    await settle();
    return worker;
  }

  it('sends events that are recorded later', async () => {
    const worker = await start();
    await add('a1');
    time.advance(2_000);
    await settle();
    expect(attempts).toHaveLength(1);
    await add('a2');
    worker.wake();
    await settle();
    expect(attempts).toHaveLength(2);
    await worker.stop();
    await add('a3');
    time.advance(hourMs);
    await settle();
    expect(attempts).toHaveLength(2);
  });

  it('retries when the delay is over', async () => {
    await add('a1');
    answers.push(failed);
    await start();
    for (let second = 0; second < 5; second += 1) {
      expect(attempts).toHaveLength(1);
      time.advance(1_000);
      await settle();
    }
    expect(attempts).toHaveLength(2);
  });

  it('continues after an error of the store', async () => {
    let isBroken = true;
    const claimEvent: Store['claimEvent'] = (...args) =>
      isBroken ? Promise.reject(new Error('disk')) : store.claimEvent(...args);
    await add('a1');
    await start({ store: { ...store, claimEvent } });
    expect(listNames()).toEqual(['status-events-stalled']);
    isBroken = false;
    time.advance(5_000);
    await settle();
    expect(attempts).toHaveLength(1);
  });

  it('waits for the attempts in progress when it stops', async () => {
    await add('a1');
    const answer = Promise.withResolvers<SendResult>();
    answers.push(() => answer.promise);
    const worker = await start();
    let isStopped = false;
    const stopped = worker.stop().then(() => (isStopped = true));
    await add('a2');
    await settle();
    expect(isStopped).toBe(false);
    answer.resolve(sent);
    await stopped;
    expect(attempts).toEqual(['a1 1']);
    expect(await countEvents()).toMatchObject({ pending: 1 });
  });
});
