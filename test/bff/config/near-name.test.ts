// The name that a person probably meant.

import { describe, expect, it } from 'vitest';
import { findNearName } from '../../../bff/config/near-name.ts';

const names = ['ALLOWED_ORIGINS', 'CROSS_SITE_ORIGINS', 'PUBLIC_URL', 'BFF_PORT', 'page'] as const;

describe('findNearName', () => {
  it.each([
    ['ALLOWED_ORIGINS', 'nothing else'],
    ['allowed-origins', 'another case and separator'],
    ['ALLOWEDORIGINS', 'a missing separator'],
    ['ALLOWD_ORIGINS', 'a missing letter'],
    ['ALLOWWED_ORIGINS', 'a repeated letter'],
    ['ALLOVED_ORIGINS', 'another letter'],
    ['ALLOWDE_ORIGINS', 'two exchanged letters'],
    ['LALOWDE_ORIGNIS', 'three exchanges'],
  ])('takes %s for the name with %s', (typed) => {
    expect(findNearName(typed, names)).toBe('ALLOWED_ORIGINS');
  });

  it.each(['ORIGINS_ALLOWED', 'LALOWDE_OIRGNIS', 'ORIGINS'])('finds no name near %s', (typed) => {
    expect(findNearName(typed, names)).toBeUndefined();
  });

  it.each([
    ['BFF_PROT', 'BFF_PORT'],
    ['FBF_PORT', 'BFF_PORT'],
    ['FBF_PROT', undefined],
    ['pgae', 'page'],
    ['pgea', undefined],
    ['', undefined],
  ])('allows fewer edits in a short name: %j', (typed, meant) => {
    expect(findNearName(typed, names)).toBe(meant);
  });

  it('returns the nearest name', () => {
    expect(findNearName('maxFile', ['maxFilesTotal', 'maxTiles', 'maxFiles'])).toBe('maxFiles');
  });

  it('returns nothing without names', () => {
    expect(findNearName('page', [])).toBeUndefined();
  });
});
