// Random UUIDs without `crypto.randomUUID`.

import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createUuid } from '../../../widget/api/create-uuid.ts';

describe('createUuid', () => {
  it('returns a UUID of version 4', () => {
    for (let count = 0; count < 100; count += 1) {
      expect(z.uuidv4().safeParse(createUuid()).success).toBe(true);
    }
  });

  it('returns another UUID each time', () => {
    const ids = Array.from({ length: 100 }, () => createUuid());
    expect(new Set(ids).size).toBe(100);
  });

  it.each([
    [0x00, '00000000-0000-4000-8000-000000000000'],
    [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ])('sets the version and the variant in bytes of %i', (byte, expected) => {
    const source = { getRandomValues: <T>(bytes: T) => (bytes as Uint8Array).fill(byte) as T };
    expect(createUuid(source)).toBe(expected);
  });
});
