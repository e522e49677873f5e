// Attachments of an application in the `/v1` API: documents, bank reports, and contact requests.

import * as z from 'zod/mini';
import { acceptedConsentSchema } from '../application/consent.ts';

export const deliveryStatuses = ['received', 'delivered', 'rejected'] as const;

const delivery = {
  /**
   * `received`: the BFF has stored the attachment and will deliver it. `delivered`: the funding service has it. `rejected`: the
   * funding service or the BFF's virus scanner rejected it.
   */
  status: z.enum(deliveryStatuses),
  /** True while delivery takes longer than usual. The applicant need not do anything. */
  delayed: z.boolean(),
};

/** A document of the application. */
export const documentStatusSchema = z.object({
  /** Counts from 1 within the application. It is not the funding service's DocumentId. */
  number: z.int(),
  /** The file name with its extension. Absent after the BFF has erased it. */
  name: z.optional(z.string()),
  /** The id of a document category of the configuration. */
  category: z.string(),
  /** The size of the file. */
  bytes: z.int(),
  ...delivery,
  /** True if the applicant sent it from a phone in a handoff. */
  fromPhone: z.optional(z.boolean()),
  /** Present while the applicant can change the category or remove the document, because it was never sent. */
  changeable: z.optional(
    z.object({
      /** The applicant has not chosen a category, so `category` is a default. */
      needsCategory: z.boolean(),
      /** Seconds until the BFF sends the document, if the lender has the application by then. */
      heldSeconds: z.int(),
    }),
  ),
  /** The reason if the BFF rejected the document itself. */
  problem: z.optional(z.enum(['document-infected'])),
});

/** The documents of the application. */
export const documentListSchema = z.object({
  /** In the order in which they arrived. */
  documents: z.array(documentStatusSchema),
});

/** The bank report of the application. */
export const bankReportStatusSchema = z.object(delivery);

/** The `number` of a document of the session's application. The session leads to the application, so no number leads to another. */
const documentNumber = z.int().check(z.gte(1));

export const categoryChangeSchema = z.strictObject({
  number: documentNumber,
  /** The id of a document category of the configuration. */
  category: z.string(),
});
export const documentRemovalSchema = z.strictObject({ number: documentNumber });

export type DocumentStatus = z.infer<typeof documentStatusSchema>;
export type DocumentList = z.infer<typeof documentListSchema>;
export type BankReportStatus = z.infer<typeof bankReportStatusSchema>;

/** `consent` must be the current version of the contact consent. */
export const contactRequestSchema = z.strictObject({ consent: acceptedConsentSchema });

/**
 * `received`: the BFF has stored the request and delivers it once the application is accepted. `enabled`: the funding service
 * has removed the Do Not Contact mark. There is no `rejected`, because the funding service documents no such response.
 */
export const contactStatuses = ['received', 'enabled'] as const;
const contactStatus = z.enum(contactStatuses);

/** The response to a contact request. */
export const contactResponseSchema = z.object({
  /** The status of the request. */
  contact: contactStatus,
});

/** The latest contact request in the session. */
export const contactStatusSchema = z.object({
  /** The status of the request. */
  status: contactStatus,
});

export type ContactResponse = z.infer<typeof contactResponseSchema>;
export type ContactStatus = z.infer<typeof contactStatusSchema>;
