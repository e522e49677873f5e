// Strict Base64 (RFC 4648 section 4): the standard alphabet, padded, nothing else in between.

/**
 * The decoded bytes, or undefined when the text is not exactly the encoding of some bytes. Line breaks (section 3.1), foreign
 * letters (3.3), missing padding (3.2) and spare bits that are not zero (3.5) are refused.
 */
export function decodeStrictBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  // A plain search for a foreign letter stays linear and flat on texts of tens of megabytes; a grouped pattern would not.
  const body = text.replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(body)) return undefined;
  const lastQuantum = text.slice(-4);
  if (Buffer.from(lastQuantum, 'base64').toString('base64') !== lastQuantum) return undefined;
  return Buffer.from(text, 'base64');
}
