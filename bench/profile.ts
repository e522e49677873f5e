// Profiles the BFF under the load of 16 connections: the largest costs by group of functions, in milliseconds per application.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, runLoad, startSession, submit } from './load.ts';
import { type Cores, findCores, pinThisProcess } from './machine.ts';
import { startBff, startStub, withFolder } from './processes.ts';
import type { Rows } from './report.ts';

const connections = 16;
const warmUpMs = 3_000;
const durationMs = 8_000;
const samplingMicroseconds = 200;
const listedGroups = 10;

/** The parts of a V8 CPU profile that are read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

export interface Cost {
  readonly group: string;
  readonly ms: number;
}

/**
 * Profiles the sources instead of the built BFF, because the names of the files group the costs.
 *
 * @returns a row for each of the ten largest groups.
 */
export async function profileBff(): Promise<Rows> {
  const cores = findCores();
  if (cores) pinThisProcess(cores.load);
  try {
    return await withFolder((folder) => profileInto(folder, cores));
  } finally {
    if (cores) pinThisProcess(`${cores.measured},${cores.load}`);
  }
}

async function profileInto(folder: string, cores: Cores | undefined): Promise<Rows> {
  const stub = await startStub(0);
  const spawnedAt = performance.now();
  const bff = await startBff({
    stub,
    databaseUrl: `file:${join(folder, 'store.db')}`,
    cores,
    logFile: join(folder, 'bff.log'),
    program: [
      '--cpu-prof',
      `--cpu-prof-dir=${folder}`,
      `--cpu-prof-interval=${samplingMicroseconds}`,
      'bff/main.ts',
    ],
  });
  const client = createClient(bff.url, connections);
  const times: number[] = [];
  const leads: number[] = [];
  await runLoad({
    connections,
    next: () => startSession(client).then((session) => submit(client, session)),
    warmUpMs,
    durationMs,
    async snapshot() {
      leads.push((await stub.ask()).leads);
      times.push(performance.now() - spawnedAt);
    },
  });
  await client.close();
  await bff.stop();
  await stub.stop();
  const [from = 0, until = 0] = times;
  const [before = 0, after = 0] = leads;
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error('The BFF wrote no profile');
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  return toCostRows(listCosts(profile, from, until), after - before);
}

/** Returns the self time of each group between two times after the start of the process, largest first, without idle time. */
export function listCosts(profile: CpuProfile, fromMs: number, untilMs: number): readonly Cost[] {
  const groups = new Map(
    profile.nodes.map(({ id, callFrame }) => [id, toGroup(callFrame.functionName, callFrame.url)]),
  );
  const costs = new Map<string, number>();
  let at = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = (profile.timeDeltas[index] ?? 0) / 1000;
    at += delta;
    if (at < fromMs || at > untilMs) continue;
    const group = groups.get(id) ?? 'unknown';
    costs.set(group, (costs.get(group) ?? 0) + delta);
  }
  costs.delete('(idle)');
  return [...costs]
    .map(([group, ms]) => ({ group, ms }))
    .toSorted((one, other) => other.ms - one.ms);
}

export function toCostRows(costs: readonly Cost[], applications: number): Rows {
  const total = costs.reduce((sum, { ms }) => sum + ms, 0);
  const toRow = ({ group, ms }: Cost) => [
    group,
    `${(ms / applications).toFixed(3)} ms`,
    `${((ms / total) * 100).toFixed(1)}%`,
  ];
  return [
    ['cost', 'main thread, per application', 'share'],
    ...[...costs.slice(0, listedGroups), { group: 'all', ms: total }].map(toRow),
  ];
}

/** A package, a file of the BFF, a part of Node, or a function of V8. */
function toGroup(functionName: string, url: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (inPackage !== undefined) return inPackage;
  const own = /\/((?:bff|shared)\/.*)$/.exec(url)?.[1];
  if (own !== undefined) return own;
  if (url.startsWith('node:internal/crypto')) return 'Node: crypto';
  if (/^node:(_http|net|internal\/(http|streams|stream_base))/.test(url)) return 'Node: HTTP';
  if (url.startsWith('node:internal/deps/undici')) return 'Node: fetch';
  if (url.startsWith('node:')) return 'Node: other';
  if (functionName.startsWith('(')) return functionName;
  return 'V8 and native functions';
}
