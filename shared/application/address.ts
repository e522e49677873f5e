// A US postal address, as the form holds it.

import * as z from 'zod/mini';
import { oneOf, text, zip } from './fields.ts';
import { stateCodes } from './states.ts';

export const addressSchema = z.strictObject({
  street: text(),
  city: text(100),
  state: oneOf(stateCodes),
  zip: zip(),
});

export type Address = z.infer<typeof addressSchema>;
