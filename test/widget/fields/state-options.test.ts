// Finding a state by its name, code, or abbreviation.

import { describe, expect, it } from 'vitest';
import { states } from '../../../shared/application/states.ts';
import { stateOptions } from '../../../widget/fields/pickers.ts';

const codesOf = (query: string) => stateOptions.find(query).map(({ value }) => value);

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
  });

  it.each(['te', 'new', 'Ontario', ''])('typed as “%s” stays as typed', (typed) => {
    expect(stateOptions.toValue(typed)).toBe(typed);
  });

  it.each([
    ['wash', 'WA'],
    ['tejas', 'TX'],
  ])('left as “%s” is %s', (typed, code) => {
    expect(stateOptions.toFinalValue(typed)).toBe(code);
  });

  it('is shown with its name and code', () => {
    expect(stateOptions.toLabel('TX')).toBe('Texas (TX)');
  });

  it('is the first match of its code', () => {
    expect(codesOf('in')[0]).toBe('IN');
  });

  it.each([
    ['its code', 'tx', ['TX']],
    ['the beginning of its name', 'new', ['NH', 'NJ', 'NM', 'NY']],
    ['the beginning of a word', 'caro', ['NC', 'SC']],
  ])('is found by %s', (_text, query, codes) => {
    expect(codesOf(query)).toEqual(codes);
  });

  it.each([
    ['carolina del', ['NC', 'SC']],
    ['dakota del n', ['ND']],
    ['pensil', ['PA']],
    ['misis', ['MS']],
    ['luis', ['LA']],
    ['tejas', ['TX']],
  ])('is found by its Spanish name: “%s”', (query, codes) => {
    expect(codesOf(query)).toEqual(codes);
  });

  it('has a label that converts back to its code', () => {
    for (const { code } of states)
      expect(stateOptions.toValue(stateOptions.toLabel(code))).toBe(code);
  });
});
