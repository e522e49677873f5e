// The response of `GET /v1/places`: the city and the state of a ZIP code.

import * as z from 'zod/mini';

export const placeSchema = z.object({
  /** The city of the ZIP code. */
  city: z.string(),
  /** Two letters, for example `PA`. */
  state: z.string(),
});

/** The city and the state of a ZIP code. */
export const placeResponseSchema = z.object({
  /** `null` if the ZIP code is not known. Some ZIP codes have several cities; this is the main one. */
  place: z.nullable(placeSchema),
});

export type PlaceResponse = z.infer<typeof placeResponseSchema>;
