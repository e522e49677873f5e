// `POST` and `GET /v1/documents`, `POST /v1/asset-report`: what was given after the application, and where it stands.

import * as z from 'zod/mini';

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

export const assetReportStatusSchema = z.object(delivery);

export type DocumentStatus = z.infer<typeof documentStatusSchema>;
export type AssetReportStatus = z.infer<typeof assetReportStatusSchema>;
