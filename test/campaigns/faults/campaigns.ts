// Fault campaigns: kills, outages, restarts, and lost responses.

import { setTimeout as sleep } from 'node:timers/promises';
import { defaultSettings } from '../../../bff/config/settings.ts';
import type { Campaign, CampaignContext, CampaignRow } from '../campaign.ts';
import { runKillCampaign, type KillCampaignOptions } from './kill-campaign.ts';
import { listKillPoints } from './kill-points.ts';
import { runMatrixCampaign } from './ambiguity-matrix.ts';
import { runOutage } from './outage.ts';
import type { CampaignResult } from './invariants.ts';
import { runRollingRestarts } from './rolling-restarts.ts';
import { runSameSubmit } from './same-submit.ts';
import type { Engine, StorageOptions } from './storage.ts';

const serverCrashPauseMs = 15_000;
const startLimitMs = 5_000;
const answerLimitMs = 500;
const retryLimitPercent = 20;

export const faultCampaigns: readonly Campaign[] = [
  {
    group: 'matrix',
    name: 'ambiguity matrix',
    seconds: 96,
    run: (context) => runMatrix({ engine: 'SQLite' }, context),
  },
  {
    group: 'matrix',
    name: 'ambiguity matrix',
    seconds: 141,
    run: async (context) => runMatrix(await onPostgres(context), context),
  },
  {
    group: 'same-submit',
    name: '20 submissions at once',
    seconds: 6,
    run: (context) => runSame({ engine: 'SQLite' }, 1, context),
  },
  {
    group: 'same-submit',
    name: '20 submissions at once, 3 BFFs',
    seconds: 41,
    run: async (context) => runSame(await onPostgres(context), 3, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL',
    seconds: 400,
    run: (context) => runKills({ engine: 'SQLite', kills: 400 }, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL',
    seconds: 300,
    run: async (context) => runKills({ ...(await onPostgres(context)), kills: 250 }, context),
  },
  { group: 'kills', name: 'SIGKILL, 3 BFFs, server crashes', seconds: 300, run: runServerCrashes },
  {
    group: 'outage',
    name: '78 h without the service',
    seconds: 45,
    run: (context) => runLongOutage({ engine: 'SQLite' }, context),
  },
  {
    group: 'outage',
    name: '78 h without the service',
    seconds: 168,
    run: async (context) => runLongOutage(await onPostgres(context), context),
  },
  { group: 'rolling', name: 'rolling restarts, 3 BFFs', seconds: 410, run: runRolling },
];

async function onPostgres({ getPostgres }: CampaignContext): Promise<StorageOptions> {
  return { engine: 'PostgreSQL', postgresUrl: (await getPostgres()).url };
}

async function runMatrix(
  storage: StorageOptions,
  { share }: CampaignContext,
): Promise<CampaignRow> {
  const repeats = Math.max(1, Math.round(10 * share));
  const result = await runMatrixCampaign(storage, repeats);
  return {
    ...toRow(storage.engine, `${result.runs} combinations`, result),
    problems: [...listViolations(result), ...result.problems],
  };
}

async function runSame(
  storage: StorageOptions,
  processes: number,
  { getProgram, share }: CampaignContext,
): Promise<CampaignRow> {
  const rounds = Math.max(1, Math.round(30 * share));
  const program = await getProgram();
  const result = await runSameSubmit({ ...storage, program, processes, rounds });
  return {
    ...toRow(storage.engine, `${result.runs} × 20`, result),
    notes: `${result.leads} leads`,
    problems: [...listViolations(result), ...result.problems],
  };
}

async function runServerCrashes(context: CampaignContext): Promise<CampaignRow> {
  const postgres = await context.getPostgres();
  let crashes = 0;
  async function crashServer(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(serverCrashPauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await postgres.crash();
      await postgres.start();
      crashes += 1;
    }
  }
  const row = await runKills(
    { ...(await onPostgres(context)), kills: 350, processes: 3, meanwhile: crashServer },
    context,
  );
  return { ...row, notes: `${row.notes}, ${crashes} server crashes` };
}

async function runKills(
  options: Omit<KillCampaignOptions, 'program'>,
  { getProgram, share }: CampaignContext,
): Promise<CampaignRow> {
  const result = await runKillCampaign({
    ...options,
    program: await getProgram(),
    kills: Math.max(1, Math.round(options.kills * share)),
    applicantsPerSecond: 5,
  });
  const isSlow = result.slowestStartMs > startLimitMs;
  return {
    ...toRow(options.engine, `${result.runs} kills`, result),
    slowestStartMs: result.slowestStartMs,
    notes: `${describePoints(options.engine, result.points)}, ${result.randomKills} at random`,
    problems: [
      ...listViolations(result),
      ...result.crashes,
      ...(isSlow ? ['a start took too long'] : []),
    ],
  };
}

function describePoints(engine: Engine, passed: readonly string[]): string {
  const points = listKillPoints(engine);
  const missed = points.filter((point) => !passed.includes(point));
  const names = missed.length > 0 ? ` (all but ${missed.join('; ')})` : '';
  return `${passed.length} of ${points.length} points${names}`;
}

async function runLongOutage(
  storage: StorageOptions,
  { share }: CampaignContext,
): Promise<CampaignRow> {
  const applications = Math.max(100, Math.round(10_000 * share));
  const result = await runOutage({ ...storage, applications });
  const limits: readonly (readonly [boolean, string])[] = [
    [result.delivered === result.runs, `${result.delivered} of ${result.runs} were delivered`],
    [
      result.mostConcurrent <= defaultSettings().delivery.maxConcurrent,
      `${result.mostConcurrent} concurrent calls`,
    ],
    [result.p99Ms < answerLimitMs, `p99 of the response times was ${result.p99Ms} ms`],
    // The outage has the same number of probes in a shorter run, which has fewer first calls.
    [
      result.retriesPercent <= retryLimitPercent / share,
      `${result.retriesPercent}% of calls were retries`,
    ],
  ];
  return {
    ...toRow(storage.engine, `${result.runs} applications`, result),
    notes: `${result.held} held and retried by the operator, ${result.mostConcurrent} concurrent calls, ${result.retriesPercent}% retries (${result.retriesPercentHalfBack}% during partial recovery), responses p99 ${result.p99Ms} ms`,
    problems: [
      ...listViolations(result),
      ...limits.filter(([isKept]) => !isKept).map(([, problem]) => problem),
    ],
  };
}

async function runRolling({
  getProgram,
  getPostgres,
  share,
}: CampaignContext): Promise<CampaignRow> {
  const restarts = Math.max(3, Math.round(200 * share));
  const result = await runRollingRestarts({
    program: await getProgram(),
    restarts,
    postgresUrl: (await getPostgres()).url,
    // Twice this rate saturates two cores, and about one request in ten gets no answer.
    applicantsPerSecond: 8,
  });
  return {
    ...toRow('PostgreSQL', `${result.runs} restarts`, result),
    slowestStartMs: result.slowestStartMs,
    notes: `${result.requestsPerSecond} requests per second, ${result.resets} resets, slowest stop ${result.slowestStopMs} ms`,
    problems: [
      ...listViolations(result),
      ...(result.resets > 0
        ? [`${result.resets} requests were reset (${result.resetKinds.join(', ')})`]
        : []),
    ],
  };
}

function toRow(
  engine: Engine,
  runs: string,
  { acknowledged, lost, twice, falselyRejected }: CampaignResult,
): Omit<CampaignRow, 'problems'> {
  return { engine, runs, acknowledged, lost, twice, falselyRejected };
}

function listViolations({ violations }: CampaignResult): string[] {
  return violations.map(({ invariant, description }) => `${invariant}: ${description}`);
}
