// The Markdown table of a campaign, with one line per combination.

import type { Combination } from './combinations.ts';
import type { Journey } from './journey.ts';
import {
  describeFirstVisit,
  checkJourney,
  scenarios,
  toTransport,
  type Scenario,
} from './check-journey.ts';

/** The journey, the error that ended it, or the reason why this machine cannot run it. */
export type JourneyResult = Journey | Error | string;

const columns = Object.keys(scenarios) as readonly Scenario[];

export function toTableHead(): string {
  const names = ['engine', 'mode', 'cookies', 'come back', 'session by', 'first visit', ...columns];
  return [names, names.map(() => '---')].map(toLine).join('\n');
}

export function toTableLine({ engine, mode, policy }: Combination, result: JourneyResult): string {
  if (typeof result === 'string') return toLine([engine, mode, policy, `not run: ${result}`]);
  if (result instanceof Error) return toLine([engine, mode, policy, 'failed to finish']);
  const problems = checkJourney(result);
  return toLine([
    result.version,
    mode,
    policy,
    describeCookies(result),
    toTransport(result),
    describeFirstVisit(result),
    ...columns.map((column) => (problems[column].length === 0 ? 'ok' : '**fails**')),
  ]);
}

/** Returns a description of every problem of a combination. */
export function listProblems(result: JourneyResult): readonly string[] {
  if (typeof result === 'string') return [];
  if (result instanceof Error) return [result.message.split('\n')[0] ?? ''];
  return Object.values(checkJourney(result)).flat();
}

function describeCookies({ cookies }: Journey): string {
  const names = Object.entries(cookies)
    .filter(([, isReturned]) => isReturned)
    .map(([name]) => name);
  return names.length === 0 ? 'none' : names.toSorted().join(', ');
}

function toLine(combinations: readonly string[]): string {
  return `| ${combinations.join(' | ')} |`;
}
