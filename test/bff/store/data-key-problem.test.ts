// What an operator is told about data keys that do not fit the store, and which of it keeps the BFF from starting.

import { describe, expect, it } from 'vitest';
import { type DataKey, listDataKeyProblems } from '../../../bff/store/data-keys.ts';

const fitting: DataKey = {
  id: '7',
  applications: 2,
  wrapsNew: true,
  state: 'fits',
  unopened: [],
};

describe('listDataKeyProblems', () => {
  it('finds nothing wrong with a key that fits', () => {
    expect(listDataKeyProblems([fitting])).toEqual([]);
  });

  it.each([
    ['missing', 'data-key-missing', true, 'put it back.'],
    ['wrong', 'data-key-wrong', true, 'for example a1: put the former back.'],
    // It may be one damaged row, beside which all others can be sent.
    ['mixed', 'data-key-mixed', false, 'for example a1: another key 7'],
  ] as const)('names a %s key, how much it wraps, and the mend', (state, code, opensNone, mend) => {
    const [problem, ...others] = listDataKeyProblems([{ ...fitting, state, unopened: ['a1'] }]);
    expect(problem).toMatchObject({ code, opensNone });
    expect(problem?.message).toMatch(/^DATA_KEYS has .*data key 7\b.*2 applications/);
    expect(problem?.message).toContain(mend);
    expect(others).toEqual([]);
  });
});
