// The addresses of the widget-BFF contract.

export const apiPaths = {
  configuration: '/v1/configuration',
  session: '/v1/session',
  application: '/v1/application',
  offers: '/v1/offers',
  contact: '/v1/contact',
  documents: '/v1/documents',
  assetReport: '/v1/asset-report',
} as const;

/** Headers of the contract, lower-case. */
export const apiHeaders = {
  /** On every request, always `1`: no cross-site form can send it without a preflight. */
  request: 'x-funding-request',
  /** On `POST /v1/application`: a UUID made once for one set of answers (draft-ietf-httpapi-idempotency-key-header-07). */
  idempotencyKey: 'idempotency-key',
  /** On `POST /v1/application`: `1` when a field was filled in that people cannot see. */
  honeypot: 'x-funding-honeypot',
  /** On `POST /v1/application`, where the configuration names a challenge: the token that solving it gave. */
  challenge: 'x-funding-challenge',
  /** On `POST /v1/documents`: the file's name with its extension, percent-encoded (`encodeURIComponent`). */
  documentName: 'x-document-name',
  /** On `POST /v1/documents`: the id of a document category. */
  documentCategory: 'x-document-category',
} as const;

/** Headers of answers, which other origins may read, lower-case. */
export const apiResponseHeaders = {
  /** A session's handle that takes the place of an older one, where the browser does not keep the cookie. */
  session: 'x-funding-session',
} as const;
