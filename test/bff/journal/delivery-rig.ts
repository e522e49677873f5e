// A delivery loop on an empty journal, before a funding service whose every answer is written down.

import type {
  FundingService,
  LeadCreated,
  Outcome,
} from '../../../bff/funding-service/funding-service.ts';
import type { DeliveryEvent } from '../../../bff/journal/delivery-events.ts';
import {
  createDelivery,
  type Delivery,
  type DeliveryOptions,
} from '../../../bff/journal/delivery.ts';
import type { ApplicationRow, ChildKind, ChildRow, Journal } from '../../../bff/journal/journal.ts';
import { chunkPlace, leadPlace } from '../../../bff/journal/places.ts';
import { sealName } from '../../../bff/journal/sealed-name.ts';
import { createSealing } from '../../../bff/journal/sealing.ts';
import { openSqliteJournal } from '../../../bff/journal/sqlite.ts';
import { createManualTime, testNow, type ManualTime } from '../manual-time.ts';

export const accepted: Outcome<LeadCreated> = {
  kind: 'accepted',
  value: { applicationId: 'L1', trackingUrl: 'https://service.example/L1' },
};

export const duplicate: Outcome<never> = {
  kind: 'rejected',
  rejection: { reason: 'duplicate-id' },
};

/** The answers a test has written down, in order; without one, all is accepted. */
export interface Script {
  readonly answers: (Outcome<LeadCreated> | (() => Promise<Outcome<LeadCreated>>))[];
  readonly childAnswers: Outcome<{ readonly documentId: string; readonly assetReportId: string }>[];
  /** What reached the service, a line each. */
  readonly sent: string[];
}

export interface DeliveryRig extends Script {
  readonly time: ManualTime;
  readonly journal: Journal;
  readonly delivery: Delivery;
  readonly events: DeliveryEvent[];
  /** Another loop on the same journal, as after a restart. */
  createLoop(store?: Journal, changes?: Partial<DeliveryOptions>): Delivery;
  /** Runs everything that falls due until then, without a started loop. */
  runFor(ms: number): Promise<void>;
  /** `place` seals the lead for another row, which breaks it. */
  addApplication(id: string, sessionId: string, place?: string): Promise<void>;
  /** A complete child of the application `a1`. */
  addChild(id: string, kind: ChildKind, pieces: readonly string[]): Promise<void>;
  findApplication(id?: string): Promise<ApplicationRow>;
  findChild(id: string): Promise<ChildRow>;
}

/** Holds the application `a1` of the session `s1`, received and not sent. */
export async function createDeliveryRig(): Promise<DeliveryRig> {
  const sealing = createSealing({ 1: Buffer.alloc(32, 1).toString('base64') });
  const time = createManualTime();
  const journal = openSqliteJournal('file::memory:');
  const events: DeliveryEvent[] = [];
  const script: Script = { answers: [], childAnswers: [], sent: [] };
  const fundingService = createScriptedService(script);

  function createLoop(store: Journal = journal, changes: Partial<DeliveryOptions> = {}): Delivery {
    return createDelivery({
      journal: store,
      sealing,
      fundingService,
      aggregatorName: 'Acme',
      isTrackingUrlSafe: () => true,
      clock: time.clock,
      after: time.after,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
      ...changes,
    });
  }

  async function runFor(ms: number): Promise<void> {
    const end = time.clock() + ms;
    await delivery.runDue();
    for (let due = await journal.findNextDue(); due !== undefined && due <= end;) {
      time.advance(Math.max(0, due - time.clock()));
      await delivery.runDue();
      due = await journal.findNextDue();
    }
    time.advance(end - time.clock());
  }

  async function addApplication(id: string, sessionId: string, place = id): Promise<void> {
    const { key, seal } = sealing.create(id);
    await journal.addApplication(
      {
        id,
        sessionId,
        idempotencyKey: `key of ${id}`,
        fingerprint: 'f',
        key,
        sealedLead: seal.seal(leadPlace(place), JSON.stringify({ ID: id })),
        receivedAt: testNow,
      },
      [],
    );
  }

  async function addChild(id: string, kind: ChildKind, pieces: readonly string[]): Promise<void> {
    const application = await findApplication();
    const seal = sealing.open(application.id, application.key);
    const isDocument = kind === 'document';
    await journal.beginChild(
      {
        id,
        applicationId: application.id,
        kind,
        category: isDocument ? 'bank-verification' : '',
        sealedName: isDocument
          ? sealName(seal, id, { name: 'march', extension: 'pdf' })
          : undefined,
        createdAt: time.clock(),
      },
      9,
    );
    for (const [number, piece] of pieces.entries()) {
      await journal.addChunk(id, number, seal.seal(chunkPlace(id, number), piece));
    }
    const bytes = pieces.join('').length;
    await journal.completeChild(id, { fingerprint: id, bytes, limit: 9 });
  }

  async function findApplication(id = 'a1'): Promise<ApplicationRow> {
    return (await journal.findApplication(id))!;
  }

  async function findChild(id: string): Promise<ChildRow> {
    return (await journal.findChild(id))!;
  }

  const delivery = createLoop();
  await journal.addSession({ id: 's1', origin: 'o', createdAt: 1, endedAt: undefined });
  await addApplication('a1', 's1');
  return {
    ...script,
    time,
    journal,
    delivery,
    events,
    createLoop,
    runFor,
    addApplication,
    addChild,
    findApplication,
    findChild,
  };
}

function createScriptedService({ answers, childAnswers, sent }: Script): FundingService {
  return {
    async createLead(leadJson, referenceId) {
      sent.push(`lead ${referenceId} ${leadJson}`);
      const answer = answers.shift() ?? accepted;
      return typeof answer === 'function' ? answer() : answer;
    },
    async uploadFile(applicationId, file) {
      const pieces: Uint8Array[] = [];
      for await (const piece of file.content()) pieces.push(piece);
      const { name, extension, category, bytes } = file;
      const content = Buffer.concat(pieces).toString();
      sent.push(`file ${applicationId} ${name}.${extension} ${category} ${bytes} ${content}`);
      const value = { documentId: 'D1', assetReportId: '' };
      return childAnswers.shift() ?? { kind: 'accepted', value };
    },
    async submitAssetReport(applicationId, reportJson) {
      sent.push(`report ${applicationId} ${reportJson}`);
      const value = { documentId: '', assetReportId: 'R1' };
      return childAnswers.shift() ?? { kind: 'accepted', value };
    },
    getPreApprovalOffer: () => Promise.reject(new Error('not part of the delivery')),
    contactUser: () => Promise.reject(new Error('not part of the delivery')),
  };
}
