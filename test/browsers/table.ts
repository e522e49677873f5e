// The table of a full run, in Markdown: one line for each cell.

import type { Cell } from './cells.ts';
import type { Journey } from './journey.ts';
import { describeFirstVisit, judge, scenarios, toTransport, type Scenario } from './judge.ts';

/** What became of a cell: walked, broken off, or why it could not be walked on this machine. */
export type Walked = Journey | Error | string;

const columns = Object.keys(scenarios) as readonly Scenario[];

export function toTableHead(): string {
  const names = ['engine', 'mode', 'cookies', 'come back', 'session by', 'first visit', ...columns];
  return [names, names.map(() => '---')].map(toLine).join('\n');
}

export function toTableLine({ engine, mode, policy }: Cell, walked: Walked): string {
  if (typeof walked === 'string') return toLine([engine, mode, policy, `not run: ${walked}`]);
  if (walked instanceof Error) return toLine([engine, mode, policy, 'broken off']);
  const problems = judge(walked);
  return toLine([
    walked.version,
    mode,
    policy,
    describeCookies(walked),
    toTransport(walked),
    describeFirstVisit(walked),
    ...columns.map((column) => (problems[column].length === 0 ? 'ok' : '**fails**')),
  ]);
}

/** Everything that is wrong with a cell, in sentences. */
export function listProblems(walked: Walked): readonly string[] {
  if (typeof walked === 'string') return [];
  if (walked instanceof Error) return [walked.message.split('\n')[0] ?? ''];
  return Object.values(judge(walked)).flat();
}

function describeCookies({ cookies }: Journey): string {
  const names = Object.entries(cookies)
    .filter(([, isReturned]) => isReturned)
    .map(([name]) => name);
  return names.length === 0 ? 'none' : names.toSorted().join(', ');
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
