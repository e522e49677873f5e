// What a made file is, and what must become of it.

export interface HostileFile {
  /** Files of one kind are counted together. */
  readonly group: string;
  /** What is wrong with it, in words; unique within its group. */
  readonly name: string;
  /** What it claims to be, without dot. */
  readonly extension: string;
  /** Default: `accept`. `refuse` is the strict mode. */
  readonly scripts?: 'accept' | 'refuse';
  /**
   * - `refused`: somewhere something would act on it, or cannot read it.
   * - `accepted`: harmless, and refusing it would be a fault.
   * - `either`: harmless to every viewer; the inspection only has to come to an end.
   */
  readonly expected: 'refused' | 'accepted' | 'either';
  /** Made when its turn comes, since some are large. */
  readonly make: () => Uint8Array;
}
