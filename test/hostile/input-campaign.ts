// Rows of the table for hostile input: strings that break programs, generated bodies, and names nobody asked for.

import type { CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import { createBodyReader } from './body-reader.ts';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  tryHeaders,
  tryOtherBodies,
  trySubmissions,
  tryTexts,
  withWholeBff,
  type HostileInput,
} from './hostile-input.ts';
import { tryAddressesAndHeaders, tryExtraKeys } from './mass-assignment.ts';

/** Of one run of generated bodies; the next one has another seed, and forgets what the first one has made. */
const bodiesPerRun = 100_000;

export async function runNaughtyStrings(): Promise<CampaignRow> {
  const results: HostileInput[] = [];
  for (const run of [tryTexts, trySubmissions, tryHeaders, tryOtherBodies]) {
    results.push(await run());
  }
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const accepted = results.reduce((sum, result) => sum + result.accepted, 0);
  return {
    engine: 'SQLite',
    runs: `${requests} requests`,
    notes: `${accepted} accepted, all as they were sent`,
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** At the reader of bodies; a rule that is broken throws with the smallest body that breaks it. */
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
    notes: `${accepted} accepted, the slowest took ${slowestMs} ms of processor time`,
    problems: [],
  };
}

export async function runBodiesThroughAll({ share }: CampaignContext): Promise<CampaignRow> {
  const bodies = Math.max(1_000, Math.round(50_000 * share));
  const result = await withWholeBff((read) => runGeneratedBodies(read, bodies, 99));
  return {
    engine: 'SQLite',
    runs: `${bodies} bodies through the whole BFF`,
    notes: `${result.accepted} accepted, the slowest took ${result.slowestMs} ms of processor time`,
    problems: result.problems,
  };
}

export async function runMassAssignment(): Promise<CampaignRow> {
  const results = [await tryExtraKeys(), await tryAddressesAndHeaders()];
  return {
    engine: 'SQLite',
    runs: `${results.reduce((sum, { requests }) => sum + requests, 0)} requests`,
    problems: results.flatMap(({ problems }) => problems),
  };
}
