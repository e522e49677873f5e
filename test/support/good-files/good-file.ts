// A document that has to be accepted.

export interface GoodFile {
  /** In words, with its extension at the end. */
  readonly name: string;
  /** Without dot. */
  readonly extension: string;
  /** Default: none. */
  readonly needsPassword?: boolean;
  readonly make: () => Uint8Array | Promise<Uint8Array>;
}

/** One character a byte. */
export function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
