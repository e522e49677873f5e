import { describe, expect, it } from 'vitest';
import { count, listLost } from './report.mjs';

describe('the comparison of two mutation reports', () => {
  it('lists a mutant that only the first run detects', () => {
    const before = createReport(['a', 'killed'], ['b', 'killed'], ['c', 'survived']);
    const after = createReport(['a', 'survived'], ['b', 'timeout'], ['c', 'no-coverage']);
    expect(listLost(before, after).map(({ key }) => key)).toEqual(['a']);
  });

  it('counts mutants of the same text', () => {
    const before = createReport(['a', 'killed'], ['a', 'survived']);
    expect(listLost(before, createReport(['a', 'survived'], ['a', 'killed']))).toEqual([]);
    expect(listLost(before, createReport(['a', 'survived'], ['a', 'survived']))).toHaveLength(2);
  });

  it('ignores mutants that are not in both reports', () => {
    const before = createReport(['a', 'killed']);
    expect(listLost(before, createReport(['b', 'survived']))).toEqual([]);
  });
});

it('counts timeouts as detected', () => {
  const { mutants } = createReport(['a', 'killed'], ['b', 'timeout'], ['c', 'no-coverage']);
  expect(count(mutants)).toMatchObject({ score: 66.7, killed: 1, timeout: 1, 'no-coverage': 1 });
});

function createReport(...statuses: [key: string, status: string][]) {
  const mutants = statuses.map(([key, status]) => ({
    key,
    status,
    file: 'bff/a.ts',
    line: 1,
    mutator: 'BlockStatement',
    original: '{ run(); }',
    replacement: '{}',
  }));
  return { commit: '', targets: [], tests: [], every: 1, minutes: 0, totals: {}, mutants };
}
