// A store on one engine, with a clock that a test moves, and hands for rows that no store would write.

import type { Database, OpenOptions } from '../../../../bff/store/database.ts';
import type {
  ApplicationRow,
  AttachmentKind,
  AttachmentRow,
  Claim,
  DeliveryKind,
  Store,
  NewApplication,
} from '../../../../bff/store/store.ts';
import { createStore } from '../../../../bff/store/open-store.ts';
import { bytes, createAttachment, createNew } from './rows.ts';

export type OpenTestDatabase = (options: OpenOptions) => Promise<Database>;

export const leaseMs = 900;

export interface StoreRig {
  readonly store: Store;
  readonly database: Database;
  /** Epoch milliseconds; begins at 100. */
  now: number;
  addSession(id: string, origin?: string): Promise<void>;
  add(id: string, sessionId: string, changes?: Partial<NewApplication>): Promise<void>;
  /** A complete child of `a1` with one piece. */
  complete(
    id: string,
    fingerprint: string,
    kind?: AttachmentKind,
  ): Promise<{ readonly kind: string; readonly attachment?: AttachmentRow }>;
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
export async function createStoreRig(open: OpenTestDatabase): Promise<StoreRig> {
  let now = 100;
  const database = await open({ clock: () => now });
  const store = createStore(database);
  const rig: StoreRig = {
    store,
    database,
    get now() {
      return now;
    },
    set now(next) {
      now = next;
    },

    addSession: (id, origin = 'https://a') => store.addSession({ id, origin, createdAt: rig.now }),

    async add(id, sessionId, changes = {}) {
      await store.addApplication(createNew({ id, sessionId, ...changes }), []);
    },

    async complete(id, fingerprint, kind = 'document') {
      await store.beginAttachment(createAttachment(id, kind), 9);
      await store.addChunk(id, 0, bytes(1));
      const encryptedName = bytes(9);
      return store.completeAttachment(id, { fingerprint, bytes: 1, encryptedName, limit: 9 });
    },

    async claim(kind = 'application') {
      const claimed = await store.claimDue(kind, leaseMs);
      if (!claimed || claimed.kind === 'unreadable') throw new Error(`No ${kind} was due`);
      return claimed;
    },

    async accept() {
      await store.recordResult(await rig.claim(), { state: 'accepted', serviceId: 'L1' });
    },

    async hold() {
      await store.recordResult(await rig.claim(), {
        state: 'held',
        reason: 'deadline',
        isUncertain: true,
      });
    },

    async holdDocument() {
      await rig.complete('d1', 'one');
      await rig.accept();
      await store.recordResult(await rig.claim('document'), {
        state: 'held',
        reason: 'uncertain',
        isUncertain: true,
      });
    },

    async find(id = 'a1') {
      const row = await store.findApplication(id);
      if (!row) throw new Error('The application is gone');
      return row;
    },
  };
  await rig.addSession('s1');
  return rig;
}
