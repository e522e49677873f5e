// `POST` and `GET /v1/application`: where an application stands.

import * as z from 'zod/mini';
import { fieldErrorSchema } from '../application/field-errors.ts';

/**
 * `received`: kept safe here, not yet accepted. `confirming`: the service may have it, its answer was lost. `accepted`:
 * the service has it. `rejected`: the service refused it; `errors` says which fields, as far as it said so itself.
 */
export const applicationStatuses = ['received', 'confirming', 'accepted', 'rejected'] as const;

export const applicationStatusSchema = z.object({
  status: z.enum(applicationStatuses),
  /** What the applicant can name in a conversation; it is also the lead's ID. */
  reference: z.string(),
  /** ISO 8601. */
  receivedAt: z.string(),
  /** True while what was received takes longer to pass on than usual: the service is away, or somebody has to look into it. */
  delayed: z.boolean(),
  /** Where the service shows the application's progress; only https, or http in the sandbox. */
  trackingUrl: z.optional(z.string()),
  errors: z.optional(z.array(fieldErrorSchema)),
});

export type ApplicationStatus = z.infer<typeof applicationStatusSchema>;
