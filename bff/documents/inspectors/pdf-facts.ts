// What the objects of a PDF say of it as a whole, kept until all of them are read.

/** For an object whose number cannot be told: it is every number. */
export const unknownNumber = -1;

/** Where a trailer says how the document is encrypted (7.5.5); positions behind the keys, as far as they are there. */
export interface EncryptionPlace {
  encryption: number | undefined;
  id: number | undefined;
}

export interface PdfFacts {
  /** Each dictionary that names a catalog: a trailer, or what stands for one. */
  readonly catalogs: EncryptionPlace[];
  readonly encryptions: EncryptionPlace[];
  /** How many dictionaries have what only the one of an encryption has, the checks of two passwords. */
  passwordChecks: number;
  /** The numbers of objects that are started or shown when the document is opened. */
  readonly openings: Set<number>;
  /** The numbers of objects that must not be. */
  readonly unfitForOpening: Set<number>;
}

export function createFacts(): PdfFacts {
  return {
    catalogs: [],
    encryptions: [],
    passwordChecks: 0,
    openings: new Set(),
    unfitForOpening: new Set(),
  };
}
