// `POST` and `GET /v1/session`: the browser's session and everything it has given so far.

import * as z from 'zod/mini';
import { applicationStatusSchema } from './application-status.ts';
import { contactStatusSchema } from './contact.ts';
import { assetReportStatusSchema, documentStatusSchema } from './documents.ts';

export const sessionSchema = z.object({
  /** ISO 8601; the session ends then unless it is used before. */
  expiresAt: z.string(),
  application: z.nullable(applicationStatusSchema),
  documents: z.array(documentStatusSchema),
  assetReport: z.nullable(assetReportStatusSchema),
  contact: z.nullable(contactStatusSchema),
});

export type Session = z.infer<typeof sessionSchema>;
