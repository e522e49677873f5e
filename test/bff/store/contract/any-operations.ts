// The contract of any operations in any order: the kept counts of rows are right, and events arrive in the order of their application.

import { expect, it } from 'vitest';
import { sql } from '../../../../bff/store/database.ts';
import { parseRows } from '../../../../bff/store/rows.ts';
import {
  applicationStates,
  attachmentStates,
  type AttemptResult,
  type DeliveryKind,
  type StateCount,
  stateCountSchema,
} from '../../../../bff/store/store.ts';
import { createRandom } from '../../../support/random.ts';
import * as results from './rig.ts';
import { leaseMs, type OpenTestDatabase, retention, type StoreRig, useStoreRig } from './rig.ts';
import { createAttachment, createConsent, createSession, day } from './rows.ts';

const { accepted, held, rejected, unconfirmed, waiting } = results;
const webhook = { name: 'webhook', target: '' } as const;

export function describeAnyOperations(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  it('count each row in its state, and send events in order', async () => {
    await rig.store.registerEventConsumers([webhook]);
    const seen = new Set<string>();
    const { operate, sendEvent, checkEvents } = createOperations(rig, createRandom(1));
    for (let step = 0; step < 300; step += 1) {
      const operation = await operate();
      const counts = sort(await rig.store.countStates());
      expect(counts, `after step ${step}, ${operation}`).toEqual(await countAll(rig));
      for (const { state } of counts) seen.add(state);
    }
    const states = [...new Set<string>([...applicationStates, ...attachmentStates])];
    expect([...seen].toSorted()).toEqual(states.toSorted());
    rig.now += day;
    while (await sendEvent(1));
    await checkEvents();
  });

  it('count nothing and record nothing of a transaction that fails', async () => {
    await rig.add();
    const before = await rig.store.countStates();
    const failing = rig.database.transaction(function* () {
      yield sql`update application set state = 'held' where id = 'a1'`;
      yield sql`select no_such_column`;
    });
    await expect(failing).rejects.toThrow(/no_such_column/);
    expect(await rig.store.countStates()).toEqual(before);
    expect((await rig.store.listEvents('a1')).map(({ status }) => status)).toEqual(['received']);
  });

  it('keep the counts in few rows after a purge', async () => {
    await rig.add();
    for (let attempt = 0; attempt < 20; attempt += 1) await rig.attempt(waiting);
    await rig.store.purge(retention);
    const rows = await rig.database.all(sql`
      select count from state_change
      where kind = 'application' and from_state = 'waiting' and to_state = 'sending'`);
    expect(rows).toHaveLength(1);
  });
}

/** Counts all rows, which takes long in a large store. */
async function countAll({ database }: StoreRig): Promise<readonly StateCount[]> {
  const isUnfinished = sql`state not in ('accepted', 'rejected', 'erased')`;
  const rows = await database.all(sql`
    select 'application' as kind, state, count(*) as count,
        min(case when ${isUnfinished} then received_at end) as oldest_at
      from application group by state
    union all
    select kind, state, count(*) as count,
        min(case when ${isUnfinished} then created_at end) as oldest_at
      from attachment group by kind, state`);
  return sort(parseRows(stateCountSchema, rows));
}

function sort(counts: readonly StateCount[]): readonly StateCount[] {
  const toKey = ({ kind, state }: StateCount) => `${kind} ${state}`;
  return counts.toSorted((a, b) => toKey(a).localeCompare(toKey(b)));
}

function createOperations(rig: StoreRig, random: () => number) {
  let added = 0;
  /** The number of the next event of each application. */
  const next = new Map<string, number>();
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  /** Usually the id of one of the latest rows. */
  const pickId = (prefix: string) =>
    `${prefix}${Math.max(0, added - Math.floor(random() * random() * 20))}`;

  async function attempt(
    kind: DeliveryKind,
    outcomes: readonly [AttemptResult, ...AttemptResult[]],
  ) {
    const claimed = await rig.store.claimDue(kind, leaseMs);
    if (claimed && claimed.kind !== 'unreadable' && random() < 0.9) {
      await rig.store.recordResult(claimed, pick(outcomes));
    }
  }

  async function beginAttachment(): Promise<string> {
    const id = `d${(added += 1)}`;
    const { kind } = createAttachment(id, pick(['document', 'bank-report']));
    await rig.begin(id, { kind, applicationId: pickId('a') });
    return id;
  }

  /** A process can be killed before or after the receiver has the event. Returns false if no event is due. */
  async function sendEvent(reliability: number): Promise<boolean> {
    const claimed = await rig.store.claimEvent(webhook, leaseMs);
    if (!claimed) return false;
    const { applicationId, sequence } = claimed.event;
    const hasArrived = random() < reliability;
    if (hasArrived) {
      const expected = next.get(applicationId) ?? 1;
      // Once more the same, or the next one.
      expect([expected - 1, expected]).toContain(sequence);
      next.set(applicationId, sequence + 1);
    }
    if (random() > reliability) return true;
    if (hasArrived) await rig.store.recordEventSent(claimed);
    else await rig.store.recordEventFailed(claimed, 'http-500', random() * leaseMs);
    return true;
  }

  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    async add() {
      const id = `a${(added += 1)}`;
      const session = createSession(`s${random() < 0.8 ? added : pickId('')}`);
      const leased = random() < 0.5 ? leaseMs : undefined;
      await rig.add(id, { session, receivedAt: rig.now }, leased);
    },
    sendApplication: () =>
      attempt('application', [accepted, accepted, rejected, waiting, held, unconfirmed]),
    sendAttachment: () =>
      attempt(pick(['document', 'bank-report', 'contact']), [accepted, rejected, waiting, held]),
    sendEvent: () => sendEvent(0.8),
    beginAttachment,
    async completeAttachment() {
      const id = await beginAttachment();
      const fingerprint = random() < 0.2 ? 'same' : id;
      await rig.store.completeAttachment(id, { fingerprint, bytes: 1, limit: 3 });
    },
    discard: () => rig.store.discardAttachment(pickId('d')),
    withdraw: () => rig.store.withdrawDocument(pickId('a'), pick([1, 2])),
    async requestContact() {
      const [id, applicationId] = [`d${(added += 1)}`, pickId('a')];
      if (!(await rig.store.findApplication(applicationId))) return;
      const request = { id, applicationId, createdAt: rig.now };
      await rig.store.addContactRequest(request, createConsent(`c-${id}`, applicationId));
    },
    retry: () => rig.store.retry(pickId('a')),
    retryHeld: () => rig.store.retryHeld(),
    retryRejected: () => rig.store.retryRejected(pickId('a')),
    resolve: () => rig.store.resolve(pickId('a'), 'L1'),
    erase: () => rig.store.erase(pickId('a')),
    endSession: () => rig.store.endSession(createSession(pickId('s')), rig.now),
    recover: () => rig.store.recover(),
    purge: () => rig.purgeAfter(Math.floor(random() * 30)),
  };
  const often = ['add', 'sendApplication', 'sendAttachment', 'completeAttachment', 'sendEvent'];
  const names = [...Object.keys(operations), ...often, ...often, ...often];

  return {
    /** Runs a random operation of the store, and returns its name. */
    async operate() {
      rig.now += Math.floor(random() * leaseMs);
      const name = names[Math.floor(random() * names.length)] ?? 'add';
      await operations[name]?.();
      return name;
    },
    sendEvent,
    /** All events of the applications that are still there have arrived. */
    async checkEvents() {
      const rows = await rig.database.all(sql`
        select application_id as id, last_sequence + 1 as next from event_stream`);
      for (const row of rows) {
        const { id, next: end } = row as { readonly id: string; readonly next: number };
        expect([id, next.get(id)]).toEqual([id, end]);
      }
      expect(rows.length).toBeGreaterThan(9);
    },
  };
}
