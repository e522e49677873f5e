import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goals, type Half, judgeAll, Samples } from '../../bench/goals.ts';
import { pageFile, readSection, replaceSection, toMarkdown } from '../../bench/page.ts';
import { toGoalRows } from '../../bench/report.ts';

const markers = [
  '<!-- begin bff: written by "npm run bench -- bff --write" -->',
  '<!-- end bff -->',
].join('\n');

describe('replaceSection', () => {
  it('keeps the text outside of the markers', () => {
    const page = replaceSection(`before\n${markers}\nafter`, 'bff', 'one');
    expect(replaceSection(page, 'bff', 'two')).toBe(page.replace('one', 'two'));
    expect(page).toMatch(/^before\n[^]*one[^]*\nafter$/);
  });

  it('refuses a page without the markers of the part', () => {
    expect(() => replaceSection(markers, 'widget', '')).toThrow('no markers of the part widget');
  });
});

describe('toMarkdown', () => {
  it('separates the titles from the other rows', () => {
    expect(
      toMarkdown([
        ['a', 'b'],
        ['1', '2'],
      ]),
    ).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
  });
});

describe('docs/performance.md (if not, run "npm run bench -- --write")', () => {
  const page = readFileSync(pageFile, 'utf8');
  const toCells = (line: string) => line.split('|').map((cell) => cell.trim());

  it.each<Half>(['bff', 'widget'])('has each goal of the part %s with its limits', (half) => {
    const written = readSection(page, half).split('\n').map(toCells);
    const noise = { processorRounds: [], diskRounds: [], messages: [] };
    const [, ...rows] = toGoalRows(judgeAll(half, new Samples(), noise), 5);
    expect(rows).toHaveLength(goals.filter((goal) => goal.half === half).length);
    for (const [title, must, target] of rows) {
      expect(written).toContainEqual([
        '',
        title,
        must,
        target,
        expect.anything(),
        expect.anything(),
        '',
      ]);
    }
  });

  it.each(['bff', 'profile', 'widget'])('has no text by hand in the section of %s', (part) => {
    const lines = readSection(page, part).split('\n');
    const isGenerated = (line: string) => /^(?:$|\||- |Measured on \d{4}-\d\d-\d\d)/.test(line);
    expect(lines.filter((line) => !isGenerated(line))).toEqual([]);
  });
});
