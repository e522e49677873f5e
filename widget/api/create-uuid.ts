// Random UUIDs on pages that are loaded over `http:` or `https:`.

/**
 * Returns a UUID, version 4 (RFC 9562, section 5.4). `crypto.randomUUID` is missing on pages that are loaded over plain `http:`.
 *
 * @param source for tests. Defaults to the browser's.
 */
export function createUuid(source: Pick<Crypto, 'getRandomValues'> = crypto): string {
  // The 4 is the version. The two high bits of the 8 are the variant.
  return '00000000-0000-4000-8000-000000000000'.replace(/[08]/g, (digit) => {
    const [byte = 0] = source.getRandomValues(new Uint8Array(1));
    return (digit === '8' ? 8 + (byte % 4) : byte % 16).toString(16);
  });
}
