// The Markdown table of a campaign, with one line per combination.

import type { Cell } from './cells.ts';
import type { Journey } from './journey.ts';
import {
  describeFirstVisit,
  checkJourney,
  scenarios,
  toTransport,
  type Scenario,
} from './check-journey.ts';

/** The journey, the error that ended it, or the reason why this machine cannot run it. */
export type Walked = Journey | Error | string;

const columns = Object.keys(scenarios) as readonly Scenario[];

export function toTableHead(): string {
  const names = ['engine', 'mode', 'cookies', 'come back', 'session by', 'first visit', ...columns];
  return [names, names.map(() => '---')].map(toLine).join('\n');
}

export function toTableLine({ engine, mode, policy }: Cell, walked: Walked): string {
  if (typeof walked === 'string') return toLine([engine, mode, policy, `not run: ${walked}`]);
  if (walked instanceof Error) return toLine([engine, mode, policy, 'failed to finish']);
  const problems = checkJourney(walked);
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

/** Returns a description of every problem of a combination. */
export function listProblems(walked: Walked): readonly string[] {
  if (typeof walked === 'string') return [];
  if (walked instanceof Error) return [walked.message.split('\n')[0] ?? ''];
  return Object.values(checkJourney(walked)).flat();
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
