// The long campaigns: what each runs, and the figures it puts into the table.

import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../support/postgres-server.ts';
import { runKillCampaign, type KillCampaignOptions } from './kill-campaign.ts';
import { killPoints } from './kill-points.ts';
import { runMatrixCampaign } from './matrix-campaign.ts';
import { runOutage } from './outage.ts';
import type { CampaignResult } from './result.ts';
import { runRollingRestarts } from './rolling-restarts.ts';
import { runSameSubmit } from './same-submit.ts';
import type { Engine } from './storage.ts';
import type { TableRow } from './table.ts';

export interface CampaignContext {
  /** The bundled BFF process. */
  readonly program: string;
  readonly postgres: PostgresServer;
  /** Of the full number of runs. */
  readonly share: number;
}

export type CampaignRow = Omit<TableRow, 'campaign' | 'violations' | 'seconds'> & {
  /** Violations and whatever else is not as it should be. */
  readonly problems: readonly string[];
};

export interface Campaign {
  /** By which `--only` chooses it. */
  readonly group: string;
  readonly name: string;
  readonly run: (context: CampaignContext) => Promise<CampaignRow>;
}

/** Needs neither the bundled BFF nor PostgreSQL, which are not started when no other campaign runs. */
export interface StandaloneCampaign {
  readonly group: string;
  readonly name: string;
  readonly standalone: true;
  /** Runs only if `--only` names its group, as it downloads files. */
  readonly optIn: true;
  readonly run: (context: Pick<CampaignContext, 'share'>) => Promise<CampaignRow>;
}

const serverCrashPauseMs = 15_000;
const startLimitMs = 5_000;
const answerLimitMs = 500;
const retryLimitPercent = 20;

export const campaigns: readonly Campaign[] = [
  { group: 'matrix', name: 'ambiguity matrix', run: (context) => runMatrix('SQLite', context) },
  { group: 'matrix', name: 'ambiguity matrix', run: (context) => runMatrix('PostgreSQL', context) },
  { group: 'same-submit', name: '20 at once', run: (context) => runSame('SQLite', 1, context) },
  {
    group: 'same-submit',
    name: '20 at once, 3 BFFs',
    run: (context) => runSame('PostgreSQL', 3, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL',
    run: (context) => runKills({ engine: 'SQLite', kills: 400 }, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL',
    run: (context) => runKills({ engine: 'PostgreSQL', kills: 250 }, context),
  },
  {
    group: 'kills',
    name: 'SIGKILL, 3 BFFs, server crashes',
    run: (context) => runKills({ engine: 'PostgreSQL', kills: 350, processes: 3 }, context),
  },
  {
    group: 'outage',
    name: '78 h without the service',
    run: (context) => runLongOutage('SQLite', context),
  },
  {
    group: 'outage',
    name: '78 h without the service',
    run: (context) => runLongOutage('PostgreSQL', context),
  },
  { group: 'rolling', name: 'rolling restarts, 3 BFFs', run: runRolling },
];

async function runMatrix(
  engine: Engine,
  { postgres, share }: CampaignContext,
): Promise<CampaignRow> {
  const repeats = Math.max(1, Math.round(10 * share));
  const result = await runMatrixCampaign({ engine, postgresUrl: postgres.url }, repeats);
  return {
    ...toRow(engine, `${result.runs} cells`, result),
    problems: [...listViolations(result), ...result.problems],
  };
}

async function runSame(
  engine: Engine,
  processes: number,
  { program, postgres, share }: CampaignContext,
): Promise<CampaignRow> {
  const rounds = Math.max(1, Math.round(30 * share));
  const options = { program, engine, processes, rounds, postgresUrl: postgres.url };
  const result = await runSameSubmit(options);
  return {
    ...toRow(engine, `${result.runs} × 20`, result),
    notes: `${result.leads} leads`,
    problems: [...listViolations(result), ...result.problems],
  };
}

async function runKills(
  options: Pick<KillCampaignOptions, 'engine' | 'kills' | 'processes'>,
  { program, postgres, share }: CampaignContext,
): Promise<CampaignRow> {
  const kills = Math.max(1, Math.round(options.kills * share));
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
  const result = await runKillCampaign({
    ...options,
    program,
    kills,
    postgresUrl: postgres.url,
    applicantsPerSecond: 5,
    ...(options.processes === undefined ? {} : { meanwhile: crashServer }),
  });
  const isSlow = result.slowestStartMs > startLimitMs;
  const crashed = crashes > 0 ? `, ${crashes} crashes of the server` : '';
  return {
    ...toRow(options.engine, `${result.runs} kills`, result),
    slowestStartMs: result.slowestStartMs,
    notes: `${describePoints(result.points)}, ${result.randomKills} at random${crashed}`,
    problems: [
      ...listViolations(result),
      ...result.crashes,
      ...(isSlow ? ['a start took too long'] : []),
    ],
  };
}

function describePoints(passed: readonly string[]): string {
  const missed = killPoints.filter((point) => !passed.includes(point));
  const names = missed.length > 0 ? ` (all but ${missed.join('; ')})` : '';
  return `${passed.length} of ${killPoints.length} points${names}`;
}

async function runLongOutage(
  engine: Engine,
  { postgres, share }: CampaignContext,
): Promise<CampaignRow> {
  const applications = Math.max(100, Math.round(10_000 * share));
  const result = await runOutage({ engine, applications, postgresUrl: postgres.url });
  const limits: readonly (readonly [boolean, string])[] = [
    [result.delivered === result.runs, `${result.delivered} of ${result.runs} were delivered`],
    [result.mostConcurrent <= 8, `${result.mostConcurrent} calls at once`],
    [result.p99Ms < answerLimitMs, `the slowest hundredth of answers took ${result.p99Ms} ms`],
    [
      result.retriesPercent <= retryLimitPercent,
      `${result.retriesPercent} % of calls were retries`,
    ],
  ];
  return {
    ...toRow(engine, `${result.runs} applications`, result),
    notes: `${result.held} held and brought back, ${result.mostConcurrent} calls at once, ${result.retriesPercent} % retries (${result.retriesPercentHalfBack} % while half back), answers p99 ${result.p99Ms} ms`,
    problems: [
      ...listViolations(result),
      ...limits.filter(([isKept]) => !isKept).map(([, problem]) => problem),
    ],
  };
}

async function runRolling({ program, postgres, share }: CampaignContext): Promise<CampaignRow> {
  const restarts = Math.max(3, Math.round(200 * share));
  const result = await runRollingRestarts({
    program,
    restarts,
    postgresUrl: postgres.url,
    applicantsPerSecond: 16,
  });
  return {
    ...toRow('PostgreSQL', `${result.runs} restarts`, result),
    slowestStartMs: result.slowestStartMs,
    notes: `${result.requestsPerSecond} requests a second, ${result.resets} resets, slowest stop ${result.slowestStopMs} ms`,
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
  return violations.map(({ invariant, what }) => `${invariant}: ${what}`);
}
