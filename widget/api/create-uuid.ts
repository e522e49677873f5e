// Random UUIDs on pages of any origin.

/**
 * Returns a UUID, version 4 (RFC 9562, section 5.4). `crypto.randomUUID` is missing on pages that are loaded over plain `http:`.
 *
 * @param source for tests. Defaults to the browser's.
 */
export function createUuid(source: Pick<Crypto, 'getRandomValues'> = crypto): string {
  const digits = Array.from(source.getRandomValues(new Uint8Array(16)), (byte, index) => {
    const version = index === 6 ? (byte & 0x0f) | 0x40 : byte;
    const value = index === 8 ? (byte & 0x3f) | 0x80 : version;
    return value.toString(16).padStart(2, '0');
  });
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
