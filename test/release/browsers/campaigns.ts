// The element in every engine, mode, and cookie policy. The campaign prints one line per combination.

import type { Campaign, CampaignRow } from '../../campaigns/campaign.ts';
import { findObstacle } from './browser.ts';
import {
  cookiePolicies,
  engines,
  listCombinations,
  type Combination,
  type Engine,
} from './combinations.ts';
import {
  describeFirstVisit,
  listProblems,
  scenarios,
  toTransport,
  type JourneyResult,
} from './check-journey.ts';
import { startJourneys, type Journeys } from './journeys.ts';

/** Requires the built widget. */
export const browserCampaigns: readonly Campaign[] = engines.map((engine) => ({
  group: 'browsers',
  name: `all cookie policies in ${engine}`,
  seconds: 90,
  run: () => runEngine(engine),
}));

async function runEngine(engine: Engine): Promise<CampaignRow> {
  const combinations = listCombinations(engine, cookiePolicies);
  const journeys = await startJourneys();
  const lines: string[] = [];
  const problems: string[] = [];
  try {
    for (const combination of combinations) {
      const result = findObstacle(combination) ?? (await run(journeys, combination));
      lines.push(toLine(combination, result));
      problems.push(...listProblems(result));
    }
  } finally {
    await journeys.stop();
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  const runCount = combinations.filter(
    (combination) => findObstacle(combination) === undefined,
  ).length;
  return {
    runs: runCount,
    unit: `of ${combinations.length} combinations`,
    notes: `${Object.keys(scenarios).length} checks each`,
    problems,
  };
}

async function run(journeys: Journeys, combination: Combination): Promise<JourneyResult> {
  try {
    return await journeys.run(combination);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function toLine({ engine, mode, policy }: Combination, result: JourneyResult): string {
  if (typeof result === 'string') return `${engine}, ${mode}, ${policy}: not run: ${result}`;
  if (result instanceof Error) return `${engine}, ${mode}, ${policy}: failed to finish`;
  const state = listProblems(result).length === 0 ? 'ok' : 'fails';
  const session = `session by ${toTransport(result)} (${describeFirstVisit(result)})`;
  return `${result.version}, ${mode}, ${policy}: ${session}, ${state}`;
}
