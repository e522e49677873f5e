// A store for the contract suites, with a clock that a test moves.

import { beforeAll, beforeEach } from 'vitest';
import { type Database, type OpenOptions, sql } from '../../../../bff/store/database.ts';
import { createStore } from '../../../../bff/store/open-store.ts';
import type {
  ApplicationRow,
  AttachmentKind,
  AttachmentRow,
  AttemptResult,
  Claim,
  DeliveryKind,
  NewApplication,
  Store,
} from '../../../../bff/store/store.ts';
import { bytes, createAttachment, createNewApplication, createSession } from './rows.ts';

/** Opens an empty database that is removed after the suite. */
export type OpenTestDatabase = (options: OpenOptions) => Promise<Database>;

export const leaseMs = 900;
export const day = 24 * 3_600_000;

export const accepted = { state: 'accepted', serviceId: 'L1' } as const;
export const rejected = { state: 'rejected' } as const;
export const waiting = { state: 'waiting', delayMs: 0, isUncertain: false } as const;
export const held = { state: 'held', reason: 'deadline', isUncertain: true } as const;
export const unconfirmed = { state: 'unconfirmed' } as const;

export interface StoreRig {
  readonly store: Store;
  readonly database: Database;
  /** Epoch milliseconds. Each test starts at 100. */
  now: number;
  /** Adds an application, by default in a session of its own. */
  add(id: string, changes?: Partial<NewApplication>): Promise<void>;
  /** Adds a complete attachment with one chunk to `a1`. */
  complete(
    id: string,
    fingerprint: string,
    kind?: AttachmentKind,
  ): Promise<{ readonly kind: string; readonly attachment?: AttachmentRow }>;
  /** Throws when no readable row is due. */
  claim(kind?: DeliveryKind): Promise<Claim>;
  /** Claims the next row and records the result. */
  attempt(result: AttemptResult, kind?: DeliveryKind): Promise<void>;
  find(id?: string): Promise<ApplicationRow>;
}

/** Call it in a `describe`. Each test starts with an empty store. */
export function useStoreRig(open: OpenTestDatabase): StoreRig {
  let database: Database;
  let store: Store;
  let now = 100;

  beforeAll(async () => {
    database = await open({ clock: () => now });
    store = createStore(database);
    return () => store.close();
  });

  beforeEach(async () => {
    now = 100;
    // Consents, attachments, chunks, and handoffs go with their application.
    await database.all(sql`delete from application`);
    await database.all(sql`delete from session`);
  });

  const rig: StoreRig = {
    get store() {
      return store;
    },
    get database() {
      return database;
    },
    get now() {
      return now;
    },
    set now(next) {
      now = next;
    },

    async add(id, changes = {}) {
      const own = { id, session: createSession(`s-${id}`), idempotencyKey: `k-${id}` };
      await store.addApplication(createNewApplication({ ...own, ...changes }), []);
    },

    async complete(id, fingerprint, kind = 'document') {
      await store.beginAttachment(createAttachment(id, kind), 9);
      await store.addChunk(id, 0, bytes(1));
      const encryptedName = bytes(9);
      return store.completeAttachment(id, { fingerprint, bytes: 1, encryptedName, limit: 9 });
    },

    async claim(kind = 'application') {
      const claimed = await store.claimDue(kind, leaseMs);
      if (!claimed || claimed.kind === 'unreadable') throw new Error(`No ${kind} is due`);
      return claimed;
    },

    async attempt(result, kind) {
      await store.recordResult(await rig.claim(kind), result);
    },

    async find(id = 'a1') {
      const row = await store.findApplication(id);
      if (!row) throw new Error(`There is no application ${id}`);
      return row;
    },
  };
  return rig;
}
