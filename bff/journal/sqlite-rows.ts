// Reads rows of the SQLite journal into the journal's own types; what a file holds is checked like any other input.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../../shared/application/field-errors.ts';
import {
  applicationStates,
  childKinds,
  childStates,
  type ApplicationRow,
  type ChildRow,
  type ConsentRow,
  type SessionRow,
} from './journal.ts';

const blob = z.instanceof(Uint8Array);
const integer = z.int();
const text = z.string();

const sessionSchema = z.object({
  id: text,
  origin: text,
  created_at: integer,
  ended_at: z.nullable(integer),
});

const applicationSchema = z.object({
  id: text,
  session_id: text,
  idempotency_key: text,
  fingerprint: text,
  state: z.enum(applicationStates),
  key_id: text,
  wrapped_key: blob,
  sealed_lead: z.nullable(blob),
  received_at: integer,
  attempts: integer,
  uncertain_attempts: integer,
  fence: integer,
  service_id: z.nullable(text),
  sealed_tracking_url: z.nullable(blob),
  errors: text,
});

const childSchema = z.object({
  id: text,
  application_id: text,
  kind: z.enum(childKinds),
  category: text,
  sealed_name: z.nullable(blob),
  created_at: integer,
  state: z.enum(childStates),
  number: integer,
  bytes: integer,
  attempts: integer,
  uncertain_attempts: integer,
  fence: integer,
  service_id: z.nullable(text),
});

const consentSchema = z.object({
  id: text,
  application_id: text,
  consent_id: text,
  version: text,
  text,
  text_hash: text,
  given_at: integer,
  sealed_address: z.nullable(blob),
});

/** A row that can be claimed carries the number of its latest claim. */
export interface Fenced<Row> {
  readonly fence: number;
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
    fence: row.fence,
    row: {
      id: row.id,
      sessionId: row.session_id,
      idempotencyKey: row.idempotency_key,
      fingerprint: row.fingerprint,
      state: row.state,
      key: { keyId: row.key_id, bytes: row.wrapped_key },
      sealedLead: row.sealed_lead ?? undefined,
      receivedAt: row.received_at,
      attempts: row.attempts,
      uncertainAttempts: row.uncertain_attempts,
      serviceId: row.service_id ?? undefined,
      sealedTrackingUrl: row.sealed_tracking_url ?? undefined,
      errors: z.array(fieldErrorSchema).parse(JSON.parse(row.errors)),
    },
  };
}

export function toChild(raw: unknown): ChildRow {
  return toFencedChild(raw).row;
}

export function toFencedChild(raw: unknown): Fenced<ChildRow> {
  const row = childSchema.parse(raw);
  return {
    fence: row.fence,
    row: {
      id: row.id,
      applicationId: row.application_id,
      kind: row.kind,
      category: row.category,
      sealedName: row.sealed_name ?? undefined,
      createdAt: row.created_at,
      state: row.state,
      number: row.number,
      bytes: row.bytes,
      attempts: row.attempts,
      uncertainAttempts: row.uncertain_attempts,
      serviceId: row.service_id ?? undefined,
    },
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
    givenAt: row.given_at,
    sealedAddress: row.sealed_address ?? undefined,
  };
}

/** The single value of a `select` of one column, for example a count. */
export function toNumber(raw: unknown): number | undefined {
  const [value] = Object.values(z.record(text, z.nullable(integer)).parse(raw));
  return value ?? undefined;
}

export function toBlob(raw: unknown): Uint8Array {
  return z.object({ sealed: blob }).parse(raw).sealed;
}
