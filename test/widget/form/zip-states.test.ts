// The state of a ZIP code, from its first three digits.

import { describe, expect, it } from 'vitest';
import { stateCodes } from '../../../shared/application/states.ts';
import { toStateOfZip } from '../../../widget/form/zip-states.ts';

describe('toStateOfZip', () => {
  it.each([
    ['78701', 'TX'],
    ['78701-1234', 'TX'],
    ['00501', 'NY'],
    ['00601', 'PR'],
    ['00801', 'VI'],
    ['01001', 'MA'],
    ['06390', 'NY'],
    ['09001', 'AE'],
    ['20500', 'DC'],
    ['34001', 'AA'],
    ['88510', 'TX'],
    ['96201', 'AP'],
    ['96799', 'AS'],
    ['96910', 'GU'],
    ['96950', 'MP'],
    ['99501', 'AK'],
    // Not assigned, or mail of the USPS to another country.
    ['00001', undefined],
    ['21301', undefined],
    ['96960', undefined],
    ['7870', undefined],
    ['SW1A 1AA', undefined],
    ['', undefined],
  ])('of %j is %j', (zip, state) => {
    expect(toStateOfZip(zip)).toBe(state);
  });

  it('finds every state of the form, and no other', () => {
    const prefixes = Array.from({ length: 100_000 }, (_, index) => String(index).padStart(5, '0'));
    const found = new Set(prefixes.map(toStateOfZip).filter((state) => state !== undefined));
    expect([...found].toSorted()).toEqual([...stateCodes].toSorted());
  });
});
