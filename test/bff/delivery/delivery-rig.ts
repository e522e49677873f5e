// A delivery worker with a store, and a funding service that returns the outcomes of a script.

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
  type ApplicationRow,
  type AttachmentKind,
  type AttachmentRow,
  type Claim,
  type DeliveryKind,
  deliveryKinds,
  type Store,
} from '../../../bff/store/store.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import { createEncryption, encryptName } from '../../../bff/store/encryption.ts';
import { collectChunks } from '../../support/collect-chunks.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { createConsent } from '../store/contract/rows.ts';

export const accepted: Outcome<LeadCreated> = {
  kind: 'accepted',
  value: { applicationId: 'L1', trackingUrl: 'https://service.example/L1' },
};

export const duplicate: Outcome<never> = {
  kind: 'refused',
  refusal: { reason: 'duplicate-id' },
};

export const leaseMs = 180_000;

type Answer<Value> = Outcome<Value> | (() => Promise<Outcome<Value>>);

/** The outcomes of the next calls, in order. Default: accepted. */
export interface Script {
  readonly answers: Answer<LeadCreated>[];
  /** For documents and bank reports. */
  readonly attachmentAnswers: Answer<string>[];
  readonly contactAnswers: Answer<string>[];
  readonly offerAnswers: Answer<PreApproval>[];
  /** Operations that are not `ready`. */
  readonly readiness: Map<PartnerOperation, Readiness>;
  /** One line per call. */
  readonly sent: string[];
}

export interface DeliveryRig extends Script {
  readonly time: ManualTime;
  readonly store: Store;
  readonly worker: DeliveryWorker;
  readonly events: DeliveryEvent[];
  /** Creates another worker, as after a restart. */
  createWorker(store?: Store, changes?: Partial<DeliveryWorkerOptions>): DeliveryWorker;
  /** Advances the clock, and delivers each row that becomes due. */
  runFor(ms: number): Promise<void>;
  /** Adds an application with a session of its own. With another `aadId`, its lead cannot be decrypted. */
  addApplication(id: string, aadId?: string, leaseMs?: number): Promise<AddedApplication>;
  /** Records an application as accepted with the ApplicationID `L1`. */
  accept(id?: string): Promise<void>;
  /** Adds a complete attachment. */
  addAttachment(
    id: string,
    kind: AttachmentKind,
    chunks: readonly string[],
    applicationId?: string,
  ): Promise<void>;
  /** Throws if no row of the kind is due. */
  claim(kind?: DeliveryKind): Promise<Claim>;
  /** Claims the row and lets its lease expire, like a process that ends during an attempt. */
  interrupt(kind: DeliveryKind, times: number): Promise<void>;
  findApplication(id?: string): Promise<ApplicationRow>;
  findAttachment(id: string): Promise<AttachmentRow>;
}

export type OpenTestStore = (clock: () => number) => Promise<Store>;

const inMemory: OpenTestStore = (clock) => openStore('file::memory:', { clock });

/** The store has the application `a1`, which is due. */
export async function createDeliveryRig(open: OpenTestStore = inMemory): Promise<DeliveryRig> {
  const encryption = createEncryption({
    keys: { 1: Buffer.alloc(32, 1).toString('base64') },
    currentId: '1',
  });
  const time = createManualTime();
  const store = await open(time.clock);
  const events: DeliveryEvent[] = [];
  const script: Script = {
    answers: [],
    attachmentAnswers: [],
    contactAnswers: [],
    offerAnswers: [],
    readiness: new Map(),
    sent: [],
  };
  const fundingService = createScriptedService(script);

  function createWorker(
    ownStore: Store = store,
    changes: Partial<DeliveryWorkerOptions> = {},
  ): DeliveryWorker {
    return createDeliveryWorker({
      store: ownStore,
      encryption,
      fundingService,
      aggregatorName: 'Acme',
      isTrackingUrlSafe: () => true,
      startTimer: time.startTimer,
      random: () => 0.5,
      maxConcurrent: 8,
      onEvent: (event) => events.push(event),
      ...changes,
    });
  }

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

  async function addApplication(
    id: string,
    aadId = id,
    ownLeaseMs?: number,
  ): Promise<AddedApplication> {
    const { key, cipher } = encryption.createCipher(id);
    return store.addApplication(
      {
        id,
        session: { id: `session of ${id}`, origin: 'o', createdAt: 1 },
        idempotencyKey: `key of ${id}`,
        fingerprint: 'f',
        key,
        encryptedLead: cipher.encrypt('lead', aadId, JSON.stringify({ ID: id })),
        receivedAt: time.clock(),
      },
      [],
      undefined,
      ownLeaseMs,
    );
  }

  async function accept(id = 'a1'): Promise<void> {
    const claim = await store.claimDue('application', leaseMs, id);
    if (claim?.kind !== 'application') throw new Error(`${id} is not due`);
    await store.recordResult(claim, { state: 'accepted', serviceId: 'L1' });
  }

  async function addAttachment(
    id: string,
    kind: AttachmentKind,
    chunks: readonly string[],
    applicationId = 'a1',
  ): Promise<void> {
    const createdAt = time.clock();
    if (kind === 'contact') {
      await store.addContactRequest(
        { id, applicationId, createdAt },
        createConsent(id, applicationId),
      );
      return;
    }
    const { key } = await findApplication(applicationId);
    const cipher = encryption.unwrapKey(applicationId, key);
    const category = kind === 'document' ? 'bank-verification' : '';
    await store.beginAttachment({ id, applicationId, kind, category, createdAt }, 9);
    for (const [number, chunk] of chunks.entries()) {
      await store.addChunk(id, number, cipher.encrypt('chunk', `${id}/${number}`, chunk));
    }
    const bytes = chunks.join('').length;
    const encryptedName =
      kind === 'document'
        ? encryptName(cipher, id, { name: 'march', extension: 'pdf' })
        : undefined;
    await store.completeAttachment(id, { fingerprint: id, bytes, encryptedName, limit: 9 });
  }

  async function claim(kind: DeliveryKind = 'application'): Promise<Claim> {
    const claimed = await store.claimDue(kind, leaseMs);
    if (!claimed || claimed.kind === 'unreadable') throw new Error(`No ${kind} was due`);
    return claimed;
  }

  async function interrupt(kind: DeliveryKind, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      await claim(kind);
      time.advance(leaseMs);
    }
  }

  async function findApplication(id = 'a1'): Promise<ApplicationRow> {
    return (await store.findApplication(id))!;
  }

  async function findAttachment(id: string): Promise<AttachmentRow> {
    return (await store.findAttachment(id))!;
  }

  const worker = createWorker();
  await addApplication('a1');
  return {
    ...script,
    time,
    store,
    worker,
    events,
    createWorker,
    runFor,
    addApplication,
    accept,
    addAttachment,
    claim,
    interrupt,
    findApplication,
    findAttachment,
  };
}

/** The next call ends when the returned function is called. */
export function holdAnswer<Value>(answers: Answer<Value>[]): (outcome: Outcome<Value>) => void {
  let give: (outcome: Outcome<Value>) => void = () => undefined;
  const held = new Promise<Outcome<Value>>((resolve) => {
    give = resolve;
  });
  answers.push(() => held);
  return give;
}

/** The next calls never end. */
export function hang<Value>(answers: Answer<Value>[], times: number): void {
  for (let count = 0; count < times; count += 1) holdAnswer(answers);
}

/** Adds the name of each function of the store that is called. */
export function watchCalls(store: Store, calls: string[]): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      calls.push(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
}

function createScriptedService(script: Script): FundingService {
  const { answers, attachmentAnswers, contactAnswers, offerAnswers, readiness, sent } = script;
  return {
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
      return takeAnswer(offerAnswers, { kind: 'unknown' });
    },
  };
}

async function takeAnswer<Value>(
  answers: Answer<Value>[],
  otherwise: Outcome<Value>,
): Promise<Outcome<Value>> {
  const answer = answers.shift() ?? otherwise;
  return typeof answer === 'function' ? answer() : answer;
}
