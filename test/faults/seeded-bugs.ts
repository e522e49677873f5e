// Ten bugs of a store, added by decorators. The checker must find each with the named invariant.

import { randomUUID } from 'node:crypto';
import type { Outcome } from '../../bff/funding-service/funding-service.ts';
import { sql } from '../../bff/store/database.ts';
import { parseRow } from '../../bff/store/rows.ts';
import {
  applicationSchema,
  type ApplicationRow,
  type NewApplication,
} from '../../bff/store/store.ts';
import { apiHeaders } from '../../shared/api/paths.ts';
import type { Invariant } from './checker.ts';
import type { Decoration } from './world.ts';

export interface SeededBug {
  readonly name: string;
  readonly invariant: Invariant;
  /** Called for each world, because some bugs keep state. */
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

function toRow(application: NewApplication): ApplicationRow {
  return {
    ...application,
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
