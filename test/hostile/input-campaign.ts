// Campaigns for hostile input: naughty strings, generated bodies, and unknown names.

import type { CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import { createBodyReader } from './body-reader.ts';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  tryHeaders,
  tryOtherBodies,
  trySubmissions,
  tryFields,
  withWholeBff,
  type HostileInput,
} from './hostile-input.ts';
import { tryUrlsAndHeaders, tryExtraKeys } from './mass-assignment.ts';

/** Bodies of one run. Each run has its own seed and frees its memory at the end. */
const bodiesPerRun = 100_000;

export async function runNaughtyStrings(): Promise<CampaignRow> {
  const results: HostileInput[] = [];
  for (const run of [tryFields, trySubmissions, tryHeaders, tryOtherBodies]) {
    results.push(await run());
  }
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const accepted = results.reduce((sum, result) => sum + result.accepted, 0);
  return {
    engine: 'SQLite',
    runs: `${requests} requests`,
    notes: `${accepted} accepted and passed on unchanged`,
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** Parses the bodies without the rest of the BFF. A violation throws an error with the smallest body that causes it. */
export async function runBodies({ share }: CampaignContext): Promise<CampaignRow> {
  const read = createBodyReader();
  const runs = Math.max(1, Math.round(10 * share));
  let accepted = 0;
  let slowestMs = 0;
  for (let run = 0; run < runs; run += 1) {
    const result = await runGeneratedBodies(read, bodiesPerRun, 100 + run);
    accepted += result.accepted;
    slowestMs = Math.max(slowestMs, result.slowestMs);
  }
  return {
    engine: 'none',
    runs: `${runs * bodiesPerRun} bodies`,
    notes: `${accepted} accepted, at most ${slowestMs} ms of CPU time`,
    problems: [],
  };
}

export async function runBodiesThroughBff({ share }: CampaignContext): Promise<CampaignRow> {
  const bodies = Math.max(1_000, Math.round(50_000 * share));
  const result = await withWholeBff((read) => runGeneratedBodies(read, bodies, 99));
  return {
    engine: 'SQLite',
    runs: `${bodies} bodies through the whole BFF`,
    notes: `${result.accepted} accepted, at most ${result.slowestMs} ms of CPU time`,
    problems: result.problems,
  };
}

export async function runMassAssignment(): Promise<CampaignRow> {
  const results = [await tryExtraKeys(), await tryUrlsAndHeaders()];
  return {
    engine: 'SQLite',
    runs: `${results.reduce((sum, { requests }) => sum + requests, 0)} requests`,
    problems: results.flatMap(({ problems }) => problems),
  };
}
