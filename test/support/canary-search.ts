// Finds secret values in bytes, in several encodings: raw, Base64, hexadecimal, percent-encoded, and the other letter case.

/** A value to search for. Reports contain its name, because they must not contain the value. */
export interface Canary {
  readonly name: string;
  readonly value: string;
}

export interface CanarySearch {
  /** Returns `name, form` of each value that it finds, without duplicates. */
  find(...places: readonly (Uint8Array | string)[]): readonly string[];
}

interface Pattern {
  readonly label: string;
  readonly bytes: Buffer;
}

const shortest = 4;

/** Searches for all forms of all values in one pass. */
export function createCanarySearch(canaries: readonly Canary[]): CanarySearch {
  const patterns = canaries.flatMap(listPatterns);
  const byBeginning = new Map<number, Pattern[]>();
  for (const pattern of patterns) {
    if (pattern.bytes.length < shortest) throw new RangeError(`${pattern.label} is too short`);
    const beginning = pattern.bytes.readUInt16BE(0);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), pattern]);
  }
  const beginnings = new Uint8Array(0x1_0000);
  for (const beginning of byBeginning.keys()) beginnings[beginning] = 1;

  function findIn(bytes: Buffer, found: Set<string>): void {
    let pair = bytes[0] ?? 0;
    for (let index = 1; index < bytes.length; index += 1) {
      pair = ((pair << 8) | (bytes[index] ?? 0)) & 0xffff;
      if (beginnings[pair] === 0) continue;
      for (const { label, bytes: wanted } of byBeginning.get(pair) ?? []) {
        const start = index - 1;
        if (bytes.subarray(start, start + wanted.length).equals(wanted)) found.add(label);
      }
    }
  }

  return {
    find(...places) {
      const found = new Set<string>();
      for (const place of places) findIn(Buffer.from(place), found);
      return [...found];
    },
  };
}

function listPatterns({ name, value }: Canary): Pattern[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const percent = encodeURIComponent(value);
  const texts: readonly (readonly [string, string])[] = [
    ['raw', value],
    ['other case', toOtherCase(value)],
    ['URL', percent],
    ['URL, blanks as plus', percent.replaceAll('%20', '+')],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ...[0, 1, 2].flatMap((shift) => {
      const base64 = toShiftedBase64(bytes, shift);
      const base64Url = base64.replaceAll('+', '-').replaceAll('/', '_');
      return [
        [`Base64 at ${shift}`, base64],
        [`Base64URL at ${shift}`, base64Url],
      ] as const;
    }),
  ];
  // When two forms have the same text, the first form names it.
  const unique = new Map(texts.toReversed().map(([form, text]) => [text, form]));
  return [...unique].map(([text, form]) => ({
    label: `${name}, ${form}`,
    bytes: Buffer.from(text),
  }));
}

/** Returns the part of the Base64 text that does not depend on neighboring bytes, with `shift` bytes before the value. */
function toShiftedBase64(bytes: Uint8Array, shift: number): string {
  const base64 = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const bits = (shift + bytes.length) * 8;
  return base64.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6));
}

function toOtherCase(text: string): string {
  return [...text]
    .map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))
    .join('');
}
