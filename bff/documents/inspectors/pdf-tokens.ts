// The tokens of a PDF (ISO 32000-2, 7.2), read as the most lenient readers do: what any of them takes for a name must be seen as one here.

export type PdfTokenKind =
  | 'end'
  | 'name'
  /** A number or a keyword. */
  | 'word'
  | 'string'
  | '<<'
  | '>>'
  | '['
  | ']'
  /** A bracket that belongs to nothing. */
  | 'stray';

const regular = 0;
const white = 1;
const delimiter = 2;

/** 0x80 and 0xFF are white to PDFium, the reader in Chromium. Who does not agree sees a longer name, which means nothing to it. */
const classes = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32, 0x80, 0xff]) classes[byte] = white;
for (const sign of '()<>[]{}/%') classes[sign.charCodeAt(0)] = delimiter;

export function isWhite(byte: number): boolean {
  return classes[byte] === white;
}

const backslash = 0x5c;
const openParenthesis = 0x28;
const closeParenthesis = 0x29;
const lineFeed = 10;
const carriageReturn = 13;

/** No name that means anything here is longer, even with each of its letters escaped. */
const longestName = 3 * 20;

/** Moves from token to token over `[position, limit)`. Builds nothing, and never goes back. */
export class PdfTokens {
  /** Where the current token begins. */
  start: number;
  /** Behind the current token. */
  position: number;
  /** A byte was passed over that is a blank to PDFium and a letter to others. */
  hasOddBlank = false;
  readonly bytes: Buffer;
  readonly limit: number;

  constructor(bytes: Buffer, position = 0, limit = bytes.length) {
    this.bytes = bytes;
    this.start = position;
    this.position = position;
    this.limit = limit;
  }

  next(): PdfTokenKind {
    this.#skipBlanks();
    this.start = this.position;
    if (this.position >= this.limit) return 'end';
    const byte = this.bytes[this.position] ?? 0;
    if (classes[byte] !== delimiter) {
      this.#skipRegular();
      return 'word';
    }
    this.position += 1;
    switch (byte) {
      case 0x2f:
        this.#skipRegular();
        return 'name';
      case openParenthesis:
        this.#skipString();
        return 'string';
      case 0x3c:
        if (this.#takes(0x3c)) return '<<';
        this.#skipHexadecimal();
        return 'string';
      case 0x3e:
        return this.#takes(0x3e) ? '>>' : 'stray';
      case 0x5b:
        return '[';
      case 0x5d:
        return ']';
      default:
        return 'stray';
    }
  }

  /** The current name without its slash and with its escapes undone (7.3.5); empty when it is longer than any that matters. */
  readName(): string {
    if (this.position - this.start > longestName) return '';
    const raw = this.bytes.toString('latin1', this.start + 1, this.position);
    return raw.includes('#')
      ? raw.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        )
      : raw;
  }

  /** The current word, when it is no longer than any that matters. */
  readWord(): string {
    return this.position - this.start > longestName
      ? ''
      : this.bytes.toString('latin1', this.start, this.position);
  }

  #takes(byte: number): boolean {
    if (this.position >= this.limit || this.bytes[this.position] !== byte) return false;
    this.position += 1;
    return true;
  }

  /** White space, and comments up to the end of their line. */
  #skipBlanks(): void {
    let isComment = false;
    while (this.position < this.limit) {
      const byte = this.bytes[this.position] ?? 0;
      if (isComment) isComment = byte !== lineFeed && byte !== carriageReturn;
      else if (byte === 0x25) isComment = true;
      else if (classes[byte] !== white) return;
      else if (byte >= 0x80) this.hasOddBlank = true;
      this.position += 1;
    }
  }

  #skipRegular(): void {
    while (this.position < this.limit && classes[this.bytes[this.position] ?? 0] === regular) {
      this.position += 1;
    }
  }

  /** A string ends where its parentheses balance (7.3.4.2). */
  #skipString(): void {
    let depth = 1;
    while (this.position < this.limit && depth > 0) {
      const byte = this.bytes[this.position];
      this.position += byte === backslash ? 2 : 1;
      if (byte === openParenthesis) depth += 1;
      else if (byte === closeParenthesis) depth -= 1;
    }
    this.position = Math.min(this.position, this.limit);
  }

  #skipHexadecimal(): void {
    const end = this.bytes.indexOf(0x3e, this.position);
    this.position = end === -1 || end >= this.limit ? this.limit : end + 1;
  }
}
