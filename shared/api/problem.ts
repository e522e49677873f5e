// What can go wrong with a request, as a closed list of codes; the body is RFC 9457 problem details.

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
