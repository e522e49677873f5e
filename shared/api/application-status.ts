// The response of `POST` and `GET /v1/application`: the status of an application.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../application/field-errors.ts';

export const applicationStatuses = ['received', 'confirming', 'accepted', 'rejected'] as const;

/** The status of an application. */
export const applicationStatusSchema = z.object({
  /**
   * `received`: the BFF has stored the application and will deliver it. `confirming`: the funding service may have it, but its
   * response was lost. `accepted`: the funding service has it. `rejected`: the funding service rejected it, and `errors` contains
   * the fields that it named.
   */
  status: z.enum(applicationStatuses),
  /** The applicant can quote it to support. It is also the `ID` of the lead. */
  reference: z.string(),
  /** ISO 8601. */
  receivedAt: z.string(),
  /** When the funding service accepted the application. Absent before that. ISO 8601. */
  acceptedAt: z.optional(z.string()),
  /** True while delivery takes longer than usual: the funding service is unavailable, or an operator must resolve a problem. */
  delayed: z.boolean(),
  /** The funding service's page about the application. The scheme is https, or http in the sandbox. */
  trackingUrl: z.optional(z.string()),
  /** The fields that the funding service rejected. */
  errors: z.optional(z.array(fieldErrorSchema)),
});

export type ApplicationStatus = z.infer<typeof applicationStatusSchema>;
