// The short form of a reference, such as `7K4-92M`, which an applicant can read aloud and an operator can type.

/** Crockford's Base32: no I, L, O, or U, which are mistaken for other characters. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const misread: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

/**
 * Encodes the last 30 bits of a reference. They are random (RFC 9562, `rand_b` of UUIDv7), so among a million applications
 * about one in a thousand short references belongs to two of them. A reference that is not a UUID is returned unchanged: a host
 * page with an `api` of its own can have any.
 */
export function toShortReference(reference: string): string {
  if (!/^[\da-f-]{36}$/i.test(reference)) return reference;
  const bits = Number.parseInt(reference.slice(-8), 16);
  const text = [25, 20, 15, 10, 5, 0].map((place) => digits.charAt((bits >>> place) & 31)).join('');
  return `${text.slice(0, 3)}-${text.slice(3)}`;
}

/** Reads a typed short reference: in any case, with any spaces and dashes, and with O, I, and L for 0 and 1. */
export function readShortReference(text: string): string | undefined {
  const typed = text
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll(/[OIL]/g, (letter) => misread[letter] ?? letter);
  const isShort = typed.length === 6 && [...typed].every((digit) => digits.includes(digit));
  return isShort ? `${typed.slice(0, 3)}-${typed.slice(3)}` : undefined;
}

/** The last 28 of the 30 bits as they end a reference: seven hexadecimal digits, which a database can look up. */
export function toReferenceEnding(shortReference: string): string {
  const bits = [...shortReference.replace('-', '')].reduce(
    (sum, digit) => sum * 32 + digits.indexOf(digit),
    0,
  );
  return (bits % 2 ** 28).toString(16).padStart(7, '0');
}
