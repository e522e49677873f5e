// `/v1/session`: POST starts a session, GET reads it with its application and attachments, DELETE ends it.

import * as z from 'zod/mini';
import { applicationStatusSchema } from './application-status.ts';
import {
  bankReportStatusSchema,
  contactStatusSchema,
  documentStatusSchema,
} from './attachments.ts';

/**
 * The session's lifetime. If you change a time, change the paragraph "Lifetime" of docs/security.md too. All other uses are
 * derived from this object. test/shared/api/session.test.ts checks the order of the times, and test/bff/config/config.test.ts
 * checks that the store keeps the record of an application at least for `maxSeconds`.
 */
export const sessionLifetime = {
  /**
   * A session ends after this time without use, until the applicant submits the application. Collecting bank statements
   * afterwards can take hours, so only `maxSeconds` applies then. Scripts can read a session token (`handle`), so an unused
   * token must not outlive an unused cookie (OWASP ASVS 5.0, 7.3.1).
   */
  idleSeconds: { cookie: 60 * 60, handle: 30 * 60 },
  /** Every session ends after this time. The element tells applicants the whole hours, so use at least two hours. */
  maxSeconds: 24 * 60 * 60,
  /** A request with a seal older than this gets a new one, which extends the session. */
  renewAfterSeconds: 10 * 60,
} as const;

/** `maxSeconds` in the texts for applicants. */
export const sessionMaxHours: number = Math.floor(sessionLifetime.maxSeconds / 3600);

/** The body of `POST /v1/session`. An empty body counts as `{}`. */
export const sessionRequestSchema = z.strictObject({
  /** Requests a session token, for browsers that do not store the cookie. An existing session keeps its transport. */
  transport: z.optional(z.literal('handle')),
});

export const sessionSchema = z.object({
  /** ISO 8601. Each use of the session extends it. */
  expiresAt: z.string(),
  /** Whether the request already contained this session. If false, it is unknown whether the browser stores the cookie. Absent in earlier BFF versions. */
  isProven: z.optional(z.boolean()),
  /** The session token. Send it as `Authorization: Funding <handle>`, and keep it in memory only. Present once, for a new session without a cookie. */
  handle: z.optional(z.string()),
  application: z.nullable(applicationStatusSchema),
  documents: z.array(documentStatusSchema),
  assetReport: z.nullable(bankReportStatusSchema),
  contact: z.nullable(contactStatusSchema),
});

export type Session = z.infer<typeof sessionSchema>;
