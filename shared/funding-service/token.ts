// Get access token (spec, operation 1 and "Authentication").

import * as z from 'zod/mini';

/** Form parameters, all required; sent as `application/x-www-form-urlencoded`. */
export const tokenRequestSchema = z.strictObject({
  grant_type: z.literal('password'),
  client_id: z.string(),
  client_secret: z.string(),
  username: z.string(),
  password: z.string(),
});

export const tokenAnswerSchema = z.object({
  access_token: z.string(),
  instance_url: z.string(),
  id: z.string(),
  token_type: z.string(),
  /** Epoch milliseconds as text. */
  issued_at: z.string(),
  /** Base64 text. */
  signature: z.string(),
});

/** A token dies this long after its issue; the answer does not say so itself (spec, "Limits"). */
export const tokenLifetimeMs = 2 * 60 * 60 * 1000;

export type TokenAnswer = z.infer<typeof tokenAnswerSchema>;
