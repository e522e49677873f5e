// The full run of the slow clients: each kind by itself from everywhere, then all kinds from one address before an operator's defaults.

import type { CampaignContext, CampaignRow } from '../faults/campaigns.ts';
import {
  runSlowClients,
  type SlowClients,
  type SlowClientsOptions,
  type Wave,
} from './slow-clients.ts';
import { slowKinds } from './slow-kinds.ts';

const fewestPercent = 99;
/** A second on a machine that does nothing else; this one often does. */
const longestP95Ms = 2_000;
const mostMebibytes = 768;
const mebibyte = 1024 * 1024;

/** Where limits by address do not reach: a thousand connections of each kind, one kind after the other, after a wave of nobody. */
export async function runSlowKinds({ share }: CampaignContext): Promise<CampaignRow> {
  const connections = toConnections(share);
  const waves = [[], ...slowKinds.map((kind) => [{ kind, connections }])];
  return run({ waves, ...pace, slowSessions: 20, limits: 'none by address' }, connections);
}

/** As many of all kinds together, from one address, before the limits of an operator who sets none. */
export async function runSlowAddress({ share }: CampaignContext): Promise<CampaignRow> {
  const connections = toConnections(share);
  const each = Math.ceil(connections / slowKinds.length);
  const waves = [[], slowKinds.map((kind) => ({ kind, connections: each }))];
  return run({ waves, ...pace, slowSessions: 20, limits: 'default' }, connections);
}

const pace = { seconds: 20, applicantsPerSecond: 5 } as const;

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
  const away = wave.turnedAway > 0 ? `, ${wave.turnedAway} requests sent again` : '';
  return `${toName(wave)}: ${arrived} of ${wave.journeys} good, p95 ${wave.p95Ms} ms${away}, ${toMebibytes(wave.mostBytes)} MiB`;
}

function describeMemory({ bytesBefore, bytesAfter }: SlowClients): string {
  return `memory ${toMebibytes(bytesBefore)} MiB before, ${toMebibytes(bytesAfter)} after`;
}

function findProblems(wave: Wave): string[] {
  const { journeys, broken, p95Ms, mostBytes } = wave;
  const percent = (100 * (journeys - broken.length)) / journeys;
  const isBad: readonly (readonly [boolean, string])[] = [
    [
      percent < fewestPercent,
      `${broken.length} of ${journeys} broke off (${[...new Set(broken)].join(', ')})`,
    ],
    [p95Ms > longestP95Ms, `p95 is ${p95Ms} ms`],
    [mostBytes > mostMebibytes * mebibyte, `${toMebibytes(mostBytes)} MiB`],
    [
      wave.tallies.some(({ connected, failed }) => connected === 0 || failed > connected),
      'the slow did not get in',
    ],
  ];
  return isBad.filter(([is]) => is).map(([, problem]) => `${toName(wave)}: ${problem}`);
}

function toName({ tallies }: Wave): string {
  const [first, ...others] = tallies.map(({ kind }) => kind);
  return others.length > 0 ? 'all kinds' : (first ?? 'nobody');
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / mebibyte);
}
