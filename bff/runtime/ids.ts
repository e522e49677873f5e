// Creates identifiers, and checks their form. Tests replace created ones by predictable ones.

import { randomBytes, randomUUID } from 'node:crypto';

export interface Ids {
  /** Returns a UUIDv7 (RFC 9562), which sorts by the time of creation. */
  readonly createId: () => string;
  readonly createRequestId: () => string;
  /** Returns 128 random bits as text. */
  readonly createSessionId: () => string;
}

/** @param clock epoch milliseconds. */
export function createIds(clock: () => number): Ids {
  return {
    createId: () => toUuidV7(clock(), randomBytes(10)),
    createRequestId: randomUUID,
    createSessionId: () => randomBytes(16).toString('base64url'),
  };
}

/** Accepts any version of UUID, in lowercase. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** @param random ten bytes. */
export function toUuidV7(epochMs: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(epochMs, 0, 6);
  bytes.set(random, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
