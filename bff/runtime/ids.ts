// Creates identifiers, and checks their form.

import { randomUUID } from 'node:crypto';

/** Returns a UUIDv7 (RFC 9562), which sorts by the time of creation. */
export function createId(epochMs: number): string {
  const time = epochMs.toString(16).padStart(12, '0');
  // The random bits and the variant of a UUIDv4, which Node creates from random bytes that it has in store.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Accepts any version of UUID, in lowercase. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
