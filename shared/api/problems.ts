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
  /** Advice for developers, in Markdown with links from docs/reference. */
  readonly advice: string;
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
 * its text for applicants in `widget/i18n` (both languages), and a request that causes it in `test/hostile/canary-problems.ts`.
 * `npm run docs` adds it to the references.
 */
export const problems = {
  'origin-refused': {
    status: 403,
    title:
      'The origin of the request is not allowed. Add it to ALLOWED_ORIGINS or CROSS_SITE_ORIGINS.',
    advice:
      'Add the exact origin of the page to `ALLOWED_ORIGINS` (same site as the BFF) or `CROSS_SITE_ORIGINS` (another site), and restart the BFF. `doctor --origin <origin>` tells which.',
    requests: 'all',
  },
  'header-missing': {
    status: 403,
    title:
      'The X-Funding-Request header is missing. Send "X-Funding-Request: 1" with every request.',
    advice:
      'Send `X-Funding-Request: 1` with every request. The element does. If it shows this, a proxy removes the header.',
    requests: 'all',
  },
  'not-found': {
    status: 404,
    title: 'Not found.',
    advice: 'Check the path, and that the element and the BFF have the same version.',
    requests: [],
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed for this path. The Allow header lists the allowed methods.',
    advice:
      'Use a method of the header `Allow`, and check that the element and the BFF have the same version.',
    requests: [],
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The Content-Type is not supported.',
    advice:
      'Send the content type that the route accepts: JSON, or `application/octet-stream` for a document.',
    requests: 'all',
  },
  'too-large': {
    status: 413,
    title: 'The request body is too large.',
    advice:
      'Send less. A proxy in front of the BFF does not cause this code: its own limit gives an answer without a code.',
    requests: 'json',
  },
  'invalid-request': {
    status: 400,
    title: 'The request is invalid. See "errors" for the fields.',
    advice:
      'Correct the fields in `errors`. Each has a JSON Pointer and a code. The element shows them next to the fields.',
    requests: 'json',
  },
  'session-missing': {
    status: 401,
    title: 'The session is missing or expired. Start one with POST /v1/session.',
    advice:
      'Start a session with `POST /v1/session`, and send its cookie or token with every request. If applicants lose their sessions, run `doctor`: it tests the cookies of each origin.',
    requests: 'session',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests. Retry after the delay in Retry-After.',
    advice:
      'Wait as long as `Retry-After` says. If many applicants are affected, see [Rate limits](../security/limits.md).',
    requests: 'all',
  },
  'too-busy': {
    status: 503,
    title: 'The server is at capacity. Retry after the delay in Retry-After.',
    advice:
      'Wait as long as `Retry-After` says. The element does. If it lasts, see [Plan the capacity](../operate/capacity.md).',
    requests: 'all',
  },
  'too-soon': {
    status: 429,
    title:
      'The form was submitted faster than a person can fill it in. Retry after the delay in Retry-After.',
    advice:
      'In a test that fills in the form by program, wait `limits.minimumFillSeconds` after the start of the session.',
    requests: [submit],
  },
  'automation-suspected': {
    status: 422,
    title: 'The honeypot field was filled in.',
    advice:
      'Do not send the header `X-Funding-Honeypot`. In a test that fills in every field, leave out the hidden one.',
    requests: [submit],
  },
  'challenge-required': {
    status: 403,
    title: 'The challenge token is missing, invalid, or already used. Solve the challenge again.',
    advice: 'Solve the challenge of the configuration, and send its token. Each token works once.',
    requests: [submit],
  },
  'challenge-unavailable': {
    status: 503,
    title: 'The challenge provider is unavailable. Retry after the delay in Retry-After.',
    advice:
      'Wait as long as `Retry-After` says. The operator finds the reason in the log event [`challenge-failed`](log-events.md#challenge-failed).',
    requests: [submit],
  },
  'idempotency-key-missing': {
    status: 400,
    title: 'The Idempotency-Key header is missing or is not a UUID.',
    advice:
      'Create a UUID for each application, and send it with each attempt to submit that application.',
    requests: [submit],
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was already used with a different body. Use a new key.',
    advice: 'Create a new UUID when the answers change.',
    requests: [submit],
  },
  'application-exists': {
    status: 409,
    title: 'The session already has an application.',
    advice:
      'Read the application with `GET /v1/application`. To apply again, end the session first.',
    requests: [submit],
  },
  'application-missing': {
    status: 409,
    title: 'The session has no application yet. Submit one with POST /v1/application.',
    advice:
      'Submit an application first. After a submission, the application was erased, or the session was ended in another tab.',
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
    advice: 'Wait until `GET /v1/application` reports `accepted`.',
    requests: [readOffers],
  },
  'application-rejected': {
    status: 422,
    title: 'The funding service rejected the application.',
    advice:
      'Read the refused fields with `GET /v1/application`. The applicant corrects them, and submits again with a new key.',
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
    advice:
      'Load the configuration again, and send the id and the version of each consent that the applicant accepted.',
    requests: [submit, requestContact],
  },
  'document-name-invalid': {
    status: 400,
    title: 'The X-Document-Name header is missing or invalid.',
    advice: 'Send the file name in `X-Document-Name`, percent-encoded, with its extension.',
    requests: [uploadDocument],
  },
  'document-category-invalid': {
    status: 400,
    title: 'The category is not in the list of categories.',
    advice: 'Send an id of `documents.categories` in the configuration.',
    requests: [uploadDocument, changeCategory],
  },
  'document-length-required': {
    status: 411,
    title: 'The Content-Length header is missing.',
    advice:
      'Send the body with a `Content-Length`. A proxy that sends it in chunks must buffer it first.',
    requests: [uploadDocument, submitReport],
  },
  'document-empty': {
    status: 422,
    title: 'The document is empty.',
    advice: 'Nothing. The applicant chooses another file.',
    requests: [uploadDocument],
  },
  'document-too-large': {
    status: 413,
    title: 'The document is larger than the limit.',
    advice: 'Compare the size with `documents.maxBytes` in the configuration before the upload.',
    requests: [uploadDocument],
  },
  'document-incomplete': {
    status: 400,
    title: 'The document is shorter than its Content-Length. Send it again.',
    advice:
      'Send the document again. If it repeats, a proxy ends the upload: check its limits of size and time.',
    requests: [uploadDocument],
  },
  'document-type-refused': {
    status: 422,
    title: 'The type of the document is not accepted.',
    advice:
      'Offer only the extensions that the configuration lists. The setting `documents.extensions` can allow more.',
    requests: [uploadDocument],
  },
  'document-type-mismatch': {
    status: 422,
    title: 'The content of the document does not match its file extension.',
    advice: 'Nothing. The applicant saves the file again.',
    requests: [uploadDocument],
  },
  'document-damaged': {
    status: 422,
    title: 'The document is damaged or incomplete.',
    advice: 'Nothing. The applicant downloads the file again.',
    requests: [uploadDocument],
  },
  'document-picture-damaged': {
    status: 422,
    title: 'The image is damaged or incomplete.',
    advice: 'Nothing. The applicant takes a new photo.',
    requests: [uploadDocument],
  },
  'document-password': {
    status: 422,
    title: 'The document is protected by a password.',
    advice: 'Nothing. The applicant saves a copy without a password.',
    requests: [uploadDocument],
  },
  'document-attachments': {
    status: 422,
    title: 'The document contains other files.',
    advice: 'Nothing. The applicant prints the file to a new PDF.',
    requests: [uploadDocument],
  },
  'document-active-content': {
    status: 422,
    title:
      'The document contains active content: it can start a program, load a resource, or send data.',
    advice: 'Nothing. The applicant prints the file to a new PDF.',
    requests: [uploadDocument],
  },
  'document-media': {
    status: 422,
    title: 'The document contains video, sound, or 3D content.',
    advice: 'Nothing. The applicant prints the file to a new PDF.',
    requests: [uploadDocument],
  },
  'document-scripts': {
    status: 422,
    title: 'The document contains scripts.',
    advice:
      'Nothing, or set `documents.scripts` to `accept`. Only the [strict mode](../security/documents.md#strict-mode) refuses scripts.',
    requests: [uploadDocument],
  },
  'document-unsafe': {
    status: 422,
    title: 'The document is also a file of another type, or decompresses to too much data.',
    advice: 'Nothing. The applicant prints the file to a new PDF.',
    requests: [uploadDocument],
  },
  'document-not-checked': {
    status: 422,
    title: 'The inspection of the document failed twice.',
    advice:
      'If honest files cause it, give the inspection more time or memory: see [Documents are refused or wait](../troubleshoot.md#documents-are-refused-or-wait).',
    requests: [uploadDocument],
  },
  'document-too-many-pixels': {
    status: 422,
    title: 'The image has too many pixels.',
    advice: 'Nothing. The applicant saves the picture in a smaller size.',
    requests: [uploadDocument],
  },
  'document-infected': {
    status: 422,
    title: 'The virus scanner rejected the document.',
    advice: 'Nothing. The applicant chooses another copy.',
    requests: [uploadDocument],
  },
  'document-limit-reached': {
    status: 409,
    title: 'The application already has the maximum number of documents.',
    advice:
      'Compare the number with `documents.maxFiles` in the configuration. The setting of this name can raise it.',
    requests: [uploadDocument, submitReport],
  },
  'document-space-exhausted': {
    status: 409,
    title: 'The documents of the application already have the maximum total size.',
    advice:
      'Compare the size with `documents.maxTotalBytes` in the configuration. The setting of this name can raise it.',
    requests: [uploadDocument],
  },
  'document-rejected': {
    status: 422,
    title: 'The funding service rejected the document.',
    advice: 'Nothing. The applicant chooses another category, or sends another copy.',
    requests: [uploadDocument],
  },
  'document-missing': {
    status: 404,
    title: 'The application has no document with this number, or it was removed.',
    advice: 'Read the list of documents again.',
    requests: [changeCategory],
  },
  'document-sent': {
    status: 409,
    title: 'The document was sent to the funding service, or is being sent. It cannot be changed.',
    advice: 'Offer a change only while the document has `changeable`.',
    requests: [changeCategory, removeDocument],
  },
  'asset-report-invalid': {
    status: 422,
    title: 'The asset report contains no report data.',
    advice: 'Send the report of the aggregator as it is.',
    requests: [submitReport],
  },
  'asset-report-rejected': {
    status: 422,
    title: 'The funding service rejected the asset report.',
    advice:
      'The operator finds the reason in the log event [`delivery-rejected`](log-events.md#delivery-rejected).',
    requests: [submitReport],
  },
  'handoff-not-found': {
    status: 404,
    title: 'No handoff has this token or code.',
    advice: 'Nothing. The applicant compares the code, or gets a new one.',
    requests: [claimHandoff],
  },
  'handoff-expired': {
    status: 410,
    title: 'The handoff was not claimed, or its number not picked, in time. Create another one.',
    advice: 'Create another handoff.',
    requests: [claimHandoff, ...phoneRequests],
  },
  'handoff-claimed': {
    status: 409,
    title: 'A phone has already claimed the handoff. Create another one.',
    advice: 'Create another handoff. A second phone cannot use a code.',
    requests: [claimHandoff],
  },
  'handoff-revoked': {
    status: 410,
    title: 'The handoff was revoked on the desktop. Create another one.',
    advice: 'Create another handoff.',
    requests: [claimHandoff, ...phoneRequests],
  },
  'handoff-wrong-number': {
    status: 403,
    title: 'The wrong number was picked, so the handoff has ended. Create another one.',
    advice: 'Create another handoff.',
    requests: phoneRequests,
  },
  'handoff-declined': {
    status: 410,
    title: 'The applicant declined the handoff on the phone.',
    advice:
      'Nothing. If there are many, see the log event [`handoff-suspicious`](log-events.md#handoff-suspicious).',
    requests: phoneRequests,
  },
  'handoff-ended': {
    status: 410,
    title: 'The phone session has ended. Create another handoff.',
    advice: 'Create another handoff.',
    requests: [claimHandoff, ...phoneRequests],
  },
  'forbidden-scope': {
    status: 403,
    title:
      'The scope of the session does not allow this request, or not before the number is picked.',
    advice:
      'Use the session of the desktop. A phone can only send documents, and only after it has picked the number.',
    requests: 'all',
  },
  'service-refused': {
    status: 502,
    title: 'The funding service rejected the request.',
    advice:
      'The operator finds the reason in the log event [`call-ended`](log-events.md#call-ended).',
    requests: [readOffers],
  },
  'service-unavailable': {
    status: 503,
    title: 'The funding service is unavailable. Retry later.',
    advice: 'Try again later. The element does. The operator runs `status`.',
    requests: [readOffers],
  },
  'storage-unavailable': {
    status: 503,
    title: 'The store is unavailable. Retry after the delay in Retry-After.',
    advice:
      'Wait as long as `Retry-After` says. If it lasts, the operator follows [FundingStoreNotReady](../operate/alarms.md#fundingstorenotready).',
    requests: 'all',
  },
  'inspection-unavailable': {
    status: 503,
    title: 'The inspection of documents is unavailable. Retry after the delay in Retry-After.',
    advice:
      'Wait as long as `Retry-After` says. The element does. If it lasts, see the log event [`inspection-unavailable`](log-events.md#inspection-unavailable).',
    requests: [uploadDocument],
  },
  internal: {
    status: 500,
    title: 'Internal server error. Search the logs for the requestId.',
    advice:
      'Give the `requestId` to the operator, who finds the log event [`request-failed`](log-events.md#request-failed) with it.',
    requests: 'all',
  },
} as const satisfies Record<ProblemCode, ProblemDefinition>;
