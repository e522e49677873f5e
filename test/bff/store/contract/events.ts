// The contract of events for the partner's systems.

import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import type { EventClaim, EventReceiver, EventRow } from '../../../../bff/store/store.ts';
import { createRandom } from '../../../support/random.ts';
import {
  accepted,
  day,
  held,
  leaseMs,
  type OpenTestDatabase,
  rejected,
  unconfirmed,
  useStoreRig,
  waiting,
} from './rig.ts';
import { createConsent, createNewApplication } from './rows.ts';

const webhook = { name: 'webhook', target: 'one' } as const;
const otherWebhook = { name: 'webhook', target: 'two' } as const;
const hook = { name: 'hook', target: '' } as const;
const retention = { recordDays: 1, undeliveredDays: 3, rejectedDays: 1, evidenceDays: 5 };

export function describeEvents(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  beforeEach(async () => {
    await rig.database.all(sql`delete from event_consumer`);
  });

  const register = (...consumers: readonly EventReceiver[]) =>
    rig.store.registerEventConsumers(consumers);

  async function claim(receiver: EventReceiver = webhook): Promise<EventClaim> {
    const claimed = await rig.store.claimEvent(receiver, leaseMs);
    if (!claimed) throw new Error('No event is due');
    return claimed;
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

  const name = ({ kind, status }: EventRow) => `${kind} ${status}`;

  async function countRows(): Promise<unknown> {
    const [row] = await rig.database.all(sql`
      select (select count(*) from event) + (select count(*) from event_stream) as rows`);
    return (row as { readonly rows: unknown }).rows;
  }

  describe('without a consumer', () => {
    it('records nothing', async () => {
      await rig.add('a1');
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt(held, 'document');
      await rig.store.erase('a1');
      expect(await countRows()).toBe(0);
      expect(await rig.store.countEvents()).toEqual([]);
      expect(await rig.store.findNextEventMs(webhook)).toBeUndefined();
    });
  });

  describe('events of an application', () => {
    beforeEach(() => register(webhook));

    it('tell its acceptance with the id of the funding service', async () => {
      await rig.add('a1', { campaignId: 'spring' });
      await rig.attempt(waiting);
      await rig.attempt({ ...accepted, serviceId: 'L7' });
      const events = await sendAll();
      expect(events.map(name)).toEqual(['application received', 'application accepted']);
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
      expect(events[0]).toMatchObject({ campaignId: 'spring', serviceId: undefined, errors: [] });
      expect(events[1]).toMatchObject({ campaignId: 'spring', serviceId: 'L7', reason: undefined });
      expect(new Set(events.map(({ id }) => id)).size).toBe(2);
      expect(events[0]?.id).toMatch(/^[0-9a-f]{32}$/);
    });

    it('tell one that is sent with its first commit', async () => {
      await rig.store.addApplication(createNewApplication(), [], undefined, leaseMs);
      expect((await sendAll()).map(name)).toEqual(['application received']);
    });

    it('tell the refused fields without their values', async () => {
      await rig.add('a1');
      const errors = [{ pointer: '/owners/0/ssn', code: 'rejected' }] as const;
      await rig.attempt({ ...rejected, errors, outcome: 'field-refused' });
      expect((await sendAll())[1]).toMatchObject({
        status: 'rejected',
        reason: 'field-refused',
        errors,
      });
    });

    it('tell why it is held, and what follows', async () => {
      await rig.add('a1');
      await rig.attempt(held);
      await rig.store.retry('a1');
      await rig.attempt(unconfirmed);
      await rig.store.resolve('a1', 'L9');
      const events = await sendAll();
      expect(events.map(name)).toEqual([
        'application received',
        'application held',
        'application unconfirmed',
        'application accepted',
      ]);
      expect(events[1]).toMatchObject({ reason: 'deadline' });
      expect(events[3]).toMatchObject({ serviceId: 'L9' });
    });

    it('tell a document that an operator found at the funding service', async () => {
      await rig.add('a1');
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt(held, 'document');
      await rig.store.resolveAttachment('a1', 'document', 1, '068');
      const events = await sendAll();
      expect(events.map(name).slice(2)).toEqual(['document held', 'document accepted']);
      expect(events[3]).toMatchObject({ serviceId: '068', number: 1 });
    });

    it('tell its erasure once, also after its acceptance', async () => {
      await rig.add('a1');
      await rig.attempt(accepted);
      await rig.store.erase('a1');
      await rig.store.erase('a1');
      expect((await sendAll()).map(name)).toEqual([
        'application received',
        'application accepted',
        'application erased',
      ]);
    });

    it('tell an unreadable row', async () => {
      await rig.add('a1');
      await rig.database.all(sql`update application set errors = 'no list' where id = 'a1'`);
      expect(await rig.store.claimDue('application', leaseMs)).toMatchObject({
        kind: 'unreadable',
      });
      await rig.database.all(sql`update application set errors = '[]' where id = 'a1'`);
      expect((await sendAll())[1]).toMatchObject({ status: 'held', reason: 'unreadable' });
    });

    it('are those of what its attachments became', async () => {
      await rig.add('a1');
      for (const id of ['d1', 'd2', 'd3']) await rig.complete(id, id);
      await rig.complete('r1', 'r', 'bank-report');
      const request = { id: 'c1', applicationId: 'a1', createdAt: 100 };
      await rig.store.addContactRequest(request, createConsent('c1'));
      await rig.attempt(accepted);
      await rig.attempt({ ...accepted, serviceId: 'D1' }, 'document');
      await rig.attempt({ ...rejected, outcome: 'infected' }, 'document');
      await rig.attempt(held, 'document');
      await rig.attempt({ ...accepted, serviceId: 'R1' }, 'bank-report');
      await rig.attempt({ ...accepted, serviceId: '' }, 'contact');
      rig.now += 4 * day;
      await rig.store.purge(retention);
      const events = (await sendAll()).slice(2);
      expect(events.map(name)).toEqual([
        'document accepted',
        'document rejected',
        'document held',
        'bank-report accepted',
        'contact accepted',
        'document erased',
      ]);
      expect(events[0]).toMatchObject({ number: 1, category: 'other', serviceId: 'D1' });
      expect(events[1]).toMatchObject({ number: 2, reason: 'infected' });
      expect(events[2]).toMatchObject({ number: 3, reason: 'deadline' });
    });

    it('leave out attachments that are rejected with it', async () => {
      await rig.add('a1');
      await rig.complete('d1', 'one');
      await rig.attempt(rejected);
      expect((await sendAll()).map(name)).toEqual(['application received', 'application rejected']);
    });

    it('leave out a held document that is erased with it', async () => {
      await rig.add('a1');
      await rig.complete('d1', 'one');
      await rig.attempt(accepted);
      await rig.attempt(held, 'document');
      await rig.store.erase('a1');
      expect((await sendAll()).map(name)).toEqual([
        'application received',
        'application accepted',
        'document held',
        'application erased',
      ]);
    });

    it('leave out documents that were withdrawn before its rejection', async () => {
      await rig.add('a1');
      for (const id of ['d1', 'd2']) await rig.complete(id, id);
      await rig.store.withdrawDocument('a1', 1);
      const [withdrawn] = await rig.store.listAttachments('a1', 'document');
      rig.now += day;
      await rig.attempt(rejected);
      const documents = await rig.store.listAttachments('a1', 'document');
      expect(documents.map(({ state }) => state)).toEqual(['erased', 'rejected']);
      expect(documents[0]).toEqual(withdrawn);
      expect((await sendAll()).map(name)).toEqual(['application received', 'application rejected']);
    });

    it('are not recorded when the change is undone', async () => {
      await rig.add('a1');
      const failing = rig.database.transaction(function* () {
        yield sql`update application set state = 'held' where id = 'a1'`;
        yield sql`select no_such_column`;
      });
      await expect(failing).rejects.toThrow(/no_such_column/);
      expect((await sendAll()).map(name)).toEqual(['application received']);
    });

    it('are deleted with it', async () => {
      await rig.add('a1');
      await rig.attempt(accepted);
      rig.now += 6 * day;
      await rig.store.purge(retention);
      expect(await countRows()).toBe(0);
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
    });
  });

  describe('claimEvent', () => {
    beforeEach(async () => {
      await register(webhook);
      await rig.add('a1');
      await rig.attempt(accepted);
    });

    it('gives an event to one worker, and no later one before its result', async () => {
      const first = await claim();
      expect(first).toMatchObject({
        consumer: 'webhook',
        attempts: 1,
        firstAttemptAt: 100,
        claimedAt: 100,
        event: { applicationId: 'a1', sequence: 1, status: 'received' },
      });
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
      await rig.store.recordEventSent(first);
      expect((await claim()).event).toMatchObject({ sequence: 2, status: 'accepted' });
    });

    it('gives events of other applications in the meantime', async () => {
      await rig.add('a2');
      await claim();
      expect((await claim()).event).toMatchObject({ applicationId: 'a2', sequence: 1 });
    });

    it('gives the same event again when the lease has ended', async () => {
      const first = await claim();
      rig.now += leaseMs - 1;
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
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
      await rig.store.recordEventFailed(await claim(), 'http-500', 400);
      rig.now += 399;
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
      expect(await rig.store.findNextEventMs(webhook)).toBe(1);
      rig.now += 1;
      expect(await claim()).toMatchObject({ attempts: 2, event: { sequence: 1 } });
    });

    it('prefers new events to those that failed', async () => {
      await rig.store.recordEventFailed(await claim(), 'http-500', 0);
      await rig.add('a2');
      expect((await claim()).event.applicationId).toBe('a2');
    });

    it('gives an event that is far ahead because the clock was set back', async () => {
      rig.now = 3 * day;
      await rig.store.recordEventFailed(await claim(), 'http-500', day);
      rig.now = 0;
      expect((await claim()).event.sequence).toBe(1);
    });

    it('continues with the next event when one is given up', async () => {
      await rig.store.recordEventGivenUp(await claim(), 'http-500');
      expect(await claim()).toMatchObject({ attempts: 1, event: { sequence: 2 } });
      const [given] = await rig.store.listGivenUpEvents(9);
      expect(given).toMatchObject({ consumer: 'webhook', sequence: 1, givenUpAt: 100 });
    });

    it('gives an event that was added while the one before it was sent', async () => {
      const first = await claim();
      await rig.store.erase('a1');
      await rig.store.recordEventSent(first);
      expect((await sendAll()).map(name)).toEqual(['application accepted', 'application erased']);
      await rig.add('a2');
      expect((await sendAll()).map(name)).toEqual(['application received']);
    });
  });

  describe('consumers', () => {
    it('have their own progress', async () => {
      await register(webhook, hook);
      await rig.add('a1');
      await rig.store.recordEventFailed(await claim(), 'http-500', day);
      expect((await sendAll(hook)).map(name)).toEqual(['application received']);
      expect(await rig.store.countEvents()).toMatchObject([
        { consumer: 'hook', pending: 0, pendingSince: undefined },
        { consumer: 'webhook', pending: 1 },
      ]);
    });

    it('get the events since they were registered', async () => {
      await rig.add('a1');
      await register(webhook);
      await rig.attempt(accepted);
      expect((await sendAll()).map(name)).toEqual(['application accepted']);
    });

    it('keep their events when they are registered again', async () => {
      await register(webhook);
      await rig.add('a1');
      await register(webhook);
      expect((await sendAll()).map(name)).toEqual(['application received']);
    });

    it('get no old events after a time without them', async () => {
      await register(webhook);
      await rig.add('a1');
      await rig.database.all(sql`delete from event_consumer`);
      await rig.attempt(accepted);
      await register(webhook);
      expect(await sendAll()).toEqual([]);
      await rig.store.erase('a1');
      expect((await sendAll()).map(name)).toEqual(['application erased']);
    });

    it('stop until an operator retries', async () => {
      await register(webhook);
      await rig.add('a1');
      await rig.store.recordEventFailed(await claim(), 'gone', 0);
      await rig.store.stopEventReceiver(webhook);
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
      expect(await rig.store.findNextEventMs(webhook)).toBeUndefined();
      expect(await rig.store.countEvents()).toMatchObject([{ pending: 1, stoppedAt: 100 }]);
      await register(webhook);
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
      expect(await rig.store.retryEvents({})).toBe(1);
      expect((await sendAll()).map(name)).toEqual(['application received']);
    });

    it('stop until their target changes', async () => {
      await register(webhook);
      await rig.add('a1');
      await rig.store.stopEventReceiver(webhook);
      await register(otherWebhook);
      expect(await rig.store.countEvents()).toMatchObject([{ stoppedAt: undefined }]);
      expect((await sendAll(otherWebhook)).map(name)).toEqual(['application received']);
    });

    it('continue when an earlier target stops', async () => {
      await register(webhook);
      await register(otherWebhook);
      await rig.add('a1');
      await rig.store.stopEventReceiver(webhook);
      expect(await rig.store.countEvents()).toMatchObject([{ stoppedAt: undefined }]);
      // The process with the earlier target registers every hour.
      await register(webhook);
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
      expect(await rig.store.findNextEventMs(webhook)).toBeUndefined();
      expect((await sendAll(otherWebhook)).map(name)).toEqual(['application received']);
    });

    it('continue with another target after a process of an earlier version stopped', async () => {
      await register(webhook);
      await rig.add('a1');
      await rig.database.all(sql`update event_consumer set stopped_at = 100`);
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
      await register(otherWebhook);
      expect((await sendAll(otherWebhook)).map(name)).toEqual(['application received']);
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
      await rig.store.recordEventFailed(await claim(), 'http-500', day);
      await rig.store.recordEventFailed(await claim(), 'http-500', day);
      expect(await rig.store.retryEvents({ applicationId: 'a2' })).toBe(2);
      expect((await sendAll()).map(({ applicationId }) => applicationId)).toEqual(['a2', 'a2']);
    });

    it('sends events that were given up, with the later ones of the application', async () => {
      await rig.store.recordEventGivenUp(await claim(), 'http-500');
      const before = await sendAll();
      expect(await rig.store.retryEvents({})).toBe(2);
      expect(await rig.store.countEvents()).toMatchObject([{ pending: 1, givenUp: 0 }]);
      const again = await sendAll();
      expect(again.map(({ sequence }) => sequence)).toEqual([1, 2]);
      expect(again[1]).toEqual(before.find(({ id }) => id === again[1]?.id));
      expect(await rig.store.retryEvents({})).toBe(0);
    });

    it('sends all events since a time', async () => {
      const [first] = await sendAll();
      expect(await rig.store.retryEvents({ since: first!.happenedAt + day })).toBe(0);
      expect(await rig.store.retryEvents({ since: 0, applicationId: 'a2' })).toBe(2);
      expect(await rig.store.retryEvents({ since: 0 })).toBe(4);
      expect(await sendAll()).toHaveLength(4);
    });

    it('sends the events of an application from a number on', async () => {
      await sendAll();
      expect(await rig.store.retryEvents({ applicationId: 'a1', fromSequence: 3 })).toBe(0);
      expect(await rig.store.retryEvents({ applicationId: 'a1', fromSequence: 2 })).toBe(1);
      expect((await sendAll()).map(({ sequence }) => sequence)).toEqual([2]);
    });

    it('sends no event again that was dismissed', async () => {
      await rig.store.recordEventGivenUp(await claim(), 'http-500');
      await sendAll();
      expect(await rig.store.dismissGivenUpEvents('a2')).toBe(0);
      expect(await rig.store.dismissGivenUpEvents()).toBe(1);
      expect(await rig.store.countEvents()).toMatchObject([{ givenUp: 0 }]);
      expect(await rig.store.retryEvents({})).toBe(0);
    });

    it('outdates an attempt in progress', async () => {
      await rig.store.recordEventGivenUp(await claim(), 'http-500');
      const second = await claim();
      await rig.store.retryEvents({ applicationId: 'a1' });
      expect(await rig.store.recordEventSent(second)).toBe(false);
      expect((await claim()).event).toMatchObject({ applicationId: 'a1', sequence: 1 });
    });
  });

  describe('removeEventConsumer', () => {
    it('ends the events of this consumer', async () => {
      await register(webhook, hook);
      await rig.add('a1');
      expect(await rig.store.removeEventConsumer('webhook')).toBe(true);
      expect(await rig.store.countEvents()).toMatchObject([{ consumer: 'hook', pending: 1 }]);
      expect(await rig.store.claimEvent(webhook, leaseMs)).toBeUndefined();
    });

    it('finds no consumer that was removed', async () => {
      await register(webhook);
      await rig.store.removeEventConsumer('webhook');
      expect(await rig.store.removeEventConsumer('webhook')).toBe(false);
    });

    it('lets a process register it again', async () => {
      await register(webhook);
      await rig.store.removeEventConsumer('webhook');
      await register(webhook);
      await rig.add('a1');
      expect((await sendAll()).map(name)).toEqual(['application received']);
    });
  });

  describe('listEvents', () => {
    const list = async () =>
      (await rig.store.listEvents('a1')).map(({ consumer, sequence, state, ...event }) => {
        const { failedAttempts, lastOutcome, nextAt } = event;
        return [`${consumer} ${sequence} ${state}`, failedAttempts, lastOutcome, nextAt];
      });

    it('tells how far the delivery of each event is', async () => {
      await register(webhook, hook);
      await rig.add('a2');
      await rig.add('a1');
      await rig.attempt(accepted);
      await rig.attempt(accepted);
      await sendAll(hook);
      expect(await rig.store.listFailingEvents(9)).toEqual([]);
      const [first, other] = [await claim(), await claim()];
      await rig.store.recordEventSent(first);
      await rig.store.recordEventSent(other);
      await rig.store.recordEventFailed(await claim(), 'http-500', 400);
      await rig.store.recordEventFailed(await claim(), 'http-500', 400);
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
      await claim();
      await claim();
      expect((await list())[1]).toEqual(['webhook 2 sending', 1, 'http-500', undefined]);
    });

    it('tells which events were dismissed, until they are sent again', async () => {
      await register(webhook);
      await rig.add('a1');
      await rig.store.recordEventGivenUp(await claim(), 'http-500');
      await rig.attempt(accepted);
      await sendAll();
      await rig.store.dismissGivenUpEvents();
      const names = async () => (await list()).map(([label]) => label);
      expect(await names()).toEqual(['webhook 1 dismissed', 'webhook 2 sent']);
      await rig.store.retryEvents({ applicationId: 'a1', fromSequence: 2 });
      expect(await names()).toEqual(['webhook 1 dismissed', 'webhook 2 waiting']);
      await rig.store.retryEvents({ applicationId: 'a1', fromSequence: 1 });
      expect(await names()).toEqual(['webhook 1 waiting', 'webhook 2 waiting']);
      await sendAll();
      expect(await names()).toEqual(['webhook 1 sent', 'webhook 2 sent']);
    });

    it('tells which events came before their consumer was added again', async () => {
      await register(webhook);
      await rig.add('a1');
      await sendAll();
      await rig.attempt(accepted);
      await rig.database.all(sql`delete from event_consumer`);
      await register(webhook);
      await rig.store.erase('a1');
      expect((await list()).map(([label]) => label)).toEqual([
        'webhook 1 sent',
        'webhook 2 dismissed',
        'webhook 3 waiting',
      ]);
    });

    it('tells which events were given up', async () => {
      await register(webhook);
      await rig.add('a1');
      await rig.store.recordEventGivenUp(await claim(), 'http-500');
      expect(await list()).toEqual([['webhook 1 given-up', 0, undefined, undefined]]);
      expect(await rig.store.listFailingEvents(9)).toEqual([]);
    });
  });

  it('sends each event in the order of its application, after any results', async () => {
    await register(webhook);
    const random = createRandom(3);
    const arrived: string[] = [];
    for (let step = 0; step < 150; step += 1) {
      rig.now += Math.floor(random() * leaseMs);
      const operation = Math.floor(random() * 6);
      if (operation === 0) await rig.add(`a${step}`);
      if (operation === 1) {
        const due = await rig.store.claimDue('application', leaseMs);
        const result = [accepted, held, unconfirmed, waiting][Math.floor(random() * 4)];
        if (due && due.kind !== 'unreadable') await rig.store.recordResult(due, result!);
      }
      if (operation === 2) await rig.store.retryHeld();
      const claimed = await rig.store.claimEvent(webhook, leaseMs);
      if (!claimed) continue;
      const { applicationId, sequence } = claimed.event;
      // A process can be killed before or after the receiver has the event.
      const hasArrived = random() < 0.8;
      if (hasArrived) arrived.push(`${applicationId} ${sequence}`);
      if (random() < 0.3) continue;
      if (hasArrived && random() < 0.7) await rig.store.recordEventSent(claimed);
      else await rig.store.recordEventFailed(claimed, 'http-500', random() * leaseMs);
    }
    rig.now += day;
    for (const event of await sendAll()) arrived.push(`${event.applicationId} ${event.sequence}`);
    const next = new Map<string, number>();
    for (const one of arrived) {
      const [id = '', sequence] = one.split(' ');
      const expected = next.get(id) ?? 1;
      // Once more the same, or the next one.
      expect([expected - 1, expected]).toContain(Number(sequence));
      next.set(id, Number(sequence) + 1);
    }
    const rows = await rig.database.all(sql`
      select application_id as id, last_sequence + 1 as next from event_stream`);
    expect(Object.fromEntries(next)).toEqual(
      Object.fromEntries(rows.map((row) => Object.values(row as object) as [string, number])),
    );
  });
}
