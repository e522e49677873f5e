// States by name, code, and what people make of them.

import { describe, expect, it } from 'vitest';
import { states } from '../../../shared/application/states.ts';
import { stateOptions } from '../../../widget/fields/pickers.ts';

describe('a state', () => {
  it.each([
    ['TX', 'TX'],
    ['tx', 'TX'],
    ['Texas', 'TX'],
    [' texas ', 'TX'],
    ['tex', 'TX'],
    ['Texas (TX)', 'TX'],
    ['D.C.', 'DC'],
    ['Mass.', 'MA'],
    ['US Virgin Islands', 'VI'],
    ['in', 'IN'],
    ['Washington, DC', 'DC'],
    ['washington', 'WA'],
    ['wash', 'WA'],
    ['Nueva York', 'NY'],
    ['nuevo mexico', 'NM'],
    ['Hawái', 'HI'],
    ['Oregón', 'OR'],
    ['Virginia Occidental', 'WV'],
    ['Distrito de Columbia', 'DC'],
  ])('typed as “%s” is %s', (typed, code) => {
    expect(stateOptions.toValue(typed)).toBe(code);
    expect(stateOptions.toFinalValue(typed)).toBe(code);
  });

  it.each(['te', 'new', 'Ontario', ''])('typed as “%s” stays as it is', (typed) => {
    expect(stateOptions.toValue(typed)).toBe(typed);
  });

  it('is shown with its name and its code', () => {
    expect(stateOptions.toLabel('TX')).toBe('Texas (TX)');
  });

  it('comes first for its code, then for what it begins with', () => {
    const labelsOf = (query: string) => stateOptions.find(query).map(({ label }) => label);
    expect(labelsOf('tx')).toEqual(['Texas (TX)']);
    expect(labelsOf('in')[0]).toBe('Indiana (IN)');
    expect(labelsOf('new')).toEqual([
      'New Hampshire (NH)',
      'New Jersey (NJ)',
      'New Mexico (NM)',
      'New York (NY)',
    ]);
    expect(labelsOf('caro')).toEqual(['North Carolina (NC)', 'South Carolina (SC)']);
  });

  it.each([
    ['carolina del', ['NC', 'SC']],
    ['dakota del n', ['ND']],
    ['pensil', ['PA']],
    ['misis', ['MS']],
    ['luis', ['LA']],
    ['tejas', ['TX']],
  ])('is found by its Spanish name: “%s”', (query, codes) => {
    expect(stateOptions.find(query).map(({ value }) => value)).toEqual(codes);
  });

  it('leads from every label back to its code', () => {
    for (const { code } of states)
      expect(stateOptions.toValue(stateOptions.toLabel(code))).toBe(code);
  });
});
