// A campaign is a long test. `npm run test:campaigns` runs all of them, and `npm run test:release` a sample of each.

import { type BffBundle, buildBff } from './faults/bff-bundle.ts';
import type { Engine } from './faults/storage.ts';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';

export interface Campaign {
  /** `--only` chooses campaigns by group. */
  readonly group: string;
  readonly name: string;
  /** Duration of the full run, measured on two cores. A time budget shortens the run in proportion. */
  readonly seconds: number;
  /** The sample: its part of the full run, and the fewest runs with which it proves something. Default: no sample. */
  readonly sample?: { readonly share: number; readonly least: number };
  /** Of the store. */
  readonly engine?: Engine;
  /** Runs only if `--only` names its group, because it downloads files. */
  readonly isOptIn?: true;
  readonly run: (context: CampaignContext) => Promise<CampaignRow>;
}

export interface CampaignContext {
  /** Default of the campaign: SQLite. */
  readonly engine: Engine;
  /** The part of the full run: 1 is the full run. */
  readonly share: number;
  /** Path of the bundled BFF process. The first call builds it. */
  getProgram(): Promise<string>;
  /** One server for all campaigns. The first call starts it. */
  getPostgres(): Promise<PostgresServer>;
}

/** A figure that a campaign does not have is left out. */
export interface CampaignRow {
  /** Kills, combinations, restarts, or applications. */
  readonly runs: number;
  readonly unit: string;
  readonly acknowledged?: number;
  readonly lost?: number;
  readonly twice?: number;
  readonly falselyRejected?: number;
  /** From the start of a process until it says it is ready. */
  readonly slowestStartMs?: number;
  readonly notes?: string;
  /** Each fails the campaign. */
  readonly problems: readonly string[];
}

/** Name, seconds of the full run, the sample as its share and its fewest runs, the campaign, and its engine. */
export type CampaignEntry = readonly [
  name: string,
  seconds: number,
  sample: readonly [share: number, least: number] | undefined,
  run: Campaign['run'],
  engine?: Engine,
];

/** @param entries by group. */
export function toCampaigns(
  entries: Readonly<Record<string, readonly CampaignEntry[]>>,
): readonly Campaign[] {
  return Object.entries(entries).flatMap(([group, rows]) =>
    rows.map(([name, seconds, sample, run, engine]) => ({
      group,
      name,
      seconds,
      run,
      ...(sample && { sample: { share: sample[0], least: sample[1] } }),
      ...(engine && { engine }),
    })),
  );
}

/** A number of runs in proportion to the share. */
export function scale(full: number, share: number, least = 1): number {
  return Math.max(least, Math.round(full * share));
}

/** Every n-th item in proportion to the share. */
export function sampleOf<Item>(items: readonly Item[], share: number): readonly Item[] {
  const step = Math.max(1, Math.round(1 / share));
  return items.filter((_, index) => index % step === 0);
}

/** Reports a figure above its limit. */
export function above(value: number, limit: number, unit: string): string[] {
  return value <= limit ? [] : [`${value} ${unit}. The limit is ${limit}.`];
}

/** The bundle and the server of a run. */
export function createServices() {
  let bundle: Promise<BffBundle> | undefined;
  let postgres: Promise<PostgresServer> | undefined;
  return {
    getProgram: async () => (await (bundle ??= buildBff())).path,
    getPostgres: () => (postgres ??= startPostgres()),
    async stop() {
      (await bundle)?.remove();
      await (await postgres)?.stop();
    },
  };
}
