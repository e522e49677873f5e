// Reads raw rows into records; what a database holds is checked like any other input.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../../shared/application/field-errors.ts';
import {
  applicationStates,
  attachmentKinds,
  attachmentStates,
  deliveryKinds,
  heldReasons,
  type ApplicationRow,
  type AttachmentRow,
  type ConsentRow,
  type DeliveryProgress,
  type ApplicationKey,
  type SessionRow,
  type StateCount,
} from './store.ts';

const blob = z.instanceof(Uint8Array);
const integer = z.int();
const text = z.string();

const sessionSchema = z.object({
  id: text,
  origin: text,
  created_at: integer,
  ended_at: z.nullable(integer),
});

const progressShape = {
  attempts: integer,
  uncertain_attempts: integer,
  interruptions: integer,
  first_attempt_at: z.nullable(integer),
  last_outcome: z.nullable(text),
  cleared_attempts: integer,
  refused_since: z.nullable(integer),
  held_reason: z.nullable(z.enum(heldReasons)),
  fence: integer,
  service_id: z.nullable(text),
  finished_at: z.nullable(integer),
};

const progressSchema = z.object(progressShape);

const applicationSchema = z.object({
  ...progressShape,
  id: text,
  session_id: text,
  idempotency_key: text,
  fingerprint: text,
  state: z.enum(applicationStates),
  key_id: text,
  wrapped_key: blob,
  encrypted_lead: z.nullable(blob),
  received_at: integer,
  encrypted_tracking_url: z.nullable(blob),
  errors: text,
  erased_at: z.nullable(integer),
});

const attachmentSchema = z.object({
  ...progressShape,
  id: text,
  application_id: text,
  kind: z.enum(attachmentKinds),
  category: text,
  encrypted_name: z.nullable(blob),
  created_at: integer,
  state: z.enum(attachmentStates),
  number: integer,
  bytes: integer,
});

const consentSchema = z.object({
  id: text,
  application_id: text,
  consent_id: text,
  version: text,
  text,
  text_hash: text,
  given_at: integer,
  encrypted_address: z.nullable(blob),
  locale: z.nullable(text),
});

/** A row that can be claimed carries the number of its latest claim. */
export interface Fenced<Row> {
  readonly fencingToken: number;
  readonly row: Row;
}

export function toSession(raw: unknown): SessionRow {
  const row = sessionSchema.parse(raw);
  return {
    id: row.id,
    origin: row.origin,
    createdAt: row.created_at,
    endedAt: row.ended_at ?? undefined,
  };
}

export function toApplication(raw: unknown): ApplicationRow {
  return toFencedApplication(raw).row;
}

export function toFencedApplication(raw: unknown): Fenced<ApplicationRow> {
  const row = applicationSchema.parse(raw);
  return {
    fencingToken: row.fence,
    row: {
      id: row.id,
      sessionId: row.session_id,
      idempotencyKey: row.idempotency_key,
      fingerprint: row.fingerprint,
      state: row.state,
      key: { keyId: row.key_id, bytes: row.wrapped_key },
      encryptedLead: row.encrypted_lead ?? undefined,
      receivedAt: row.received_at,
      ...toProgress(row),
      serviceId: row.service_id ?? undefined,
      encryptedTrackingUrl: row.encrypted_tracking_url ?? undefined,
      errors: z.array(fieldErrorSchema).parse(JSON.parse(row.errors)),
      finishedAt: row.finished_at ?? undefined,
      erasedAt: row.erased_at ?? undefined,
    },
  };
}

export function toAttachment(raw: unknown): AttachmentRow {
  return toFencedAttachment(raw).row;
}

export function toFencedAttachment(raw: unknown): Fenced<AttachmentRow> {
  const row = attachmentSchema.parse(raw);
  return {
    fencingToken: row.fence,
    row: {
      id: row.id,
      applicationId: row.application_id,
      kind: row.kind,
      category: row.category,
      encryptedName: row.encrypted_name ?? undefined,
      createdAt: row.created_at,
      state: row.state,
      number: row.number,
      bytes: row.bytes,
      ...toProgress(row),
      serviceId: row.service_id ?? undefined,
      finishedAt: row.finished_at ?? undefined,
    },
  };
}

function toProgress(row: z.infer<typeof progressSchema>): DeliveryProgress {
  return {
    attempts: row.attempts,
    uncertainAttempts: row.uncertain_attempts,
    clearedAttempts: row.cleared_attempts,
    interruptions: row.interruptions,
    firstAttemptAt: row.first_attempt_at ?? undefined,
    lastOutcome: row.last_outcome ?? undefined,
    heldReason: row.held_reason ?? undefined,
    refusedSince: row.refused_since ?? undefined,
  };
}

export function toConsent(raw: unknown): ConsentRow {
  const row = consentSchema.parse(raw);
  return {
    id: row.id,
    applicationId: row.application_id,
    consentId: row.consent_id,
    version: row.version,
    text: row.text,
    textHash: row.text_hash,
    locale: row.locale ?? undefined,
    givenAt: row.given_at,
    encryptedAddress: row.encrypted_address ?? undefined,
  };
}

/** What a claim answers: which row, and when by the store's clock. */
export function toClaimedRow(raw: unknown): { readonly id: string; readonly claimedAt: number } {
  const row = z.object({ id: text, claimed_at: integer }).parse(raw);
  return { id: row.id, claimedAt: row.claimed_at };
}

/** The id of a row of which nothing else has to be right. */
export function toId(raw: unknown): string {
  return z.object({ id: text }).parse(raw).id;
}

/** Milliseconds from a row with the one column `ms`. */
export function toNumber(raw: unknown): number | undefined {
  return z.object({ ms: z.nullable(integer) }).parse(raw).ms ?? undefined;
}

/** From a row with the one column `count`. */
export function toCount(raw: unknown): number {
  return z.object({ count: integer }).parse(raw).count;
}

/** How many rows, and their bytes together. */
export interface Measure {
  readonly count: number;
  readonly bytes: number;
}

export function toMeasure(raw: unknown): Measure {
  return z.object({ count: integer, bytes: integer }).parse(raw);
}

export function toBlob(raw: unknown): Uint8Array {
  return z.object({ encrypted: blob }).parse(raw).encrypted;
}

const stateCountSchema = z.object({ kind: text, state: text, count: integer, oldest_at: integer });

export function toStateCount(raw: unknown): StateCount {
  const row = stateCountSchema.parse(raw);
  return {
    kind: deliveryKinds.find((kind) => kind === row.kind) ?? 'application',
    state:
      [...applicationStates, ...attachmentStates].find((state) => state === row.state) ??
      'unreadable',
    count: row.count,
    oldestAt: row.oldest_at,
  };
}

export function toKeptKey(raw: unknown): ApplicationKey {
  const row = z.object({ id: text, key_id: text, wrapped_key: blob }).parse(raw);
  return { applicationId: row.id, key: { keyId: row.key_id, bytes: row.wrapped_key } };
}

/** Whether the error says that a row does not hold what it should; any other is the database's. */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof z.core.$ZodError || error instanceof SyntaxError) return true;
  // SQLite's whole numbers go beyond those of JavaScript.
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}
