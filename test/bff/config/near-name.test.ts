// The name that a person probably meant.

import { describe, expect, it } from 'vitest';
import { findNearName } from '../../../bff/config/near-name.ts';
import { readGroupedRows } from '../../support/grouped-rows.ts';

const names = ['ALLOWED_ORIGINS', 'CROSS_SITE_ORIGINS', 'PUBLIC_URL', 'BFF_PORT', 'page'] as const;

describe('findNearName', () => {
  // A short name allows fewer edits.
  it.each([...readGroupedRows('near-names.txt'), ['', 'nothing']])(
    'takes %s for %s',
    (typed, meant) => {
      expect(findNearName(typed, names) ?? 'nothing').toBe(meant);
    },
  );

  it('returns the nearest name', () => {
    expect(findNearName('maxFile', ['maxFilesTotal', 'maxTiles', 'maxFiles'])).toBe('maxFiles');
  });

  it('returns nothing without names', () => {
    expect(findNearName('page', [])).toBeUndefined();
  });
});
