// `/v1/draft-key`: the key of the answers that an applicant keeps on a device. POST creates it, GET gives it back, DELETE ends it.

import * as z from 'zod/mini';

/** The key of the answers that an applicant keeps on a device. */
export const draftKeySchema = z.object({
  /** 32 bytes for AES-256-GCM in Base64url. The element imports it as a key that scripts can't export. */
  key: z.string(),
  /** ISO 8601. From then on, the BFF does not give the key back. Nothing extends it. */
  expiresAt: z.string(),
});

export type DraftKey = z.infer<typeof draftKeySchema>;

/** The response to a request of the key. */
export const draftKeyResponseSchema = z.object({
  /** Null if this browser has no key, or an expired one. */
  draftKey: z.nullable(draftKeySchema),
});

export type DraftKeyResponse = z.infer<typeof draftKeyResponseSchema>;
