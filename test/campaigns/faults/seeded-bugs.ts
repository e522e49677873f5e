// Ten bugs of a store, added by decorators, and a scenario that uses every feature of the store. With a bug, the checker must
// report the named invariant.

import { randomUUID } from 'node:crypto';
import { apiHeaders } from '../../../shared/api/paths.ts';
import type { Outcome } from '../../../bff/funding-service/funding-service.ts';
import { sql } from '../../../bff/store/database.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { parseRow } from '../../../bff/store/rows.ts';
import {
  type ApplicationRow,
  applicationSchema,
  type NewApplication,
} from '../../../bff/store/store.ts';
import { createKey } from '../../support/applicant.ts';
import type { Applicant } from './applicant.ts';
import type { Invariant } from './invariants.ts';
import type { Decoration, Simulation } from './simulation.ts';

export interface SeededBug {
  readonly name: string;
  readonly invariant: Invariant;
  /** Called for each simulation, because some bugs keep state. */
  readonly create: () => Decoration;
}

export const seededBugs: readonly SeededBug[] = [
  { name: 'a lead is sent again under a new ID', invariant: 'I2', create: newIdOnRetry },
  {
    name: 'a submission is answered before it is committed',
    invariant: 'I1',
    create: responseBeforeCommit,
  },
  { name: 'a result is recorded under an expired claim', invariant: 'I7', create: noFence },
  { name: 'a lead is posted again after it was accepted', invariant: 'I2', create: blindRepost },
  {
    name: 'an unknown outcome is reported as rejected',
    invariant: 'I3',
    create: unknownAsRejected,
  },
  {
    name: "a document is sent with another application's ApplicationID",
    invariant: 'I5',
    create: otherApplication,
  },
  { name: 'an erasure is confirmed and not done', invariant: 'I6', create: skippedErasure },
  { name: 'the same key gets different responses', invariant: 'I8', create: changingResponse },
  { name: 'an upload is sent twice in one attempt', invariant: 'I4', create: doubleUpload },
  { name: 'an accepted application returns to waiting', invariant: 'I7', create: backToWaiting },
];

function newIdOnRetry(): Decoration {
  const tried = new Set<string>();
  return {
    service: (service) => ({
      ...service,
      createLead(leadJson, referenceId) {
        const isRetry = tried.has(referenceId);
        tried.add(referenceId);
        if (!isRetry) return service.createLead(leadJson, referenceId);
        const id = randomUUID();
        return service.createLead(leadJson.replace(referenceId, id), id);
      },
    }),
  };
}

/** Simulates a process that ends before its first commit. */
function responseBeforeCommit(): Decoration {
  const uncommitted = new Map<string, ApplicationRow>();
  let hasEnded = false;
  return {
    store: (store) => ({
      ...store,
      async addApplication(application, ...rest) {
        if (hasEnded) return store.addApplication(application, ...rest);
        hasEnded = true;
        const row = toRow(application);
        uncommitted.set(row.id, row);
        return { kind: 'added', application: row };
      },
      findApplication: async (id) => uncommitted.get(id) ?? store.findApplication(id),
    }),
  };
}

function toRow({ session, ...application }: NewApplication): ApplicationRow {
  return {
    ...application,
    sessionId: session.id,
    state: 'received',
    attempts: 0,
    uncertainAttempts: 0,
    clearedAttempts: 0,
    interruptions: 0,
    firstAttemptAt: undefined,
    lastOutcome: undefined,
    heldReason: undefined,
    refusedSince: undefined,
    serviceId: undefined,
    encryptedTrackingUrl: undefined,
    encryptedBusinessName: undefined,
    campaignId: undefined,
    errors: [],
    finishedAt: undefined,
    erasedAt: undefined,
  };
}

function noFence(): Decoration {
  return {
    store: (store, { database }) => ({
      ...store,
      async recordResult(claim, result) {
        if (await store.recordResult(claim, result)) return true;
        await database.all(sql`
          update application set state = ${result.state} where id = ${claim.application.id}`);
        return true;
      },
    }),
  };
}

function blindRepost(): Decoration {
  return {
    service: (service) => ({
      ...service,
      async createLead(leadJson, referenceId) {
        const outcome = await service.createLead(leadJson, referenceId);
        if (outcome.kind === 'accepted') {
          await service.createLead(
            leadJson.replace('"CreatedAt":"2', '"CreatedAt":" 2'),
            referenceId,
          );
        }
        return outcome;
      },
    }),
  };
}

function unknownAsRejected(): Decoration {
  const rejected: Outcome<never> = {
    kind: 'refused',
    refusal: { reason: 'invalid-field', field: 'Company' },
  };
  return {
    service: (service) => ({
      ...service,
      async createLead(leadJson, referenceId) {
        const outcome = await service.createLead(leadJson, referenceId);
        return outcome.kind === 'unknown' ? rejected : outcome;
      },
    }),
  };
}

function otherApplication(): Decoration {
  let first: string | undefined;
  return {
    service: (service) => ({
      ...service,
      uploadFile(applicationId, file) {
        first ??= applicationId;
        return service.uploadFile(first, file);
      },
    }),
  };
}

function skippedErasure(): Decoration {
  return { store: (store) => ({ ...store, erase: async () => 'erased' }) };
}

/** Responds with the oldest application from the second time on. */
function changingResponse(): Decoration {
  const answered = new Set<string>();
  return {
    send:
      (send, { database }) =>
      async (request) => {
        const answer = await send(request);
        const key = request.headers[apiHeaders.idempotencyKey];
        if (key === undefined || answer.status >= 300) return answer;
        const isFirst = !answered.has(key);
        answered.add(key);
        if (isFirst) return answer;
        const [oldest] = await database.all(sql`select * from application order by seq limit 1`);
        const reference = parseRow(applicationSchema, oldest).id;
        return { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text), reference }) };
      },
  };
}

function doubleUpload(): Decoration {
  return {
    service: (service) => ({
      ...service,
      async uploadFile(applicationId, file) {
        await service.uploadFile(applicationId, file);
        return service.uploadFile(applicationId, file);
      },
    }),
  };
}

function backToWaiting(): Decoration {
  return {
    store: (store, { database }) => ({
      ...store,
      async recordResult(claim, result) {
        const isRecorded = await store.recordResult(claim, result);
        if (result.state === 'accepted' && claim.kind === 'application') {
          await database.all(sql`
            update application set state = 'waiting', next_at = finished_at + 3600000
            where id = ${claim.application.id}`);
        }
        return isRecorded;
      },
    }),
  };
}

const lost: TransportResult = { kind: 'interrupted', failure: 'ECONNRESET' };
const refused: TransportResult = { kind: 'not-sent', failure: 'ECONNREFUSED' };
const createPath = '/creditapp';
const uploadPath = '/UploadFileApiV1';
const reportPath = '/asset-report/';
const maxSendsInDoubt = 3;
/** Longer than any lease. */
const longPauseMs = 10 * 60_000;

export async function runScenario(simulation: Simulation): Promise<void> {
  await applyNormally(simulation);
  await applyTwice(simulation);
  await loseAnswerOfLead(simulation);
  await loseAnswersOfUpload(simulation);
  await loseEveryAnswerOfReport(simulation);
  await eraseWhileWaiting(simulation);
  await takeOverWhilePaused(simulation);
  await simulation.settle();
}

/** An applicant sends an application with all attachments. */
async function applyNormally(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Peaceful Bakery LLC');
  await applicant.submit(createKey());
  await applicant.upload(1);
  await applicant.report(1);
  await applicant.contact();
  await simulation.settle();
  await applicant.poll();
}

/** A double click, a repeat of the same request, and different answers under the same key. */
async function applyTwice(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Twofold Books LLC');
  const key = createKey();
  await Promise.all([applicant.submit(key), applicant.submit(createKey())]);
  await simulation.settle();
  await applicant.submit(key);
  await applicant.submit(key, { employees: 12 });
  await applicant.upload(1);
  await applicant.upload(1);
  await simulation.settle();
}

/** The funding service creates the lead, and its response is lost. */
async function loseAnswerOfLead(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Lost Answer Garage LLC');
  void simulation.interrupt(createPath, async (_request, pass) => {
    await pass();
    return lost;
  });
  await applicant.submit(createKey());
  await simulation.settle();
  await applicant.poll();
}

async function loseAnswersOfUpload(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Unlucky Florist LLC');
  await applicant.submit(createKey());
  await simulation.settle();
  for (let times = 0; times < 2; times += 1) {
    void simulation.interrupt(uploadPath, async (_request, pass) => {
      await pass();
      return lost;
    });
  }
  await applicant.upload(1);
  await simulation.settle();
}

/** Delivery repeats until the row is held, and once more after the operator's `retry`. */
async function loseEveryAnswerOfReport(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Unluckier Tailor LLC');
  await applicant.submit(createKey());
  await simulation.settle();
  for (let times = 0; times < maxSendsInDoubt; times += 1) {
    void simulation.interrupt(reportPath, async (_request, pass) => {
      await pass();
      return lost;
    });
  }
  await applicant.report(1);
  await simulation.settle();
  await simulation.store.retryHeld();
  await simulation.settle();
}

/** The operator erases the application during an outage, then the funding service recovers. */
async function eraseWhileWaiting(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Second Thoughts Cafe LLC');
  void simulation.interrupt(createPath, async () => refused);
  const { reference = '' } = await applicant.submit(createKey());
  await simulation.deliverOnce();
  if ((await simulation.store.erase(reference)) === 'erased') {
    simulation.history.erasures.push({ reference, at: performance.now() });
  }
  await simulation.settle();
}

/** A process stops during a call for longer than its lease, another process takes over, then the first continues. */
async function takeOverWhilePaused(simulation: Simulation): Promise<void> {
  const paused: Decoration = {
    ...simulation.decoration,
    store: (store, context) => ({
      ...(simulation.decoration.store?.(store, context) ?? store),
      extendLease: async () => true,
    }),
  };
  const applicant = await startSession(simulation, 'Long Pause Studio LLC');
  let resume: () => void = () => undefined;
  const isUnderWay = simulation.interrupt(createPath, async () => {
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
    return lost;
  });
  await applicant.submit(createKey());
  const first = (await simulation.addBff(paused)).delivery.runDue();
  await isUnderWay;
  simulation.time.advance(longPauseMs);
  await (await simulation.addBff()).delivery.runDue();
  resume();
  await first;
}

async function startSession(simulation: Simulation, name: string): Promise<Applicant> {
  const applicant = simulation.createApplicant(name);
  await applicant.begin();
  return applicant;
}
