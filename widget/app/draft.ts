// The answers exactly as typed.

/**
 * The text of each field by its path. A path is the JSON Pointer of the value in the application without the first slash
 * (`business/address/zip`), so that an error of the BFF leads to its field. A checkbox is `yes` or empty.
 */
export type Draft = Readonly<Record<string, string>>;

export const emptyDraft: Draft = {};

/** In the order of the form: the ZIP code fills in city and state, so it comes before them. */
export const addressParts = ['street', 'suite', 'zip', 'city', 'state'] as const;

/** Path of the question whether the home address is the business address: `yes`, `no`, or empty. It is not part of the application. */
export const homeChoicePath = 'owner/homeSameAsBusiness';

/** Path of the honeypot: a hidden field that programs fill in. It is not part of the application. */
export const honeypotPath = 'honeypot/website';

/** Path of the checkbox of a consent. */
export function consentPath(id: string): string {
  return `consents/${id}`;
}
