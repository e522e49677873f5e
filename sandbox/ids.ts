// Record ids as platforms of this shape write them: 18 characters, the first three naming the kind of record.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const suffixAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

export const idPrefixes = {
  lead: '00Q',
  document: '069',
  assetReport: 'a0R',
  offer: 'a0P',
  organization: '00D',
  user: '005',
} as const;

export type RandomBytes = (size: number) => Uint8Array;

/** An id of 15 random characters and the 3 that guard their case. */
export function createRecordId(kind: keyof typeof idPrefixes, randomBytes: RandomBytes): string {
  return withCaseGuard(idPrefixes[kind] + toAlphabet(randomBytes(12)));
}

/** Whether a text could be a lead's id at all; whether that lead exists is another question. */
export function isLeadId(text: string): boolean {
  return /^00Q[A-Za-z0-9]{15}$/.test(text) && withCaseGuard(text.slice(0, 15)) === text;
}

export function toAlphabet(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

/** Appends one character for each five, which tells the capitals among them, so that ids survive case-blind tools. */
function withCaseGuard(id: string): string {
  const guard = [0, 5, 10].map((start) => {
    const bits = Array.from(id.slice(start, start + 5), (letter, index) =>
      /[A-Z]/.test(letter) ? 1 << index : 0,
    );
    return suffixAlphabet.charAt(bits.reduce((sum, bit) => sum | bit, 0));
  });
  return id + guard.join('');
}
