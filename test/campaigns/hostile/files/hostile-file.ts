// A hostile file, with the expected verdict.

export interface HostileFile {
  /** The kind of attack. */
  readonly group: string;
  /** Unique in its group. */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
  /** Default: `accept`. `refuse` is the strict mode. */
  readonly scripts?: 'accept' | 'refuse';
  /**
   * - `refused`: a viewer would run the content, or cannot read the file.
   * - `accepted`: the file is harmless.
   * - `either`: the file is harmless to all viewers. The inspection only has to end.
   */
  readonly expected: 'refused' | 'accepted' | 'either';
  /** Called when the file is inspected, because some files are large. */
  readonly make: () => Uint8Array;
}
