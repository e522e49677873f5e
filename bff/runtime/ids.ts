// Creates identifiers, and checks their form.

import { randomBytes } from 'node:crypto';

/** Returns a UUIDv7 (RFC 9562), which sorts by the time of creation. */
export function createId(epochMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(epochMs, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Accepts any version of UUID, in lowercase. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
