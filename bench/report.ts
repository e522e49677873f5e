// The tables of the benchmark.

import { figures, type Judgement, type Samples, summarize } from './goals.ts';

/** The first row has the titles of the columns. */
export type Rows = readonly (readonly string[])[];

/** One row for each goal. */
export function toGoalRows(judgements: readonly Judgement[], rounds: number): Rows {
  const measured = `measured, median of ${rounds} (min to max)`;
  return [['goal', 'must', 'target', measured, 'verdict'], ...judgements.map(describeJudgement)];
}

/** One row for each figure that was measured, and one column for each subject. */
export function toFigureRows(samples: Samples): Rows {
  const subjects = samples.subjects();
  const rows = Object.keys(figures).map((figure) => describeFigure(figure, subjects, samples));
  return [
    ['figure, median (min to max)', ...subjects],
    ...rows.filter(([, ...cells]) => cells.some((cell) => cell !== '')),
  ];
}

/** Returns one line for each row, with aligned columns. */
export function toLines(rows: Rows): readonly string[] {
  const [titles = []] = rows;
  const widths = titles.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function describeJudgement({ goal, verdict, measured }: Judgement): readonly string[] {
  const { title, unit, digits } = figures[goal.figure] ?? {
    title: goal.figure,
    unit: '',
    digits: 2,
  };
  const write = (value: number) => {
    if (goal.compare === 'ratio') return `${value.toFixed(2)}x`;
    const sign = goal.compare === 'difference' && value >= 0 ? '+' : '';
    return `${sign}${value.toFixed(digits)} ${unit}`;
  };
  const limit = (value: number) =>
    goal.compare === 'ratio'
      ? `${value}x`
      : `${goal.compare === 'difference' ? '+' : ''}${value} ${unit}`;
  return [
    title,
    limit(goal.must),
    limit(goal.target),
    measured ? `${write(measured.median)} (${write(measured.min)} to ${write(measured.max)})` : '',
    verdict,
  ];
}

function describeFigure(
  figure: string,
  subjects: readonly string[],
  samples: Samples,
): readonly string[] {
  const { title, unit, digits } = figures[figure] ?? { title: figure, unit: '', digits: 2 };
  const cells = subjects.map((subject) => {
    const list = samples.of(figure, subject);
    if (list.length === 0) return '';
    const { median, min, max } = summarize(list);
    return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
  });
  return [`${title}, ${unit}`, ...cells];
}
