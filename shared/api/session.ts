// `/v1/session`: the browser's session and everything it has given so far; begun by POST, read by GET, ended by DELETE.

import * as z from 'zod/mini';
import { applicationStatusSchema } from './application-status.ts';
import {
  bankReportStatusSchema,
  contactStatusSchema,
  documentStatusSchema,
} from './attachments.ts';

/** The body of `POST /v1/session`; none at all is the same as `{}`. */
export const sessionRequestSchema = z.strictObject({
  /** Asks for a session without a cookie, where the browser keeps none. A session that lives already stays as it is. */
  transport: z.optional(z.literal('handle')),
});

export const sessionSchema = z.object({
  /** ISO 8601; the session ends then unless it is used before. */
  expiresAt: z.string(),
  /** Whether the request itself came with this session; when not, nobody knows yet whether its cookie comes back. An earlier BFF knows of cookies only. */
  isProven: z.optional(z.boolean()),
  /** To be sent as `Authorization: Funding <handle>` and kept in memory only; once, to a new session that was asked to go without a cookie. */
  handle: z.optional(z.string()),
  application: z.nullable(applicationStatusSchema),
  documents: z.array(documentStatusSchema),
  assetReport: z.nullable(bankReportStatusSchema),
  contact: z.nullable(contactStatusSchema),
});

export type Session = z.infer<typeof sessionSchema>;
