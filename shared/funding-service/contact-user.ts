// Contact User (spec, operation 4): the request has no body, all inputs are headers.

import * as z from 'zod/mini';

export const contactUserAnswerSchema = z.object({
  IsSuccessful: z.boolean(),
  ResponseText: z.string(),
});

export type ContactUserAnswer = z.infer<typeof contactUserAnswerSchema>;
