// The short form of references.

import { describe, expect, it } from 'vitest';
import { createId } from '../../../bff/runtime/ids.ts';
import {
  readShortReference,
  toReferenceEnding,
  toShortReference,
} from '../../../shared/api/short-reference.ts';

describe('a short reference', () => {
  it.each([
    ['0199c0de-0000-7000-8000-00000f322454', '7K4-92M'],
    ['0199c0de-0000-7000-8000-0000cf322454', '7K4-92M'],
    ['0199C0DE-0000-7000-8000-0000FFFFFFFF', 'ZZZ-ZZZ'],
    ['0199c0de-0000-7000-8000-000000000000', '000-000'],
    ['partner-4711', 'partner-4711'],
  ])('of %s is %s', (reference, short) => {
    expect(toShortReference(reference)).toBe(short);
  });

  it('has random bits in all places', () => {
    const shorts = Array.from({ length: 2_000 }, () =>
      toShortReference(createId(1_700_000_000_000)),
    );
    for (const place of [0, 1, 2, 4, 5, 6]) {
      expect(new Set(shorts.map((short) => short[place])).size).toBe(32);
    }
  });

  it.each(['7K4-92M', '7k492m', ' 7k4 92m\n', '7K4–92M', '7-K-4-9-2-M'])(
    'is read from %j',
    (typed) => {
      expect(readShortReference(typed)).toBe('7K4-92M');
    },
  );

  it('is read with O for 0, and with I or L for 1', () => {
    expect(readShortReference('oil-OIL')).toBe('011-011');
  });

  it.each(['', '7K4-92', '7K4-92MM', '7K4-92U', '7K4_92M', '0199c0de-0000-7000-8000-00000f322454'])(
    'is not read from %j',
    (typed) => {
      expect(readShortReference(typed)).toBeUndefined();
    },
  );

  it('leads to the end of its reference', () => {
    const references = Array.from({ length: 200 }, (_, index) => createId(index));
    for (const reference of references) {
      expect(reference.endsWith(toReferenceEnding(toShortReference(reference)))).toBe(true);
    }
  });
});
