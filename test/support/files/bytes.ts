// Converts text with one character per byte, which the file writers build.

export function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

export function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
