import { describe, expect, it } from 'vitest';
import { goals, judgeAll, Samples } from '../../bench/goals.ts';
import { toFigureRows, toGoalRows, toLines } from '../../bench/report.ts';

const samples = new Samples();
for (const [index, value] of [50, 100].entries()) {
  const sample = { round: index + 1, isQuiet: true };
  samples.add('delivered-16-0', 'Hono proxy', { ...sample, value: 100 });
  samples.add('delivered-16-0', 'BFF', { ...sample, value });
}
const noise = { processorRounds: [], diskRounds: [], messages: [] };
const title = 'Applications delivered a second, 16 connections, upstream 0 ms';

describe('toGoalRows', () => {
  const [, first, ...others] = toGoalRows(judgeAll('bff', samples, noise), 2);

  it('writes the limits beside the measured ratio', () => {
    expect(first).toEqual([title, '0.7x', '1.3x', '0.75x (0.50x to 1.00x)', 'target missed']);
  });

  it('has a row for each goal of the half', () => {
    expect(others).toHaveLength(goals.filter(({ half }) => half === 'bff').length - 1);
  });
});

describe('toFigureRows', () => {
  it('has a column for each subject', () => {
    expect(toFigureRows(samples)).toEqual([
      ['figure, median (min to max)', 'Hono proxy', 'BFF'],
      [`${title}, /s`, '100 (100 to 100)', '75 (50 to 100)'],
    ]);
  });
});

describe('toLines', () => {
  it('aligns the columns', () => {
    expect(
      toLines([
        ['a', 'b', 'c'],
        ['long', '1'],
      ]),
    ).toEqual(['a     b  c', 'long  1']);
  });
});
