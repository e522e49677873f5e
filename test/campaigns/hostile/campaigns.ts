// The campaigns with hostile clients, documents, and load.

import type { Campaign, CampaignContext, CampaignRow } from '../campaign.ts';
import { sendFilesOverHttp } from './files-over-http.ts';
import { listGoodFiles } from './files/mutants.ts';
import { runForwardedFor } from './forwarded-for.ts';
import { runGeneratedBodies } from './generated-bodies.ts';
import {
  type FilesResult,
  listHostileFiles,
  runFiles,
  runGoodFiles,
  runMutants,
} from './hostile-files.ts';
import {
  type HostileInput,
  tryFields,
  tryHeaders,
  tryOtherBodies,
  trySubmissions,
  withWholeBff,
} from './hostile-input.ts';
import { runHostileNames } from './hostile-names.ts';
import { createBodyReader } from './input-rules.ts';
import { inspectionCampaigns } from './inspection-campaign.ts';
import { tryExtraKeys, tryUrlsAndHeaders } from './mass-assignment.ts';
import { runLoad } from './mixed-load.ts';
import { sweepPaths } from './path-variants.ts';
import { proxyNames, startProxy } from './proxies.ts';
import { type RouteSweep, sweepRoutes } from './route-sweep.ts';
import { rollKeys } from './session-key-roll.ts';
import { runRaces } from './session-races.ts';
import { attackSeals } from './session-seals.ts';
import { trySessionsOfOthers } from './session-strangers.ts';
import {
  runSlowClients,
  type SlowClients,
  type SlowClientsOptions,
  type Wave,
  slowKinds,
} from './slow-clients.ts';
import { sendShapes, startTarget } from './smuggling.ts';
import { runManyCalls } from './token-calls.ts';

export const hostileCampaigns: readonly Campaign[] = [
  {
    group: 'routes',
    name: 'route sweep',
    seconds: 500,
    run: ({ share }) => runSweep(sweepRoutes({ share })),
  },
  {
    group: 'routes',
    name: 'path variants',
    seconds: 10,
    run: ({ share }) => runSweep(sweepPaths({ share })),
  },
  { group: 'smuggling', name: 'ambiguous message ends', seconds: 60, run: runSmuggling },
  { group: 'sessions', name: 'changed session seals', seconds: 60, run: runSealAttack },
  { group: 'sessions', name: 'concurrent requests', seconds: 30, run: runSessionRaces },
  { group: 'sessions', name: 'session key rotation', seconds: 120, run: runKeyRoll },
  { group: 'sessions', name: 'sessions of other browsers', seconds: 120, run: runStrangers },
  { group: 'tokens', name: 'calls over simulated days', seconds: 5, run: runManyCalls },
  { group: 'input', name: 'naughty strings', seconds: 60, run: runNaughtyStrings },
  { group: 'input', name: 'generated bodies', seconds: 350, run: runBodies },
  { group: 'input', name: 'generated bodies, whole BFF', seconds: 250, run: runBodiesThroughBff },
  { group: 'input', name: 'unknown names', seconds: 15, run: runMassAssignment },
  { group: 'forwarded-for', name: 'forged addresses', seconds: 10, run: runForgedAddresses },
  { group: 'slow', name: 'slow clients by kind', seconds: 200, run: runSlowKinds },
  { group: 'slow', name: 'slow clients from one address', seconds: 60, run: runSlowAddress },
  { group: 'load', name: 'mixed load', seconds: 70, run: runLoad },
  {
    group: 'hostile-files',
    name: 'good files',
    seconds: 5,
    run: async () => toFilesRow(await runGoodFiles(await listGoodFiles())),
  },
  {
    group: 'hostile-files',
    name: 'hostile files',
    seconds: 250,
    run: async (context) => toFilesRow(await runFiles(choose(context))),
  },
  {
    group: 'hostile-files',
    name: 'damaged files',
    seconds: 200,
    run: async ({ share }) =>
      toFilesRow(await runMutants(Math.max(100, Math.round(10_000 * share)))),
  },
  { group: 'hostile-files', name: 'hostile names', seconds: 10, run: runNames },
  { group: 'hostile-files', name: 'hostile files over HTTP', seconds: 400, run: runOverHttp },
  ...inspectionCampaigns,
];

async function runForgedAddresses(): Promise<CampaignRow> {
  const { cells, problems } = await runForwardedFor();
  return { engine: 'SQLite', runs: `${cells} cells`, problems };
}

async function runSweep(sweep: Promise<RouteSweep>): Promise<CampaignRow> {
  const { requests, answered, problems } = await sweep;
  return {
    engine: 'SQLite',
    runs: `${requests} requests`,
    notes: `${answered} answered`,
    problems,
  };
}

/** Sends the requests directly to the BFF, and through each installed proxy. The notes list missing proxies. */
async function runSmuggling(): Promise<CampaignRow> {
  const target = await startTarget();
  const direct = await sendShapes(target);
  const problems = [...direct.problems];
  const notes = [`direct: ${direct.refused} refused`];
  let { exchanges } = direct;
  for (const name of proxyNames) {
    const proxy = await startProxy(name, target.port);
    if (proxy === undefined) {
      notes.push(`${name}: not installed`);
      continue;
    }
    const result = await sendShapes(target, { port: proxy.port });
    await proxy.stop();
    exchanges += result.exchanges;
    problems.push(...result.problems.map((problem) => `${proxy.version}: ${problem}`));
    notes.push(`${proxy.version}: ${result.refused} refused`);
  }
  await target.close();
  return { engine: 'SQLite', runs: `${exchanges} exchanges`, notes: notes.join(', '), problems };
}

/** Bodies of one run. Each run has its own seed and frees its memory at the end. */
const bodiesPerRun = 100_000;

async function runNaughtyStrings(): Promise<CampaignRow> {
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
async function runBodies({ share }: CampaignContext): Promise<CampaignRow> {
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

async function runBodiesThroughBff({ share }: CampaignContext): Promise<CampaignRow> {
  const bodies = Math.max(1_000, Math.round(50_000 * share));
  const result = await withWholeBff((read) => runGeneratedBodies(read, bodies, 99));
  return {
    engine: 'SQLite',
    runs: `${bodies} bodies through the whole BFF`,
    notes: `${result.accepted} accepted, at most ${result.slowestMs} ms of CPU time`,
    problems: result.problems,
  };
}

async function runMassAssignment(): Promise<CampaignRow> {
  const results = [await tryExtraKeys(), await tryUrlsAndHeaders()];
  return {
    engine: 'SQLite',
    runs: `${results.reduce((sum, { requests }) => sum + requests, 0)} requests`,
    problems: results.flatMap(({ problems }) => problems),
  };
}

async function runSealAttack({ share }: CampaignContext): Promise<CampaignRow> {
  const sizes = {
    flips: Math.round(100_000 * share),
    inventions: Math.round(10_000 * share),
    replays: Math.round(1_000 * share),
  };
  const { sent, unsendable, problems } = await attackSeals(sizes);
  return {
    engine: 'SQLite',
    runs: `${sent.toLocaleString('en-US')} seals`,
    notes: `${sizes.flips} flips, ${sizes.inventions} inventions, ${sizes.replays} revoked sessions; ${unsendable} more that no header can contain`,
    problems,
  };
}

async function runSessionRaces({ share }: CampaignContext): Promise<CampaignRow> {
  const { pairs, requests, problems } = await runRaces(Math.round(1_000 * share));
  return { engine: 'SQLite', runs: `${pairs} pairs`, notes: `${requests} requests`, problems };
}

async function runKeyRoll({ share }: CampaignContext): Promise<CampaignRow> {
  const { requests, filed, loggedOut, over, problems } = await rollKeys({
    visitors: Math.round(1_000 * share),
  });
  return {
    engine: 'SQLite',
    runs: `${requests.toLocaleString('en-US')} requests`,
    notes: `two processes, ${filed} applications, ${over} requests after expiry`,
    problems: [...problems, ...(loggedOut > 0 ? [`${loggedOut} were logged out`] : [])],
  };
}

async function runStrangers({ share }: CampaignContext): Promise<CampaignRow> {
  const { sessions, tries, problems } = await trySessionsOfOthers(Math.round(200 * share));
  return {
    engine: 'SQLite',
    runs: `${tries.toLocaleString('en-US')} attempts`,
    notes: `${sessions} applicants`,
    problems,
  };
}

const minPercent = 99;
/** About 1,000 on an idle machine. */
const maxP95Ms = 2_000;
const maxMebibytes = 768;
const mebibyte = 1024 * 1024;

/** Without limits by address: 1,000 connections of each kind, one kind after another, after a wave without slow clients. */
async function runSlowKinds({ share }: CampaignContext): Promise<CampaignRow> {
  const connections = toConnections(share);
  const waves = [[], ...slowKinds.map((kind) => [{ kind, connections }])];
  return runWaves({ waves, ...schedule, slowSessions: 20, limits: 'none by address' }, connections);
}

/** With default limits: 1,000 connections of all kinds together, from one address. */
async function runSlowAddress({ share }: CampaignContext): Promise<CampaignRow> {
  const connections = toConnections(share);
  const each = Math.ceil(connections / slowKinds.length);
  const waves = [[], slowKinds.map((kind) => ({ kind, connections: each }))];
  return runWaves({ waves, ...schedule, slowSessions: 20, limits: 'default' }, connections);
}

const schedule = { seconds: 20, applicantsPerSecond: 5 } as const;

function toConnections(share: number): number {
  return Math.max(25, Math.round(1_000 * share));
}

async function runWaves(options: SlowClientsOptions, connections: number): Promise<CampaignRow> {
  const result = await runSlowClients(options);
  const journeys = result.waves.reduce((sum, wave) => sum + wave.journeys, 0);
  return {
    engine: 'SQLite',
    runs: `${result.waves.length - 1} × ${connections} connections`,
    acknowledged: journeys,
    notes: [...result.waves.map(describeWave), describeMemory(result)].join('; '),
    problems: [
      ...result.waves.flatMap(findWaveProblems),
      ...(result.isReady ? [] : ['the BFF is not ready any more']),
    ],
  };
}

function describeWave(wave: Wave): string {
  const arrived = wave.journeys - wave.broken.length;
  const away = wave.retried > 0 ? `, ${wave.retried} requests sent again` : '';
  return `${toName(wave)}: ${arrived} of ${wave.journeys} honest, p95 ${wave.p95Ms} ms${away}, ${toMebibytes(wave.peakBytes)} MiB`;
}

function describeMemory({ bytesBefore, bytesAfter }: SlowClients): string {
  return `memory ${toMebibytes(bytesBefore)} MiB before, ${toMebibytes(bytesAfter)} after`;
}

function findWaveProblems(wave: Wave): string[] {
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

const fileLimitMs = 2_000;
const eventLoopLimitMs = 50;
const riseLimitMegabytes = 150;

/** Without bombs, some of which end at the time limit of the inspection. The group `inspection` sends them. */
function choose({ share }: CampaignContext): ReturnType<typeof listHostileFiles> {
  const step = Math.max(1, Math.round(1 / share));
  const files = listHostileFiles(0).filter(({ group }) => group !== 'bomb');
  return files.filter((_, index) => index % step === 0);
}

function toFilesRow({
  files,
  refused,
  unreadable,
  slowest,
  slowestMs,
  problems,
}: FilesResult): CampaignRow {
  const unreadableNote =
    unreadable > 0 ? `, ${unreadable} accepted files not readable by another library` : '';
  return {
    engine: '',
    runs: `${files} files`,
    notes: `${refused} refused${unreadableNote}, slowest ${slowestMs} ms (${slowest})`,
    problems: [...problems, ...toProblem(slowestMs, fileLimitMs, 'ms for one file')],
  };
}

async function runNames({ share }: CampaignContext): Promise<CampaignRow> {
  const { names, refused, problems } = await runHostileNames(Math.max(1, Math.round(1 / share)));
  return { engine: 'SQLite', runs: `${names} names`, notes: `${refused} refused`, problems };
}

async function runOverHttp(context: CampaignContext): Promise<CampaignRow> {
  const result = await sendFilesOverHttp(choose(context));
  const { files, refused, riseMegabytes, eventLoopP99Ms, problems } = result;
  return {
    engine: 'SQLite',
    runs: `${files} files`,
    notes: `${refused} refused, event loop p99 ${eventLoopP99Ms} ms, memory + ${riseMegabytes} MB`,
    problems: [
      ...problems,
      ...toProblem(eventLoopP99Ms, eventLoopLimitMs, 'ms of delay in the event loop'),
      ...toProblem(riseMegabytes, riseLimitMegabytes, 'MB more memory'),
    ],
  };
}

function toProblem(value: number, limit: number, what: string): string[] {
  return value <= limit ? [] : [`${value} ${what}. The limit is ${limit}.`];
}
