// Attachments of an application in the `/v1` API: documents, bank reports, and contact requests.

import * as z from 'zod/mini';
import { acceptedConsentSchema } from '../application/consent.ts';

/** `received`: kept safe here, not yet with the service. `delivered`: the service has it. `rejected`: the service, or the virus scanner here, refused it. */
export const deliveryStatuses = ['received', 'delivered', 'rejected'] as const;

const delivery = {
  status: z.enum(deliveryStatuses),
  /** True while what was received takes longer to pass on than usual; nothing is asked of the applicant. */
  delayed: z.boolean(),
};

export const documentStatusSchema = z.object({
  /** Counts up from 1 within the session's application; never an identifier of the service. */
  number: z.int(),
  /** File name with its extension; absent once it is no longer kept. */
  name: z.optional(z.string()),
  /** Id of a document category, as the configuration lists them. */
  category: z.string(),
  bytes: z.int(),
  ...delivery,
  /** Why it was rejected, where that was not the service's word. */
  problem: z.optional(z.enum(['document-infected'])),
});

export const documentListSchema = z.object({ documents: z.array(documentStatusSchema) });

export const bankReportStatusSchema = z.object(delivery);

export type DocumentStatus = z.infer<typeof documentStatusSchema>;
export type BankReportStatus = z.infer<typeof bankReportStatusSchema>;

/** `consent` names the contact consent's current version; an older or other one is refused. */
export const contactRequestSchema = z.strictObject({ consent: acceptedConsentSchema });

/**
 * `received`: stored and on its way, or waiting for the application to be accepted; asking again changes nothing. `enabled`:
 * the funding service has lifted the mark. Nothing refuses a contact request: the service documents no such answer.
 */
export const contactStatuses = ['received', 'enabled'] as const;
const contactStatus = z.enum(contactStatuses);

export const contactResponseSchema = z.object({ contact: contactStatus });

/** The latest wish, as the session tells it. */
export const contactStatusSchema = z.object({ status: contactStatus });

export type ContactResponse = z.infer<typeof contactResponseSchema>;
export type ContactStatus = z.infer<typeof contactStatusSchema>;
