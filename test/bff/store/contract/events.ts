// The contract of events for the partner's systems.

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import type { EventClaim, EventReceiver, EventRow } from '../../../../bff/store/store.ts';
import * as results from './rig.ts';
import { leaseMs, type OpenTestDatabase, useStoreRig } from './rig.ts';
import { day } from './rows.ts';

const { accepted, rejected } = results;
const webhook = { name: 'webhook', target: 'one' } as const;
const otherWebhook = { name: 'webhook', target: 'two' } as const;
const hook = { name: 'hook', target: '' } as const;
const errors = [{ pointer: '/owners/0/ssn', code: 'rejected' }] as const;

/** The steps of `a1`, the events that tell it after its reception, and attributes of the last one. */
const histories = readFileSync(
  new URL('../../../fixtures/store-histories.txt', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()));

export function describeEvents(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.database.all(sql`delete from event_consumer`);
  });

  const register = (...consumers: readonly EventReceiver[]) =>
    rig.store.registerEventConsumers(consumers);

  async function claim(): Promise<EventClaim> {
    const claimed = await rig.store.claimEvent(webhook, leaseMs);
    if (!claimed) throw new Error('No event is due');
    return claimed;
  }

  /** The application and the number of the next event. */
  async function claimName(): Promise<string | undefined> {
    const event = (await rig.store.claimEvent(webhook, leaseMs))?.event;
    return event && `${event.applicationId} ${event.sequence}`;
  }

  const fail = async (delayMs = 0) =>
    expect(await rig.store.recordEventFailed(await claim(), 'http-500', delayMs)).toBe(true);
  const giveUp = async () =>
    expect(await rig.store.recordEventGivenUp(await claim(), 'http-500')).toBe(true);

  /** Nothing is due, and nothing will be. */
  async function expectNothing(receiver: EventReceiver = webhook): Promise<void> {
    expect(await rig.store.claimEvent(receiver, leaseMs)).toBeUndefined();
    expect(await rig.store.findNextEventMs(receiver)).toBeUndefined();
  }

  /** Sends all events that are due. */
  async function sendAll(receiver: EventReceiver = webhook): Promise<readonly EventRow[]> {
    const sent: EventRow[] = [];
    for (;;) {
      const claimed = await rig.store.claimEvent(receiver, leaseMs);
      if (!claimed) return sent;
      expect(await rig.store.recordEventSent(claimed)).toBe(true);
      sent.push(claimed.event);
    }
  }

  const sendNames = async (receiver?: EventReceiver) =>
    (await sendAll(receiver)).map(({ kind, status }) => `${kind} ${status}`);
  const received = ['application received'];
  const countRows = () =>
    rig.database.all(sql`
      select application_id from event union all select application_id from event_stream`);

  it('records nothing without a consumer', async () => {
    await rig.add();
    await rig.play('add d1, accepted, document held');
    await rig.store.erase('a1');
    expect(await countRows()).toEqual([]);
    expect(await rig.store.countEvents()).toEqual([]);
    await expectNothing();
  });

  describe('events of an application', () => {
    beforeEach(() => register(webhook));

    it.each(histories)('tell what happens: %s', async (steps = '', names = '', last = '') => {
      await rig.add('a1', { campaignId: 'spring' });
      await rig.play(steps);
      const events = await sendAll();
      const found = events.map(({ kind, status }) => `${kind} ${status}`);
      expect(found).toEqual([...received, ...names.split(', ')]);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      expect(events[0]).toMatchObject({ campaignId: 'spring', serviceId: undefined, errors: [] });
      const { reason = '-', serviceId = '-', number, category } = events.at(-1)!;
      expect([reason, serviceId, number, category || '-'].join(', ')).toBe(last);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expect(events[0]?.id).toMatch(/^[0-9a-f]{32}$/);
    });

    it('tell the refused fields', async () => {
      await rig.add();
      await rig.attempt({ ...rejected, errors, outcome: 'field-refused' });
      expect((await sendAll())[1]).toMatchObject({ reason: 'field-refused', errors });
    });

    it('tell one that is sent with its first commit', async () => {
      await rig.add('a1', {}, leaseMs);
      expect(await sendNames()).toEqual(received);
    });

    it('tell an unreadable row', async () => {
      await rig.add();
      await rig.database.all(sql`update application set errors = 'no list' where id = 'a1'`);
      expect(await rig.claimId()).toBeUndefined();
      await rig.database.all(sql`update application set errors = '[]' where id = 'a1'`);
      expect((await sendAll())[1]).toMatchObject({ status: 'held', reason: 'unreadable' });
    });
  });

  describe('claimEvent', () => {
    beforeEach(async () => {
      await register(webhook);
      await rig.add();
      await rig.attempt(accepted);
    });

    it('gives an event to one worker, and no later one before its result', async () => {
      const first = await claim();
      const event = { applicationId: 'a1', sequence: 1, status: 'received' };
      const attempt = { attempts: 1, firstAttemptAt: 100, claimedAt: 100 };
      expect(first).toMatchObject({ consumer: 'webhook', ...attempt, event });
      expect(await claimName()).toBeUndefined();
      expect(await rig.store.findNextEventMs(webhook)).toBe(leaseMs);
      await rig.add('a2');
      expect(await claimName()).toBe('a2 1');
      await rig.store.erase('a1');
      await rig.store.recordEventSent(first);
      expect(await sendNames()).toEqual(['application accepted', 'application erased']);
    });

    it('gives the same event again when the lease has ended', async () => {
      const first = await claim();
      rig.now += leaseMs - 1;
      expect(await claimName()).toBeUndefined();
      rig.now += 1;
      const second = await claim();
      // An attempt without a result does not make the next delay longer.
      expect(second).toMatchObject({ attempts: 1, firstAttemptAt: 100, event: first.event });
      expect(await rig.store.recordEventSent(first)).toBe(false);
      expect(await rig.store.recordEventFailed(first, 'late', 0)).toBe(false);
      expect(await rig.store.recordEventGivenUp(first, 'late')).toBe(false);
      expect(await rig.store.recordEventSent(second)).toBe(true);
    });

    it('gives it again after its delay, before later ones', async () => {
      await fail(400);
      await rig.add('a2');
      await fail(900);
      rig.now += 399;
      expect(await claimName()).toBeUndefined();
      expect(await rig.store.findNextEventMs(webhook)).toBe(1);
      rig.now += 1;
      const again = { attempts: 2, firstAttemptAt: 100, event: { sequence: 1 } };
      expect(await claim()).toMatchObject(again);
    });

    it('prefers new events to those that failed', async () => {
      await fail();
      await rig.add('a2');
      expect(await claimName()).toBe('a2 1');
    });

    it('gives an event that is far ahead because the clock was set back', async () => {
      rig.now = 3 * day;
      await fail(day);
      rig.now = 0;
      expect(await claimName()).toBe('a1 1');
    });

    it('continues with the next event when one is given up', async () => {
      await giveUp();
      expect(await claim()).toMatchObject({ attempts: 1, event: { sequence: 2 } });
      const given = { consumer: 'webhook', sequence: 1, givenUpAt: 100 };
      expect(await rig.store.listGivenUpEvents(9)).toMatchObject([given]);
    });
  });

  describe('consumers', () => {
    it('have their own progress', async () => {
      await register(webhook, hook);
      await rig.add();
      await fail(day);
      expect(await sendNames(hook)).toEqual(received);
      expect(await rig.store.countEvents()).toMatchObject([
        { consumer: 'hook', pending: 0, pendingSince: undefined },
        { consumer: 'webhook', pending: 1, pendingSince: expect.any(Number) },
      ]);
    });

    it('get the events since they were registered first', async () => {
      await rig.add();
      await register(webhook);
      await rig.attempt(accepted);
      await register(webhook);
      expect(await sendNames()).toEqual(['application accepted']);
    });

    it('get no old events after a time without them', async () => {
      await register(webhook, hook);
      await rig.add();
      expect(await rig.store.removeEventConsumer('webhook')).toBe(true);
      expect(await rig.store.removeEventConsumer('webhook')).toBe(false);
      expect(await rig.store.countEvents()).toMatchObject([{ consumer: 'hook', pending: 1 }]);
      await expectNothing();
      await rig.attempt(accepted);
      await register(webhook);
      await expectNothing();
      await rig.store.erase('a1');
      expect(await sendNames()).toEqual(['application erased']);
    });

    it('stop until an operator retries', async () => {
      await register(webhook);
      await rig.add();
      await fail();
      for (rig.now of [200, 300]) await rig.store.stopEventReceiver(webhook);
      await expectNothing();
      expect(await rig.store.countEvents()).toMatchObject([{ pending: 1, stoppedAt: 200 }]);
      await register(webhook);
      await expectNothing();
      expect(await rig.store.retryEvents({})).toBe(1);
      expect(await sendNames()).toEqual(received);
    });

    it.each(['before', 'after'])('go on if the target that stops changes %s it', async (when) => {
      await register(webhook);
      await rig.add();
      if (when === 'after') await rig.store.stopEventReceiver(webhook);
      await register(otherWebhook);
      if (when === 'before') await rig.store.stopEventReceiver(webhook);
      expect(await rig.store.countEvents()).toMatchObject([{ stoppedAt: undefined }]);
      // A process with the earlier target registers every hour.
      await register(webhook);
      await expectNothing();
      expect(await sendNames(otherWebhook)).toEqual(received);
    });

    it('that no process has for three days are removed, on SQLite at once', async () => {
      const names = async () => (await rig.store.countEvents()).map(({ consumer }) => consumer);
      await register(webhook, hook);
      rig.now += 3 * day;
      await register(hook);
      expect(await names()).toEqual(rig.store.isShared ? ['hook', 'webhook'] : ['hook']);
      rig.now += 1;
      await register(hook);
      expect(await names()).toEqual(['hook']);
    });
  });

  describe('retryEvents', () => {
    beforeEach(async () => {
      await register(webhook);
      for (const id of ['a1', 'a2']) {
        await rig.add(id);
        await rig.attempt(accepted);
      }
    });

    it('makes events that wait due at once', async () => {
      for (let turn = 1; turn <= 2; turn += 1) await fail(day);
      expect(await rig.store.retryEvents({ applicationId: 'a2' })).toBe(2);
      expect((await sendAll()).map(({ applicationId }) => applicationId)).toEqual(['a2', 'a2']);
    });

    it('sends events that were given up, with the later ones of the application', async () => {
      await giveUp();
      const before = await sendAll();
      expect(await rig.store.retryEvents({})).toBe(2);
      expect(await rig.store.countEvents()).toMatchObject([{ pending: 1, givenUp: 0 }]);
      const again = await sendAll();
      expect(again.map(({ sequence }) => sequence)).toEqual([1, 2]);
      expect(again[1]).toEqual(before.find(({ id }) => id === again[1]?.id));
      expect(await rig.store.retryEvents({})).toBe(0);
    });

    it('sends all events since a time, or from a number on', async () => {
      const [first] = await sendAll();
      const retry = rig.store.retryEvents;
      expect(await retry({ since: first!.happenedAt + day })).toBe(0);
      expect(await retry({ since: 0, applicationId: 'a2' })).toBe(2);
      expect(await retry({ since: 0 })).toBe(4);
      expect(await sendAll()).toHaveLength(4);
      expect(await retry({ applicationId: 'a1', fromSequence: 3 })).toBe(0);
      expect(await retry({ applicationId: 'a1', fromSequence: 2 })).toBe(1);
      expect((await sendAll()).map(({ sequence }) => sequence)).toEqual([2]);
    });

    it('outdates an attempt in progress', async () => {
      await giveUp();
      const second = await claim();
      await rig.store.retryEvents({ applicationId: 'a1' });
      expect(await rig.store.recordEventSent(second)).toBe(false);
      expect(await claimName()).toBe('a1 1');
    });
  });

  describe('listEvents', () => {
    const list = async () =>
      (await rig.store.listEvents('a1')).map(({ consumer, sequence, state, ...event }) => {
        const { failedAttempts, lastOutcome, nextAt } = event;
        return [`${consumer} ${sequence} ${state}`, failedAttempts, lastOutcome, nextAt];
      });
    const listStates = async () =>
      (await rig.store.listEvents('a1')).map(({ state }) => state).join(' ');

    it('tells how far the delivery of each event is', async () => {
      await register(webhook, hook);
      for (const id of ['a2', 'a1']) await rig.add(id);
      for (let turn = 1; turn <= 2; turn += 1) await rig.attempt(accepted);
      await sendAll(hook);
      expect(await rig.store.listFailingEvents(9)).toEqual([]);
      const claims = [await claim(), await claim()];
      for (const claimed of claims) await rig.store.recordEventSent(claimed);
      for (let turn = 1; turn <= 2; turn += 1) await fail(400);
      await rig.store.erase('a1');
      expect(await list()).toEqual([
        ['webhook 1 sent', 0, undefined, undefined],
        ['webhook 2 waiting', 1, 'http-500', 500],
        ['webhook 3 waiting', 0, undefined, undefined],
        ['hook 1 sent', 0, undefined, undefined],
        ['hook 2 sent', 0, undefined, undefined],
        ['hook 3 waiting', 0, undefined, 0],
      ]);
      const failing = await rig.store.listFailingEvents(9);
      expect(failing.map(({ applicationId }) => applicationId).toSorted()).toEqual(['a1', 'a2']);
      expect(await rig.store.listFailingEvents(1)).toHaveLength(1);
      rig.now += 400;
      for (let turn = 1; turn <= 2; turn += 1) await claim();
      expect((await list())[1]).toEqual(['webhook 2 sending', 1, 'http-500', undefined]);
    });

    it('tells which events were given up, then dismissed, then sent again', async () => {
      await register(webhook);
      await rig.add();
      await giveUp();
      expect(await list()).toEqual([['webhook 1 given-up', 0, undefined, undefined]]);
      expect(await rig.store.listFailingEvents(9)).toEqual([]);
      await rig.attempt(accepted);
      await sendAll();
      expect(await rig.store.dismissGivenUpEvents('a2')).toBe(0);
      expect(await rig.store.dismissGivenUpEvents()).toBe(1);
      expect(await rig.store.countEvents()).toMatchObject([{ givenUp: 0 }]);
      expect(await rig.store.retryEvents({})).toBe(0);
      expect(await listStates()).toBe('dismissed sent');
      await rig.store.retryEvents({ applicationId: 'a1', fromSequence: 2 });
      expect(await listStates()).toBe('dismissed waiting');
      await rig.store.retryEvents({ applicationId: 'a1', fromSequence: 1 });
      expect(await listStates()).toBe('waiting waiting');
      await sendAll();
      expect(await listStates()).toBe('sent sent');
    });

    it('tells which events came before their consumer was added again', async () => {
      await register(webhook);
      await rig.add();
      await sendAll();
      await rig.attempt(accepted);
      await rig.store.removeEventConsumer('webhook');
      await register(webhook);
      await rig.store.erase('a1');
      expect(await listStates()).toBe('sent dismissed waiting');
    });
  });
}
