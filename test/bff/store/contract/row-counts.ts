// The contract of the counts of rows, which are kept rather than counted.

import { describe, expect, it } from 'vitest';
import { type Database, sql } from '../../../../bff/store/database.ts';
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
import {
  accepted,
  day,
  held,
  leaseMs,
  type OpenTestDatabase,
  rejected,
  type StoreRig,
  unconfirmed,
  useStoreRig,
  waiting,
} from './rig.ts';
import {
  bytes,
  createAttachment,
  createConsent,
  createNewApplication,
  createSession,
} from './rows.ts';

const retention = { recordDays: 1, undeliveredDays: 3, rejectedDays: 1, evidenceDays: 5 };

export function describeRowCounts(open: OpenTestDatabase): void {
  const rig = useStoreRig(open);

  describe('the kept counts', () => {
    it('are those of the rows after any operations', async () => {
      const seen = new Set<string>();
      const operate = createOperations(rig, createRandom(1));
      for (let step = 0; step < 250; step += 1) {
        const operation = await operate();
        const counts = sort(await rig.store.countStates());
        expect(counts, `after step ${step}, ${operation}`).toEqual(await countAll(rig.database));
        for (const { state } of counts) seen.add(state);
      }
      const states: readonly string[] = [...new Set([...applicationStates, ...attachmentStates])];
      expect([...seen].toSorted()).toEqual(states.toSorted());
    });

    it('do not change in a transaction that fails', async () => {
      await rig.add('a1');
      const before = await rig.store.countStates();
      const failing = rig.database.transaction(function* () {
        yield sql`update application set state = 'held' where id = 'a1'`;
        yield sql`select no_such_column`;
      });
      await expect(failing).rejects.toThrow(/no_such_column/);
      expect(await rig.store.countStates()).toEqual(before);
    });

    it('follow the rows that are deleted with their application', async () => {
      await rig.add('a1');
      await rig.complete('d1', 'one');
      await rig.database.all(sql`delete from application where id = 'a1'`);
      expect(await rig.store.countStates()).toEqual([]);
    });

    it('are stored in few rows after a purge', async () => {
      await rig.add('a1');
      for (let attempt = 0; attempt < 20; attempt += 1) await rig.attempt(waiting);
      await rig.store.purge(retention);
      const rows = await rig.database.all(sql`
        select from_state from state_change
        where kind = 'application' and from_state = 'waiting' and to_state = 'sending'`);
      expect(rows).toHaveLength(1);
    });
  });
}

/** Counts all rows, as the store did before it kept the counts. */
async function countAll(database: Database): Promise<readonly StateCount[]> {
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

/** Returns a function that runs a random operation of the store, and returns its name. */
function createOperations(rig: StoreRig, random: () => number): () => Promise<string> {
  let added = 0;
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  /** Usually the id of one of the latest rows. */
  const pickId = (prefix: string) =>
    `${prefix}${Math.max(0, added - Math.floor(random() * random() * 20))}`;
  const pickApplication = () => pickId('a');

  async function attempt(
    kind: DeliveryKind,
    results: readonly [AttemptResult, ...AttemptResult[]],
  ) {
    const claimed = await rig.store.claimDue(kind, leaseMs);
    if (claimed && claimed.kind !== 'unreadable' && random() < 0.9) {
      await rig.store.recordResult(claimed, pick(results));
    }
  }

  async function beginAttachment(): Promise<string> {
    const id = `d${(added += 1)}`;
    const attachment = createAttachment(id, pick(['document', 'bank-report']));
    await rig.store.beginAttachment({ ...attachment, applicationId: pickApplication() }, 9);
    await rig.store.addChunk(id, 0, bytes(1));
    return id;
  }

  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    async add() {
      const id = `a${(added += 1)}`;
      const session = createSession(`s-${random() < 0.8 ? id : pickApplication()}`);
      const row = { id, session, idempotencyKey: id, receivedAt: rig.now };
      const consent = createConsent(`c-${id}`, id);
      const lease = random() < 0.5 ? leaseMs : undefined;
      await rig.store.addApplication(createNewApplication(row), [consent], () => false, lease);
    },
    sendApplication: () =>
      attempt('application', [accepted, accepted, rejected, waiting, held, unconfirmed]),
    sendAttachment: () =>
      attempt(pick(['document', 'bank-report', 'contact']), [accepted, rejected, waiting, held]),
    beginAttachment,
    async completeAttachment() {
      const id = await beginAttachment();
      const fingerprint = random() < 0.2 ? 'same' : id;
      await rig.store.completeAttachment(id, { fingerprint, bytes: 1, limit: 3 });
    },
    discard: () => rig.store.discardAttachment(pickId('d')),
    withdraw: () => rig.store.withdrawDocument(pickApplication(), pick([1, 2])),
    async requestContact() {
      const [id, applicationId] = [`d${(added += 1)}`, pickApplication()];
      if (!(await rig.store.findApplication(applicationId))) return;
      const request = { id, applicationId, createdAt: rig.now };
      await rig.store.addContactRequest(request, createConsent(`c-${id}`, applicationId));
    },
    retry: () => rig.store.retry(pickApplication()),
    retryHeld: () => rig.store.retryHeld(),
    retryRejected: () => rig.store.retryRejected(pickApplication()),
    resolve: () => rig.store.resolve(pickApplication(), 'L1'),
    erase: () => rig.store.erase(pickApplication()),
    endSession: () => rig.store.endSession(createSession(`s-${pickApplication()}`), rig.now),
    recover: () => rig.store.recover(),
    async purge() {
      rig.now += Math.floor(random() * day);
      await rig.store.purge(retention);
    },
  };
  const often = ['add', 'sendApplication', 'sendAttachment', 'completeAttachment'];
  const names = [...Object.keys(operations), ...often, ...often, ...often];

  return async () => {
    rig.now += Math.floor(random() * leaseMs);
    const name = names[Math.floor(random() * names.length)] ?? 'add';
    await operations[name]?.();
    return name;
  };
}
