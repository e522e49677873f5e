// The short form of a reference, such as `7K4-92M`, which an applicant can read aloud and an operator can type.

import { crockfordDigits, readCrockford } from './crockford.ts';

/**
 * Encodes the last 30 bits of a reference. They are random (RFC 9562, `rand_b` of UUIDv7), so among a million applications
 * about one in a thousand short references belongs to two of them. A reference that is not a UUID is returned unchanged: a host
 * page with an `api` of its own can have any.
 */
export function toShortReference(reference: string): string {
  if (!/^[\da-f-]{36}$/i.test(reference)) return reference;
  const bits = Number.parseInt(reference.slice(-8), 16);
  const places = [25, 20, 15, 10, 5, 0];
  return toDashed(places.map((place) => crockfordDigits.charAt((bits >>> place) & 31)).join(''));
}

/** Reads a typed short reference. */
export function readShortReference(text: string): string | undefined {
  const typed = readCrockford(text, 6);
  return typed && toDashed(typed);
}

/** The last 28 of the 30 bits as they end a reference: seven hexadecimal digits, which a database can look up. */
export function toReferenceEnding(shortReference: string): string {
  const bits = [...shortReference.replace('-', '')].reduce(
    (sum, digit) => sum * 32 + crockfordDigits.indexOf(digit),
    0,
  );
  return (bits % 2 ** 28).toString(16).padStart(7, '0');
}

function toDashed(digits: string): string {
  return `${digits.slice(0, 3)}-${digits.slice(3)}`;
}
