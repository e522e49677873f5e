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
  application: '/v1/application',
  offers: '/v1/offers',
  contact: '/v1/contact',
  documents: '/v1/documents',
  assetReport: '/v1/asset-report',
} as const;

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
  /** On `POST /v1/documents`: the id of a document category. */
  documentCategory: 'x-document-category',
} as const;

/** Response headers that other origins can read (CORS), lowercase. */
export const apiResponseHeaders = {
  /** On every response: `contractVersion`. */
  contractVersion: 'x-funding-contract-version',
  /** The renewed session token of a session without a cookie. It replaces the previous one. */
  session: 'x-funding-session',
} as const;
