// Reads database rows into the row types of the contract. Rows are validated like any other input.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../../shared/application/field-errors.ts';
import type { Rows } from './database.ts';
import {
  applicationStates,
  attachmentKinds,
  attachmentStates,
  heldReasons,
  type ApplicationRow,
  type AttachmentRow,
  type ConsentRow,
  type SessionRow,
} from './store.ts';

const blob = z.instanceof(Uint8Array);
const integer = z.int();
const text = z.string();

/** A column that may be null, which becomes `undefined`. */
function optional<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.pipe(
    z.nullable(schema),
    z.transform((value) => value ?? undefined),
  );
}

/** The schemas name columns in camelCase. */
const sessionSchema = z.object({
  id: text,
  origin: text,
  createdAt: integer,
  endedAt: optional(integer),
});

const deliveryShape = {
  attempts: integer,
  uncertainAttempts: integer,
  clearedAttempts: integer,
  interruptions: integer,
  firstAttemptAt: optional(integer),
  lastOutcome: optional(text),
  heldReason: optional(z.enum(heldReasons)),
  refusedSince: optional(integer),
  serviceId: optional(text),
  finishedAt: optional(integer),
};

const applicationSchema = z.object({
  ...deliveryShape,
  id: text,
  sessionId: text,
  idempotencyKey: text,
  fingerprint: text,
  state: z.enum(applicationStates),
  keyId: text,
  wrappedKey: blob,
  encryptedLead: optional(blob),
  receivedAt: integer,
  encryptedTrackingUrl: optional(blob),
  errors: text,
  erasedAt: optional(integer),
});

const attachmentSchema = z.object({
  ...deliveryShape,
  id: text,
  applicationId: text,
  kind: z.enum(attachmentKinds),
  category: text,
  encryptedName: optional(blob),
  createdAt: integer,
  state: z.enum(attachmentStates),
  number: integer,
  bytes: integer,
});

const consentSchema = z.object({
  id: text,
  applicationId: text,
  consentId: text,
  version: text,
  text,
  textHash: text,
  locale: optional(text),
  givenAt: integer,
  encryptedAddress: optional(blob),
});

/** Parses a row whose columns are named in snake_case. */
export function parseRow<Schema extends z.ZodMiniType>(
  schema: Schema,
  raw: unknown,
): z.output<Schema> {
  const columns = typeof raw === 'object' && raw !== null ? Object.entries(raw) : [];
  const properties = columns.map(([name, value]) => [
    name.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase()),
    value,
  ]);
  return schema.parse(Object.fromEntries(properties));
}

/** Converts the first row, if there is one. */
export function toFirst<Row>(rows: Rows, toRow: (raw: unknown) => Row): Row | undefined {
  return rows.length === 0 ? undefined : toRow(rows[0]);
}

export function toSession(raw: unknown): SessionRow {
  return parseRow(sessionSchema, raw);
}

export function toApplication(raw: unknown): ApplicationRow {
  const { keyId, wrappedKey, errors, ...row } = parseRow(applicationSchema, raw);
  return {
    ...row,
    key: { keyId, bytes: wrappedKey },
    errors: z.array(fieldErrorSchema).parse(JSON.parse(errors)),
  };
}

export function toAttachment(raw: unknown): AttachmentRow {
  return parseRow(attachmentSchema, raw);
}

export function toConsent(raw: unknown): ConsentRow {
  return parseRow(consentSchema, raw);
}

/** True when the error says that a row has invalid values. */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof z.core.$ZodError || error instanceof SyntaxError) return true;
  // An integer of SQLite can exceed the safe integers of JavaScript.
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}
