// A delivery worker with a store, and a funding service that returns the outcomes of a script.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PartnerOperation } from '../../../shared/funding-service/operations.ts';
import type {
  FundingService,
  LeadCreated,
  Outcome,
  PreApproval,
  Readiness,
} from '../../../bff/funding-service/funding-service.ts';
import type { DeliveryEvent } from '../../../bff/delivery/attempt-runner.ts';
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from '../../../bff/delivery/delivery-worker.ts';
import {
  type AddedApplication,
  type AttachmentKind,
  type Claim,
  type DeliveryKind,
  deliveryKinds,
  type Store,
} from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { createEncryption } from '../../../bff/store/encryption.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { createConsent, createNewApplication, createSession } from '../store/contract/rows.ts';
import { addEncryptedAttachment } from '../store/encrypted-rows.ts';

export const accepted: Outcome<LeadCreated> = {
  kind: 'accepted',
  value: { applicationId: 'L1', trackingUrl: 'https://service.example/L1' },
};
export const notSent: Outcome<never> = { kind: 'not-sent' };
export const unknown: Outcome<never> = { kind: 'unknown' };
export const duplicate: Outcome<never> = {
  kind: 'refused',
  refusal: { reason: 'duplicate-id' },
};

export const leaseMs = 180_000;
export const hourMs = 3_600_000;

export type Answer<Value> = Outcome<Value> | (() => Promise<Outcome<Value>>);

/** Many equal outcomes. */
export function repeat<Value>(answer: Outcome<Value>, times = 2_000): Outcome<Value>[] {
  return Array.from({ length: times }, () => answer);
}

export type DeliveryRig = Awaited<ReturnType<typeof createDeliveryRig>>;

export function createTestEncryption(keyId: 1 | 2 = 1) {
  const key = Buffer.alloc(32, keyId).toString('base64');
  return createEncryption({ keys: { [keyId]: key }, currentId: String(keyId) });
}

/** The store has the application `a1`, which is due. */
export async function createDeliveryRig(
  open = (clock: () => number) => openStore('file::memory:', { clock }),
) {
  const encryption = createTestEncryption();
  const time = createManualTime();
  const store = await open(time.clock);
  const events: DeliveryEvent[] = [];
  const service = createScriptedService();

  /** Creates another worker, as after a restart, with changed functions of the store. */
  function createWorker(
    storeChanges: Partial<Store> = {},
    changes: Partial<DeliveryWorkerOptions> = {},
  ): DeliveryWorker {
    return createDeliveryWorker({
      store: { ...store, ...storeChanges },
      encryption,
      fundingService: service.fundingService,
      aggregatorName: 'Acme',
      isTrackingUrlSafe: () => true,
      startTimer: time.startTimer,
      random: () => 0.5,
      maxConcurrent: 8,
      onEvent: (event) => events.push(event),
      ...changes,
    });
  }

  /** Advances the clock, and delivers each row that becomes due. */
  async function runFor(ms: number): Promise<void> {
    const end = time.clock() + ms;
    for (;;) {
      await worker.runDue();
      const dueMs = await store.findNextDueMs(deliveryKinds);
      if (dueMs === undefined || time.clock() + dueMs > end) break;
      time.advance(Math.max(0, dueMs));
    }
    time.advance(end - time.clock());
  }

  /** Advances the clock in steps until `isDone`, while work in progress goes on. Returns the time that passed. */
  async function passUntil(isDone: () => boolean | Promise<boolean>, stepMs = 250) {
    const start = time.clock();
    for (;;) {
      for (let turn = 0; turn < 10; turn += 1) {
        if (await isDone()) return time.clock() - start;
        await nextTurn();
      }
      if (time.clock() - start > hourMs) throw new Error('The condition was not met in an hour');
      time.advance(stepMs);
    }
  }

  async function pass(ms: number, stepMs = 5_000): Promise<void> {
    const end = time.clock() + ms;
    await passUntil(() => time.clock() >= end, stepMs);
    await settle();
  }

  /** Adds an application with a session of its own. With another `aadId`, its lead cannot be decrypted. */
  async function addApplication(
    id: string,
    aadId = id,
    ownLeaseMs?: number,
  ): Promise<AddedApplication> {
    const { key, cipher } = encryption.createCipher(id);
    const encryptedLead = cipher.encrypt('lead', aadId, JSON.stringify({ ID: id }));
    const submission = { session: createSession(id), idempotencyKey: id, receivedAt: time.clock() };
    const row = createNewApplication({ id, key, encryptedLead, ...submission });
    return store.addApplication(row, [], undefined, ownLeaseMs);
  }

  /** Adds `a2`, `a3`, and so on. */
  async function addUpTo(last: number): Promise<void> {
    for (let count = 2; count <= last; count += 1) await addApplication(`a${count}`);
  }

  /** Records an application as accepted with the ApplicationID `L1`. */
  async function accept(id = 'a1'): Promise<void> {
    const claim = await store.claimDue('application', leaseMs, id);
    if (claim?.kind !== 'application') throw new Error(`${id} is not due`);
    await store.recordResult(claim, { state: 'accepted', serviceId: 'L1' });
  }

  /** Adds a complete attachment. */
  async function addAttachment(
    id: string,
    kind: AttachmentKind,
    chunks: readonly string[] = ['x'],
    applicationId = 'a1',
  ): Promise<void> {
    const row = { id, applicationId, createdAt: time.clock() };
    if (kind === 'contact') {
      await store.addContactRequest(row, createConsent(id, applicationId));
      return;
    }
    const category = kind === 'document' ? 'bank-verification' : '';
    await addEncryptedAttachment(store, encryption, { ...row, kind, category }, chunks, 'march');
  }

  /** Throws if no row of the kind is due. */
  async function claim(kind: DeliveryKind = 'application'): Promise<Claim> {
    const claimed = await store.claimDue(kind, leaseMs);
    if (!claimed || claimed.kind === 'unreadable') throw new Error(`No ${kind} was due`);
    return claimed;
  }

  /** Claims the row and lets its lease expire, like a process that ends during an attempt. */
  async function interrupt(kind: DeliveryKind, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      await claim(kind);
      time.advance(leaseMs);
    }
  }

  const findApplication = async (id = 'a1') => (await store.findApplication(id))!;
  const findAttachment = async (id: string) => (await store.findAttachment(id))!;

  const worker = createWorker();
  await addApplication('a1');
  return {
    ...service,
    time,
    store,
    worker,
    events,
    createWorker,
    runFor,
    pass,
    passUntil,
    addApplication,
    addUpTo,
    accept,
    addAttachment,
    claim,
    interrupt,
    findApplication,
    findAttachment,
    isAccepted: async (id = 'a1') => (await findApplication(id)).state === 'accepted',
    countSent: (what: string) => service.sent.filter((line) => line.startsWith(what)).length,
    countEvents: (name: string) => events.filter(({ event }) => event === name).length,
  };
}

/** Lets the work go on that needs no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}

/** The next call ends when the returned function is called. */
export function holdAnswer<Value>(answers: Answer<Value>[]): (outcome: Outcome<Value>) => void {
  const { promise, resolve } = Promise.withResolvers<Outcome<Value>>();
  answers.push(() => promise);
  return resolve;
}

/** The next calls never end. */
export function hang<Value>(answers: Answer<Value>[], times: number): void {
  for (let count = 0; count < times; count += 1) holdAnswer(answers);
}

/** The outcomes of the next calls, in order. Default: accepted. */
function createScriptedService() {
  const answers: Answer<LeadCreated>[] = [];
  /** For documents and bank reports. */
  const attachmentAnswers: Answer<string>[] = [];
  const contactAnswers: Answer<string>[] = [];
  const offerAnswers: Answer<PreApproval>[] = [];
  /** Operations that are not `ready`. */
  const readiness = new Map<PartnerOperation, Readiness>();
  /** One line per call. */
  const sent: string[] = [];
  const fundingService: FundingService = {
    readiness: (operation) => readiness.get(operation) ?? { kind: 'ready' },
    maxConcurrentLeads: () => Infinity,
    createLead(leadJson, referenceId) {
      sent.push(`lead ${referenceId} ${leadJson}`);
      return takeAnswer(answers, accepted);
    },
    async uploadFile(applicationId, file) {
      const { name, extension, category, bytes } = file;
      const text = (await collectChunks(file.content())).toString();
      sent.push(`file ${applicationId} ${name}.${extension} ${category} ${bytes} ${text}`);
      return takeAnswer(attachmentAnswers, { kind: 'accepted', value: 'D1' });
    },
    submitAssetReport(applicationId, reportJson) {
      sent.push(`report ${applicationId} ${reportJson}`);
      return takeAnswer(attachmentAnswers, { kind: 'accepted', value: 'R1' });
    },
    contactUser(applicationId) {
      sent.push(`contact ${applicationId}`);
      return takeAnswer(contactAnswers, { kind: 'accepted', value: '' });
    },
    getPreApprovalOffer(applicationId) {
      sent.push(`offers ${applicationId}`);
      return takeAnswer(offerAnswers, unknown);
    },
  };
  return {
    fundingService,
    answers,
    attachmentAnswers,
    contactAnswers,
    offerAnswers,
    readiness,
    sent,
  };
}

async function takeAnswer<Value>(
  answers: Answer<Value>[],
  otherwise: Outcome<Value>,
): Promise<Outcome<Value>> {
  const answer = answers.shift() ?? otherwise;
  return typeof answer === 'function' ? answer() : answer;
}
