// The six operations of the service, by the names that faults, error rows and the console use.

export const operationIds = [
  'token',
  'create-lead',
  'pre-approval-offer',
  'contact-user',
  'asset-report',
  'upload-file',
] as const;

export type OperationId = (typeof operationIds)[number];

export type PartnerOperationId = Exclude<OperationId, 'token'>;

/** The operations that the spec's header table asks PartnerId and PartnerName of. */
export type PartnerHeaderOperationId = Exclude<PartnerOperationId, 'asset-report' | 'upload-file'>;
