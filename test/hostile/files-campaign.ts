// The long runs of hostile files and names, as rows of the table, with the limits they are held to.

import { afterOnTimer } from '../../bff/after.ts';
import { createInspectionPool } from '../../bff/documents/inspection-pool.ts';
import type { Campaign, CampaignContext, CampaignRow } from '../faults/campaigns.ts';
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
/** Over HTTP the journal takes every byte as well, on the thread whose delay is measured; of the largest files that would be all there is to see. */
const bombBytesOverHttp = 500_000;
const fileLimitMs = 2_000;
const killLimitMs = 2_200;
const eventLoopLimitMs = 50;
const riseLimitMegabytes = 150;

export const filesCampaigns: readonly Campaign[] = [
  { group, name: 'good files', run: async () => toRow(await runGoodFiles(await listGoodFiles())) },
  {
    group,
    name: 'hostile files',
    run: async (context) => toRow(await runFiles(choose(context, bombBytes))),
  },
  {
    group,
    name: 'damaged files',
    run: async ({ share }) => toRow(await runMutants(Math.max(100, Math.round(10_000 * share)))),
  },
  { group, name: 'hostile names', run: runNames },
  { group, name: 'hostile files over HTTP', run: runOverHttp },
  { group, name: 'an inspection that hangs', run: runHanging },
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
  const broken = unreadable > 0 ? `, ${unreadable} of the others of use to no other parser` : '';
  return {
    engine: '',
    runs: `${files} files`,
    notes: `${refused} refused${broken}, slowest ${slowestMs} ms (${slowest})`,
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

/** A thread of the product with an inspection that can be told to hang; the next document is inspected all the same. */
async function runHanging(): Promise<CampaignRow> {
  const program = new URL('../bff/documents/threads/scripted-inspection.ts', import.meta.url);
  const pool = createInspectionPool({ after: afterOnTimer, threads: 1, program });
  const inspect = (text: string): ReturnType<typeof pool.inspect> =>
    pool.inspect({
      extension: 'pdf',
      allowedExtensions: ['pdf'],
      bytes: text.length,
      async *content() {
        yield Buffer.from(text);
      },
    });
  try {
    await inspect('first');
    const startedAt = performance.now();
    const hanging = await inspect('hang');
    const killedMs = Math.round(performance.now() - startedAt);
    const next = await inspect('next');
    const isKilled = hanging.kind === 'refused' && hanging.detail === 'timeout';
    return {
      engine: '',
      runs: '3 files',
      notes: `ended after ${killedMs} ms`,
      problems: [
        ...(isKilled ? [] : ['the hanging thread was not ended']),
        ...(next.kind === 'accepted' ? [] : ['the next document was not inspected']),
        ...toProblem(killedMs, killLimitMs, 'ms until the thread was ended'),
      ],
    };
  } finally {
    await pool.close();
  }
}

function toProblem(value: number, limit: number, what: string): string[] {
  return value <= limit ? [] : [`${value} ${what}, and ${limit} are allowed`];
}
