// Upload File (spec, "Document" and operation 6).

import * as z from 'zod/mini';

export const fileSchema = z.strictObject({
  /** Without extension. */
  name: z.string(),
  /** Without dot. */
  ext: z.string(),
  /** Base64 (RFC 4648 section 4, padded). */
  file: z.string(),
  category: z.string(),
});

export const uploadFileRequestSchema = z.strictObject({ leadId: z.string(), file: fileSchema });

export const uploadFileAnswerSchema = z.object({
  IsSuccessful: z.boolean(),
  ResponseMessage: z.string(),
  DocumentId: z.nullable(z.string()),
  ReferenceID: z.nullable(z.string()),
});

export type UploadFileAnswer = z.infer<typeof uploadFileAnswerSchema>;
