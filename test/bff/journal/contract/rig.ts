// A journal on one engine, with a clock that a test moves, and hands for rows that no journal would write.

import type { Database, OpenOptions } from '../../../../bff/journal/database.ts';
import type { Claim, Journal } from '../../../../bff/journal/journal.ts';
import { createJournal } from '../../../../bff/journal/open-journal.ts';
import type {
  ApplicationRow,
  ChildKind,
  ChildRow,
  DeliveryKind,
  NewApplication,
} from '../../../../bff/journal/records.ts';
import { bytes, createChild, createNew } from './rows.ts';

export type OpenTestDatabase = (options: OpenOptions) => Promise<Database>;

export const leaseMs = 900;

export interface JournalRig {
  readonly journal: Journal;
  readonly database: Database;
  /** Epoch milliseconds; begins at 100. */
  now: number;
  addSession(id: string, origin?: string): Promise<void>;
  add(id: string, sessionId: string, changes?: Partial<NewApplication>): Promise<void>;
  /** A complete child of `a1` with one piece. */
  complete(
    id: string,
    fingerprint: string,
    kind?: ChildKind,
  ): Promise<{ readonly kind: string; readonly child?: ChildRow }>;
  /** Throws when nothing is due, or what is cannot be read. */
  claim(kind?: DeliveryKind): Promise<Claim>;
  /** Claims `a1` and settles it as accepted. */
  accept(): Promise<void>;
  /** Claims `a1` and gives it up. */
  hold(): Promise<void>;
  /** Adds the document `d1` to `a1`, accepts that, and gives the document up. */
  holdDocument(): Promise<void>;
  find(id?: string): Promise<ApplicationRow>;
}

/** Holds the session `s1`. */
export async function createJournalRig(open: OpenTestDatabase): Promise<JournalRig> {
  let now = 100;
  const database = await open({ clock: () => now });
  const journal = createJournal(database);
  const rig: JournalRig = {
    journal,
    database,
    get now() {
      return now;
    },
    set now(next) {
      now = next;
    },

    addSession: (id, origin = 'https://a') =>
      journal.addSession({ id, origin, createdAt: rig.now, endedAt: undefined }),

    async add(id, sessionId, changes = {}) {
      await journal.addApplication(createNew({ id, sessionId, ...changes }), []);
    },

    async complete(id, fingerprint, kind = 'document') {
      await journal.beginChild(createChild(id, kind), 9);
      await journal.addChunk(id, 0, bytes(1));
      const sealedName = bytes(9);
      return journal.completeChild(id, { fingerprint, bytes: 1, sealedName, limit: 9 });
    },

    async claim(kind = 'application') {
      const claimed = await journal.claimDue(kind, leaseMs);
      if (!claimed || claimed.kind === 'unreadable') throw new Error(`No ${kind} was due`);
      return claimed;
    },

    async accept() {
      await journal.settle(await rig.claim(), { state: 'accepted', serviceId: 'L1' });
    },

    async hold() {
      await journal.settle(await rig.claim(), {
        state: 'held',
        reason: 'deadline',
        isUncertain: true,
      });
    },

    async holdDocument() {
      await rig.complete('d1', 'one');
      await rig.accept();
      await journal.settle(await rig.claim('document'), {
        state: 'held',
        reason: 'uncertain',
        isUncertain: true,
      });
    },

    async find(id = 'a1') {
      const row = await journal.findApplication(id);
      if (!row) throw new Error('The application is gone');
      return row;
    },
  };
  await rig.addSession('s1');
  return rig;
}
