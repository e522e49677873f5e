// Errors of the `/v1` API: the closed list of codes, the problem details body (RFC 9457), and the status and title of each code.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../application/field-errors.ts';

export const problemCodes = [
  'origin-refused',
  'header-missing',
  'not-found',
  'method-not-allowed',
  'unsupported-media-type',
  'too-large',
  'invalid-request',
  'session-missing',
  'too-many-requests',
  'too-busy',
  'too-soon',
  'automation-suspected',
  'challenge-required',
  'challenge-unavailable',
  'idempotency-key-missing',
  'idempotency-key-reused',
  'application-exists',
  'application-missing',
  'application-pending',
  'application-rejected',
  'consent-required',
  'document-name-invalid',
  'document-category-invalid',
  'document-length-required',
  'document-empty',
  'document-too-large',
  'document-incomplete',
  'document-type-refused',
  'document-type-mismatch',
  'document-damaged',
  'document-picture-damaged',
  'document-password',
  'document-attachments',
  'document-active-content',
  'document-media',
  'document-scripts',
  'document-unsafe',
  'document-not-checked',
  'document-too-many-pixels',
  'document-infected',
  'document-limit-reached',
  'document-space-exhausted',
  'document-rejected',
  'asset-report-invalid',
  'asset-report-rejected',
  'service-refused',
  'service-unavailable',
  'storage-unavailable',
  'inspection-unavailable',
  'internal',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** `application/problem+json`. A value that was sent is never echoed. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** One that a later version has thought of is none of ours to explain. */
  // oxlint-disable-next-line promise/valid-params -- no promise: the schema's own catch.
  code: z.catch(z.enum(problemCodes), 'internal'),
  requestId: z.string(),
  errors: z.optional(z.array(fieldErrorSchema)),
});

export type Problem = z.infer<typeof problemSchema>;

/** The title stands in the body for developers; what people read is in the widget's message catalogue. */
export const problems = {
  'origin-refused': { status: 403, title: 'This origin may not use the service' },
  'header-missing': { status: 403, title: 'The X-Funding-Request header is missing' },
  'not-found': { status: 404, title: 'There is nothing at this address' },
  'method-not-allowed': { status: 405, title: 'This address does not take this method' },
  'unsupported-media-type': { status: 415, title: 'The content type is not accepted here' },
  'too-large': { status: 413, title: 'The request body is too large' },
  'invalid-request': { status: 400, title: 'The request does not fit the contract' },
  'session-missing': { status: 401, title: 'There is no session, or it has ended' },
  'too-many-requests': { status: 429, title: 'Too many requests of this kind; see Retry-After' },
  'too-busy': { status: 503, title: 'Too much is going on here just now; see Retry-After' },
  'too-soon': { status: 429, title: 'No form is filled in as fast as this; see Retry-After' },
  'automation-suspected': {
    status: 422,
    title: 'A field that people cannot see was filled in',
  },
  'challenge-required': {
    status: 403,
    title: 'The challenge was not solved, or its answer is used up',
  },
  'challenge-unavailable': {
    status: 503,
    title: 'Nobody can say just now whether the challenge was solved; see Retry-After',
  },
  'idempotency-key-missing': {
    status: 400,
    title: 'The Idempotency-Key header is missing or no UUID',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'This Idempotency-Key came with another body before',
  },
  'application-exists': { status: 409, title: 'This session has filed an application already' },
  'application-missing': { status: 409, title: 'This session has filed no application yet' },
  'application-pending': { status: 409, title: 'The application has not been accepted yet' },
  'application-rejected': {
    status: 422,
    title: 'The funding service did not accept the application',
  },
  'consent-required': {
    status: 422,
    title: 'A required consent is missing or its text has changed',
  },
  'document-name-invalid': { status: 400, title: 'The document name is missing or unusable' },
  'document-category-invalid': { status: 400, title: 'The document category is not in the list' },
  'document-length-required': { status: 411, title: 'The Content-Length header is missing' },
  'document-empty': { status: 422, title: 'The document is empty' },
  'document-too-large': { status: 413, title: 'The document is larger than the limit' },
  'document-incomplete': { status: 400, title: 'The document did not arrive whole' },
  'document-type-refused': { status: 422, title: 'This type of document is not accepted' },
  'document-type-mismatch': {
    status: 422,
    title: 'The content is not what the file extension says',
  },
  'document-damaged': { status: 422, title: 'The document is damaged or incomplete' },
  'document-picture-damaged': { status: 422, title: 'The picture is damaged or incomplete' },
  'document-password': { status: 422, title: 'The document needs a password to open' },
  'document-attachments': { status: 422, title: 'The document carries other files' },
  'document-active-content': {
    status: 422,
    title: 'The document can start a program, load something, or send data by itself',
  },
  'document-media': { status: 422, title: 'The document contains video, sound, or 3D content' },
  'document-scripts': { status: 422, title: 'The document contains scripts' },
  'document-unsafe': {
    status: 422,
    title: 'The document is also a file of another type, or unpacks to too much data',
  },
  'document-not-checked': {
    status: 422,
    title: 'The inspection of the document did not finish, twice',
  },
  'document-too-many-pixels': {
    status: 422,
    title: 'The picture has more pixels than are accepted',
  },
  'document-infected': { status: 422, title: 'The virus scanner refused the document' },
  'document-limit-reached': {
    status: 409,
    title: 'This application has as many documents as it may have',
  },
  'document-space-exhausted': {
    status: 409,
    title: 'The documents of this application take all the space they may',
  },
  'document-rejected': { status: 422, title: 'The funding service did not accept the document' },
  'asset-report-invalid': { status: 422, title: 'The asset report holds no report data' },
  'asset-report-rejected': {
    status: 422,
    title: 'The funding service did not accept the asset report',
  },
  'service-refused': { status: 502, title: 'The funding service refused the request' },
  'service-unavailable': { status: 503, title: 'The funding service is not answering' },
  'storage-unavailable': { status: 503, title: 'What was sent could not be kept just now' },
  'inspection-unavailable': {
    status: 503,
    title: 'The document could not be inspected right now; see Retry-After',
  },
  internal: { status: 500, title: 'Something went wrong here' },
} as const satisfies Record<ProblemCode, { readonly status: number; readonly title: string }>;
