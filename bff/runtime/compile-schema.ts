// Compiles the schemas of large objects.

import * as z from 'zod/mini';

/**
 * Returns a schema that accepts and returns the same. zod generates a function for its properties, which `zod/mini` leaves out,
 * because a strict Content Security Policy of a page forbids that. A row of an application then takes half the time, and V8 does
 * not turn the object into a hash table.
 */
export function compileSchema<Schema extends z.ZodMiniObject>(
  schema: Schema,
): z.core.$ZodType<z.output<Schema>, z.input<Schema>> {
  // The type of the class has no properties of its own: they are in `def`.
  return new z.core.$ZodObjectJIT(schema.def) as unknown as z.core.$ZodType<
    z.output<Schema>,
    z.input<Schema>
  >;
}
