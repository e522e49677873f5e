// A store for the contract suites, with a clock that a test moves.

import { beforeAll, beforeEach } from 'vitest';
import { type Database, type OpenOptions, sql } from '../../../../bff/store/database.ts';
import { createStore } from '../../../../bff/store/open-store.ts';
import type {
  AttachmentKind,
  AttemptResult,
  CompletedAttachment,
  DeliveryKind,
  NewApplication,
  NewAttachment,
  Store,
} from '../../../../bff/store/store.ts';
import { bytes, createAttachment, createConsent, createNewApplication, day } from './rows.ts';

/** Opens an empty database that is removed after the suite. */
export type OpenTestDatabase = (options: OpenOptions) => Promise<Database>;

export const leaseMs = 900;
export const retention = {
  recordDays: 30,
  undeliveredDays: 40,
  rejectedDays: 7,
  evidenceDays: 100,
};

export const accepted = { state: 'accepted', serviceId: 'L1' } as const;
export const rejected = { state: 'rejected' } as const;
export const waiting = { state: 'waiting', delayMs: 0, isUncertain: false } as const;
export const refused = { ...waiting, isRefused: true } as const;
export const held = { state: 'held', reason: 'deadline', isUncertain: true } as const;
export const unconfirmed = { state: 'unconfirmed' } as const;

const outcomes: Readonly<Record<string, AttemptResult>> = {
  accepted,
  rejected,
  waiting,
  refused,
  held,
  unconfirmed,
};

export type StoreRig = ReturnType<typeof createRig>;

/** Call it in a `describe`. Each test starts with an empty store, at 100 epoch milliseconds. */
export function useStoreRig(open: OpenTestDatabase): StoreRig {
  const rig = createRig();

  beforeAll(async () => {
    rig.database = await open({ clock: () => rig.now });
    rig.store = createStore(rig.database);
    return () => rig.store.close();
  });

  beforeEach(async () => {
    rig.now = 100;
    // Consents, attachments, chunks, and handoffs go with their application.
    await rig.database.all(sql`delete from application`);
    await rig.database.all(sql`delete from session`);
  });

  return rig;
}

function createRig() {
  const rig = {
    now: 100,
    // Set before the first test.
    store: undefined as unknown as Store,
    database: undefined as unknown as Database,

    /** Adds an application with a consent, by default in a session of its own. */
    add: (id = 'a1', changes: Partial<NewApplication> = {}, leased?: number) =>
      rig.store.addApplication(
        createNewApplication({ id, ...changes }),
        [createConsent(`c-${id}`, id)],
        undefined,
        leased,
      ),

    /** Begins an attachment of `a1` with chunks. */
    async begin(id: string, changes: Partial<NewAttachment> = {}, chunks = 1) {
      await rig.store.beginAttachment({ ...createAttachment(id), ...changes }, 99);
      for (let number = 0; number < chunks; number += 1) {
        await rig.store.addChunk(id, number, bytes(number));
      }
    },

    /** Adds a complete attachment with one chunk to `a1`. Its fingerprint is its id. */
    async complete(
      id: string,
      kind: AttachmentKind = 'document',
      changes: Partial<CompletedAttachment> = {},
    ) {
      await rig.begin(id, { kind });
      const completed = { fingerprint: id, bytes: 1, encryptedName: bytes(9), limit: 99 };
      return rig.store.completeAttachment(id, { ...completed, ...changes });
    },

    addContactRequest: (id: string) =>
      rig.store.addContactRequest(
        { id, applicationId: 'a1', createdAt: 100 },
        createConsent(`c-${id}`),
      ),

    /** Throws when no readable row is due. */
    async claim(kind: DeliveryKind = 'application') {
      const claimed = await rig.store.claimDue(kind, leaseMs);
      if (!claimed || claimed.kind === 'unreadable') throw new Error(`No ${kind} is due`);
      return claimed;
    },

    /** The id of the next row, or `undefined`. */
    async claimId(kind: DeliveryKind = 'application', id?: string) {
      const claimed = await rig.store.claimDue(kind, leaseMs, id);
      if (!claimed || claimed.kind === 'unreadable') return undefined;
      return claimed.kind === 'application' ? claimed.application.id : claimed.attachment.id;
    },

    /** Claims the next row and records the result. */
    async attempt(result: AttemptResult, kind?: DeliveryKind) {
      await rig.store.recordResult(await rig.claim(kind), result);
    },

    /**
     * Runs steps, separated by commas: `held` is the result of the next application, `document held` that of the next document.
     * `add d1`, `add r1`, and `add w1` add a complete document, bank report, and contact request to `a1`.
     */
    async play(steps: string) {
      for (const step of steps.split(', ')) {
        const [subject = '', detail = ''] = step.split(' ');
        const outcome = outcomes[detail || subject];
        if (outcome)
          await rig.attempt(outcome, detail === '' ? undefined : (subject as 'document'));
        else if (step === 'claim') await rig.claim();
        else if (step === 'document claim') await rig.claim('document');
        else if (subject === 'add' && detail.startsWith('w')) await rig.addContactRequest(detail);
        else if (subject === 'add')
          await rig.complete(detail, detail.startsWith('r') ? 'bank-report' : 'document');
        else if (subject === 'begin') await rig.begin(detail);
        else if (subject === 'erase') await rig.store.erase('a1');
        else if (subject === 'withdraw') await rig.store.withdrawDocument('a1', Number(detail));
        else if (subject === 'resolve') await rig.store.resolve('a1', detail);
        else if (subject === 'found') await rig.store.resolveAttachment('a1', 'document', 1, '068');
        else if (subject === 'purge') await rig.purgeAfter(Number(detail));
        else throw new Error(`There is no step ${step}`);
      }
    },

    async find(id = 'a1') {
      const row = await rig.store.findApplication(id);
      if (!row) throw new Error(`There is no application ${id}`);
      return row;
    },

    findDocument: (id = 'd1') => rig.store.findAttachment(id),

    purgeAfter(days: number) {
      rig.now += days * day;
      return rig.store.purge(retention);
    },
  };
  return rig;
}

/** Runs twenty operations at the same time. */
export function runTwenty<Result>(run: (number: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: 20 }, (_, index) => run(index + 1)));
}
