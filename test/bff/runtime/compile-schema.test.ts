// Compiled schemas accept and return what their originals do.

import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { compileSchema } from '../../../bff/runtime/compile-schema.ts';

describe('compileSchema', () => {
  const shape = { name: z.string(), note: z.optional(z.pipe(z.string(), z.transform(Number))) };

  it.each([
    ['an object', z.object(shape), { name: 'a', note: '7' }],
    ['an unknown property', z.object(shape), { name: 'a', more: 1 }],
    ['a refused property', z.strictObject(shape), { name: 'a', more: 1 }],
    ['a missing property', z.object(shape), { note: '7' }],
    ['a wrong property', z.object(shape), { name: 7 }],
    ['a text', z.object(shape), 'a'],
  ])('agrees with its original on %s', (_case, schema, value) => {
    const compiled = z.safeParse(compileSchema(schema), value);
    const original = z.safeParse(schema, value);
    expect([compiled.data, compiled.error?.issues]).toEqual([
      original.data,
      original.error?.issues,
    ]);
  });
});
