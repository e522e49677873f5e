// Lists and limits of the form's model that need no schema.

/** The languages of the form. `ARCHITECTURE.md`, "Add a language", lists what each of them needs. */
export const locales = ['en', 'es'] as const;

/** A language of the form. */
export type Locale = (typeof locales)[number];

/** A text in each language. English replaces a missing language. */
export type LocalizedText = Readonly<
  Record<'en', string> & Partial<Record<Locale, string | undefined>>
>;

/** Fields that are optional for the funding service. A partner can make them required. */
export const requirableFields = [
  'birthDate',
  'ssn',
  'taxId',
  'ownershipPercent',
  'employees',
] as const;

export type RequirableField = (typeof requirableFields)[number];

/** Larger amounts are treated as typing mistakes. The spec shows no bounds ("Limits"). */
export const maxDollars = 999_999_999;

/** The id of the consent to be contacted by the lender. A contact request needs it again. */
export const contactConsentId = 'contact';
