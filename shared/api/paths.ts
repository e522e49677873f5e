// The paths, headers, and contract version of the `/v1` API.

/**
 * Each response of `/v1` has it in a header, and the widget accepts only its own version, because it does not validate responses.
 * Increase it with each change that an earlier widget would misread: a removed or renamed property, another type or meaning, or a
 * new value in a closed list (error codes excepted). New properties need no new version. A page with an earlier widget then asks
 * the applicant to reload it.
 */
export const contractVersion = '1';

export const apiPaths = {
  configuration: '/v1/configuration',
  session: '/v1/session',
  draftKey: '/v1/draft-key',
  application: '/v1/application',
  places: '/v1/places',
  offers: '/v1/offers',
  contact: '/v1/contact',
  documents: '/v1/documents',
  documentCategory: '/v1/documents/category',
  documentRemoval: '/v1/documents/removal',
  assetReport: '/v1/asset-report',
  handoff: '/v1/handoff',
  handoffClaim: '/v1/handoff/claim',
  handoffConfirm: '/v1/handoff/confirm',
} as const;

/** The pages of the BFF: an application, and the upload on a phone. */
export const pagePaths = { apply: '/apply', phone: '/phone' } as const;

/** Request headers, lowercase. */
export const apiHeaders = {
  /** On every request, always `1`. A cross-site form cannot send it without a CORS preflight. */
  request: 'x-funding-request',
  /** On `POST /v1/application`: a UUID that stays the same while the body does (draft-ietf-httpapi-idempotency-key-header-07). */
  idempotencyKey: 'idempotency-key',
  /** On `POST /v1/application`: `1` if the honeypot field was filled in. */
  honeypot: 'x-funding-honeypot',
  /** On `POST /v1/application`, if the configuration has a challenge: the token of the solved challenge. */
  challenge: 'x-funding-challenge',
  /** On `POST /v1/documents`: the file name with its extension, percent-encoded (`encodeURIComponent`). */
  documentName: 'x-document-name',
  /** On `POST /v1/documents`: the id of a document category. Without it, the applicant can choose one for ten minutes. */
  documentCategory: 'x-document-category',
  /**
   * On every request of the phone in a handoff: `1`. The BFF then reads the cookie of the phone session, which has a name of its
   * own, so that a phone session never replaces an application session in the same browser.
   */
  phone: 'x-funding-phone',
} as const;

/** Response headers that other origins can read (CORS), lowercase. */
export const apiResponseHeaders = {
  /** On every response: `contractVersion`. */
  contractVersion: 'x-funding-contract-version',
  /** The renewed session token of a session without a cookie. It replaces the previous one. */
  session: 'x-funding-session',
} as const;
