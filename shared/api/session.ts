// `/v1/session`: POST starts a session, GET reads it with its application and attachments, DELETE ends it.

import * as z from 'zod/mini';
import { applicationStatusSchema } from './application-status.ts';
import {
  bankReportStatusSchema,
  contactStatusSchema,
  documentStatusSchema,
} from './attachments.ts';

/** The body of `POST /v1/session`. An empty body counts as `{}`. */
export const sessionRequestSchema = z.strictObject({
  /** Requests a session token, for browsers that do not store the cookie. An existing session keeps its transport. */
  transport: z.optional(z.literal('handle')),
});

/** The session of an applicant, with the application that was sent in it. */
export const sessionSchema = z.object({
  /** ISO 8601. Each use of the session extends it. */
  expiresAt: z.string(),
  /** If true, the request already contained this session. If false, it is unknown whether the browser stores the cookie. */
  isProven: z.boolean(),
  /** The session token. Send it as `Authorization: Funding <handle>`, and keep it in memory only. Present once, for a new session without a cookie. */
  handle: z.optional(z.string()),
  /** The application. `null` before it was sent. */
  application: z.nullable(applicationStatusSchema),
  /** The documents of the application. */
  documents: z.array(documentStatusSchema),
  /** The bank report. `null` if there is none. */
  assetReport: z.nullable(bankReportStatusSchema),
  /** The latest contact request. `null` if there is none. */
  contact: z.nullable(contactStatusSchema),
});

export type Session = z.infer<typeof sessionSchema>;
