// A document that has to be accepted.

export interface GoodFile {
  /** In words, with its extension at the end. */
  readonly name: string;
  /** Without dot. */
  readonly extension: string;
  /** Default: accepted in strict mode too. */
  readonly isRefusedInStrictMode?: boolean;
  readonly make: () => Uint8Array | Promise<Uint8Array>;
}
