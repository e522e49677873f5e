// What may stand behind the end of any document, since programs and mailers put it there and nothing reads it.

const filling = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x1a, 0x20]);

/** Zeros up to a round length, blanks, the ends of lines, and the end mark of old systems (0x1A). */
export function isFilling(byte: number | undefined): boolean {
  return byte !== undefined && filling.has(byte);
}
