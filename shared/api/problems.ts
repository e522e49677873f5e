// Errors of the `/v1` API: the problem details body (RFC 9457), and the table that defines each code.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../application/field-errors.ts';
import { apiPaths } from './paths.ts';
import { problemCodes, type ProblemCode } from './problem-codes.ts';

/** The body of an error (`application/problem+json`). It never contains a value of the request. */
export const problemSchema = z.object({
  /** A URI that identifies the code (RFC 9457). Compare `code` instead. */
  type: z.string(),
  /** Names the problem in English, for developers. */
  title: z.string(),
  /** The HTTP status of the response. */
  status: z.int(),
  /** The reason. The list is closed: docs/reference/problem-codes.md has advice for each. */
  code: z.enum(problemCodes),
  /** Identifies the request in the log of the BFF, and in the header `X-Request-Id`. */
  requestId: z.string(),
  /** For developers, if the server that runs the BFF is set up wrongly. */
  detail: z.optional(z.string()),
  /** The errors of single fields, if `code` is about the body. */
  errors: z.optional(z.array(fieldErrorSchema)),
});

export type Problem = z.infer<typeof problemSchema>;

/** A method and a path. */
type Endpoint = `${'GET' | 'POST' | 'DELETE'} ${(typeof apiPaths)[keyof typeof apiPaths]}`;

export interface ProblemDefinition {
  readonly status: number;
  /** For developers. The widget shows applicants a message from its own catalog instead. */
  readonly title: string;
  /**
   * The endpoints that can return this problem. The OpenAPI document lists the problem for them. `all`: every endpoint.
   * `session`: endpoints that read the session. `json`: endpoints with a JSON body. An empty list: only requests that match no
   * endpoint.
   */
  readonly requests: 'all' | 'session' | 'json' | readonly Endpoint[];
}

const submit = `POST ${apiPaths.application}` as const;
const readStatus = `GET ${apiPaths.application}` as const;
const readOffers = `GET ${apiPaths.offers}` as const;
const requestContact = `POST ${apiPaths.contact}` as const;
const uploadDocument = `POST ${apiPaths.documents}` as const;
const changeCategory = `POST ${apiPaths.documentCategory}` as const;
const removeDocument = `POST ${apiPaths.documentRemoval}` as const;
const createHandoff = `POST ${apiPaths.handoff}` as const;
const claimHandoff = `POST ${apiPaths.handoffClaim}` as const;
/** Requests that a phone session can send. */
const phoneRequests = [
  `GET ${apiPaths.handoff}`,
  `DELETE ${apiPaths.handoff}`,
  `POST ${apiPaths.handoffConfirm}`,
  `GET ${apiPaths.documents}`,
  `POST ${apiPaths.documents}`,
  changeCategory,
  removeDocument,
] as const;
const submitReport = `POST ${apiPaths.assetReport}` as const;

/**
 * To add a problem, add its code to `problemCodes`, define it here, and throw an `AppError` with the code. Types then demand
 * its advice for developers in `problem-advice.ts`, its text for applicants in `widget/i18n` (both languages), and a request that causes it in `test/campaigns/hostile/canary-problems.ts`.
 * `npm run docs` adds it to the references.
 */
export const problems = {
  'origin-refused': {
    status: 403,
    title:
      'The origin of the request is not allowed. Add it to ALLOWED_ORIGINS or CROSS_SITE_ORIGINS.',
    requests: 'all',
  },
  'header-missing': {
    status: 403,
    title:
      'The X-Funding-Request header is missing. Send "X-Funding-Request: 1" with every request.',
    requests: 'all',
  },
  'not-found': {
    status: 404,
    title: 'Not found.',
    requests: [],
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed for this path. The Allow header lists the allowed methods.',
    requests: [],
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The Content-Type is not supported.',
    requests: 'all',
  },
  'too-large': {
    status: 413,
    title: 'The request body is too large.',
    requests: 'json',
  },
  'invalid-request': {
    status: 400,
    title: 'The request is invalid. See "errors" for the fields.',
    requests: 'json',
  },
  'session-missing': {
    status: 401,
    title: 'The session is missing or expired. Start one with POST /v1/session.',
    requests: 'session',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests. Retry after the delay in Retry-After.',
    requests: 'all',
  },
  'too-busy': {
    status: 503,
    title: 'The server is at capacity. Retry after the delay in Retry-After.',
    requests: 'all',
  },
  'too-soon': {
    status: 429,
    title:
      'The form was submitted faster than a person can fill it in. Retry after the delay in Retry-After.',
    requests: [submit],
  },
  'automation-suspected': {
    status: 422,
    title: 'The honeypot field was filled in.',
    requests: [submit],
  },
  'challenge-required': {
    status: 403,
    title: 'The challenge token is missing, invalid, or already used. Solve the challenge again.',
    requests: [submit],
  },
  'challenge-unavailable': {
    status: 503,
    title: 'The challenge provider is unavailable. Retry after the delay in Retry-After.',
    requests: [submit],
  },
  'idempotency-key-missing': {
    status: 400,
    title: 'The Idempotency-Key header is missing or is not a UUID.',
    requests: [submit],
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was already used with a different body. Use a new key.',
    requests: [submit],
  },
  'application-exists': {
    status: 409,
    title: 'The session already has an application.',
    requests: [submit],
  },
  'application-missing': {
    status: 409,
    title: 'The session has no application yet. Submit one with POST /v1/application.',
    requests: [
      readStatus,
      readOffers,
      requestContact,
      uploadDocument,
      changeCategory,
      removeDocument,
      submitReport,
      createHandoff,
    ],
  },
  'application-pending': {
    status: 409,
    title: 'The funding service has not accepted the application yet. Retry later.',
    requests: [readOffers],
  },
  'application-rejected': {
    status: 422,
    title: 'The funding service rejected the application.',
    requests: [
      submit,
      readOffers,
      requestContact,
      uploadDocument,
      changeCategory,
      removeDocument,
      submitReport,
      createHandoff,
    ],
  },
  'consent-required': {
    status: 422,
    title:
      'A required consent is missing or outdated. Load the configuration and ask for the consent again.',
    requests: [submit, requestContact],
  },
  'document-name-invalid': {
    status: 400,
    title: 'The X-Document-Name header is missing or invalid.',
    requests: [uploadDocument],
  },
  'document-category-invalid': {
    status: 400,
    title: 'The category is not in the list of categories.',
    requests: [uploadDocument, changeCategory],
  },
  'document-length-required': {
    status: 411,
    title: 'The Content-Length header is missing.',
    requests: [uploadDocument, submitReport],
  },
  'document-empty': {
    status: 422,
    title: 'The document is empty.',
    requests: [uploadDocument],
  },
  'document-too-large': {
    status: 413,
    title: 'The document is larger than the limit.',
    requests: [uploadDocument],
  },
  'document-incomplete': {
    status: 400,
    title: 'The document is shorter than its Content-Length. Send it again.',
    requests: [uploadDocument],
  },
  'document-type-refused': {
    status: 422,
    title: 'The type of the document is not accepted.',
    requests: [uploadDocument],
  },
  'document-type-mismatch': {
    status: 422,
    title: 'The content of the document does not match its file extension.',
    requests: [uploadDocument],
  },
  'document-damaged': {
    status: 422,
    title: 'The document is damaged or incomplete.',
    requests: [uploadDocument],
  },
  'document-picture-damaged': {
    status: 422,
    title: 'The image is damaged or incomplete.',
    requests: [uploadDocument],
  },
  'document-password': {
    status: 422,
    title: 'The document is protected by a password.',
    requests: [uploadDocument],
  },
  'document-attachments': {
    status: 422,
    title: 'The document contains other files.',
    requests: [uploadDocument],
  },
  'document-active-content': {
    status: 422,
    title:
      'The document contains active content: it can start a program, load a resource, or send data.',
    requests: [uploadDocument],
  },
  'document-media': {
    status: 422,
    title: 'The document contains video, sound, or 3D content.',
    requests: [uploadDocument],
  },
  'document-scripts': {
    status: 422,
    title: 'The document contains scripts.',
    requests: [uploadDocument],
  },
  'document-unsafe': {
    status: 422,
    title: 'The document is also a file of another type, or decompresses to too much data.',
    requests: [uploadDocument],
  },
  'document-not-checked': {
    status: 422,
    title: 'The inspection of the document failed twice.',
    requests: [uploadDocument],
  },
  'document-too-many-pixels': {
    status: 422,
    title: 'The image has too many pixels.',
    requests: [uploadDocument],
  },
  'document-infected': {
    status: 422,
    title: 'The virus scanner rejected the document.',
    requests: [uploadDocument],
  },
  'document-limit-reached': {
    status: 409,
    title: 'The application already has the maximum number of documents.',
    requests: [uploadDocument, submitReport],
  },
  'document-space-exhausted': {
    status: 409,
    title: 'The documents of the application already have the maximum total size.',
    requests: [uploadDocument],
  },
  'document-rejected': {
    status: 422,
    title: 'The funding service rejected the document.',
    requests: [uploadDocument],
  },
  'document-missing': {
    status: 404,
    title: 'The application has no document with this number, or it was removed.',
    requests: [changeCategory],
  },
  'document-sent': {
    status: 409,
    title: 'The document was sent to the funding service, or is being sent. It cannot be changed.',
    requests: [changeCategory, removeDocument],
  },
  'asset-report-invalid': {
    status: 422,
    title: 'The asset report contains no report data.',
    requests: [submitReport],
  },
  'asset-report-rejected': {
    status: 422,
    title: 'The funding service rejected the asset report.',
    requests: [submitReport],
  },
  'handoff-not-found': {
    status: 404,
    title: 'No handoff has this token or code.',
    requests: [claimHandoff],
  },
  'handoff-expired': {
    status: 410,
    title: 'The handoff was not claimed, or its number not picked, in time. Create another one.',
    requests: [claimHandoff, ...phoneRequests],
  },
  'handoff-claimed': {
    status: 409,
    title: 'A phone has already claimed the handoff. Create another one.',
    requests: [claimHandoff],
  },
  'handoff-revoked': {
    status: 410,
    title: 'The handoff was revoked on the desktop. Create another one.',
    requests: [claimHandoff, ...phoneRequests],
  },
  'handoff-wrong-number': {
    status: 403,
    title: 'The wrong number was picked, so the handoff has ended. Create another one.',
    requests: phoneRequests,
  },
  'handoff-declined': {
    status: 410,
    title: 'The applicant declined the handoff on the phone.',
    requests: phoneRequests,
  },
  'handoff-ended': {
    status: 410,
    title: 'The phone session has ended. Create another handoff.',
    requests: [claimHandoff, ...phoneRequests],
  },
  'forbidden-scope': {
    status: 403,
    title:
      'The scope of the session does not allow this request, or not before the number is picked.',
    requests: 'all',
  },
  'service-refused': {
    status: 502,
    title: 'The funding service rejected the request.',
    requests: [readOffers],
  },
  'service-unavailable': {
    status: 503,
    title: 'The funding service is unavailable. Retry later.',
    requests: [readOffers],
  },
  'storage-unavailable': {
    status: 503,
    title: 'The store is unavailable. Retry after the delay in Retry-After.',
    requests: 'all',
  },
  'inspection-unavailable': {
    status: 503,
    title: 'The inspection of documents is unavailable. Retry after the delay in Retry-After.',
    requests: [uploadDocument],
  },
  internal: {
    status: 500,
    title: 'Internal server error. Search the logs for the requestId.',
    requests: 'all',
  },
} as const satisfies Record<ProblemCode, ProblemDefinition>;
