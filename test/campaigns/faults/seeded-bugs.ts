// Ten bugs of a store, added by decorators, and a scenario that uses every feature of the store. With a bug, the checker must
// report the named invariant.

import { randomUUID } from 'node:crypto';
import { apiHeaders } from '../../../shared/api/paths.ts';
import type { FundingService } from '../../../bff/funding-service/funding-service.ts';
import type { TransportResult } from '../../../bff/funding-service/transport.ts';
import { sql } from '../../../bff/store/database.ts';
import { openStore } from '../../../bff/store/open-store.ts';
import type { ApplicationRow } from '../../../bff/store/store.ts';
import { createKey } from '../../support/applicant.ts';
import type { Applicant } from './applicant.ts';
import type { Invariant } from './invariants.ts';
import type { Decoration, Simulation } from './simulation.ts';

/** The invariant that each violates. Created for each simulation, because some bugs keep state. */
export const seededBugs: Readonly<Record<string, readonly [Invariant, () => Decoration]>> = {
  'a lead is sent again under a new ID': ['I2', newIdOnRetry],
  'a submission is answered before it is committed': ['I1', responseBeforeCommit],
  'a result is recorded under an expired claim': ['I7', noFence],
  'a lead is posted again after it was accepted': ['I2', blindRepost],
  'an unknown outcome is reported as rejected': ['I3', unknownAsRejected],
  "a document is sent with another application's ApplicationID": ['I5', otherApplication],
  'an erasure is confirmed and not done': [
    'I6',
    () => ({ store: (store) => ({ ...store, erase: async () => 'erased' }) }),
  ],
  'the same key gets different responses': ['I8', changingResponse],
  'an upload is sent twice in one attempt': ['I4', doubleUpload],
  'an accepted application returns to waiting': ['I7', backToWaiting],
};

/** Replaces some calls to the funding service. */
function withService(change: (service: FundingService) => Partial<FundingService>): Decoration {
  return { service: (service) => ({ ...service, ...change(service) }) };
}

function newIdOnRetry(): Decoration {
  const tried = new Set<string>();
  return withService((service) => ({
    createLead(leadJson, referenceId) {
      const isRetry = tried.has(referenceId);
      tried.add(referenceId);
      if (!isRetry) return service.createLead(leadJson, referenceId);
      const id = randomUUID();
      return service.createLead(leadJson.replace(referenceId, id), id);
    },
  }));
}

/** Simulates a process that ends before its first commit: the row comes from another store. */
function responseBeforeCommit(): Decoration {
  let uncommitted: ApplicationRow | undefined;
  return {
    store: (store) => ({
      ...store,
      async addApplication(application, ...rest) {
        if (uncommitted) return store.addApplication(application, ...rest);
        const lostStore = await openStore('file::memory:');
        const result = await lostStore.addApplication(application, ...rest);
        await lostStore.close();
        uncommitted = result.application;
        return result;
      },
      findApplication: async (id) =>
        id === uncommitted?.id ? uncommitted : store.findApplication(id),
    }),
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
  return withService((service) => ({
    async createLead(leadJson, referenceId) {
      const outcome = await service.createLead(leadJson, referenceId);
      const changed = leadJson.replace('"CreatedAt":"2', '"CreatedAt":" 2');
      if (outcome.kind === 'accepted') await service.createLead(changed, referenceId);
      return outcome;
    },
  }));
}

function unknownAsRejected(): Decoration {
  const refusal = { reason: 'invalid-field', field: 'Company' } as const;
  return withService((service) => ({
    async createLead(leadJson, referenceId) {
      const outcome = await service.createLead(leadJson, referenceId);
      return outcome.kind === 'unknown' ? { kind: 'refused', refusal } : outcome;
    },
  }));
}

function otherApplication(): Decoration {
  let first: string | undefined;
  return withService((service) => ({
    uploadFile: (applicationId, file) => service.uploadFile((first ??= applicationId), file),
  }));
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
        const [oldest] = await database.all(sql`select id from application order by seq limit 1`);
        const reference = (oldest as { readonly id: string }).id;
        return { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text), reference }) };
      },
  };
}

function doubleUpload(): Decoration {
  return withService((service) => ({
    async uploadFile(applicationId, file) {
      await service.uploadFile(applicationId, file);
      return service.uploadFile(applicationId, file);
    },
  }));
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

/** The funding service processes the next calls, and their responses are lost. */
function loseAnswers(simulation: Simulation, path: string, times: number): void {
  for (let time = 0; time < times; time += 1) {
    void simulation.interrupt(path, async (_request, pass) => {
      await pass();
      return lost;
    });
  }
}

async function loseAnswerOfLead(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Lost Answer Garage LLC');
  loseAnswers(simulation, createPath, 1);
  await applicant.submit(createKey());
  await simulation.settle();
  await applicant.poll();
}

async function loseAnswersOfUpload(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Unlucky Florist LLC');
  await applicant.submit(createKey());
  await simulation.settle();
  loseAnswers(simulation, '/UploadFileApiV1', 2);
  await applicant.upload(1);
  await simulation.settle();
}

/** Delivery repeats until the row is held, and once more after the operator's `retry`. */
async function loseEveryAnswerOfReport(simulation: Simulation): Promise<void> {
  const applicant = await startSession(simulation, 'Unluckier Tailor LLC');
  await applicant.submit(createKey());
  await simulation.settle();
  loseAnswers(simulation, '/asset-report/', maxSendsInDoubt);
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
