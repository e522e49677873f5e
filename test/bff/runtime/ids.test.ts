// Identifiers: the form of a UUIDv7, and its order.

import { describe, expect, it } from 'vitest';
import { createId, isUuid } from '../../../bff/runtime/ids.ts';

describe('createId', () => {
  it('returns a UUIDv7 that begins with the time', () => {
    const id = createId(0x019a_b3c4_d5e6);
    expect(id).toMatch(/^019ab3c4-d5e6-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).toBe(true);
  });

  it('pads an early time', () => {
    expect(createId(1)).toMatch(/^00000000-0001-7/);
  });

  it('returns another id each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => createId(1))).size).toBe(1_000);
  });
});
