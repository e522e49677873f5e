// Campaigns with hostile files and names, and their limits.

import type { Campaign, CampaignContext, CampaignRow } from '../campaigns/campaign.ts';
import { listGoodFiles } from './files/good-files.ts';
import { sendFilesOverHttp } from './files-over-http.ts';
import {
  listHostileFiles,
  runFiles,
  runGoodFiles,
  runMutants,
  type FilesResult,
} from './hostile-files.ts';
import { runHostileNames } from './hostile-names.ts';

const group = 'hostile-files';
const bombBytes = 8_000_000;
/** Smaller, because over HTTP SQLite writes each byte on the thread whose delay is measured. */
const bombBytesOverHttp = 500_000;
const fileLimitMs = 2_000;
const eventLoopLimitMs = 50;
const riseLimitMegabytes = 150;

export const filesCampaigns: readonly Campaign[] = [
  {
    group,
    name: 'good files',
    seconds: 5,
    run: async () => toRow(await runGoodFiles(await listGoodFiles())),
  },
  {
    group,
    name: 'hostile files',
    seconds: 250,
    run: async (context) => toRow(await runFiles(choose(context, bombBytes))),
  },
  {
    group,
    name: 'damaged files',
    seconds: 200,
    run: async ({ share }) => toRow(await runMutants(Math.max(100, Math.round(10_000 * share)))),
  },
  { group, name: 'hostile names', seconds: 10, run: runNames },
  { group, name: 'hostile files over HTTP', seconds: 400, run: runOverHttp },
];

function choose({ share }: CampaignContext, bytes: number): ReturnType<typeof listHostileFiles> {
  const step = Math.max(1, Math.round(1 / share));
  return listHostileFiles(bytes).filter((_, index) => index % step === 0);
}

function toRow({
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
  const result = await sendFilesOverHttp(choose(context, bombBytesOverHttp));
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
