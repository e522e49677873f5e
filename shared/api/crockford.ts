// Crockford's Base32, for references and codes that people read aloud and type.

/** No I, L, O, or U, which are mistaken for other characters. */
export const crockfordDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Reads typed text: in any case, with any spaces and dashes, and with O, I, and L for 0 and 1. Returns `undefined` if the text has
 * another length or another character.
 */
export function readCrockford(text: string, length: number): string | undefined {
  const typed = text
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  const isValid = [...typed].every((digit) => crockfordDigits.includes(digit));
  return typed.length === length && isValid ? typed : undefined;
}
