// A document that the inspection must accept.

export interface GoodFile {
  /** A description. */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
  /** Default: the strict mode accepts it as well. */
  readonly isRefusedInStrictMode?: boolean;
  readonly make: () => Uint8Array | Promise<Uint8Array>;
}
