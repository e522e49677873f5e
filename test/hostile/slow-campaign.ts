// The full run of slow clients: each kind alone without limits by address, then all kinds together with default limits.

import type { CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import {
  runSlowClients,
  type SlowClients,
  type SlowClientsOptions,
  type Wave,
} from './slow-clients.ts';
import { slowKinds } from './slow-kinds.ts';

const minPercent = 99;
/** About 1,000 on an idle machine. */
const maxP95Ms = 2_000;
const maxMebibytes = 768;
const mebibyte = 1024 * 1024;

/** Without limits by address: 1,000 connections of each kind, one kind after another, after a wave without slow clients. */
export async function runSlowKinds({ share }: CampaignContext): Promise<CampaignRow> {
  const connections = toConnections(share);
  const waves = [[], ...slowKinds.map((kind) => [{ kind, connections }])];
  return run({ waves, ...schedule, slowSessions: 20, limits: 'none by address' }, connections);
}

/** With default limits: 1,000 connections of all kinds together, from one address. */
export async function runSlowAddress({ share }: CampaignContext): Promise<CampaignRow> {
  const connections = toConnections(share);
  const each = Math.ceil(connections / slowKinds.length);
  const waves = [[], slowKinds.map((kind) => ({ kind, connections: each }))];
  return run({ waves, ...schedule, slowSessions: 20, limits: 'default' }, connections);
}

const schedule = { seconds: 20, applicantsPerSecond: 5 } as const;

function toConnections(share: number): number {
  return Math.max(25, Math.round(1_000 * share));
}

async function run(options: SlowClientsOptions, connections: number): Promise<CampaignRow> {
  const result = await runSlowClients(options);
  const journeys = result.waves.reduce((sum, wave) => sum + wave.journeys, 0);
  return {
    engine: 'SQLite',
    runs: `${result.waves.length - 1} × ${connections} connections`,
    acknowledged: journeys,
    notes: [...result.waves.map(describe), describeMemory(result)].join('; '),
    problems: [
      ...result.waves.flatMap(findProblems),
      ...(result.isReady ? [] : ['the BFF is not ready any more']),
    ],
  };
}

function describe(wave: Wave): string {
  const arrived = wave.journeys - wave.broken.length;
  const away = wave.retried > 0 ? `, ${wave.retried} requests sent again` : '';
  return `${toName(wave)}: ${arrived} of ${wave.journeys} honest, p95 ${wave.p95Ms} ms${away}, ${toMebibytes(wave.peakBytes)} MiB`;
}

function describeMemory({ bytesBefore, bytesAfter }: SlowClients): string {
  return `memory ${toMebibytes(bytesBefore)} MiB before, ${toMebibytes(bytesAfter)} after`;
}

function findProblems(wave: Wave): string[] {
  const { journeys, broken, p95Ms, peakBytes } = wave;
  const percent = (100 * (journeys - broken.length)) / journeys;
  const checks: readonly (readonly [boolean, string])[] = [
    [
      percent < minPercent,
      `${broken.length} of ${journeys} failed (${[...new Set(broken)].join(', ')})`,
    ],
    [p95Ms > maxP95Ms, `p95 is ${p95Ms} ms`],
    [peakBytes > maxMebibytes * mebibyte, `${toMebibytes(peakBytes)} MiB`],
    [
      wave.tallies.some(({ connected, failed }) => connected === 0 || failed > connected),
      'the slow clients could not connect',
    ],
  ];
  return checks.filter(([is]) => is).map(([, problem]) => `${toName(wave)}: ${problem}`);
}

function toName({ tallies }: Wave): string {
  const [first, ...others] = tallies.map(({ kind }) => kind);
  return others.length > 0 ? 'all kinds' : (first ?? 'nobody');
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / mebibyte);
}
